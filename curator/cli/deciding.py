"""Decisions from the shell: each asks who decides, applies in one transaction and reports item by item."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.common import out, out_json, say
from curator.cli.desks import code_of, deciding, filter_of, looking
from curator.cli.telling import dossier_lines, head_of, line_of, log_line, outcome_lines
from curator.cli.told_json import dossier_json, listed_json, log_json, outcome_json, queue_json
from curator.desk.editing import edited
from curator.desk.views import Dossier, Filter, Outcome, Shown
from curator.draft import Draft
from curator.errors import BadUsage, CuratorError
from curator.vocab import Kind, ProposalState, Route

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk

app = typer.Typer()

Op = Annotated[str | None, typer.Option("--op", help="Only this operation: add, update, merge, tombstone, …")]
KindName = Annotated[str | None, typer.Option("--kind", help="Only this kind.")]
RouteName = Annotated[str | None, typer.Option("--route", help="Only this route: injected or deferred.")]
Labels = Annotated[list[str] | None, typer.Option("--label", help="Only with this label; several mean AND.")]
Match = Annotated[list[str] | None, typer.Option("--match", help="Only where title or text holds these words.")]
AtLeast = Annotated[float | None, typer.Option("--at-least", help="Only with at least this confidence, 0..1.")]
Below = Annotated[float | None, typer.Option("--below", help="Only with less confidence than this.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="A proposal's id or its beginning; ID@REV is exact.")]
EntryId = Annotated[str, typer.Argument(metavar="ID", help="An entry's id or its beginning.")]
TextFile = Annotated[str | None, typer.Option("--text", metavar="FILE", help="The text instead; - reads stdin.")]
NewTitle = Annotated[str | None, typer.Option("--title", help="Another title.")]
NewKind = Annotated[Kind | None, typer.Option("--kind", help="Another kind.")]
NewRoute = Annotated[Route | None, typer.Option("--route", help="Another route.")]
NewLabels = Annotated[list[str] | None, typer.Option("--label", help="These labels instead; several.")]


@app.command("proposals")
def proposals(
    ctx: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(metavar="[list|show ID...]", help="What to show.")] = None,
    op: Op = None,
    kind: KindName = None,
    route: RouteName = None,
    label: Labels = None,
    match: Match = None,
    at_least: AtLeast = None,
    below: Below = None,
    as_json: Json = False,
) -> None:
    """The queue, or whole proposals with diff, evidence and similar entries. Changes nothing."""
    what, *ids = words or ["list"]
    if what not in {"list", "show"} or (what == "list" and ids) or (what == "show" and not ids):
        raise BadUsage("write it as: curator proposals [list | show ID...]")
    wanted = filter_of(op, kind, route, label, match, at_least, below)
    desk = looking(ctx.obj)
    if what == "show":
        if desk is None:
            raise CuratorError("there is no proposal: nothing is stored yet")
        _show([desk.dossier(each.partition("@")[0]) for each in ids], as_json)
        return
    if desk is None or isinstance(wanted, str):
        if isinstance(wanted, str):
            say(wanted)
        if as_json:
            out_json({"waiting": 0, "proposals": []})
        elif desk is None:
            out("No proposals: nothing is stored yet.")
        return
    queue = desk.queue(wanted)
    if as_json:
        out_json({**queue_json(queue), "proposals": [listed_json(each) for each in desk.listed(wanted)]})
        return
    out(head_of(queue))
    for row in queue.rows:
        out(line_of(row))
    if not queue.rows and wanted != Filter():
        out("No proposal matches.")


@app.command("accept")
def accept(
    ctx: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="ID, its beginning, or ID@REV.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every proposal that waits and fits the filters.")] = False,
    op: Op = None,
    kind: KindName = None,
    route: RouteName = None,
    label: Labels = None,
    match: Match = None,
    at_least: AtLeast = None,
    below: Below = None,
    text: TextFile = None,
    comment: Annotated[str, typer.Option("--note", help="A comment for the ledger.")] = "",
    as_json: Json = False,
) -> None:
    """Accept proposals: applied at once, in one transaction, exactly as shown; `curator undo` takes them back."""
    filters = (op, kind, route, label, match, at_least, below)
    if everything == bool(ids) or (ids and any(value is not None for value in filters)):
        raise BadUsage("name proposals by id, or give --all with filters")
    if text is not None and len(ids or ()) != 1:
        raise BadUsage("--text goes with exactly one proposal")
    wanted = filter_of(*filters)
    desk = deciding(ctx.obj)
    if text is not None:
        seen = desk.dossier(ids[0].partition("@")[0])  # type: ignore[index]
        (body,) = _one_result(seen)
        _report(desk.accept_as(_shown(seen, ids[0]), [body.saying(_read(text))], seen.now), as_json)  # type: ignore[index]
        return
    if isinstance(wanted, str):
        say(wanted)
        shown: list[Shown] = []
    elif everything:
        shown = [Shown(row.proposal_id, row.rev) for row in desk.queue(wanted).rows if row.state is ProposalState.OPEN]
    else:
        shown = _all_shown(desk, ids or [])
    if not shown:
        say("nothing to accept")
        return
    _report(desk.accept(shown, comment), as_json)


@app.command("reject")
def reject(
    ctx: typer.Context,
    ids: Ids,
    reason: Annotated[
        str, typer.Option("--reason", help="wrong, already known, one-off, too vague, private, or your own words.")
    ],
    comment: Annotated[str, typer.Option("--note", help="A comment for the ledger.")] = "",
    as_json: Json = False,
) -> None:
    """Reject proposals for good: the text comes back from no door until something specific in it changes."""
    if not reason.strip():
        raise BadUsage("--reason needs words")
    desk = deciding(ctx.obj)
    _report(desk.reject(_all_shown(desk, ids), reason, comment), as_json)


@app.command("snooze")
def snooze(ctx: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Put proposals off; they come back with the next sweep, as they are."""
    desk = deciding(ctx.obj)
    _report(desk.snooze(_all_shown(desk, ids)), as_json)


@app.command("revise")
def revise(
    ctx: typer.Context,
    proposal: Annotated[str, typer.Argument(metavar="ID", help="A proposal's id or its beginning.")],
    text: TextFile = None,
    title: NewTitle = None,
    kind: NewKind = None,
    route: NewRoute = None,
    label: NewLabels = None,
    as_json: Json = False,
) -> None:
    """Change a proposal before deciding on it: by options, or in $EDITOR when none is given. It goes on waiting."""
    desk = deciding(ctx.obj)
    seen = desk.dossier(proposal.partition("@")[0])
    (old,) = _one_result(seen)
    new = _changed(desk, old, text, title, kind, route, label)
    _report(desk.revise(_shown(seen, proposal), [new], seen.now), as_json)


@app.command("edit")
def edit(
    ctx: typer.Context,
    entry: EntryId,
    text: TextFile = None,
    title: NewTitle = None,
    kind: NewKind = None,
    route: NewRoute = None,
    label: NewLabels = None,
    as_json: Json = False,
) -> None:
    """Change an entry: by options, or in $EDITOR (title, kind, route, labels as front matter) when none is given."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    new = _changed(desk, seen.draft, text, title, kind, route, label)
    _report(desk.edit(seen.entry_id, seen.rev, new), as_json)


@app.command("pin")
def pin(ctx: typer.Context, entry: EntryId, as_json: Json = False) -> None:
    """Always inject an entry, before all others and under a cap of its own."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    _report(desk.pin(seen.entry_id, seen.rev), as_json)


@app.command("unpin")
def unpin(ctx: typer.Context, entry: EntryId, as_json: Json = False) -> None:
    """Let an entry compete for its place again."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    _report(desk.pin(seen.entry_id, seen.rev, pinned=False), as_json)


@app.command("tombstone")
def tombstone(
    ctx: typer.Context,
    entry: EntryId,
    reason: Annotated[str, typer.Option("--reason", help="Why; it stands in the ledger and with the entry.")],
    as_json: Json = False,
) -> None:
    """Retire an entry: out of every read path, and learned again through no door. Nothing is deleted."""
    if not reason.strip():
        raise BadUsage("--reason needs words")
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    _report(desk.tombstone(seen.entry_id, seen.rev, reason), as_json)


@app.command("restore")
def restore(ctx: typer.Context, entry: EntryId, as_json: Json = False) -> None:
    """Bring a tombstoned or superseded entry back as it was."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    _report(desk.restore(seen.entry_id, seen.rev), as_json)


@app.command("promote")
def promote(
    ctx: typer.Context,
    entry: EntryId,
    user: Annotated[bool, typer.Option("--user", help="To your own store, which serves every project.")] = False,
    as_json: Json = False,
) -> None:
    """Move an entry to your own store, for every project. Each store's ledger has its half."""
    if not user:
        raise BadUsage("say where to: curator promote ID --user")
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    _report(desk.promote(seen.entry_id, seen.rev), as_json)


@app.command("undo")
def undo(
    ctx: typer.Context,
    which: Annotated[
        str, typer.Argument(metavar="[N|DECISION]", help="How many to take back, or one by name (D-0012).")
    ] = "1",
    as_json: Json = False,
) -> None:
    """Take back the last decision, the last N, or a named one. The undo is a decision too and can be undone."""
    named = which.strip().upper()
    if named.startswith("D-") and named[2:].isdigit():
        _report(deciding(ctx.obj).undo(int(named[2:])), as_json)
        return
    if not named.isdigit() or int(named) < 1:
        raise BadUsage(f"{which!r} is neither a number of decisions nor a decision such as D-0012")
    desk = deciding(ctx.obj)
    for number in range(int(named)):
        try:
            _report(desk.undo(), as_json)
        except CuratorError as error:
            if not number:
                raise
            say(f"{number} taken back; {error}")
            raise typer.Exit(3) from error


@app.command("log")
def log(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most this many; 0 = all.")] = 20,
    as_json: Json = False,
) -> None:
    """Every decision, newest first: who, when, how, what, and whether it was taken back."""
    desk = looking(ctx.obj)
    lines = desk.log(limit) if desk else ()
    if as_json:
        out_json({"decisions": [log_json(line) for line in lines]})
    elif not lines:
        out("No decision has been made yet.")
    for line in () if as_json else lines:
        out(log_line(line))


def _show(seen: list[Dossier], as_json: bool) -> None:
    if as_json:
        out_json({"proposals": [dossier_json(each) for each in seen]})
        return
    for number, each in enumerate(seen):
        if number:
            out()
        for line in dossier_lines(each):
            out(line)


def _report(outcome: Outcome, as_json: bool) -> None:
    """Tell item by item what was done and what was not, and leave with the code that says so."""
    if as_json:
        out_json(outcome_json(outcome))
    for line in () if as_json else outcome_lines(outcome):
        out(line)
    if code := code_of(outcome):
        left = [item for item in outcome.items if not item.done]
        say(f"curator: {len(left)} of {len(outcome.items)} not done: {left[0].id}: {left[0].detail or left[0].outcome}")
        raise typer.Exit(code)


def _all_shown(desk: "Desk", ids: list[str]) -> list[Shown]:
    """What each id names; an id given twice counts once."""
    found = {each: desk.dossier(each.partition("@")[0]) for each in ids}
    return list(dict.fromkeys(_shown(seen, each) for each, seen in found.items()))


def _shown(seen: Dossier, given: str) -> Shown:
    """The revision named in `ID@REV`, else the present one."""
    rev = given.partition("@")[2]
    if rev and not rev.isdigit():
        raise BadUsage(f"{given!r}: the revision after @ is a number")
    return Shown(seen.row.proposal_id, int(rev) if rev else seen.row.rev)


def _one_result(seen: Dossier) -> tuple[Draft]:
    """The text to change; with a conflict the merged one."""
    results = seen.merged or seen.after
    if len(results) != 1:
        what = "there is no text in it to change" if not results else "it has several results"
        raise CuratorError(f"{seen.row.proposal_id}: {what}")
    return (results[0],)


def _changed(
    desk: "Desk", old: Draft, text: str | None, title: str | None, kind: Kind | None, route: Route | None,
    labels: list[str] | None,
) -> Draft:  # fmt: skip
    """The draft with the options applied, or as the editor left it when there is none."""
    if all(value is None for value in (text, title, kind, route, labels)):
        return edited(old, desk.store.settings.note_bytes)
    for flag, value in (("--title", title), *(("--label", label) for label in labels or ())):
        if value is not None and not value.strip():
            raise BadUsage(f"{flag} needs a value")
    new = old if text is None else old.saying(_read(text))
    changes = {"title": title, "kind": kind, "route": route or (kind.route if kind else None), "labels": labels}
    return new.with_(**{name: value for name, value in changes.items() if value is not None})


def _read(name: str) -> str:
    """The file's text, or stdin's for `-`. Raises `BadUsage` when it is empty."""
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig", errors="replace")
    if not text.strip():
        raise BadUsage(f"--text {name}: the text is empty")
    return text.strip()
