"""The tools that only read: search, show, preview."""

from typing import Any

from curator.edge.clock import now
from curator.errors import BadUsage, NotFound
from curator.mcp.answer import Answer
from curator.mcp.project import Caller, readable
from curator.vocab import EntryState

_READ = "show"


def search(
    caller: Caller,
    text: str = "",
    kind: str = "",
    label: list[str] | None = None,
    status: str = "active",
    store: str = "all",
    limit: int | None = None,
) -> Answer:
    """Entries by words and filters; without words the newest that fit."""
    from curator.recall.search import search as ask
    from curator.recall.telling import document, lines, notes
    from curator.recall.values import Query
    from curator.store.search import Filters

    states = tuple(EntryState) if status == "all" else (EntryState(status),)
    filters = Filters(
        states=tuple(state.value for state in states),
        route="" if store == "all" else store,
        kind=kind,
        labels=tuple(label or ()),
    )
    with readable(caller.place) as stores:
        most = stores[0][1].settings.search_limit if limit is None else limit
        query = Query(text or None, filters, limit=most)
        answers = [(scope, ask(each, query)) for scope, each in stores]
    told = document(query, answers)
    said = [*notes(answers), *lines(answers, more="`limit` 0 shows all", read=f"`{_READ}`")]
    return Answer("\n".join(said), _lean(told, said[-1]))


def show(caller: Caller, ids: list[str]) -> Answer:
    """Whole entries; a unique beginning of an id is enough."""
    from curator.recall.reading import first_whole
    from curator.recall.telling import whole_lines

    found, missing = [], []
    with readable(caller.place) as stores:
        for prefix in ids:
            try:
                found.append(first_whole(stores, prefix))
            except NotFound as problem:
                missing.append(str(problem))
    if not found:
        raise NotFound("; ".join(missing))
    text = "\n\n".join("\n".join(whole_lines(entry)) for entry in found)
    entries = [
        {"id": each.entry_id, **{name: each.value[name] for name in _SHOWN if each.value[name]}} for each in found
    ]
    return Answer("\n\n".join([text, *missing]), {"entries": entries, **({"missing": missing} if missing else {})})


_SHOWN = ("title", "body", "kind", "route", "labels", "state", "origin", "reason", "superseded_by", "updated_at")


def preview(caller: Caller, source: str = "startup", part: str = "", session: str = "") -> Answer:
    """What the next session is handed."""
    from curator.brief.envelope import CLIENTS
    from curator.snapshot.outlook import next_start

    if not caller.place.found:
        raise NotFound(f"no project memory here ({caller.place.root}): sessions are handed nothing")
    if source not in SOURCES:
        raise BadUsage(f"`source` is one of {', '.join(SOURCES)}")
    client = caller.client if caller.client in CLIENTS else "claude"
    today = now().date().toordinal()
    asked, made = next_start(caller.place, source, client, today, session=session, part=part)
    if not made.text:
        return Answer("Nothing would be handed over: nothing is stored for this source.", {"text": "", "left_out": 0})
    size, left = len(made.text.encode("utf-8", "replace")), len(made.pick.left)
    figures = f"{size} of {asked.size} bytes; memories {made.pick.tokens} of {asked.tokens} tokens; {left} left out"
    told = {"text": made.text, "bytes": size, "tokens": made.pick.tokens, "left_out": left}
    return Answer(f"{made.text}\n\n{figures}", told)


SOURCES = ("startup", "resume", "clear", "compact")


def _lean(told: dict[str, Any], last: str) -> dict[str, Any]:
    """The document without what says nothing: a model pays for every key of every hit."""
    hits = [{name: value for name, value in hit.items() if value and name in _OF_A_HIT} for hit in told["hits"]]
    lean = {"total": told["total"], "hits": hits, "hint": last}
    return lean | {name: told[name] for name in ("notes", "partial") if told[name]}


_OF_A_HIT = frozenset({"id", "kind", "status", "title", "labels", "excerpt"})
