"""A sweep with everything that is set up here: tokens, and where installed and asked for a model and vectors.

Owns the wiring only; what a sweep does is `curator.sweep`'s.
"""

from collections.abc import Callable

from curator.edge.tokens import tokens
from curator.store.engine import Store
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
    settings = {"model": model, "embedder": ""}
    return sweep(store, counter.count, limit=limit, dry_run=dry_run, helpers=Helpers(step=step, settings=settings))
