"""What was judged of which two texts: kept by both fingerprints, so that no model is asked the same again.

Owns the names of the judges and what is kept. The rules are asked again each time: that is 1.2 ms a pair, and seldom
done twice (`docs/decisions/0149-whom-a-verdict-binds.md`).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from curator.store.tables import Verdict
from curator.sweep.relate import Verdict as Said
from curator.vocab import Relation

JUDGE = "slots-4"
"""Name of the rules and weights in remembered verdicts; another name when they change."""


def judge_of(model: str = "") -> str:
    """Under which name a verdict is kept; a model's holds for that model under these rules."""
    return f"{JUDGE} + {model}" if model else JUDGE


def answers_of(session: Session, project_id: str, model: str) -> Mapping[tuple[str, str], tuple[str, str]]:
    """Relation and reason by both fingerprints, as this model gave them under these rules."""
    query = select(Verdict).where(Verdict.project_id == project_id, Verdict.judge == judge_of(model))
    return {(row.older_hash, row.newer_hash): (row.relation, row.reason) for row in session.exec(query)}


def remember(session: Session, project_id: str, verdicts: Sequence[tuple[str, str, Said]], now: datetime) -> None:
    """Keep each verdict. A model's answer cost something: what the rules alone say is never written over it."""
    keys = sorted({older for older, _, _ in verdicts})
    there: dict[tuple[str, str], Verdict] = {}
    for start in range(0, len(keys), 500):
        query = select(Verdict).where(
            Verdict.project_id == project_id, col(Verdict.older_hash).in_(keys[start : start + 500])
        )
        there |= {(row.older_hash, row.newer_hash): row for row in session.exec(query)}
    for older, newer, said in verdicts:
        row = there.get((older, newer))
        if not older or not newer or not _is_new(row, said):
            continue
        row = row or Verdict(project_id=project_id, older_hash=older, newer_hash=newer, at=now)
        row.relation, row.reason, row.judge, row.at = said.relation.value, said.reason, judge_of(said.by), now
        there[older, newer] = row
        session.add(row)


def _is_new(row: Verdict | None, said: Said) -> bool:
    if not said.by and (said.relation is Relation.DISTINCT or (row is not None and " + " in row.judge)):
        return False
    return row is None or (row.relation, row.judge) != (said.relation.value, judge_of(said.by))
