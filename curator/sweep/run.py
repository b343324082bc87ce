"""One sweep: read, judge outside any write, then store proposals in one short transaction with checks.

Owns the caps and the convergence: nothing that changed meanwhile is written over, an entry gets one open proposal at
most, and unchanged data give no new proposal. A sweep proposes and never applies.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from curator.store.engine import Store
from curator.store.proposals import add_many
from curator.store.refusals import count_blocked
from curator.store.tables import Entry, Fact, Note, OpenTarget, Proposal, Refusal, Sweep
from curator.sweep.memory import judge_of, remember
from curator.sweep.nominate import Nominator
from curator.sweep.notes import Judge, Outcome, Settled, judge_notes
from curator.sweep.planned import Planned, columns
from curator.sweep.relate import relate
from curator.sweep.state import State, read
from curator.sweep.upkeep import Look, look
from curator.vocab import NoteState, Op, ProposalState


@dataclass(frozen=True)
class Report:
    """What one sweep did. `proposals` are the stored columns of each new proposal with its id (none in a dry run).

    `counts`: notes seen by outcome, proposals by operation, what was held back and why.
    """

    number: int
    proposals: tuple[Mapping[str, Any], ...]
    counts: Mapping[str, int]
    settings: Mapping[str, Any]
    dry_run: bool = False
    left: int = 0


@dataclass(frozen=True)
class Helpers:
    """What a sweep may use beside the store.

    `meant` finds entries by meaning; `more` proposes from outside the text, such as stale anchors; `after` notes what
    that saw, in the sweep's transaction; `finish` may give what is proposed other texts and anchors;
    `step` is told how many of how many notes are done. `standing`: fingerprints of texts that stand in the files of an
    import now, so that no other line of these files is taken for a revision of one.
    """

    judge: Judge = relate
    meant: Callable[[Session, str], Mapping[str, float]] | None = None
    more: Callable[[Session, Nominator], Sequence[Planned]] | None = None
    after: Callable[[Session], None] | None = None
    finish: Callable[[Sequence[Planned]], Sequence[Planned]] | None = None
    step: Callable[[int, int], None] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    standing: frozenset[str] = frozenset()


def sweep(
    store: Store,
    count: Callable[[str], int],
    *,
    limit: int | None = None,
    dry_run: bool = False,
    helpers: Helpers | None = None,
) -> Report:
    """Run one sweep. `limit` caps the proposals of sweeps that wait (0 = no cap; None = the setting).

    `count` counts raw tokens. Raises `CannotLook` where the store cannot be read or written.
    """
    helpers = helpers or Helpers()
    now = store.now()
    if not dry_run:
        with store.write() as session:
            _wake(session, store.project_id, now)
    with store.read() as session:
        state = read(session, store.project_id)
        outcome, found = _judged(session, store, state, helpers, now)
    chosen, counts = _chosen(state, outcome, found, limit, store)
    chosen = helpers.finish(chosen) if helpers.finish else chosen
    settings = {
        "judge": judge_of(),
        "limit": store.settings.sweep_limit if limit is None else limit,
        **helpers.settings,
    }
    rows = [(planned, _row(planned, state.number, settings, now, store, count)) for planned in chosen]
    if dry_run:
        return _report(state, [row for _, row in rows], counts, settings, dry_run=True)
    with store.write() as session:
        ids, kept = _write(session, store, state, rows, outcome, found, counts, settings, now)
        if helpers.after:
            helpers.after(session)
    return _report(state, [{"proposal_id": i, **row} for i, row in zip(ids, kept, strict=True)], counts, settings)


def _judged(session: Session, store: Store, state: State, helpers: Helpers, now: datetime) -> tuple[Outcome, Look]:
    nominator = Nominator(session, store.project_id)
    meant, step = helpers.meant, helpers.step
    outcome = judge_notes(
        state,
        nominator,
        helpers.judge,
        (lambda text: meant(session, text)) if meant else None,
        (lambda done: step(done, len(state.notes))) if step else None,
        helpers.standing,
    )
    taken = {*state.held, *(entry_id for planned in outcome.planned for entry_id in planned.entry_ids)}
    found = look(
        session,
        store.project_id,
        nominator,
        state.cursor,
        taken,
        helpers.judge,
        now,
        store.settings.entry_max_tokens,
    )
    if helpers.more:
        taken |= {entry_id for planned in found.planned for entry_id in planned.entry_ids}
        for planned in helpers.more(session, nominator):
            if not taken & set(planned.entry_ids):
                taken |= set(planned.entry_ids)
                found.planned.append(planned)
    return outcome, found


def _chosen(
    state: State, outcome: Outcome, found: Look, limit: int | None, store: Store
) -> tuple[Sequence[Planned], Counter[str]]:
    """What is proposed now: nothing refused, within the removal budget, within the cap; worst if wrong first."""
    counts: Counter[str] = Counter()
    counts["notes"] = len(state.notes)
    for settled in outcome.settled:
        counts["waiting" if settled.state is NoteState.WAITING else settled.state.value] += 1
    refused = {each.fingerprint for each in state.refused}
    removals = max(1, int(state.active * store.settings.removal_share)) if state.active else 0
    cap = store.settings.sweep_limit if limit is None else limit
    room = max(0, cap - state.swept_open) if cap else len(outcome.planned) + len(found.planned)
    chosen: list[Planned] = []
    for planned in [*outcome.planned, *found.planned]:
        if planned.key in refused:
            counts["refused before"] += 1
            outcome.settled += [
                Settled(n, NoteState.BLOCKED, "refused before", refused=planned.key) for n in planned.notes
            ]
        elif planned.key in state.fingerprints:
            counts["open already"] += 1
        elif planned.removes > removals:
            counts["over the removal budget"] += 1
        elif len(chosen) >= room:
            counts["over the cap"] += 1
        else:
            removals -= planned.removes
            chosen.append(planned)
    return chosen, counts


def _row(
    planned: Planned, number: int, settings: Mapping[str, Any], now: datetime, store: Store, count: Callable[[str], int]
) -> dict[str, Any]:
    row = columns(planned, count)
    longest = store.settings.entry_warn_tokens
    if any(count(draft.text) > longest for draft in planned.after) and planned.op is not Op.SPLIT:
        row["warnings"] = [*row["warnings"], f"over {longest} tokens"]
    return row | {
        "settings": {**settings, **planned.settings},
        "sweep": number,
        "created_at": now,
        "expires_at": now + timedelta(days=store.settings.proposal_days),
    }


def _write(
    session: Session,
    store: Store,
    state: State,
    rows: Sequence[tuple[Planned, dict[str, Any]]],
    outcome: Outcome,
    found: Look,
    counts: Counter[str],
    settings: Mapping[str, Any],
    now: datetime,
) -> tuple[list[str], list[dict[str, Any]]]:
    project_id = store.project_id
    verdicts = [*outcome.verdicts, *found.verdicts]
    loaded = _loaded(session, project_id)  # one by one they would be asked for while all other writers wait
    kept = [(planned, row) for planned, row in rows if _still(session, project_id, planned)]
    counts["changed meanwhile"] += len(rows) - len(kept)
    ids = add_many(session, project_id, [row for _, row in kept])
    for proposal_id, (planned, _) in zip(ids, kept, strict=True):
        counts[planned.op.value] += 1
        for note_id in planned.notes:
            _set_note(session, project_id, note_id, NoteState.PROPOSED, planned.reason, proposal_id)
    for settled in outcome.settled:
        _settle(session, project_id, settled, now)
    remember(session, project_id, verdicts, now)
    del loaded
    dropped = counts["over the cap"] + counts["over the removal budget"] + counts["changed meanwhile"]
    if not dropped and found.cursor and found.cursor != state.cursor:
        session.merge(Fact(project_id=project_id, key="sweep", value=found.cursor, at=now))
    _log(session, project_id, state.number, counts, settings, now, bool(ids))
    return ids, [row for _, row in kept]


def _loaded(session: Session, project_id: str) -> list[Note | Proposal]:
    """Notes that wait and open proposals in two questions; found without asking for as long as the list is kept."""
    waiting = select(Note).where(Note.project_id == project_id, Note.state == NoteState.WAITING.value)
    proposals = select(Proposal).where(Proposal.project_id == project_id, Proposal.state == ProposalState.OPEN.value)
    return [*session.exec(waiting), *session.exec(proposals)]


def _still(session: Session, project_id: str, planned: Planned) -> bool:
    """Is everything the proposal rests on as it was when it was read?"""
    for note_id in planned.notes:
        note = session.get(Note, (project_id, note_id))
        if note is None or note.state != NoteState.WAITING:
            return False
    for target in planned.targets:
        entry = session.get(Entry, (project_id, str(target["entry_id"])))
        if entry is None or entry.state != "active" or entry.rev != target["rev"]:
            return False
        if session.get(OpenTarget, (project_id, entry.entry_id)) is not None:
            return False
    if session.get(Refusal, (project_id, planned.key)) is not None:
        return False
    query = select(Proposal.proposal_id).where(
        Proposal.project_id == project_id,
        Proposal.fingerprint == planned.key,
        col(Proposal.state).in_([ProposalState.OPEN.value, ProposalState.SNOOZED.value]),
    )
    return session.exec(query).first() is None


def _settle(session: Session, project_id: str, settled: Settled, now: datetime) -> None:
    note = session.get(Note, (project_id, settled.note_id))
    if note is None or note.state != NoteState.WAITING:
        return
    if settled.state is not NoteState.WAITING:
        _set_note(session, project_id, settled.note_id, settled.state, settled.reason, "")
    elif note.reason != settled.reason:
        note.reason = settled.reason
        session.add(note)
    if settled.refused:
        count_blocked(session, project_id, settled.refused, now)
    if settled.waits:
        _warn(session, project_id, settled)


def _warn(session: Session, project_id: str, settled: Settled) -> None:
    """Let the open proposal say that a newer statement waits for its decision."""
    proposal = session.get(Proposal, (project_id, settled.waits))
    told = f"a newer note waits: {settled.note_id}"
    if proposal is not None and proposal.state == ProposalState.OPEN and told not in proposal.warnings:
        proposal.warnings = [*proposal.warnings, told]
        session.add(proposal)


def _set_note(session: Session, project_id: str, note_id: str, state: NoteState, reason: str, became: str) -> None:
    note = session.get(Note, (project_id, note_id))
    if note is not None and note.state == NoteState.WAITING:
        note.state, note.reason, note.became = state.value, reason, became or note.became
        session.add(note)


def _log(
    session: Session,
    project_id: str,
    number: int,
    counts: Mapping[str, int],
    settings: Mapping[str, Any],
    now: datetime,
    made: bool,
) -> None:
    """One row for each sweep that proposed something; one that did not only moves the last one's time."""
    last = session.get(Sweep, (project_id, number - 1))
    if made or last is None:
        session.add(Sweep(project_id=project_id, number=number, counts=dict(counts), settings=dict(settings), at=now))
    else:
        last.at = now
        session.add(last)


def _wake(session: Session, project_id: str, now: datetime) -> None:
    """Bring snoozed proposals back as they were; let undecided ones expire."""
    query = select(Proposal).where(
        Proposal.project_id == project_id,
        col(Proposal.state).in_([ProposalState.OPEN.value, ProposalState.SNOOZED.value]),
    )
    expired = [p for p in session.exec(query) if p.expires_at and p.expires_at < now]
    for proposal in expired:
        proposal.state = ProposalState.EXPIRED.value
        session.add(proposal)
        for note_id in proposal.notes:
            note = session.get(Note, (project_id, note_id))
            if note is not None and note.state == NoteState.PROPOSED:
                note.state, note.reason = NoteState.SKIPPED.value, f"{proposal.proposal_id} expired undecided"
                session.add(note)
        targets = select(OpenTarget).where(
            OpenTarget.project_id == project_id, OpenTarget.proposal_id == proposal.proposal_id
        )
        for target in session.exec(targets):
            session.delete(target)
    snoozed = query.where(Proposal.state == ProposalState.SNOOZED.value)
    for proposal in session.exec(snoozed):
        if proposal not in expired:
            proposal.state = ProposalState.OPEN.value
            session.add(proposal)


def _report(
    state: State,
    rows: Sequence[Mapping[str, Any]],
    counts: Counter[str],
    settings: Mapping[str, Any],
    dry_run: bool = False,
) -> Report:
    left = counts["over the cap"] + counts["over the removal budget"] + counts["waiting"]
    kept = {name: number for name, number in counts.items() if number}
    return Report(state.number, tuple(rows), kept, dict(settings), dry_run, left)
