"""`status`: one screen that says where the memory stands."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.brief.lines import cut
from curator.cli.call import Call
from curator.cli.common import local, out, out_json, place_of, store_to_read
from curator.edge.clock import now
from curator.plain import one_line

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.recall.standing import Standing
    from curator.snapshot.outlook import Outlook
    from curator.store.engine import Store

app = typer.Typer()

_LINE = 110
_TROUBLES = 3
"""Bytes of a line and sentences of trouble, so that an agent reads the whole screen in under 1,500 bytes."""


@app.command("status")
def status(
    ctx: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False
) -> None:
    """One screen: what is stored, waiting, next."""
    call: Call = ctx.obj
    place = place_of(call)
    store = store_to_read(call)
    if store is None:
        if as_json:
            out_json({"project": None})
        else:
            out(f"No memory here yet ({place.root}): `curator init` sets it up, `curator remember` starts it.")
        return
    from curator.edge.estimate import estimated
    from curator.recall.standing import standing
    from curator.snapshot.outlook import outlook

    stands = standing(store)
    coming = outlook(place, "claude", now().date().toordinal(), estimated)
    if as_json:
        out_json(_document(store, stands, coming))
        return
    for line in _lines(store, stands, coming, now()):
        out(cut(line, _LINE))


def ago(then: datetime | None, moment: datetime) -> str:
    """How long since, in the largest unit that is at least one: `3 h ago`; `never` for None."""
    if then is None:
        return "never"
    seconds = (moment - then).total_seconds()
    if seconds < 0:
        return f"on {local(then)} (ahead of this clock)"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"


def _lines(store: "Store", stands: "Standing", coming: "Outlook", moment: datetime) -> list[str]:
    injected, deferred = stands.entries["injected"], stands.entries["deferred"]
    waiting = stands.proposals_waiting
    oldest = f", the oldest {ago(stands.oldest_proposal, moment)}" if waiting else ""
    checkpoint = f" ({stands.checkpoint_id}, session {stands.checkpoint_session[:8]})" if stands.checkpoint_id else ""
    held_back = f", {stands.stale} held back: what it cites is gone" if stands.stale else ""
    lines = [
        f"{store.place.root.name}  {store.place.folder}",
        f"injected memory     {_states(injected)}{held_back}",
        f"deferred knowledge  {_states(deferred)}",
        f"notes               {stands.notes_waiting} waiting for a sweep, {stands.notes} in all",
        f"proposals           {waiting} waiting for you{oldest}",
        f"last sweep          {ago(stands.swept_at, moment)}{f' (number {stands.sweep})' if stands.sweep else ''}",
        f"last checkpoint     {ago(stands.checkpoint_at, moment)}{checkpoint}",
        f"last ingest         {ago(stands.ingested_at, moment)}",
        *_work(coming),
        *_hooks(coming),
        *(f"trouble             {sentence}" for sentence in _trouble(stands, coming)),
    ]
    if waiting:
        lines.append("next                `curator review`")
    elif stands.notes_waiting:
        lines.append("next                `curator sweep`")
    return lines


def _work(coming: "Outlook") -> list[str]:
    """The task and what comes after it, from the task state."""
    layers = coming.asked.layers
    task = " · ".join(line.strip().removeprefix("- ") for line in layers.current.splitlines() if line.strip())
    steps = [
        line.strip().removeprefix("- [ ]").strip() for line in layers.next.splitlines() if "[x]" not in line.lower()
    ]
    steps = [step for step in steps if step]
    more = f" (and {len(steps) - 1} more)" if len(steps) > 1 else ""
    lines = [f"task                {one_line(task, 130)}"] if task else []
    lines += [f"then                {one_line(steps[0], 130)}{more}"] if steps else []
    return lines + [f"blocked             {one_line(layers.blockers, 130)}"] * bool(layers.blockers.strip())


def _hooks(coming: "Outlook") -> list[str]:
    """What the next session and each hook cost."""
    made, asked = coming.made, coming.asked
    used = len(made.text.encode("utf-8", "replace"))
    costs = {cost.hook: cost for cost in coming.hooks}
    start = costs["session-start"].tokens
    lines = [
        f"next session        about {start:,} tokens, {used:,} bytes"
        f" (memories {made.pick.tokens:,} of {asked.tokens:,})"
    ]
    later = [
        f"{cost.hook} {f'{cost.tokens:,}' if cost.on else 'off'}"
        for cost in coming.hooks
        if cost.hook != "session-start"
    ]
    lines.append(f"hooks, tokens each  {', '.join(later)}")
    if coming.left_to_bd:
        lines.append(
            f"bd prime            runs at start too: {coming.left_to_bd} entries are left to it (`yield_to_bd`)"
        )
    return lines


def _trouble(stands: "Standing", coming: "Outlook") -> list[str]:
    """What is wrong now, the first few; `doctor` looks further."""
    asked = coming.asked
    said = [*stands.trouble, asked.project.problem, asked.own.problem, *asked.notices, *asked.layers.problems]
    said = [one_line(sentence) for sentence in said if sentence]
    return said[:_TROUBLES] + [f"and {len(said) - _TROUBLES} more (`curator doctor`)"] * (len(said) > _TROUBLES)


def _states(counted: dict[str, int]) -> str:
    rest = ", ".join(f"{number} {state}" for state, number in sorted(counted.items()) if state != "active")
    return f"{counted.get('active', 0)} active" + (f", {rest}" if rest else "")


def _document(store: "Store", stands: "Standing", coming: "Outlook") -> dict[str, Any]:
    layers = coming.asked.layers
    return {
        "project": str(store.place.root),
        "entries": stands.entries,
        "stale": stands.stale,
        "notes": {"waiting": stands.notes_waiting, "all": stands.notes},
        "proposals": {"waiting": stands.proposals_waiting, "oldest": stands.oldest_proposal},
        "sweep": {"number": stands.sweep, "at": stands.swept_at},
        "checkpoint": {"id": stands.checkpoint_id, "session": stands.checkpoint_session, "at": stands.checkpoint_at},
        "ingested_at": stands.ingested_at,
        "task": {"current": layers.current, "next": layers.next, "blockers": layers.blockers},
        "next_session": {
            "tokens": coming.hooks[0].tokens,
            "bytes": len(coming.made.text.encode("utf-8", "replace")),
            "memories": coming.made.pick.tokens,
        },
        "hooks": {cost.hook: {"tokens": cost.tokens, "when": cost.when, "on": cost.on} for cost in coming.hooks},
        "left_to_bd": coming.left_to_bd,
        "trouble": _trouble(stands, coming),
    }
