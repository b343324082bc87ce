"""Every screen of the review of the sample store, as text and some as pictures, at the sizes that are kept.

`python -m tests.tui.goldens` renews what `tests/tui/golden/` holds; look at the difference before committing it.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from curator.config import Settings
from curator.place import Place
from curator.store.engine import Store
from curator.store.opening import create_store
from tests.tui.driving import Driver, review
from tests.tui.fake import NOON
from tests.tui.picture import svg
from tests.tui.sample import desk_on, fill

FOLDER = Path(__file__).parent / "golden"
SIZES = ((80, 24), (120, 36))
PICTURES = ("review", "update", "conflict", "help", "summary")

WALK: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("review", (), ()),
    ("queue", ("tab",), ("tab",)),
    ("update", ("j",), ()),
    ("reject", ("r",), ("escape",)),
    ("edit", ("e",), ("escape",)),
    ("labels", ("l",), ("escape",)),
    ("merge", ("j",), ()),
    ("conflict", ("j", "enter"), ("escape",)),
    ("tombstone", ("j",), ()),
    ("replace", ("j",), ()),
    ("hidden", ("j",), ()),
    ("chinese", ("j",), ("s",)),
    ("split", (), ("escape",)),
    ("refused-before", ("j",), ()),
    ("parts", ("j", "j", "j", "j"), ()),
    ("filter", ("slash", *"op:add"), ()),
    ("bulk", ("enter", "asterisk", "A"), ("escape", "asterisk")),
    ("facets", ("f",), ("escape",)),
    ("preview", ("p",), ("escape",)),
    ("memory", ("m",), ("escape",)),
    ("help", ("question_mark",), ("escape",)),
    ("log", ("slash", "ctrl+u", "enter", "j", "a", "z", "U"), ("escape",)),
    ("summary", ("q",), ()),
)
"""Name, the keys that lead there from the screen before, the keys that lead back."""


async def walk(store: Store, size: tuple[int, int], names: tuple[str, ...] = ()) -> dict[str, tuple[str, str]]:
    """Text and picture of each screen in one review (of `names` only the pictures are drawn)."""
    found = {}
    async with review(desk_on(store), size) as ui:
        for name, there, back in WALK:
            if there:
                await ui.press(*there)
            found[name] = (ui.text + "\n", picture(ui, name) if name in names else "")
            if back:
                await ui.press(*back)
    return found


def picture(ui: Driver, name: str) -> str:
    """What is drawn now."""
    return svg(ui.app.screen._compositor.render_strips(), f"curator review: {name}")


def files(size: tuple[int, int], found: dict[str, tuple[str, str]]) -> Iterator[tuple[Path, str]]:
    """Each golden file's path and content."""
    for name, (text, drawn) in found.items():
        yield FOLDER / f"{name}-{size[0]}x{size[1]}.txt", text
        if drawn:
            yield FOLDER / f"{name}-{size[0]}x{size[1]}.svg", drawn


def sample(folder: Path) -> Store:
    """The sample store in a folder of its own, at the fixed time."""
    store = create_store(Place(folder, folder, "", False), Settings(), lambda: NOON)
    fill(store)
    return store


def renew() -> None:
    """Write all golden files anew."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    for old in FOLDER.glob("*.*"):
        old.unlink()
    for size in SIZES:
        with tempfile.TemporaryDirectory() as name:
            found = asyncio.run(walk(sample(Path(name)), size, PICTURES))
        for path, content in files(size, found):
            path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    renew()
