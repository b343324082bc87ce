"""Our own words coming back: the injected frame, lines that carry an entry's id, memories said again. Pure."""

import re
from collections.abc import Callable

from curator.door.normal import normal
from curator.vocab import FRAME

_TAGS = rf"(?:{FRAME}|context-checkpoint)"
_OPEN = rf"<{_TAGS}(?:\s[^<>\n]*)?>"
_CLOSE = rf"</{_TAGS}\s*>"
_WHOLE = re.compile(rf"(?<!`){_OPEN}.*?{_CLOSE}(?!`)", re.DOTALL | re.IGNORECASE)
_HEADLESS = re.compile(rf"\A.*(?<!`){_CLOSE}(?!`)", re.DOTALL | re.IGNORECASE)
_ENDLESS = re.compile(rf"(?:^|(?<=\n)|(?<=[\s:]))(?<!`){_OPEN}(?!`).*\Z", re.DOTALL | re.IGNORECASE)
_OPEN_ALONE = re.compile(rf"^[ \t]*{_OPEN}[ \t]*$", re.MULTILINE | re.IGNORECASE)
_CLOSE_ALONE = re.compile(rf"^[ \t]*{_CLOSE}[ \t]*$", re.MULTILINE | re.IGNORECASE)
_OWN_LINE = re.compile(r"^[ \t]*[-*] \[[A-Za-z]\w*-[A-Za-z0-9][\w.-]*\]", re.MULTILINE)
_ID = re.compile(
    r"^[\s>*+-]*(?:\d+[.)]\s*)?[\[(`\"]*(?:id[\"':=\s]+)?([A-Za-z][\w]*-[A-Za-z0-9][\w.-]*)[\])`\",:]*(?:\s|$)"
)
_WORDS = re.compile(r"[\w./$-]*\w|[^\W\d_]")
LEAD_INS = frozenset(
    re.findall(
        r"\w+",
        """a according already also and as at earlier entries entry from have i in is it its know memo memories memory
        note noted of on per recall recorded remember remembered said says so stored that the there this to told we
        which you your""",
    )
)


def without_frames(text: str) -> str:
    """The text without blocks that the product injected, also where a truncation took the block's head or tail.

    A tag that someone quotes in backticks is talk about the block, not the block.
    """
    folded = text.casefold()
    if FRAME not in folded and "context-checkpoint" not in folded:
        return text
    text = _WHOLE.sub("", text)
    text = _HEADLESS.sub("", text)
    return _ENDLESS.sub("", text).strip()


def without_blocks(text: str) -> str:
    """The text without blocks of ours, for a record that is to lose no other word.

    Where a truncation took head or tail, a block is known by a line with an entry's id and a tag alone on its line: a
    tag that a person names in a sentence is theirs, and so is what stands around it.
    """
    folded = text.casefold()
    if FRAME not in folded and "context-checkpoint" not in folded:
        return text
    rest = _WHOLE.sub("", text)
    if (end := _CLOSE_ALONE.search(rest)) and (first := _OWN_LINE.search(rest, 0, end.start())):
        rest = rest[: first.start()] + rest[end.end() :]
    if (begin := _OPEN_ALONE.search(rest)) and _OWN_LINE.search(rest, begin.end()):
        rest = rest[: begin.start()]
    return text if rest == text else rest.strip()


def ids_at_line_starts(text: str) -> set[str]:
    """What stands where a line of our own output has an entry's id; the store says which are ids."""
    return {found.group(1) for line in text.splitlines() if (found := _ID.match(line))}


def without_own_lines(text: str, known: Callable[[str], bool]) -> str:
    """The text without lines that begin, behind bullet or quote marks, with the id of an entry."""
    kept = [line for line in text.split("\n") if not ((found := _ID.match(line)) and known(found.group(1)))]
    return "\n".join(kept).strip()


def repeats(text: str, memory: str) -> bool:
    """Does the text only say what the memory says, at most with a lead-in such as `as the memory says`?

    A word the memory lacks (a number, a name, a negation) makes it a statement of its own.
    """
    said, held = normal(text), normal(memory)
    if said == held or (len(said) >= 20 and said in held):
        return True
    words, known = set(_WORDS.findall(said)), set(_WORDS.findall(held))
    return len(words & known) >= 3 and words <= known | LEAD_INS and len(words & known) * 2 >= len(known)
