"""A sweep with everything that is set up here: tokens, and where installed and asked for a model and vectors.

Owns the wiring only; what a sweep does is `curator.sweep`'s.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlmodel import Session

from curator.edge.anchors import Checker
from curator.edge.ask import asker, recorded
from curator.edge.embed import embedder
from curator.edge.tokens import tokens
from curator.snapshot import refresh
from curator.store import vectors
from curator.store.engine import Store
from curator.sweep.anchored import Watch
from curator.sweep.cited import with_anchors
from curator.sweep.meaning import Nearest, meaning
from curator.sweep.memory import answers_of, judge_of, remember
from curator.sweep.model import Helper
from curator.sweep.nominate import Nominator
from curator.sweep.planned import Planned
from curator.sweep.relate import relate
from curator.sweep.ruled import against
from curator.sweep.run import Helpers, Report, sweep


def run(
    store: Store,
    *,
    limit: int | None = None,
    model: str = "",
    dry_run: bool = False,
    step: Callable[[int, int], None] | None = None,
    standing: frozenset[str] = frozenset(),
) -> Report:
    """Sweep the store; see `curator.sweep.run.sweep` and `Helpers`. `model` empty = none; settings tell its cost."""
    counter = tokens(store.settings.encoding)
    meant, embedded = near_in_meaning(store)
    settings: dict[str, Any] = {"model": model, "embedder": embedded}
    helper = _helper(store, model, counter.count) if model else None
    if helper:
        settings["judge"] = judge_of(helper.ask.name)
    watch = Watch(store.project_id, Checker(store.place.top), store.now())
    judge = helper.judge if helper else relate

    def more(session: Session, nominator: Nominator) -> Sequence[Planned]:
        return [*watch.look(session, nominator), *against(store.place.folder, nominator, judge)]

    def finish(chosen: Sequence[Planned]) -> Sequence[Planned]:
        reworded = [helper.reword(planned) for planned in chosen] if helper else chosen
        return with_anchors(reworded, watch.checker)

    def after(session: Session) -> None:
        watch.write(session)
        if helper:  # the contract's lines are judged too, and belong to no note
            given = [(*key, verdict) for key, verdict in helper.answers.items() if verdict.by]
            remember(session, store.project_id, given, store.now())

    helpers = Helpers(
        judge=judge,
        meant=meant,
        more=more,
        after=after,
        finish=finish,
        step=step,
        settings=settings,
        standing=standing,
    )
    report = sweep(store, counter.count, limit=limit, dry_run=dry_run, helpers=helpers)
    if helper:
        report = replace(report, settings={**report.settings, "spent": asdict(helper.spent)})
    if watch.seen and not dry_run:
        refresh(store)  # what went stale is withheld from the next injection
    return report


def _helper(store: Store, model: str, count: Callable[[str], int]) -> Helper:
    """The model, its answers recorded beside the store (`--model replay:FILE` reads them) and remembered by pair."""
    ask = asker(model, store.place.top)
    if not model.startswith("replay:"):
        ask = recorded(ask, store.place.folder / "answers.jsonl")
    with store.read() as session:
        return Helper(ask, count, answers_of(session, store.project_id, ask.name))


Meant = Callable[[Session, str], Mapping[str, float]]


def near_in_meaning(store: Store, nearest: int = 5) -> tuple[Meant | None, str]:
    """What nominates entries by meaning, and the model's name; None where the store has no vectors of the model.

    A model is loaded (4.5 s) only where `db reembed` made vectors: that is how a person says that it is wanted.
    """
    with store.read() as session:
        if store.settings.embedder == "none" or not vectors.models(session, store.project_id):
            return None, ""
    model = meaning(store, embedder(store.settings.embedder))
    if model is None:
        return None, ""
    found, loaded = model, list[Nearest]()

    def meant(session: Session, text: str) -> Mapping[str, float]:
        if not loaded:  # once a sweep: the vectors of 100,000 entries are 150 MB
            loaded.append(Nearest(found.embed, vectors.stored(session, store.project_id, found.name)))
        return loaded[0](text, found.threshold or 0.5, nearest)

    return meant, found.name
