"""The decisions of a sync file in the ledger here: rows of their own, so that `log`, `show` and `undo` know them.

Owns which decisions are this store's own and which were brought, and what an import does to decisions that are here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, update
from sqlmodel import Session, col, func, select

from curator.ledger.deed import Deed, refusal_document, write_refusal
from curator.store.tables import Decision, Fact, Refusal
from curator.sync.checking import Against, decided
from curator.sync.records import Made, Refused
from curator.sync.stored import FORMAT, Ledger
from curator.sync.writing import standing, undone
from curator.vocab import Verb

if TYPE_CHECKING:
    from curator.sync.taking import Report

_BROUGHT = "brought"


def own_decisions(session: Session, project_id: str, ledger: Ledger) -> frozenset[str]:
    """The decisions that were made here, by name; those that an import brought and those taken back are not."""
    ranges = _ranges(session, project_id)
    gone = _undone_here(session, project_id)
    return frozenset(
        name
        for name, seq in ledger.seqs.items()
        if seq not in gone and not any(first <= seq <= last for first, last in ranges)
    )


def _undone_here(session: Session, project_id: str) -> frozenset[int]:
    query = select(Decision.seq).where(Decision.project_id == project_id, col(Decision.undone_by).is_not(None))
    return frozenset(session.exec(query))


def _ranges(session: Session, project_id: str) -> list[list[int]]:
    fact = session.get(Fact, (project_id, FORMAT))
    return list(fact.value.get(_BROUGHT, ())) if fact else []


@dataclass
class Brought:
    """The file's decisions that are new here, numbered; their effects are gathered while entries are taken."""

    session: Session
    project_id: str
    ledger: Ledger
    against: Against
    refused: Mapping[str, Refused]
    new: dict[str, int] = field(default_factory=dict)
    effects: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def has(self, decision: str) -> bool:
        """Did this import bring the decision?"""
        return decision in self.new

    def seq(self, decision: str) -> int:
        """The decision's number here; 0 for none."""
        return self.new.get(decision) or self.ledger.seqs.get(decision, 0)

    def effect(self, decision: str, effect: dict[str, Any]) -> None:
        """Remember what a brought decision did."""
        if decision in self.new:
            self.effects.setdefault(decision, []).append(effect)

    def close(self, deed: Deed, report: "Report") -> None:
        """Refusals, what was taken back, and the effects; `deed` is the import's own decision."""
        self._refusals(deed, report)
        for name, effects in self.effects.items():
            touched = list(dict.fromkeys(each["entry_id"] for each in effects if "entry_id" in each))
            self.session.connection().execute(
                update(Decision)
                .where(col(Decision.project_id) == self.project_id, col(Decision.seq) == self.new[name])
                .values(effects=effects, entries=touched)
            )
        self._taken_back(deed)
        for name in self.new:
            who = self.against.file.made[name].reviewer
            report.decisions[who] = report.decisions.get(who, 0) + 1
        if self.new:
            span = [min(self.new.values()), max(self.new.values())]
            deed.effects.append({"decisions": span, "before": None, "after": True})
            fact = self.session.get(Fact, (self.project_id, FORMAT))
            fact = fact or Fact(project_id=self.project_id, key=FORMAT, at=deed.now)
            fact.value = {**fact.value, _BROUGHT: [*fact.value.get(_BROUGHT, ()), span]}
            self.session.add(fact)
            self.session.flush()

    def _refusals(self, deed: Deed, report: "Report") -> None:
        made = {**self.ledger.made, **self.against.file.made}
        undone_here = _undone_here(self.session, self.project_id)
        for each in standing(self.against.file.refused, made):
            known = self.ledger.seqs.get(each.decision, 0) in undone_here
            if known or each.fingerprint in self.refused or decided(each.decision, self.against, Verb.REJECT):
                continue
            row = Refusal(project_id=self.project_id, fingerprint=each.fingerprint, at=datetime.fromisoformat(each.at))
            row.text, row.slots, row.reason, row.decision = each.text, each.slots, each.reason, self.seq(each.decision)
            self.session.add(row)
            self.session.flush()
            effect = {"fingerprint": each.fingerprint, "before": None, "after": refusal_document(row)}
            deed.effects.append(effect)
            self.effect(each.decision, effect)
            report.refusals += 1
        back = undone(made)
        for key, each in self.refused.items():
            row_here = self.session.get(Refusal, (self.project_id, key))
            if each.decision in back and row_here is not None:
                deed.effects.append({"fingerprint": key, "before": refusal_document(row_here), "after": None})
                write_refusal(self.session, self.project_id, key, None)

    def _taken_back(self, deed: Deed) -> None:
        """Say of each decision that an undo of the file took back by which one it was."""
        file = self.against.file.made
        for name in sorted(self.new, key=lambda one: file[one].order):
            each = file[name]
            target = self.seq(each.undoes) if each.verb == Verb.UNDO else 0
            if not target:
                continue
            self._mark(deed, target, self.new[name])
            if again := self.seq((file.get(each.undoes) or self.ledger.made[each.undoes]).undoes):
                self._mark(deed, again, None)

    def _mark(self, deed: Deed, seq: int, by: int | None) -> None:
        row = self.session.get(Decision, (self.project_id, seq))
        if row is None or row.undone_by == by:
            return
        if seq not in self.new.values():
            deed.effects.append({"decision": seq, "before": {"undone_by": row.undone_by}, "after": {"undone_by": by}})
        row.undone_by = by
        self.session.add(row)
        self.session.flush()


def bring(
    session: Session, project_id: str, ledger: Ledger, against: Against, refused: Mapping[str, Refused]
) -> Brought:
    """Make rows for the file's decisions that are not here and can stand behind a change, oldest first."""
    brought = Brought(session, project_id, ledger, against, refused)
    wanted = [each for name, each in against.file.made.items() if name not in ledger.made and sound(each, against)]
    wanted.sort(key=lambda each: each.order)
    last = session.exec(select(func.max(Decision.seq)).where(Decision.project_id == project_id)).one() or 0
    brought.new = {each.id: seq for seq, each in enumerate(wanted, last + 1)}
    rows = [_row(project_id, each, brought.seq(each.id), brought.seq(each.undoes)) for each in wanted]
    for start in range(0, len(rows), 1_000):
        session.connection().execute(insert(Decision), rows[start : start + 1_000])
    return brought


def sound(each: Made, against: Against) -> bool:
    """Can the file's decision stand in the ledger?"""
    if each.verb not in set(Verb) or decided(each.id, against):
        return False
    try:
        return datetime.fromisoformat(each.at).tzinfo is not None
    except ValueError:
        return False


def _row(project_id: str, each: Made, seq: int, undoes: int) -> dict[str, Any]:
    empty: dict[str, Iterable[Any]] = {"proposals": [], "entries": [], "effects": []}
    return {
        "project_id": project_id,
        "seq": seq,
        "verb": each.verb,
        "reviewer": each.reviewer,
        "via": each.via,
        "reason": each.reason,
        "comment": each.comment,
        "undoes": undoes or None,
        "undone_by": None,
        "at": datetime.fromisoformat(each.at),
        **empty,
    }
