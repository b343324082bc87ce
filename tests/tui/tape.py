"""The tape: a review of the demo's store, frame by frame, as a page of text and pictures for the docs.

`python -m tests.tui.tape` writes `docs/tape.md` and `docs/images/*.svg` anew; ids of new entries differ each time.
"""

import asyncio
import os
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from curator.cli.demo import CONVERSATION, LATER
from curator.config import Settings
from curator.cycle.sweeping import run
from curator.desk.desk import Desk
from curator.desk.upcoming import next_tokens
from curator.edge.tokens import tokens
from curator.harvest.files import harvest_file
from curator.place import Place
from curator.snapshot import refresh
from curator.store.engine import Store
from curator.store.opening import create_store
from tests.tui.driving import Driver, review
from tests.tui.picture import svg
from tui.board import shown

DOCS = Path(__file__).parent.parent.parent / "docs"
THEN = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
PACE = timedelta(seconds=9)
SIZE = (100, 30)
PICTURE = (120, 36)

FRAMES: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), "`curator review` opens: what would do most harm if it were wrong stands first."),
    (("2",), "`2` goes to the evidence; `o` there opens the conversation at that message."),
    (("g", "j"), "`j`: the next proposal. The change stands word by word, or as two texts where little stayed."),
    (("a",), "`a` accepts. The row keeps its place, the next one is highlighted, and `u` would take it back."),
    (("r",), "`r` asks once for a reason, which the next sweep reads."),
    (("1", "enter"), "A digit and `enter`: rejected, for good."),
    (("e",), "`e` edits in place, with the change, the tokens and the evidence in view; `ctrl+s` accepts it as yours."),
    (
        ("escape", "asterisk", "A"),
        "`*` marks what the filter shows, `A` asks once: what is accepted, and what it costs.",
    ),
    (("enter",), "`enter`: one decision, one undo."),
    (("p",), "`p`: what the next session is handed, ranked, and the exact text, against what it was."),
    (("escape", "U"), "`U`: the ledger; any decision can be taken back, today or next week."),
    (("escape", "q"), "`q` sums up and leaves."),
)
"""The keys before each frame, and what is to be seen on it."""


def demo_store(folder: Path) -> Store:
    """The demo's two sessions: the first decided, the second swept and waiting."""
    store = create_store(Place(folder, folder, "", False), Settings(), lambda: THEN, demo=True)
    count = tokens(store.settings.encoding).count
    harvest_file(store, CONVERSATION, count)
    run(store)
    desk = desk_on(store)
    desk.accept([shown(row) for row in desk.queue().rows])
    harvest_file(store, LATER, count)
    run(store)
    return store


def desk_on(store: Store) -> Desk:
    """A desk whose decisions reach the next session's text at once."""

    def after() -> None:
        refresh(store)

    return Desk(store, tokens(store.settings.encoding), "mara", after=after, measure=lambda: next_tokens(store))


async def played(store: Store) -> list[str]:
    """The page's lines, with the marks of a terminal without colour: a page of text has none."""
    os.environ["NO_COLOR"] = "1"
    lines = []
    at = THEN
    async with review(desk_on(store), SIZE, clock=lambda: at) as ui:
        for keys, told in FRAMES:
            if keys:
                await ui.press(*keys)
            lines += [told, "", "```text", *ui.lines, "```", ""]
            at += PACE
    return lines


async def pictured(store: Store) -> None:
    """The pictures of the README and the docs."""
    os.environ.pop("NO_COLOR", None)
    async with review(desk_on(store), PICTURE, clock=lambda: THEN) as ui:
        kept(ui, "review")
        await ui.press("a", "a", "j", "a", "p")
        kept(ui, "preview")


def kept(ui: Driver, name: str) -> None:
    """Write what is drawn as a picture."""
    drawn = svg(ui.app.screen._compositor.render_strips(), f"curator review: {name}")
    (DOCS / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")


def main() -> None:
    """Play it twice: once for the text, once for the pictures."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    head = [
        "# A review, frame by frame",
        "",
        "The demo's store (`curator demo`) two weeks on: the first session's memories are kept, the second session's",
        "conversation was swept and waits. Recorded from the running screen by `python -m tests.tui.tape`.",
        "",
    ]
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        lines = asyncio.run(played(demo_store(Path(one))))
        asyncio.run(pictured(demo_store(Path(two))))
    (DOCS / "tape.md").write_text("\n".join([*head, *lines]).rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
