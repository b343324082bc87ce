"""Nothing but reading is done on the path of a session start."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.harvest.book import notes
from curator.harvest.files import harvest_file, transcripts
from curator.snapshot import refresh
from curator.store.engine import Store
from tests.helpers import load_active
from tests.hook.helpers import context, hook

CASES = Path(__file__).parent.parent / "cases"


@pytest.mark.slow
def test_case_10_a_start_takes_in_nothing_and_a_harvest_each_file_once(
    new_store: Callable[[Path], Store], tmp_path: Path, home: Path
) -> None:
    """3,000 unread transcripts beside it: the start injects and notes nothing; a folder harvested notes each once."""
    kept = home / ".claude" / "projects"
    subprocess.run([sys.executable, str(CASES / "10/make_projects.py"), str(kept)], check=True, capture_output=True)
    store = new_store(tmp_path / "p")
    load_active(store, [{"id": "n-1", "kind": "lesson", "body": "green belt"}])
    refresh(store)
    payload = json.loads((CASES / "10/payload.json").read_text()) | {"cwd": str(store.place.root)}
    assert "green belt" in context(hook(store.place.root, "session-start", payload))
    assert notes(store) == []
    files = transcripts(kept / "-srv-demo-p00")
    assert len(files) == 50
    for times in range(2):
        for path in files:
            assert harvest_file(store, path, len).rows == 1 - times
    assert len(notes(store)) == 50
