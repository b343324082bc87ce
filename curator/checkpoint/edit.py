"""Edits in place: old text that stands exactly once becomes new text; everything else stays byte for byte.

Owns the one way in which a model may change the mind (and the memo's boxes). BOM and line ends are kept.
"""

from curator.checkpoint import headings, mind
from curator.errors import CuratorError


def edited(text: str, old: str, new: str, section: str = "") -> str:
    """The text with `old` replaced by `new`, under one fixed heading, deeper ones included, where `section` names it.

    Raises `CuratorError` where `old` is empty, is not there or stands more than once.
    """
    begin, end = _span(text, section)
    part = text[begin:end]
    if "\r\n" in text:
        old, new = (piece.replace("\r\n", "\n").replace("\n", "\r\n") for piece in (old, new))
    if not old:
        raise CuratorError("an edit needs the old text; overwriting the whole is refused")
    times = _times(part, old)
    if times != 1:
        where = f" under `{section}`" if section else ""
        raise CuratorError(f"the old text stands {times} times{where}, it must stand once: {old[:60]!r}")
    at = begin + part.index(old)
    return text[:at] + new + text[at + len(old) :]


def _span(text: str, section: str) -> tuple[int, int]:
    start = 1 if text.startswith("\ufeff") else 0
    if not section:
        return start, len(text)
    found = headings.blocks(text, mind.HEADINGS)
    wanted = section.strip().lstrip("#").strip().casefold()
    for heading, (begin, end) in found.items():
        if heading == section or heading.lstrip("# ").split(". ")[-1].casefold() == wanted.split(". ")[-1]:
            inner = mind.inside(heading)
            return begin, max([end, *(found[each][1] for each in inner if each in found)])
    raise CuratorError(f"there is no section {section!r}")


def _times(text: str, old: str) -> int:
    """How often `old` stands in the text, overlapping places included."""
    times, at = 0, text.find(old)
    while at >= 0:
        times, at = times + 1, text.find(old, at + 1)
    return times
