"""Frames and provenance: stored text can neither open nor close a frame, nor pass for another's words.

Owns the tags around what is handed to a model and the one line that says who an input came from, built from delivery
metadata alone.
"""

import re

from curator.plain import one_line
from curator.vocab import FRAME

TAG = "context-checkpoint"
MARKER = "[Harness:"
NAME_LENGTH = 80

_TAGS = re.compile(rf"<(?=\s*/?\s*(?:{TAG}|{FRAME}|checkpoint)\b)", re.IGNORECASE)
_EDGES = re.compile(rf"<\s*(/?)\s*({TAG}|{FRAME})\b[^<>]*>\n?", re.IGNORECASE)
_MARKED = re.compile(r"\s*\[\s*harness\s*:", re.IGNORECASE)


def harmless(text: str) -> str:
    """The text with every tag of ours made inert (`<` becomes `‹`); all else stays as it is."""
    return _TAGS.sub("‹", text)


def one(text: str, limit: int = 0) -> str:
    """A name, path or label as one harmless line."""
    return harmless(one_line(text, limit))


def without_frames(text: str) -> str:
    """The text without blocks that we injected earlier; an unclosed opening tag stays, it is no block."""
    out, at, opened, tag = [], 0, -1, ""
    for edge in _EDGES.finditer(text):
        if opened < 0 and not edge[1]:
            opened, tag = edge.start(), edge[2].lower()
        elif opened >= 0 and edge[1] and edge[2].lower() == tag:
            out.append(text[at:opened])
            at, opened = edge.end(), -1
    return "".join([*out, text[at:]]) if out else text


def provenance(kind: str, ident: str = "", name: str = "", session: str = "") -> str:
    """The first line of an input that is not a person's: `[Harness: <kind> <id> "<name>"]` or `… from #<session>]`.

    Metadata only; none of it can add a line, close the label or end the quotation.
    """
    words = [_flat(word) for word in (kind, ident) if word]
    words += [f'"{_flat(name)}"'] if name else []
    words += [f"from #{_flat(session)}"] if session else []
    return f"{MARKER} {' '.join(words)}]"


def as_typed(text: str, sender: str = "") -> str:
    """A typed message as a model sees it: with the sender before it where it begins like a provenance line."""
    return f"{_flat(sender) or 'user'}: {text}" if _MARKED.match(text) else text


def _flat(name: str) -> str:
    return one_line(name.translate(_NEUTRAL), NAME_LENGTH)


_NEUTRAL = str.maketrans({"[": "(", "]": ")", '"': "'", "<": "(", ">": ")", "`": "'"})
