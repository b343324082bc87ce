"""What a session start handed over, from the spool into the store."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.salience.score import Score
from curator.store.tables import Receipt


def take(session: Session, project_id: str, key: str, event: Mapping[str, Any]) -> bool:
    """Store the receipt of one event under `key`; false where it was stored before. Raises ValueError on odd shapes."""
    if session.get(Receipt, (project_id, key)) is not None:
        return False
    held = event.get("receipt")
    if not isinstance(held, Mapping):
        raise ValueError("a receipt is an object")
    session.add(
        Receipt(
            project_id=project_id,
            receipt_id=key,
            session_id=str(event.get("session") or ""),
            client=str(event.get("client") or ""),
            source=str(event.get("source") or ""),
            entries=[
                {"entry_id": row[0], "rev": row[1], **dict(zip(Score._fields, row[2:], strict=False))}
                for row in held.get("entries", ())
            ],
            left_out=[{"entry_id": row[0], "reason": row[1], "score": row[2]} for row in held.get("left", ())],
            tokens=int(held.get("tokens", 0)),
            bytes=int(held.get("bytes", 0)),
            digest=str(held.get("digest", "")),
            evidence={name: held[name] for name in ("parts", "checkpoint", "day") if name in held},
            at=datetime.fromtimestamp(float(event["at"]), UTC),
        )
    )
    return True


def deliver(session: Session, project_id: str, event: Mapping[str, Any]) -> None:
    """Note on the session's newest receipt of this digest whether the client was seen to hand the text over."""
    query = (
        select(Receipt)
        .where(
            Receipt.project_id == project_id,
            Receipt.session_id == str(event.get("session") or ""),
            Receipt.digest == str(event.get("digest") or ""),
        )
        .order_by(col(Receipt.at).desc())
        .limit(1)
    )
    if (found := session.exec(query).first()) is not None:
        found.delivered = bool(event.get("delivered"))
        session.add(found)
