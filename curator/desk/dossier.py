"""Everything a reviewer sees of one proposal, gathered in one read."""

from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session

from curator.desk.cited import cited_lines
from curator.desk.history import history_of
from curator.desk.rows import row_of
from curator.desk.views import Anchor, Dossier, Evidence, Lost, Similar
from curator.draft import Draft, from_document
from curator.errors import NotFound
from curator.ledger.drift import drifts, rebase
from curator.plain import hides
from curator.store.prefix import meant
from curator.store.tables import Entry, Proposal, Refusal
from curator.vocab import Origin, Relation, Route


def find(session: Session, project_id: str, prefix: str) -> Proposal:
    """The one proposal whose id is or begins with `prefix`, letter case aside; raises `NotFound` with candidates."""
    missing = NotFound(f"there is no proposal {prefix}")
    return meant(session, Proposal, "proposal_id", project_id, prefix.strip().upper(), missing, prefix)


def dossier(session: Session, project_id: str, prefix: str, top: Path) -> Dossier:
    """The proposal as a reviewer sees it, conflict and all; cited lines are read from the working tree at `top`."""
    proposal = find(session, project_id, prefix)
    before = tuple(from_document(value) for value in proposal.before)
    after = tuple(from_document(value) for value in proposal.after)
    found = drifts(session, proposal)
    gone = {drift.entry_id: drift.now for drift in found}
    now = tuple(gone.get(draft.entry_id, draft) for draft in before)
    known = {entry_id: draft for entry_id, draft in gone.items() if draft is not None}
    refused = _refused(session, proposal)
    return Dossier(
        row=row_of(proposal, frozenset(gone)),
        relation=Relation(proposal.relation) if proposal.relation else None,
        reason=proposal.reason,
        before=before,
        after=after,
        now=now,
        merged=rebase(proposal, known).after if known else (),
        drift=tuple(drift.why for drift in found),
        chain=tuple(from_document(value) for value in proposal.settings.get("chain", ())),
        evidence=tuple(_evidence(value) for value in proposal.evidence),
        similar=_similar(session, proposal),
        lost=tuple(_lost(value) for value in proposal.lost),
        anchors=_anchors(session, proposal, before, after, top),
        history=tuple(change for draft in before for change in history_of(session, project_id, draft.entry_id)),
        rejected_before=_rejected_before(proposal, refused),
        blocked=refused.blocked if refused else 0,
        hidden=any(hides(draft.text) for draft in (*before, *after)),
        expires_at=proposal.expires_at,
    )


def _evidence(value: dict[str, Any]) -> Evidence:
    at = value.get("at")
    return Evidence(
        speaker=str(value.get("speaker", "")),
        origin=Origin(value["origin"]) if value.get("origin") else Origin.UNVERIFIED,
        text=str(value.get("string") or value.get("text") or ""),
        client=str(value.get("client", "")),
        session=str(value.get("session", "")),
        seq=value.get("seq"),
        at=datetime.fromisoformat(at) if isinstance(at, str) and at else None,
        checkpoint=str(value.get("checkpoint", "")),
        part=str(value.get("part", "")),
        file=str(value.get("file", "")),
    )


def _similar(session: Session, proposal: Proposal) -> tuple[Similar, ...]:
    out = []
    for value in proposal.similar:
        entry = session.get(Entry, (proposal.project_id, str(value["entry_id"])))
        title = entry.title if entry else str(value.get("title", ""))
        route = Route(entry.route if entry else value.get("route", Route.INJECTED))
        updated = entry.updated_at if entry else None
        out.append(Similar(str(value["entry_id"]), title, route, float(value.get("score", 0.0)), updated))
    return tuple(out)


def _lost(value: Any) -> Lost:
    if isinstance(value, str):
        return Lost("", value)
    return Lost(str(value.get("kind", "")), str(value.get("text", "")), str(value.get("context", "")))


def _anchors(
    session: Session, proposal: Proposal, before: tuple[Draft, ...], after: tuple[Draft, ...], top: Path
) -> tuple[Anchor, ...]:
    states: dict[str, str] = {}
    for draft in before:
        entry = session.get(Entry, (proposal.project_id, draft.entry_id))
        for anchor in entry.anchors if entry else []:
            states[str(anchor.get("ref", ""))] = str(anchor.get("state", ""))
    refs = dict.fromkeys([*(ref for draft in after for ref in draft.refs), *states])
    return tuple(Anchor(ref, states.get(ref) or "UNKNOWN", cited_lines(top, ref)) for ref in refs if ref)


def _refused(session: Session, proposal: Proposal) -> Refusal | None:
    if not proposal.fingerprint:
        return None
    return session.get(Refusal, (proposal.project_id, proposal.fingerprint))


def _rejected_before(proposal: Proposal, refused: Refusal | None) -> str:
    if told := str(proposal.settings.get("rejected_before", "")):
        return told
    if refused is None or refused.proposal_id == proposal.proposal_id:
        return ""
    return f"rejected before on {refused.at.astimezone().date().isoformat()}: {refused.reason}"
