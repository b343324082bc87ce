"""`search`, `list` and `show`: what is stored, by words and filters."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of, say, settings_of, store_to_read
from curator.edge.clock import now
from curator.errors import BadUsage, NotFound
from curator.place import user_place
from curator.vocab import EntryState, Kind

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.store.engine import Store
    from curator.sweep.meaning import Meanings

app = typer.Typer()


class Status(StrEnum):
    """Values of `--status`."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    TOMBSTONED = "tombstoned"
    ALL = "all"


class Which(StrEnum):
    """Values of `--store`."""

    INJECTED = "injected"
    DEFERRED = "deferred"
    ALL = "all"


Labels = Annotated[list[str] | None, typer.Option("--label", help="Only entries with this label; several mean AND.")]
AnyLabels = Annotated[list[str] | None, typer.Option("--label-any", help="Entries with any of these labels.")]
Excluded = Annotated[list[str] | None, typer.Option("--exclude-label", help="No entries with this label.")]
Contains = Annotated[
    str | None, typer.Option("--desc-contains", help="Only bodies that contain this text, literally, in any case.")
]
KindOption = Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")]
StatusOption = Annotated[Status, typer.Option("--status", help="Which state.")]
StoreOption = Annotated[Which, typer.Option("--store", help="Injected memory, deferred knowledge, or both.")]
Limit = Annotated[int | None, typer.Option("--limit", min=0, help="At most this many; 0 = all; else the setting.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]


@app.command("search")
def search(
    ctx: typer.Context,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="Words; each is taken literally, all must match.")
    ] = None,
    title_only: Annotated[bool, typer.Option("--title-only", help="Look at titles only.")] = False,
    label: Labels = None,
    label_any: AnyLabels = None,
    exclude_label: Excluded = None,
    desc_contains: Contains = None,
    kind: KindOption = None,
    status: StatusOption = Status.ACTIVE,
    store: StoreOption = Which.ALL,
    similar: Annotated[bool, typer.Option("--similar", help="Also by meaning, where a model is installed.")] = False,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Find entries by words, labels and meaning."""
    _not_blank(TEXT=text, desc_contains=desc_contains)
    filters = _filters(label, label_any, exclude_label, desc_contains, kind, status, store, None)
    _answer(ctx.obj, text, filters, title_only, similar, limit, as_json)


@app.command("list")
def list_(
    ctx: typer.Context,
    since: Annotated[
        str | None, typer.Option("--since", help="today, yesterday, 7d, 12h, or a date such as 2031-03-05.")
    ] = None,
    label: Labels = None,
    label_any: AnyLabels = None,
    exclude_label: Excluded = None,
    desc_contains: Contains = None,
    kind: KindOption = None,
    status: StatusOption = Status.ACTIVE,
    store: StoreOption = Which.ALL,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """List entries with the same filters, newest change first."""
    _not_blank(desc_contains=desc_contains, since=since)
    moment = since_when(since, now()) if since else None
    filters = _filters(label, label_any, exclude_label, desc_contains, kind, status, store, moment)
    _answer(ctx.obj, None, filters, False, False, limit, as_json)


@app.command("show")
def show(
    ctx: typer.Context,
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Entry ids, or unique beginnings of ids.")],
    as_json: Json = False,
) -> None:
    """Whole entries, with labels, state, where they came from and their history."""
    from curator.recall.reading import first_whole
    from curator.recall.telling import whole_lines

    stores = _stores(ctx.obj)
    found, missing = [], []
    for prefix in ids:
        try:
            found.append(first_whole(stores, prefix))
        except NotFound as error:
            missing.append(str(error))
    if as_json:
        out_json({"entries": [{**entry.value, "history": list(entry.history)} for entry in found], "missing": missing})
    else:
        for number, entry in enumerate(found):
            if number:
                out()
            for line in whole_lines(entry):
                out(line)
    if missing:
        raise NotFound("; ".join(missing))


def since_when(text: str, moment: datetime) -> datetime:
    """The instant that a day word, an age or a date means in the person's zone; raises `BadUsage`."""
    today = moment.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    word = text.strip().lower()
    if word in {"today", "yesterday"}:
        return today - timedelta(days=word == "yesterday")
    if word[:-1].isdigit() and word[-1] in "dhw":
        return moment - {"d": timedelta(days=1), "h": timedelta(hours=1), "w": timedelta(weeks=1)}[word[-1]] * int(
            word[:-1]
        )
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadUsage(f"--since {text!r}: today, yesterday, 7d, 12h, 2w or a date such as 2031-03-05") from None
    return found if found.tzinfo else found.astimezone()


def _filters(
    label: list[str] | None,
    label_any: list[str] | None,
    exclude_label: list[str] | None,
    contains: str | None,
    kind: Kind | None,
    status: Status,
    which: Which,
    since: datetime | None,
) -> Any:
    from curator.store.search import Filters

    for value in (*(label or ()), *(label_any or ()), *(exclude_label or ())):
        _not_blank(label=value)
    return Filters(
        states=tuple(state.value for state in EntryState) if status is Status.ALL else (status.value,),
        route="" if which is Which.ALL else which.value,
        kind=kind.value if kind else "",
        labels=tuple(label or ()),
        any_labels=tuple(label_any or ()),
        excluded=tuple(exclude_label or ()),
        contains=contains or "",
        since=since,
    )


def _answer(
    call: Call, text: str | None, filters: Any, title_only: bool, similar: bool, limit: int | None, as_json: bool
) -> None:
    from curator.recall.search import search as ask
    from curator.recall.telling import document, lines, notes
    from curator.recall.values import Query

    settings = settings_of(place_of(call)).settings
    query = Query(text, filters, title_only, similar, settings.search_limit if limit is None else limit)
    answers = [(scope, ask(store, query, _meaning(store) if similar else None)) for scope, store in _stores(call)]
    if as_json:
        out_json(document(query, answers))
        return
    for note in notes(answers):
        say(note)
    for line in lines(answers, more="--limit 0 shows all", read="`curator show ID`"):
        out(line)


def _meaning(store: "Store") -> "Meanings | None":
    """The embedding model, where one is installed; loading it costs seconds, so only `--similar` does."""
    from curator.edge.embed import embedder
    from curator.sweep.meaning import meaning

    return meaning(store, embedder(store.settings.embedder))


def _stores(call: Call) -> "list[tuple[str, Store]]":
    """The project's store, then the person's; only the latter with `--user`."""
    found = [("user" if call.user else "project", store_to_read(call))]
    if not call.user and user_place().found:
        found.append(("user", store_to_read(Call(call.start, user=True))))
    return [(scope, store) for scope, store in found if store]


def _not_blank(**values: str | None) -> None:
    for name, value in values.items():
        if value is not None and not value.strip():
            raise BadUsage(f"{name.replace('_', '-')} is empty; leave it out or give a text")
