"""The review of the sample store in this terminal: `python -m tests.tui.stage [FOLDER]`, to try keys by hand."""

import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from curator.config import load, user_config
from curator.place import Place
from curator.store.opening import create_store
from tests.tui.sample import desk_on, fill
from tui.app import CuratorApp

NOON = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)


def main(folder: Path) -> int:
    """Make the store where there is none yet, and review it."""
    place = Place(folder, folder, "", False)
    fresh = not (folder / ".curator").exists()
    store = create_store(place, load((user_config(),)).settings, lambda: NOON)
    if fresh:
        fill(store)
    return CuratorApp(lambda: desk_on(store), store.settings, "vibe-shop", lambda: NOON).run() or 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="curator-stage-"))))
