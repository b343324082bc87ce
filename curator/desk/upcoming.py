"""What the next session will be handed, and keeping that in step with decisions.

The snapshot is rewritten after each decision: at once for a command, in a thread of its own for a screen, so that no
key waits for it. Several decisions in a row make one rewrite.
"""

import threading

from curator.brief.asked import Asked
from curator.brief.compose import compose
from curator.brief.gather import gather
from curator.desk.views import Picked, Preview
from curator.place import Spot
from curator.salience.pick import with_margin
from curator.salience.score import Score
from curator.snapshot import refresh
from curator.store.engine import Store


def preview(store: Store) -> Preview:
    """The text of a fresh Claude Code session in this worktree, with its ranking."""
    asked = _asked(store)
    brief = compose(asked)
    picked = brief.pick
    return Preview(
        text=brief.text,
        tokens=picked.tokens,
        budget=asked.tokens,
        size=len(brief.text.encode("utf-8", "replace")),
        limit=asked.size,
        taken=tuple(
            Picked(
                each.item.id,
                each.item.title,
                with_margin(each.item.tokens, asked.margin),
                each.score.total,
                _why(each.score),
                each.item.pinned,
            )
            for each in picked.taken
        ),
        left=tuple(
            Picked(
                each.item.id,
                each.item.title,
                with_margin(each.item.tokens, asked.margin),
                each.score.total,
                each.reason,
                each.item.pinned,
            )
            for each in picked.left
        ),
    )


def next_tokens(store: Store) -> int:
    """Tokens of memories that the next session will be handed, by the snapshot as it is."""
    return compose(_asked(store)).pick.tokens


class Following:
    """Rewrites the snapshot behind a screen: `after` asks for it, `tokens` is the last known figure, `close` waits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = threading.Condition()
        self._asked = self._done = 0
        self._closing = False
        self._known: int | None = None
        self._thread = threading.Thread(target=self._run, name="snapshot", daemon=True)
        self._thread.start()

    def after(self) -> None:
        """A decision was made."""
        with self._turn:
            self._asked += 1
            self._turn.notify()

    def tokens(self) -> int:
        """Tokens of the next session."""
        if self._known is None:
            self._known = next_tokens(self._store)
        return self._known

    def close(self) -> None:
        """Finish what was asked for."""
        with self._turn:
            self._closing = True
            self._turn.notify()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._closing or self._asked > self._done)
                if self._asked == self._done:
                    return
                number = self._asked
            refresh(self._store)
            self._known = next_tokens(self._store)
            with self._turn:
                self._done = number


def _asked(store: Store) -> Asked:
    place = store.place
    spot = Spot(str(place.root), str(place.top), place.worktree, True)
    return gather(spot, source="startup", client="claude", today=store.now().date().toordinal())


def _why(points: Score) -> str:
    state = "" if points.state else ", stale"
    return (
        f"importance {points.importance:.2f}, relevance {points.relevance:.2f}, freshness {points.freshness:.2f}{state}"
    )
