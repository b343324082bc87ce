"""From the disk to the values of a composition: snapshots, layers, branch, settings, session ledger.

The hook and the preview ask the same way, so that a preview is what the next session gets.
"""

import os

from curator.brief import layers, session, snapshot_file
from curator.brief.asked import CONTINUED, Asked
from curator.brief.knobs import knobs
from curator.brief.reflog import newest_commit
from curator.brief.snapshot_file import Reading, Snapshot
from curator.light import Any, Mapping
from curator.place import Spot, git_folder, user_spot

MARGINS = {"claude": 1.65, "codex": 1.0}
UNKNOWN_MARGIN = 1.65
"""Factor from raw counts to a client's own tokens: measured, or the largest one measured."""


def gather(
    spot: Spot, *, source: str, client: str, today: int, named: str = "", env: Mapping[str, str] | None = None
) -> Asked:
    """Everything that a start of session `named` depends on, but what only the hook can know."""
    env = os.environ if env is None else env
    project = snapshot_file.read(spot.folder)
    mine = user_spot(env)
    apart = mine.found and mine.folder != spot.folder and not os.path.exists(session.pause_mark(mine.folder))
    own = snapshot_file.read(mine.folder) if apart else Reading(Snapshot())
    settings, problem = knobs(spot.folder, project.snapshot, env)
    values = project.snapshot.relevance.get(spot.worktree, {})
    project, own = _weighed(project, values), _weighed(own, values, own=True)
    known = _known(spot, source, named)
    found = layers.read(spot.folder, spot.worktree)
    notices = [problem] if problem else []
    if found.changed and newest_commit(spot.top) > found.changed:
        notices.append("`.curator/TASK_STATE.md` is older than the newest commit; check it before relying on it.")
    return Asked(
        source=source,
        today=today,
        project=project,
        own=own,
        layers=found,
        session=named,
        worktree=spot.worktree,
        branch=branch(spot.top),
        tokens=int(settings["memory_tokens"]),
        size=min(int(settings["injection_bytes"]), 9_500),
        margin=float(settings["margin"]) or MARGINS.get(client, UNKNOWN_MARGIN),
        pin_share=float(settings["pin_share"]),
        checkpoint_days=int(settings["checkpoint_days"]),
        known={str(id_): int(rev) for id_, rev in known.get("known", {}).items()},
        known_checkpoint=str(known.get("checkpoint", "")),
        notices=tuple(notices),
    )


def branch(top: str) -> str:
    """The branch that is checked out, from `.git/HEAD`; "" without git or with a detached head."""
    folder = git_folder(top)
    try:
        with open(os.path.join(folder or top, "HEAD"), encoding="utf-8", errors="replace") as file:
            head = file.read(4096).strip()
    except OSError:
        return ""
    return head.removeprefix("ref:").strip().removeprefix("refs/heads/") if head.startswith("ref:") else ""


def _known(spot: Spot, source: str, named: str) -> dict[str, Any]:
    """What a continued session holds already: its own ledger, or for a fork the newest one of this worktree."""
    if source not in CONTINUED:
        return {}
    return session.load(spot.folder, named) or (session.newest(spot.folder, spot.worktree) if source == "fork" else {})


def _weighed(reading: Reading, values: Mapping[str, float], *, own: bool = False) -> Reading:
    """The items with their relevance to the work in this worktree; `own` marks the person's."""
    items = tuple(
        item._replace(relevance=values.get(item.id, 0.0), own=own) if own or item.id in values else item
        for item in reading.snapshot.items
    )
    return reading._replace(snapshot=reading.snapshot._replace(items=items))
