"""What an import of a sync file asks a person about: two sides of the same words, and what nobody decided."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from curator.draft import Draft, draft
from curator.interchange import entries as rows
from curator.interchange.incoming import take
from curator.interchange.lines import Line
from curator.ledger.accept import withdraw
from curator.ledger.deed import Deed
from curator.store import proposals
from curator.store.engine import Store
from curator.store.refusals import count_blocked
from curator.store.tables import Entry, OpenTarget, Proposal, Refusal
from curator.sync.merging import base_of
from curator.sync.planning import Plan
from curator.sync.records import Rev, short
from curator.sync.stored import FORMAT, HEADS
from curator.vocab import EntryState, Op, Origin

if TYPE_CHECKING:
    from curator.sync.taking import Report

CONFLICT = rows.CONFLICT


def withdrawn(deed: Deed, entry_id: str, *, retired: bool) -> None:
    """Take back the proposal that waits about an entry that is retired now."""
    held = deed.session.get(OpenTarget, (deed.project_id, entry_id)) if retired else None
    if held is not None:
        withdraw(deed, held.proposal_id)


def choices(deed: Deed, store: Store, plans: Sequence[Plan], report: "Report") -> None:
    """One proposal for each entry whose other side changed the same words; base, here and there are all shown."""
    if not plans:
        return
    held = proposals.held(deed.session, deed.project_id)
    waiting = proposals.waiting_fingerprints(deed.session, deed.project_id)
    made = []
    for plan in plans:
        entry = deed.session.get(Entry, (deed.project_id, plan.entry))
        other = plan.choose[0]
        mark = short(f"{FORMAT}\0{plan.entry}\0{other.id}")
        if entry is None or entry.state != EntryState.ACTIVE or other.state != EntryState.ACTIVE:
            continue
        if deed.session.get(Refusal, (deed.project_id, mark)):
            count_blocked(deed.session, deed.project_id, mark, deed.now)
            report.blocked.append((plan.entry, "refused here"))
        elif mark in waiting:
            report.conflicts.append(plan.entry)
        elif plan.entry in held:
            report.held.append(plan.entry)
        else:
            report.conflicts.append(plan.entry)
            made.append(_choice(deed, store, entry, plan, other, report.path.name) | {"fingerprint": mark})
    _made(deed, made, report)


def doubted(deed: Deed, store: Store, found: Sequence[tuple[Rev, str]], report: "Report") -> None:
    """A proposal for each text that no fitting decision made: the way of every other file."""
    offered = take([_row(each) for each, _ in found], store.now(), store.settings.note_bytes)
    told = rows.propose(deed.session, store, offered, FORMAT, report.path.name, deed.frame.tokens)
    outcome = {key: name for name, keys in told.outcomes.items() for key in keys}
    for each, why in found:
        became = outcome.get(each.entry, "")
        if became in {"same", "older"}:
            report.same += 1
        elif became in {"refused", "retired"}:
            report.blocked.append((each.entry, f"{became} here"))
        elif became == "held":
            report.held.append(each.entry)
        else:
            report.doubted.append((each.entry, why if became else f"{why}; it cannot be proposed either"))
    _remember(deed, told.proposals, report)


def _choice(deed: Deed, store: Store, entry: Entry, plan: Plan, other: Rev, file: str) -> dict[str, Any]:
    """An update to the other side's text, made on the text that both sides had: the review shows all three."""
    here = deed.draft(entry)
    now = plan.new[-1] if plan.new else plan.strand.revs[plan.strand.own]
    base = base_of(plan.strand, now, other)
    number = plan.strand.rows.get(base.id, 0) if base else 0
    was = _draft(base) if base and number else here
    target = {"entry_id": entry.entry_id, "rev": number or entry.rev, "content_hash": was.content_hash}
    there = _draft(other)
    return {
        "op": Op.UPDATE.value,
        "title": there.title,
        "kind": there.kind.value,
        "route": there.route.value,
        "origin": str(other.value.get("origin") or Origin.UNVERIFIED),
        "targets": [target],
        "before": [was.document()],
        "after": [there.document()],
        "reason": f"{file}: {other.reviewer or 'another copy'} changed the same words as the entry here",
        "confidence": 0.5,
        "harm": 0.7,
        "evidence": [{"speaker": "file", "origin": Origin.IMPORT.value, "file": file, "text": there.text}],
        "warnings": [CONFLICT],
        "group": FORMAT,
        "token_effect": 0,
        "settings": {"from": FORMAT, HEADS: [other.id]},
        "created_at": store.now(),
        "expires_at": store.now() + timedelta(days=store.settings.proposal_days),
    }


def _draft(each: Rev) -> Draft:
    value = each.value
    labels, refs = tuple(value.get("labels", ())), tuple(value.get("refs", ()))
    return draft(value["title"], value["body"], value["kind"], value["route"], labels, refs, each.entry)


def _made(deed: Deed, values: Sequence[dict[str, Any]], report: "Report") -> None:
    _remember(deed, proposals.add_many(deed.session, deed.project_id, values), report)


def _remember(deed: Deed, ids: Sequence[str], report: "Report") -> None:
    report.proposals += ids
    for proposal_id in ids:
        if proposal := deed.session.get(Proposal, (deed.project_id, proposal_id)):
            deed.made(proposal)


_SHARED = frozenset(
    (
        *("kind", "title", "body", "labels", "pinned", "superseded_by", "reason", "source", "route", "refs"),
        *("origin", "created_at", "updated_at", "verified_at", "expires_at"),
    )
)
"""Fields of a revision that format `entries` has under the same name."""


def _row(each: Rev) -> Line:
    """The revision as a row of format `entries`."""
    value = {name: item for name, item in each.value.items() if name in _SHARED}
    return Line(0, b"", {**value, "id": each.entry, "status": each.state, "salience": each.value.get("importance")})
