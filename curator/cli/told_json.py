"""Proposals, decisions and the queue as JSON: stable keys, nothing for the eye."""

from dataclasses import asdict
from typing import Any

from curator.desk.views import Dossier, Listed, LogLine, Outcome, Queue, Row
from curator.ledger.values import name


def queue_json(queue: Queue) -> dict[str, Any]:
    """The counts of everything that waits, whatever the filter."""
    value = {key: item for key, item in asdict(queue).items() if key != "rows"}
    return {**value, "by_op": {op.value: count for op, count in queue.by_op.items()}}


def listed_json(each: Listed) -> dict[str, Any]:
    """A proposal of a list."""
    return {
        **_row(each.row),
        "relation": each.relation.value if each.relation else None,
        "reason": each.reason,
        "targets": list(each.targets),
        "before": [draft.document() for draft in each.before],
        "after": [draft.document() for draft in each.after],
    }


def dossier_json(seen: Dossier) -> dict[str, Any]:
    """Everything about one proposal."""
    told = Listed(seen.row, seen.relation, seen.reason, tuple(d.entry_id for d in seen.before), seen.before, seen.after)
    return {
        **listed_json(told),
        "now": [draft.document() if draft else None for draft in seen.now],
        "merged": [draft.document() for draft in seen.merged],
        "drift": list(seen.drift),
        "chain": [draft.document() for draft in seen.chain],
        **{
            key: [asdict(each) for each in getattr(seen, key)]
            for key in ("evidence", "similar", "lost", "anchors", "history")
        },
        "rejected_before": seen.rejected_before,
        "blocked": seen.blocked,
        "hidden": seen.hidden,
        "expires_at": seen.expires_at,
    }


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """What a decision did, item by item."""
    return {
        "verb": outcome.verb.value,
        "decision": name(outcome.decision) if outcome.decision is not None else None,
        "complete": outcome.complete,
        "items": [asdict(item) for item in outcome.items],
    }


def log_json(line: LogLine) -> dict[str, Any]:
    """A decision of the ledger."""
    value = {key: item for key, item in asdict(line).items() if key not in {"seq", "undone_by", "undoes"}}
    others = {"undone_by": line.undone_by, "undoes": line.undoes}
    return {"id": name(line.seq), **value, **{key: seq and name(seq) for key, seq in others.items()}}


def _row(row: Row) -> dict[str, Any]:
    value = asdict(row)
    return {"id": value.pop("proposal_id"), **value}
