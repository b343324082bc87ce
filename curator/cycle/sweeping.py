"""A sweep with everything that is set up here: tokens, and where installed and asked for a model and vectors.

Owns the wiring only; what a sweep does is `curator.sweep`'s.
"""

from collections.abc import Callable, Sequence

from sqlmodel import Session

from curator.edge.anchors import Checker
from curator.edge.embed import embedder
from curator.edge.tokens import tokens
from curator.snapshot import refresh
from curator.store import vectors
from curator.store.engine import Store
from curator.sweep.anchored import Watch
from curator.sweep.meaning import meaning
from curator.sweep.run import Helpers, Report, sweep


def run(
    store: Store,
    *,
    limit: int | None = None,
    model: str = "",
    dry_run: bool = False,
    step: Callable[[int, int], None] | None = None,
) -> Report:
    """Sweep the store; see `curator.sweep.run.sweep`. `model` empty = no model."""
    counter = tokens(store.settings.encoding)
    meant, embedded = near_in_meaning(store)
    settings = {"model": model, "embedder": embedded}
    watch = Watch(store.project_id, Checker(store.place.top), store.now())
    helpers = Helpers(meant=meant, more=watch.look, after=watch.write, step=step, settings=settings)
    report = sweep(store, counter.count, limit=limit, dry_run=dry_run, helpers=helpers)
    if watch.seen and not dry_run:
        refresh(store)  # what went stale is withheld from the next injection
    return report


Meant = Callable[[Session, str], Sequence[str]]


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
    found = model

    def meant(session: Session, text: str) -> Sequence[str]:
        scores = found.scores(session, store.project_id, text)
        if isinstance(scores, str):
            return ()
        best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[:nearest]
        return [entry_id for entry_id, score in best if score >= (found.threshold or 0.5)]

    return meant, found.name
