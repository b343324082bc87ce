"""Exactly the part of a checkpoint that a session start injects after a compaction."""

from curator.cycle.checkpoints.shelf import Stored
from curator.errors import NotFound
from curator.place import Spot
from curator.store.engine import Store


def injected(store: Store, found: Stored) -> str:
    """The checkpoint part as the hook composes it from the snapshot.

    Raises `NotFound` for a checkpoint that no session start shows: an older one of its session.
    """
    from curator.brief.compose import compose
    from curator.brief.gather import gather

    place = store.place
    spot = Spot(str(place.root), str(place.top), found.worktree, True)
    asked = gather(spot, source="compact", client="claude", today=store.now().date().toordinal(), named=found.session)
    brief = compose(asked._replace(only="checkpoint"))
    if brief.checkpoint != found.ident:
        raise NotFound(f"{found.ident} is not what a session start shows: there is a newer one of its session")
    return next(part.text for part in brief.parts if part.name == "checkpoint")
