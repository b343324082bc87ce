"""The form in which two texts are compared, and the fingerprint of that form. Pure."""

import hashlib
import re
import unicodedata

from curator.vocab import MARKERS

KINDS = "|".join(marker[:-1].replace("-", "[- ]") for marker in MARKERS)
"""The kinds as a pattern; a two-word kind may be written with a space."""

_MARKER = re.compile(rf"\s*(?:[-*+>#]\s*)*\**({KINDS})\s*\**\s*[:：]\s*\**", re.I)
_MARKUP = re.compile(r"^[\s>#*+-]+|[*`_~]{2,}|[*`](?=\S)|(?<=\S)[*`]", re.MULTILINE)
_CLOSING = re.compile(r"[\s.,;:!?。，；：！？…]+$")


def without_marker(text: str) -> tuple[str, str]:
    """The text after a leading marker such as `lesson:`, and the kind it names (empty if none)."""
    found = _MARKER.match(text)
    return (text[found.end() :].strip(), found.group(1).lower().replace(" ", "-")) if found else (text.strip(), "")


def normal(text: str) -> str:
    """One statement in one form: no marker, case, markup, closing punctuation or extra white space; words untouched."""
    body, _ = without_marker(unicodedata.normalize("NFC", text))
    flat = " ".join(_MARKUP.sub("", body).split())
    return _CLOSING.sub("", flat).casefold()


def fingerprint(text: str) -> str:
    """32 hex digits that are equal for two texts exactly when their normal forms are."""
    return hashlib.sha256(normal(text).encode("utf-8", "replace")).hexdigest()[:32]
