"""How store and file stand to each other: decisions that only one of them has."""

from dataclasses import dataclass
from pathlib import Path

from curator.errors import Conflict
from curator.store.engine import Store
from curator.sync.checking import Against
from curator.sync.decisions import own_decisions, sound
from curator.sync.reading import Survey, survey
from curator.sync.stored import kept, ledger_of


@dataclass(frozen=True)
class Standing:
    """`ahead`: decisions here that the file does not have; `behind`: the other way round. `trouble` is a sentence."""

    ahead: int = 0
    behind: int = 0
    bad: int = 0
    trouble: str = ""


def standing(store: Store | None, path: Path) -> Standing:
    """Compare them; either may be missing."""
    try:
        found = survey(path) if path.exists() else Survey(path)
    except Conflict as marks:
        return Standing(trouble=str(marks))
    if store is None:
        return Standing(behind=len(found.made), bad=len(found.bad))
    with store.read() as session:
        ledger = ledger_of(session, store.project_id, kept(session, store.project_id))
        own = own_decisions(session, store.project_id, ledger)
    against = Against(found, ledger.made, own, store.settings.note_bytes)
    behind = sum(name not in ledger.made and sound(each, against) for name, each in found.made.items())
    return Standing(sum(name not in found.made for name in ledger.made), behind, len(found.bad))
