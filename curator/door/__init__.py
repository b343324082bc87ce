"""The one door in: size, cleaning, redaction, our own text dropped, normal form, fingerprint. Pure.

Every text that may become a note passes `admit`; every text of the record passes `kept`. Neither raises, whatever
the text.
"""

from collections.abc import Callable
from dataclasses import dataclass

from curator.door.echo import ids_at_line_starts, repeats, without_blocks, without_frames, without_own_lines
from curator.door.normal import fingerprint, normal, without_marker
from curator.door.secrets import Redacted, redact
from curator.plain import clean, repaired

__all__ = [
    "Admitted",
    "Redacted",
    "admit",
    "fingerprint",
    "ids_at_line_starts",
    "kept",
    "normal",
    "redact",
    "repeats",
    "without_frames",
    "without_marker",
    "without_own_lines",
]


_MARK_ROOM = 48  # bytes for the mark at the end of a text that was cut


@dataclass(frozen=True)
class Admitted:
    """A text that came through the door.

    `text` may be empty: then nothing of it was the speaker's own. `redacted` names the kinds of credentials taken
    out; `cut` says that the text was longer than allowed; `raw` is the text before cleaning, as visible evidence.
    """

    text: str
    fingerprint: str
    redacted: tuple[str, ...] = ()
    cut: bool = False


def admit(
    text: str, limit: int, entries: Callable[[set[str]], set[str]] | None = None, *, redacting: bool = True
) -> Admitted:
    """Size cap (UTF-8 bytes) → clean → redact → our own text dropped → normal form → fingerprint.

    `entries` says which of some strings are ids of entries: lines that begin with one are our own output.
    `redacting` is false only where a person was asked and wants the value stored.
    """
    capped, cut = _capped(repaired(text), limit, max(limit - _MARK_ROOM, limit // 2))
    safe = redact(clean(capped)) if redacting else Redacted(clean(capped))
    own = without_frames(safe.text).strip()
    if entries and (ids := ids_at_line_starts(own)) and (known := entries(ids)):
        own = without_own_lines(own, known.__contains__)
    if cut and own:
        own += f" [cut; {len(text.encode('utf-8', 'replace')):,} bytes were said]"
    return Admitted(own, fingerprint(own), safe.kinds, cut)


def kept(text: str) -> Redacted:
    """A message as the record keeps it: whole and verbatim but for credentials, our own blocks and NUL.

    A credential split by invisible characters costs those characters: then the cleaned text is kept.
    """
    safe = redact(repaired(text).replace("\x00", "\ufffd"))
    cleaned = redact(clean(safe.text))
    if cleaned.kinds:
        safe = Redacted(cleaned.text, (*safe.kinds, *cleaned.kinds))
    return Redacted(without_blocks(safe.text), safe.kinds)


def _capped(text: str, limit: int, room: int) -> tuple[str, bool]:
    """Over `limit` bytes, at most `room` of them, cut at white space so that no credential is left in half."""
    if len(text) * 4 <= limit or len(data := text.encode("utf-8")) <= limit:
        return text, False
    short = data[:room].decode("utf-8", errors="ignore")
    words = short.rsplit(None, 1)
    return (words[0] if len(words) == 2 and not text[len(short)].isspace() else short), True
