"""Curation: sweeps, proposals, the ledger, refusals."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index
from sqlmodel import Field

from curator.store.columns import Table, child, document, list_of, maybe_time, string, time


class Sweep(Table, table=True):
    """One run of the sweep: `counts` by outcome, `settings` it ran with (embedder, model, thresholds)."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    number: int = Field(primary_key=True)
    counts: dict[str, Any] = document()
    settings: dict[str, Any] = document()
    at: datetime = time()


class Proposal(Table, table=True):
    """A suggested change. `rev` rises with every revision of the proposal; a decision names the one it saw.

    `proposal_id` is `P-0001` and counts up in a project; a split's parts are `P-0140.1`. `targets`: list of
    `{entry_id, rev, content_hash}`. `before`: list of entry drafts as they were; `after`: list of drafts to be
    (empty for a tombstone). A draft is `{entry_id?, title, body, kind, route, labels, refs?}`. An update that replaces
    (`relation` = replaces) has one target and one `after` without entry id: the old becomes superseded.
    `evidence`: list of `{speaker, session, seq, at, string, client, checkpoint, part, file, origin}`; `similar`: list
    of `{entry_id, score, title, route}`; `lost`: specifics of the sources missing from the result. `harm` 0..1 orders
    the queue (worst if wrong first). `group` ties proposals about related entries; `blocked` counts repeats of what
    was refused. `warnings`: words such as `instruction-like`.
    """

    __table_args__ = (
        Index("ix_proposal_state", "project_id", "state"),
        Index("ix_proposal_fingerprint", "project_id", "fingerprint"),
        Index("ix_proposal_number", "project_id", "number"),
    )
    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    proposal_id: str = Field(primary_key=True)
    number: int = 0
    rev: int = 1
    op: str = string()
    state: str = string("open")
    relation: str = string()
    title: str = string()
    kind: str = string()
    route: str = string()
    origin: str = string()
    targets: list[dict[str, Any]] = list_of()
    before: list[dict[str, Any]] = list_of()
    after: list[dict[str, Any]] = list_of()
    reason: str = string()
    confidence: float = 0.0
    harm: float = 0.0
    evidence: list[dict[str, Any]] = list_of()
    similar: list[dict[str, Any]] = list_of()
    lost: list[dict[str, Any]] = list_of()
    warnings: list[str] = list_of()
    notes: list[str] = list_of()
    group: str = string()
    fingerprint: str = string()
    token_effect: int = 0
    edited: bool = False
    sweep: int = 0
    settings: dict[str, Any] = document()
    created_at: datetime = time()
    expires_at: datetime | None = maybe_time()


class OpenTarget(Table, table=True):
    """Which open or snoozed proposal an entry has: at most one, enforced by the key."""

    __tablename__ = "open_target"
    __table_args__ = (child("project_id", "proposal_id", of="proposal", keys=("project_id", "proposal_id")),)
    project_id: str = Field(primary_key=True)
    entry_id: str = Field(primary_key=True)
    proposal_id: str = string()


class Decision(Table, table=True):
    """The ledger, append-only; only `undone_by` is ever set later.

    `via`: terminal, key, demo, browser, sync. `effects`: list of `{entry_id, before, after}` where both are entry
    documents (None = did not exist), and `{proposal_id, before, after}` for proposals' states.
    Undo writes `before` back.
    """

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    seq: int = Field(primary_key=True)
    verb: str = string()
    proposals: list[str] = list_of()
    entries: list[str] = list_of()
    reviewer: str = string()
    via: str = string()
    reason: str = string()
    comment: str = string()
    effects: list[dict[str, Any]] = list_of()
    undoes: int | None = None
    undone_by: int | None = None
    at: datetime = time()


class Refusal(Table, table=True):
    """A text that a person refused; it does not come back from any door. `slots` tell when it is another text."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    fingerprint: str = Field(primary_key=True)
    slots: str = string()
    text: str = string()
    proposal_id: str = string()
    reason: str = string()
    decision: int = 0
    blocked: int = 0
    last_blocked_at: datetime | None = maybe_time()
    at: datetime = time()
