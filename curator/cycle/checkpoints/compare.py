"""What changed between two checkpoints: by section of the mind, by message of the memo, by block of the now."""

from dataclasses import dataclass

from curator.checkpoint import Checkpoint
from curator.checkpoint import mind as minds
from curator.checkpoint import now as nows


@dataclass(frozen=True)
class Change:
    """One part that differs: lines (or messages) taken away and added, in order."""

    part: str
    gone: tuple[str, ...]
    new: tuple[str, ...]


def changes(before: Checkpoint | None, after: Checkpoint) -> list[Change]:
    """Every part that differs, in the order of the text. Without an earlier checkpoint everything is new."""
    old = before or Checkpoint(through=0)
    found = [
        _change(heading, minds.block(old.mind, heading).splitlines(), minds.block(after.mind, heading).splitlines())
        for heading in minds.BLOCKS
    ]
    found.append(_change("# 5. The user's words", _words(old), _words(after)))
    found += [
        _change(heading, nows.block(old.now, heading).splitlines(), nows.block(after.now, heading).splitlines())
        for heading in nows.HEADINGS
        if heading not in ("# 6. Now", "## Progress")
    ]
    found.append(
        _change("Files", [*old.touched.modified, *old.touched.read], [*after.touched.modified, *after.touched.read])
    )
    return [change for change in found if change.gone or change.new]


def _change(part: str, old: list[str], new: list[str]) -> Change:
    return Change(
        part,
        tuple(line for line in old if line.strip() and line not in new),
        tuple(line for line in new if line.strip() and line not in old),
    )


def _words(value: Checkpoint) -> list[str]:
    return [f"(#{word.seq}) {word.text}" for word in value.words]
