"""A proposal before it is stored: what the sweep found out, as a value, and how it orders the queue.

Owns the fields a proposal needs and the estimates beside them (harm if wrong, warnings, slots). Stores nothing.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from curator.draft import Draft
from curator.sweep.nominate import Known
from curator.sweep.relate import no_loss
from curator.sweep.slots import specifics
from curator.vocab import Op, Origin, Relation, Route

_HARM = {
    Op.TOMBSTONE: 0.7,
    Op.MERGE: 0.6,
    Op.UPDATE: 0.5,
    Op.SPLIT: 0.4,
    Op.REROUTE: 0.3,
    Op.ADD: 0.25,
    Op.RELABEL: 0.1,
}
_INSTRUCTS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|above|previous)\b"
    r"|\bsystem prompt\b|\byou (?:are now|must now)\b|\bas an ai\b|</?curator|<\|im_|\bjailbreak\b|\bdeveloper mode\b"
    r"|\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:ba|z)?sh\b|忽略.{0,12}(?:指令|规则|提示)|系统提示词",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Planned:
    """A proposal to be. `key` is its fingerprint; `removes` counts entries that leave the memory without a successor.

    `settings` go into the proposal as they are, and the sweep's own are added.
    """

    op: Op
    key: str
    after: tuple[Draft, ...]
    reason: str
    confidence: float
    before: tuple[Draft, ...] = ()
    targets: tuple[Mapping[str, object], ...] = ()
    relation: Relation | None = None
    origin: Origin = Origin.UNVERIFIED
    notes: tuple[str, ...] = ()
    evidence: tuple[Mapping[str, Any], ...] = ()
    similar: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    group: str = ""
    removes: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def harm(self) -> float:
        """How bad it would be to accept this wrongly, 0..1; the queue shows the worst first."""
        harm = _HARM[self.op]
        if self.relation is Relation.REPLACES:
            harm = max(harm, 0.65)
        if self.op is Op.ADD and self.after and self.after[0].route is Route.INJECTED:
            harm += 0.1
        return round(min(1.0, harm + 0.2 * bool(self.warnings) + 0.15 * (1 - self.confidence)), 3)

    @property
    def entry_ids(self) -> tuple[str, ...]:
        """The entries it would change."""
        return tuple(str(target["entry_id"]) for target in self.targets)

    def with_(self, **changes: Any) -> "Planned":
        """A changed copy."""
        return replace(self, **changes)


def columns(planned: Planned, count: Callable[[str], int]) -> dict[str, Any]:
    """The proposal's columns, without numbers and times."""
    shown = (planned.after or planned.before)[0]
    sources = tuple(draft.text for draft in planned.before) + tuple(planned.settings.get("older", ()))
    lost = no_loss(sources, "\n".join(draft.text for draft in planned.after)) if planned.after else ()
    injected = [
        sum(count(draft.text) for draft in side if draft.route is Route.INJECTED)
        for side in (planned.before, planned.after)
    ]
    return {
        "op": planned.op.value,
        "relation": planned.relation.value if planned.relation else "",
        "title": shown.title,
        "kind": shown.kind.value,
        "route": shown.route.value,
        "origin": planned.origin.value,
        "targets": [dict(target) for target in planned.targets],
        "before": [draft.document() for draft in planned.before],
        "after": [draft.document() for draft in planned.after],
        "reason": planned.reason,
        "confidence": round(planned.confidence, 3),
        "harm": planned.harm,
        "evidence": [dict(item) for item in planned.evidence],
        "similar": [dict(item) for item in planned.similar],
        "lost": [_lost(text, sources) for text in lost],
        "warnings": list(planned.warnings),
        "notes": list(planned.notes),
        "group": planned.group,
        "fingerprint": planned.key,
        "token_effect": injected[1] - injected[0],
    }


def slot_line(text: str) -> str:
    """A text's specifics as one line: another line is another statement."""
    return " ".join(sorted(token.norm for token in specifics(text)))


def key_of(op: Op, *parts: str) -> str:
    """The fingerprint of a proposal that no note made: the same operation on the same contents."""
    return hashlib.sha256("\0".join([op.value, *parts]).encode("utf-8", "replace")).hexdigest()[:32]


def retired(known: Known, reason: str, confidence: float) -> Planned:
    """A proposal to take an entry out of the memory."""
    return Planned(
        op=Op.TOMBSTONE,
        key=key_of(Op.TOMBSTONE, known.fingerprint, reason),
        after=(),
        before=(known.draft,),
        targets=(known.target,),
        reason=reason,
        confidence=confidence,
        origin=known.trust,
        evidence=(known.evidence,),
        removes=1,
        settings={"slots": slot_line(known.text)},
    )


def warned(text: str, kind_is_sure: bool = True) -> tuple[str, ...]:
    """Words of warning for the reviewer; none of them locks anything."""
    found = ["instruction-like"] if _INSTRUCTS.search(text) else []
    return (*found, *(() if kind_is_sure else ("uncertain kind",)))


def _lost(text: str, sources: Sequence[str]) -> dict[str, str]:
    source = next((s for s in sources if text in s), "")
    at = source.find(text)
    kind = next((token.slot.value for token in specifics(text)), "word")
    return {"kind": kind, "text": text, "context": source[max(0, at - 40) : at + len(text) + 40] if source else ""}
