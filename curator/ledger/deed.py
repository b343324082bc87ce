"""One decision while its transaction is open: it makes the changes and remembers how to take each back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.door.normal import fingerprint
from curator.draft import Draft
from curator.errors import Conflict
from curator.ledger.values import Frame
from curator.store import entries
from curator.store.bulk import New, insert_many
from curator.store.decisions import next_seq
from curator.store.proposals import WAITING
from curator.store.tables import Decision, Entry, Note, OpenTarget, Proposal, Refusal
from curator.vocab import NoteState, ProposalState, Verb


class Deed:
    """Changes go through here and nowhere else; `close` writes the ledger line. Raises `Conflict` on a lost race."""

    def __init__(self, session: Session, frame: Frame, verb: Verb) -> None:
        self.session, self.frame, self.verb = session, frame, verb
        self.project_id, self.now = frame.project_id, frame.now
        self.seq = next_seq(session, self.project_id)
        self.effects: list[dict[str, Any]] = []
        self.proposals: list[str] = []
        self.entries: list[str] = []

    def add(self, draft: Draft, history: Sequence[Mapping[str, Any]] = (), **columns: Any) -> Entry:
        """A new active entry; `history` is what was said of the same before, oldest first, as revisions."""
        columns = {"verified_at": self.now, **self.measured(draft), **columns}
        entry_id = draft.entry_id or entries.new_id(self.session, self.project_id, draft, self.now)
        new, who = [New(draft.with_(entry_id=entry_id), columns, history)], self.frame.who.reviewer
        insert_many(self.session, self.project_id, new, self.now, reviewer=who, decision=self.seq)
        entry = entries.get(self.session, self.project_id, entry_id)
        self._entry(entry.entry_id, None, entries.document(entry, draft.labels))
        return entry

    def added(self, proposal: Proposal, entry_id: str, after: dict[str, Any]) -> None:
        """Remember an accepted addition, shortly: the entry was not there before, the proposal waited."""
        self.entries.append(entry_id)
        self.proposals.append(proposal.proposal_id)
        self.effects.append({"entry_id": entry_id, "before": None, "after": after})
        before = {"state": proposal.state, "rev": proposal.rev}
        after = {"state": ProposalState.ACCEPTED.value, "rev": proposal.rev + 1}
        self.effects.append({"proposal_id": proposal.proposal_id, "before": before, "after": after})

    def change(self, entry: Entry, draft: Draft | None = None, **columns: Any) -> Entry:
        """Change an entry that nobody else changed since this transaction read it."""
        labels = self.labels(entry.entry_id)
        before = entries.document(entry, labels)
        if draft is not None:
            columns = {**self.measured(draft), "anchors": _anchors(draft, entry), **columns}
        entry = entries.change(
            self.session,
            entry,
            self.now,
            rev=entry.rev,
            draft=draft,
            reviewer=self.frame.who.reviewer,
            decision=self.seq,
            **columns,
        )
        self._entry(entry.entry_id, before, entries.document(entry, labels if draft is None else draft.labels))
        return entry

    def settle(self, proposal: Proposal, state: ProposalState, **columns: Any) -> None:
        """Give a proposal its state; frees its targets unless it goes on waiting."""
        before = proposal_document(proposal)
        proposal.state = state.value
        for name, value in columns.items():
            setattr(proposal, name, value)
        proposal.rev += 1
        self.session.add(proposal)
        self.session.flush()
        if state not in WAITING:
            free(self.session, self.project_id, proposal.proposal_id)
        self.proposals.append(proposal.proposal_id)
        self.effects.append(
            {"proposal_id": proposal.proposal_id, "before": before, "after": proposal_document(proposal)}
        )

    def revised(self, proposal: Proposal, before: dict[str, Any]) -> None:
        """Keep what a proposal was before a person changed it."""
        self.session.flush()
        self.proposals.append(proposal.proposal_id)
        self.effects.append(
            {"proposal_id": proposal.proposal_id, "before": before, "after": proposal_document(proposal)}
        )

    def made(self, proposal: Proposal) -> None:
        """Keep that a proposal was made by this decision."""
        self.proposals.append(proposal.proposal_id)
        self.effects.append({"proposal_id": proposal.proposal_id, "before": None, "after": proposal_document(proposal)})

    def notes(self, note_ids: list[str], state: NoteState, reason: str = "") -> None:
        """Say what became of the notes behind a proposal; notes that a person dropped stay dropped."""
        for note_id in note_ids:
            note = self.session.get(Note, (self.project_id, note_id))
            if note is None or note.state == NoteState.DROPPED:
                continue
            before = {"state": note.state, "reason": note.reason}
            note.state, note.reason = state.value, reason or note.reason
            self.session.add(note)
            after = {"state": note.state, "reason": note.reason}
            self.effects.append({"note_id": note_id, "before": before, "after": after})

    def refuse(self, proposal: Proposal, reason: str) -> None:
        """Remember that this text was refused, so that it comes back from no door."""
        key = proposal.fingerprint
        if not key:
            return
        found = self.session.get(Refusal, (self.project_id, key))
        before = refusal_document(found) if found else None
        row = found or Refusal(project_id=self.project_id, fingerprint=key, at=self.now)
        row.slots = str(proposal.settings.get("slots", ""))
        kept = {draft.get("body") for draft in proposal.before}  # an entry's own words are not what was refused
        row.text = "\n".join(body for draft in proposal.after if (body := str(draft.get("body", ""))) not in kept)
        row.proposal_id, row.reason, row.decision, row.at = proposal.proposal_id, reason, self.seq, self.now
        self.session.add(row)
        self.session.flush()
        self.effects.append({"fingerprint": key, "before": before, "after": refusal_document(row)})

    def close(self, *, reason: str = "", comment: str = "", undoes: int | None = None) -> int | None:
        """Write the ledger line; None when nothing was done."""
        if not self.effects:
            return None
        who = self.frame.who
        self.session.add(
            Decision(
                project_id=self.project_id,
                seq=self.seq,
                verb=self.verb.value,
                proposals=list(dict.fromkeys(self.proposals)),
                entries=list(dict.fromkeys(self.entries)),
                reviewer=who.reviewer,
                via=who.via,
                reason=reason,
                comment=comment,
                effects=self.effects,
                undoes=undoes,
                at=self.now,
            )
        )
        self.session.flush()
        return self.seq

    def labels(self, entry_id: str) -> tuple[str, ...]:
        """An entry's labels now."""
        return entries.labels_of(self.session, self.project_id, [entry_id])[entry_id]

    def draft(self, entry: Entry) -> Draft:
        """What an entry says now."""
        return entries.draft_of(entry, self.labels(entry.entry_id))

    def _entry(self, entry_id: str, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
        self.entries.append(entry_id)
        self.effects.append({"entry_id": entry_id, "before": before, "after": after})

    def measured(self, draft: Draft) -> dict[str, Any]:
        """The columns that follow from a draft's text."""
        tokens = self.frame.tokens
        return {
            "tokens": tokens.count(draft.text),
            "encoding": tokens.encoding,
            "fingerprint": fingerprint(draft.body),
        }


def _anchors(draft: Draft, entry: Entry) -> list[dict[str, Any]]:
    known = {str(anchor.get("ref", "")): anchor for anchor in entry.anchors}
    return [known.get(ref, {"ref": ref}) for ref in draft.refs]


def free(session: Session, project_id: str, proposal_id: str) -> None:
    """Let the proposal's entries have another proposal."""
    for row in session.exec(
        select(OpenTarget).where(OpenTarget.project_id == project_id, OpenTarget.proposal_id == proposal_id)
    ):
        session.delete(row)
    session.flush()


def claim(session: Session, proposal: Proposal) -> None:
    """Take the proposal's targets; raises `Conflict` where another proposal has one."""
    for target in proposal.targets:
        key = (proposal.project_id, str(target["entry_id"]))
        held = session.get(OpenTarget, key)
        if held is not None and held.proposal_id != proposal.proposal_id:
            raise Conflict(f"{target['entry_id']} has another proposal: {held.proposal_id}")
        if held is None:
            session.add(OpenTarget(project_id=key[0], entry_id=key[1], proposal_id=proposal.proposal_id))
    session.flush()


_PROPOSAL = (
    *("state", "rev", "op", "relation", "title", "kind", "route"),
    *("targets", "before", "after", "lost", "token_effect", "edited"),
)
_REFUSAL = ("slots", "text", "proposal_id", "reason", "decision", "blocked")


def proposal_document(proposal: Proposal) -> dict[str, Any]:
    """What a decision can change of a proposal."""
    return {name: getattr(proposal, name) for name in _PROPOSAL}


def refusal_document(refusal: Refusal) -> dict[str, Any]:
    """A refusal as the ledger keeps it."""
    return {**{name: getattr(refusal, name) for name in _REFUSAL}, "at": refusal.at.isoformat()}


def write_refusal(session: Session, project_id: str, key: str, value: dict[str, Any] | None) -> None:
    """Put a refusal back as it was; None takes it away. Repeats blocked meanwhile stay counted."""
    row = session.get(Refusal, (project_id, key))
    if value is None:
        if row is not None:
            session.delete(row)
    else:
        row = row or Refusal(project_id=project_id, fingerprint=key, at=datetime.fromisoformat(value["at"]))
        for name in _REFUSAL:
            setattr(row, name, value[name])
        row.at = datetime.fromisoformat(value["at"])
        session.add(row)
    session.flush()


def next_part(session: Session, project_id: str, proposal_id: str) -> int:
    """The number of a split's next part."""
    taken = session.exec(
        select(Proposal.proposal_id).where(
            Proposal.project_id == project_id, col(Proposal.proposal_id).startswith(f"{proposal_id}.", autoescape=True)
        )
    ).all()
    return max((int(name.rpartition(".")[2]) for name in taken), default=0) + 1
