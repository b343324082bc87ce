"""Every screen is drawn exactly as it is kept in `golden/`, at two sizes; and no row is wider than the terminal."""

import pytest
from rich.cells import cell_len

from curator.store.engine import Store
from tests.tui.goldens import FOLDER, PICTURES, SIZES, WALK, files, walk
from tests.tui.sample import fill

BIG = pytest.param((120, 36), marks=pytest.mark.slow)


@pytest.mark.parametrize("size", [(80, 24), BIG])
async def test_every_screen_is_drawn_as_kept(store: Store, size: tuple[int, int]) -> None:
    """A walk over all screens gives what `golden/` holds; `python -m tests.tui.goldens` renews it."""
    fill(store)
    drawn = {path.name: content for path, content in files(size, await walk(store, size, PICTURES))}
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob(f"*-{size[0]}x{size[1]}.*")}
    assert sorted(drawn) == sorted(kept)
    for name, content in drawn.items():
        assert content == kept[name], f"{name} is drawn otherwise"


def test_each_golden_fits_its_terminal() -> None:
    """By cell widths, Chinese and emoji included, every kept row is as wide as its size allows or narrower."""
    for width, height in SIZES:
        for name, _, _ in WALK:
            rows = (FOLDER / f"{name}-{width}x{height}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
            assert len(rows) <= height and max(cell_len(row) for row in rows) <= width, name


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_cheat_sheet_is_never_cut(width: int, height: int) -> None:
    """Every key and what it does stand whole on the help sheet at both sizes."""
    help_rows = (FOLDER / f"help-{width}x{height}.txt").read_text(encoding="utf-8").split("\n")
    inside = [row.split("│")[1] for row in help_rows if row.count("│") >= 2]
    assert len(inside) > 15 and not any("…" in row for row in inside)


def test_pictures_ask_no_other_host() -> None:
    """The kept SVGs name no address but the SVG namespace, and no path of a machine."""
    for path in FOLDER.glob("*.svg"):
        text = path.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "http" not in text and "url(" not in text and "/home" not in text and "/tmp" not in text
