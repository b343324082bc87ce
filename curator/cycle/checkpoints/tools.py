"""The mind and the memo changed by tool calls instead of by an editor.

Owns the turn's policy for them: edits in place only, all of a call or none, five calls, no other file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlmodel import Session

from curator.checkpoint.edit import edited
from curator.checkpoint.memo import ticking, written
from curator.cycle.checkpoints import folder as files
from curator.cycle.checkpoints.opening import Under, remember, resumed
from curator.errors import BadUsage, CuratorError
from curator.store.engine import Store

CALLS = 5
"""Calls on the two files in one checkpoint."""

SPENT = f"the {CALLS} calls of this checkpoint are used: hand in the now with checkpoint_commit"


def edit(store: Store, edits: Sequence[Mapping[str, str]], session_id: str = "") -> Under:
    """Change the mind of the open checkpoint. Each of `edits` has `old`, which must stand once, `new`, and maybe
    `section`. Raises `CuratorError` where one does not fit; then none is made.
    """
    with store.write() as session:
        under = _called(store, session, session_id)
        place = files.folder_of(store.place.folder, under.session)
        mind = files.read(place, files.MIND)
        for number, each in enumerate(edits, 1):
            try:
                mind = edited(mind, each["old"], each["new"], each.get("section", ""))
            except CuratorError as error:
                raise CuratorError(f"edit {number} of {len(edits)}: {error}; nothing was changed") from error
        files.write(place, files.MIND, mind)
    return under


def keep(store: Store, seqs: Sequence[int], session_id: str = "") -> Under:
    """Decide on the memo of the open checkpoint: exactly these messages are kept.

    Raises `BadUsage` for a number that the memo does not list; then nothing is changed.
    """
    with store.write() as session:
        under = _called(store, session, session_id)
        listed = {item.seq for item in under.candidates}
        if strange := sorted(set(seqs) - listed):
            raise BadUsage(
                f"the memo has no number {', '.join(f'#{seq}' for seq in strange[:10])}; nothing was changed"
            )
        ticks = tuple(sorted(set(seqs)))
        place = files.folder_of(store.place.folder, under.session)
        files.write(place, files.MEMO, written(ticking(under.candidates, ticks)))
        under = replace(under, ticks=ticks)
        remember(store, under)
    return under


def _called(store: Store, session: Session, session_id: str) -> Under:
    """The open checkpoint with one more call counted, whatever becomes of the call."""
    under, _, _ = resumed(store, session, session_id)
    if under.calls >= CALLS:
        raise CuratorError(SPENT)
    under = replace(under, calls=under.calls + 1)
    remember(store, under)
    return under
