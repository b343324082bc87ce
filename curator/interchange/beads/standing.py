"""What is here, as an export to beads needs it: entries by id, and which of them wait for a decision.

Owns reading the store for an export; knows nothing of files.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, select

from curator.interchange.beads.changes import Standing
from curator.store import entries, proposals
from curator.store.engine import Store
from curator.store.tables import Entry
from curator.vocab import EntryState, Route


@dataclass(frozen=True)
class Here:
    """Every entry by id, and the ids for which a proposal waits."""

    entries: Mapping[str, Standing]
    held: frozenset[str]

    def new(self, known: frozenset[str], *, memories: bool) -> list[Standing]:
        """The active entries that no record is about, by id: the deferred, then with `memories` the injected."""
        found = [each for key, each in sorted(self.entries.items()) if each.active and key not in known]
        deferred = [each for each in found if each.draft.route is Route.DEFERRED]
        return deferred + [each for each in found if memories and each.draft.route is Route.INJECTED]


def here(session: Session, store: Store, keys: Mapping[str, str]) -> Here:
    """The store's entries; `keys` gives the beads key of an entry id, where it has another."""
    rows = session.exec(select(Entry).where(Entry.project_id == store.project_id)).all()
    labels = entries.labels_of(session, store.project_id, [row.entry_id for row in rows])
    return Here(
        {
            row.entry_id: Standing(
                entries.draft_of(row, labels[row.entry_id]),
                EntryState(row.state),
                row.updated_at,
                row.created_at,
                row.importance,
                keys.get(row.superseded_by, row.superseded_by),
                row.reason,
                store.settings.reviewer,
            )
            for row in rows
        },
        frozenset(proposals.held(session, store.project_id)),
    )
