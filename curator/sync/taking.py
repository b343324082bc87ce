"""A sync file into the store: one transaction, one decision, one undo.

What the file's decisions made is taken with them; what no fitting decision made is proposed; what changed on both
sides in the same words is proposed too. What was refused or retired here stays so, and is counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from curator.door.normal import fingerprint
from curator.draft import content_hash
from curator.interchange.times import ahead
from curator.ledger.deed import Deed
from curator.ledger.values import Frame, Who
from curator.ports import Tokens
from curator.store import entries
from curator.store.engine import Store
from curator.store.refusals import count_blocked
from curator.store.strands import Told, follow, insert_strands
from curator.store.tables import Entry
from curator.sync import proposing
from curator.sync.checking import Against
from curator.sync.decisions import Brought, bring, own_decisions
from curator.sync.planning import Plan, planned
from curator.sync.reading import Survey, strands, survey
from curator.sync.records import Rev
from curator.sync.stored import PARENTS, TAKEN, Ledger, keep_more, keep_side, side
from curator.sync.strand import Strand
from curator.sync.writing import Side, paired
from curator.vocab import EntryState, Route, Verb

_PART = 500


@dataclass
class Report:
    """What became of the file's entries, by id; `bad` are lines that could not be read, by number.

    `blocked`: refused or retired here, with the reason. `held`: another proposal waits for the entry. `ahead`: decided
    at a time that this computer's clock has not reached.
    """

    path: Path
    entries: int = 0
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    by_words: list[str] = field(default_factory=list)
    taken_away: list[str] = field(default_factory=list)
    same: int = 0
    conflicts: list[str] = field(default_factory=list)
    doubted: list[tuple[str, str]] = field(default_factory=list)
    blocked: list[tuple[str, str]] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)
    ahead: list[str] = field(default_factory=list)
    decisions: dict[str, int] = field(default_factory=dict)
    refusals: int = 0
    proposals: list[str] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)
    decision: int | None = None

    @property
    def complete(self) -> bool:
        """Was everything in the file taken, or here already, or settled here before?"""
        return not (self.bad or self.conflicts or self.doubted or self.held or self.erased)


def take(store: Store, path: Path, tokens: Tokens, who: Who, *, demo: bool = False, dry: bool = False) -> Report:
    """Read the file and take it in. `dry` takes nothing and says what would become of it.

    Raises `Conflict` for conflict marks, `CannotLook` for a newer program's file, `OSError` where it is unreadable.
    """
    found = survey(path)
    report = Report(path, found.entries, bad=list(found.bad))
    with store.write(durable=True) as session:
        _Import(store, session, found, tokens, who, report, demo).run()
        if dry:
            session.rollback()
    return report


class _Import:
    """One import while its transaction is open."""

    def __init__(
        self, store: Store, session: Session, found: Survey, tokens: Tokens, who: Who, report: Report, demo: bool
    ) -> None:
        self.store, self.session, self.found, self.report = store, session, found, report
        self.project_id = store.project_id
        self.ours: Side
        self.ledger: Ledger
        self.ours, self.ledger = side(session, self.project_id)
        own = own_decisions(session, self.project_id, self.ledger)
        self.against = Against(found, self.ledger.made, own, store.settings.note_bytes, demo)
        self.brought: Brought = bring(session, self.project_id, self.ledger, self.against, self.ours.refused)
        self.deed = Deed(session, Frame(self.project_id, who, store.now(), tokens), Verb.SYNC)
        self.refused = set(self.ours.refused)
        self.retired = _retired(session, self.project_id)
        self.fresh: list[tuple[Plan, list[Told]]] = []
        self.choices: list[Plan] = []
        self.doubted: list[tuple[Rev, str]] = []

    def run(self) -> None:
        """Entry by entry, then what is proposed, then the ledger."""
        for ours, theirs in paired(self.ours.strands, strands(self.found)):
            if theirs is not None:
                self._one(ours, planned(ours, theirs, self.against))
        self._write_fresh()
        self.brought.close(self.deed, self.report)
        proposing.choices(self.deed, self.store, self.choices, self.report)
        proposing.doubted(self.deed, self.store, self.doubted, self.report)
        keep_more(self.session, self.project_id, self.found)
        told = "".join(f", {count} by {name}" for name, count in sorted(self.report.decisions.items()))
        self.report.decision = self.deed.close(reason=self.report.path.name + told)

    def _one(self, ours: Strand | None, plan: Plan) -> None:
        self.report.bad += plan.faults
        self.report.erased += [plan.entry] if plan.erased else []
        if plan.new and ahead(datetime.fromisoformat(plan.new[-1].at), self.store.now()):
            self.report.ahead.append(plan.entry)
        self.doubted += plan.doubted
        if plan.gone:
            self._take_away(plan, here=bool(ours and ours.revs))
        elif plan.new and (why := self._barred(ours, plan.new[-1])):
            self.report.blocked.append((plan.entry, why))
            return
        elif plan.new:
            self._take(ours if ours and ours.revs else None, plan)
        elif not plan.choose and not plan.doubted:
            self.report.same += 1
        if plan.choose:
            self.choices.append(plan)
            known = plan.strand.known(plan.new[-1].id if plan.new else plan.strand.own)
            others = {name for each in plan.choose for name in plan.strand.known(each.id)}
            keep_side(self.session, self.project_id, [plan.strand.revs[name] for name in sorted(others - known)])

    def _barred(self, ours: Strand | None, now: Rev) -> str:
        """Why the text may not come in: refused here, or retired here under another id; counted."""
        if now.state != EntryState.ACTIVE:
            return ""
        mark = fingerprint(str(now.value["body"]))
        head = ours.revs[ours.own] if ours and ours.own else None
        if head and head.state == EntryState.ACTIVE and fingerprint(str(head.value["body"])) == mark:
            return ""
        if mark in self.refused:
            count_blocked(self.session, self.project_id, mark, self.store.now())
            return "refused here"
        if by := self.retired.get(mark, set()) - {now.entry}:
            return f"retired here as {min(by)}"
        return ""

    def _take(self, ours: Strand | None, plan: Plan) -> None:
        documents = {each.id: self._document(each, plan.strand) for each in plan.new}
        told = [self._told(each, documents[each.id]) for each in plan.new]
        self._effects(plan, documents)
        self.report.by_words += [plan.entry] if plan.by_words else []
        if ours is None:
            self.report.added.append(plan.entry)
            self.fresh.append((plan, told))
            if len(self.fresh) >= _PART:
                self._write_fresh()
            return
        self.report.changed.append(plan.entry)
        entry = entries.get(self.session, self.project_id, plan.entry)
        before = entries.document(entry, self.deed.labels(plan.entry))
        anchors = {str(each.get("ref", "")): each for each in entry.anchors}
        last = dict(told[-1].document)
        last["anchors"] = [anchors.get(each["ref"], each) for each in last["anchors"]]
        last["anchor_state"] = entry.anchor_state if last["anchors"] == entry.anchors else ""
        told[-1] = Told(last, told[-1].decision, told[-1].reviewer, told[-1].at)
        proposing.withdrawn(self.deed, plan.entry, retired=last["state"] != EntryState.ACTIVE)
        follow(self.session, self.project_id, entry.rev, told)
        after = {name: last[name] for name in before if name in last} | {"rev": before["rev"] + len(told)}
        self.deed.effects.append({"entry_id": plan.entry, "before": before, "after": after})

    def _write_fresh(self) -> None:
        insert_strands(self.session, self.project_id, [told for _, told in self.fresh])
        for plan, told in self.fresh:
            value = told[-1].document
            after = {"rev": len(told), "route": value["route"], "state": value["state"]}
            self.deed.effects.append({"entry_id": plan.entry, "before": None, "after": after})
        self.fresh = []

    def _take_away(self, plan: Plan, *, here: bool) -> None:
        assert plan.gone is not None
        if not here:  # only to be known, so that it travels on
            self.brought.effect(plan.gone.decision, {"entry_id": plan.entry, "before": None, "after": None})
            return
        entry = entries.get(self.session, self.project_id, plan.entry)
        before = entries.document(entry, self.deed.labels(plan.entry))
        proposing.withdrawn(self.deed, plan.entry, retired=True)
        entries.take_away(self.session, self.project_id, plan.entry)
        effect: dict[str, Any] = {"entry_id": plan.entry, "before": before, "after": None}
        self.deed.effects.append(effect)
        self.brought.effect(plan.gone.decision, effect)
        self.report.taken_away.append(plan.entry)

    def _told(self, each: Rev, document: dict[str, Any]) -> Told:
        seq = self.brought.seq(each.decision)
        document = {**document, PARENTS: list(each.parents), TAKEN: self.deed.seq}
        return Told(document, seq, each.reviewer, datetime.fromisoformat(each.at))

    def _effects(self, plan: Plan, documents: Mapping[str, dict[str, Any]]) -> None:
        """What each decision of the file did to the entry, as the ledger keeps it; what none did is this import's."""
        for each in plan.new:
            if not self.brought.has(each.decision):
                if (not each.decision and len(each.parents) == 2) or each.decision:
                    self.deed.entries.append(plan.entry)
                continue
            was = [plan.strand.revs[name] for name in each.parents if name in plan.strand.revs]
            was = [one for one in was if one.decision or len(one.parents) == 2]
            after = documents[each.id]
            effect: dict[str, Any]
            if was:
                before = documents.get(was[0].id) or self._document(was[0], plan.strand)
                effect = {"entry_id": plan.entry, "before": before, "after": after}
            else:
                after = {"rev": 1, "route": after["route"], "state": after["state"]}
                effect = {"entry_id": plan.entry, "before": None, "after": after}
            self.brought.effect(each.decision, effect)

    def _document(self, each: Rev, strand: Strand) -> dict[str, Any]:
        """An entry's document, as the store keeps it for a revision."""
        value = each.value
        title, body = str(value.get("title", "")), str(value.get("body", ""))
        route = Route(str(value.get("route", Route.INJECTED)))
        text = body if body.startswith(title.removesuffix("…")) else f"{title}\n{body}"
        tokens = self.deed.frame.tokens
        labels = sorted(value.get("labels", ()))
        return {
            "entry_id": each.entry,
            "rev": 0,
            "title": title,
            "body": body,
            "kind": value.get("kind", ""),
            "route": route.value,
            "state": each.state,
            "labels": labels,
            "anchors": [{"ref": ref} for ref in value.get("refs", ())],
            "anchor_state": "",
            "origin": value.get("origin", ""),
            "pinned": value.get("pinned", False),
            "importance": value.get("importance"),
            "superseded_by": value.get("superseded_by", ""),
            "reason": value.get("reason", ""),
            "source": value.get("source", {}),
            "extra": value.get("extra", {}),
            "sightings": strand.sightings,
            "tokens": tokens.count(text),
            "encoding": tokens.encoding,
            "fingerprint": fingerprint(body),
            "content_hash": content_hash(title, body, str(value.get("kind", "")), route.value, labels),
            **{name: _time(value.get(name)) for name in ("created_at", "updated_at", "verified_at", "expires_at")},
        }


def _time(at: Any) -> str | None:
    return datetime.fromisoformat(str(at)).isoformat() if at else None


def _retired(session: Session, project_id: str) -> dict[str, set[str]]:
    """The entries that were tombstoned here, by the fingerprint of their text."""
    out: dict[str, set[str]] = {}
    query = select(Entry.fingerprint, Entry.entry_id).where(
        Entry.project_id == project_id, Entry.state == EntryState.TOMBSTONED.value
    )
    for mark, entry_id in session.exec(query):
        out.setdefault(mark, set()).add(entry_id)
    return out
