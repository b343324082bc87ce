"""What entries cite, looked up: the state of every anchor, and proposals where one no longer holds.

Owns which entries are looked at and what is proposed. Noting an anchor's state is an observation, not a change: it
raises no revision, and a second look at an unchanged project writes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import String, cast, update
from sqlmodel import Session, col, select

from curator.edge.anchors import Anchor, Checker, State, worst
from curator.store.tables import Entry
from curator.sweep.nominate import Known, Nominator
from curator.sweep.planned import Planned, key_of, retired, slot_line
from curator.vocab import Op, Relation

AGAIN = timedelta(days=1)
"""An unchanged FRESH state is written anew only after this time, when it also counts as verified."""


@dataclass
class Watch:
    """One look at the anchors of a store; `look` reads, `write` notes what was seen."""

    project_id: str
    checker: Checker
    now: datetime
    seen: list[tuple[str, int, list[dict[str, Any]], str]] = field(default_factory=list)

    def look(self, session: Session, nominator: Nominator) -> Sequence[Planned]:
        """The proposals that follow from anchors which moved or went stale."""
        rows = session.exec(
            select(Entry.entry_id, Entry.rev, Entry.anchors, Entry.anchor_state).where(
                Entry.project_id == self.project_id,
                Entry.state == "active",
                cast(col(Entry.anchors), String) != "[]",
            )
        ).all()
        refs = [str(anchor.get("ref", "")) for _, _, anchors, _ in rows for anchor in anchors]
        found = self.checker.check(refs)
        planned = []
        for entry_id, rev, anchors, state in rows:
            mine = [found[ref] for anchor in anchors if (ref := str(anchor.get("ref", "")).strip()) in found]
            if self._news(anchors, state, mine):
                self.seen.append((entry_id, rev, self._noted(mine), worst(each.state for each in mine)))
            bad = [each for each in mine if each.state in (State.STALE, State.MOVED)]
            if bad and (known := nominator.entry(entry_id)) and (made := _proposed(known, bad)):
                planned.append(made)
        return planned

    def write(self, session: Session) -> None:
        """Note the states; an entry that changed meanwhile is left for the next look."""
        for entry_id, rev, anchors, state in self.seen:
            values: dict[str, Any] = {"anchors": anchors, "anchor_state": state}
            if state == State.FRESH:
                values["verified_at"] = self.now
            session.connection().execute(
                update(Entry)
                .where(col(Entry.project_id) == self.project_id, col(Entry.entry_id) == entry_id, col(Entry.rev) == rev)
                .values(**values)
            )

    def _noted(self, anchors: Sequence[Anchor]) -> list[dict[str, Any]]:
        at = self.now.isoformat()
        return [{"ref": a.ref, "kind": a.kind, "state": a.state.value, "why": a.why, "checked_at": at} for a in anchors]

    def _news(self, before: Sequence[dict[str, Any]], state: str, now: Sequence[Anchor]) -> bool:
        if {str(a.get("ref")): a.get("state") for a in before} != {a.ref: a.state.value for a in now}:
            return True
        last = min((str(a.get("checked_at") or "") for a in before), default="")
        old = not last or self.now - datetime.fromisoformat(last) >= AGAIN
        return old and state == State.FRESH


def _proposed(known: Known, bad: Sequence[Anchor]) -> Planned | None:
    """Follow what moved; where something is gone, let the entry go."""
    gone = [each for each in bad if each.state is State.STALE]
    if gone:
        return retired(known, "; ".join(f"STALE: {each.why}" for each in gone), 0.7)
    moved = [each for each in bad if each.now and each.now != each.ref]
    if not moved:
        return None
    title, body, refs = known.draft.title, known.draft.body, list(known.draft.refs)
    for each in moved:
        old, new = each.ref.partition(":")[0], each.now.partition(":")[0]
        title, body = title.replace(old, new), body.replace(old, new)
        refs = [each.now if ref.strip() == each.ref else ref for ref in refs]
    after = known.draft.with_(title=title, body=body, refs=tuple(refs))
    return Planned(
        op=Op.UPDATE,
        key=key_of(Op.UPDATE, known.fingerprint, *(each.now for each in moved)),
        after=(after,),
        before=(known.draft,),
        targets=(known.target,),
        reason="; ".join(f"MOVED: {each.why}" for each in moved),
        confidence=0.85,
        relation=Relation.REFINES,
        origin=known.trust,
        group=known.entry_id,
        settings={"slots": slot_line(after.text)},
    )
