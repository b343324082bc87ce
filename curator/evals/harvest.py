"""How many of the lines that people later wrote into their memory file the harvest had noted before.

Information, not a goal: much of such lines was never said in the session. A line counts as found when one note holds
at least 60 % of its content words. Each transcript is cut before its first edit of a memory file.
"""

import tempfile
from pathlib import Path
from typing import Any

from sqlmodel import select

from curator.config import Settings
from curator.edge.clock import now
from curator.edge.tokens import tokens
from curator.errors import BadUsage
from curator.evals.files import raw, rows, within
from curator.harvest.files import harvest_file
from curator.place import Place
from curator.store.opening import create_store
from curator.store.tables import Note
from curator.sweep.compare import content
from curator.sweep.slots import tokens as cut

HELD = 0.6


def harvest(path: Path) -> dict[str, Any]:
    """The evaluation document of a folder with `index.jsonl` and its sessions."""
    index = rows(within(path, "index.jsonl"), ("session", "gold_added"))
    gold = found = notes = sessions = 0
    for row in index:
        file = _session(path, str(row["session"]))
        made = _notes(file, int(row.get("first_memory_edit_line") or 0))
        sessions += 1
        notes += len(made)
        lines = [line for line in row["gold_added"] if _words(line)]
        gold += len(lines)
        found += sum(any(_holds(note, line) for note in made) for line in lines)
    return {
        "sessions": sessions,
        "gold": gold,
        "found": found,
        "recall": round(found / gold, 4) if gold else 0.0,
        "notes_per_session": round(notes / sessions, 2) if sessions else 0.0,
    }


def _session(path: Path, name: str) -> Path:
    folder = path if path.is_dir() else path.parent
    for place in (folder / "sessions" / name, folder / name):
        if place.exists():
            return place
    raise BadUsage(f"{folder} has no session {name}")


def _notes(file: Path, until: int) -> list[str]:
    """The notes of a transcript's first lines, made in a throwaway store."""
    lines = raw(file).split(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        cut_file = root / f"{file.name.removesuffix('.gz')}"
        cut_file.write_bytes(b"\n".join(lines[: max(0, until - 1)] if until else lines) + b"\n")
        (root / "project").mkdir()
        place = Place(root / "project", root / "project", "", False)
        store = create_store(place, Settings(), now)
        harvest_file(store, cut_file, tokens().count)
        with store.read() as session:
            made = list(session.exec(select(Note.body)).all())
        store.engine.dispose()
        return made


def _holds(note: str, line: str) -> bool:
    wanted = _words(line)
    return len(wanted & _words(note)) >= HELD * len(wanted)


def _words(text: str) -> set[str]:
    return set(content(cut(text)))
