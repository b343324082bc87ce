"""A desk in memory with the methods that the screens use, and a queue written for the tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from curator.desk.views import (
    Anchor,
    Change,
    Dossier,
    Entry,
    Evidence,
    Filter,
    Item,
    LogLine,
    Lost,
    Outcome,
    Queue,
    Row,
    Shown,
    Similar,
    Summary,
)
from curator.draft import Draft, draft
from curator.errors import NotFound
from curator.vocab import Kind, Op, Origin, ProposalState, Relation, Route, Verb

NOON = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)

TITLES: tuple[tuple[Op, Kind, str, float], ...] = (
    (Op.ADD, Kind.LESSON, "pnpm, never npm, in web/", 0.88),
    (Op.ADD, Kind.PATTERN, "log every retry", 0.51),
    (Op.UPDATE, Kind.LESSON, "staging config file", 0.92),
    (Op.MERGE, Kind.PATTERN, "retry wrapper for S3 reads and writes in the worker", 0.81),
    (Op.ADD, Kind.DESIGN, "why retry uses backoff", 0.74),
    (Op.UPDATE, Kind.LESSON, "lint before commit", 0.73),
    (Op.TOMBSTONE, Kind.LESSON, "Node 16 in CI", 0.69),
    (Op.ADD, Kind.LESSON, "prefer rg over grep", 0.44),
    (Op.ADD, Kind.LESSON, "fixtures in tests/data", 0.83),
    (Op.ADD, Kind.LESSON, "seed the RNG in tests", 0.82),
    (Op.ADD, Kind.ROOT_CAUSE, "flaky test = shared tmp", 0.80),
    (Op.UPDATE, Kind.CORRECTION, "use UTC in job names", 0.79),
    (Op.ADD, Kind.DECISION, "上线前必须先跑一遍回归测试", 0.78),
    (Op.ADD, Kind.RESEARCH, "benchmark of sqlite WAL 🚀 on the CI disks", 0.66),
)

BEFORE = "The staging config file is in the repo root; load it before running deploy scripts."
AFTER = "The staging config file is config/staging.yaml, not the repo root; load it before running deploy scripts."
SAID = "no - it's config/staging.yaml, I told you already. the one in the root is the old one"
CONFIRMED = "Confirmed: config/staging.yaml exists; ./staging.yaml is stale (last changed 2024-01)."
HISTORY = (
    Change(3, NOON - timedelta(days=2), "you", "edited"),
    Change(2, NOON - timedelta(days=9), "sweep 33", "updated"),
)


def row(number: int, op: Op, kind: Kind, title: str, confidence: float) -> Row:
    """A waiting proposal."""
    return Row(
        f"P-{number:04}", 1, op, ProposalState.OPEN, kind, kind.route, title, confidence, 0.5, 9 + number % 7,
        ("deploy", "config") if number % 3 == 2 else (), f"g{number}", False, False, (), NOON - timedelta(days=3),
    )  # fmt: skip


def dossier(of: Row) -> Dossier:
    """What is known of it."""
    old = draft(of.title, BEFORE, of.kind, of.route, of.labels, entry_id="m-0017")
    new = draft(of.title, AFTER, of.kind, of.route, of.labels, entry_id="m-0017")
    added = of.op is Op.ADD
    return Dossier(
        of,
        None if added else Relation.REFINES,
        "The user corrected this path twice in one session.",
        () if added else (old,) if of.op is not Op.MERGE else (old, replace(old, entry_id="m-0031")),
        () if of.op is Op.TOMBSTONE else (replace(new, entry_id="") if added else new,),
        () if added else (old,),
        (),
        (),
        (
            Evidence("user", Origin.HUMAN, SAID, "claude", "7f3c11aa", 212, NOON - timedelta(hours=3), "5", "memo"),
            Evidence("agent", Origin.AGENT, CONFIRMED, "claude", "7f3c11aa", 215, NOON - timedelta(hours=3)),
        ),
        (
            Similar("m-0031", "deploy needs VPN for staging", Route.INJECTED, 0.71, NOON - timedelta(days=4)),
            Similar("d-0090", "prod config comes from SSM", Route.DEFERRED, 0.55, NOON - timedelta(days=30)),
        ),
        (Lost("path", "./staging.yaml", "the stale ./staging.yaml in the root"),) if of.op is Op.UPDATE else (),
        (Anchor("config/staging.yaml:1", "FRESH", "region: eu-1\nworkers: 4"),) if of.op is Op.UPDATE else (),
        () if added else HISTORY,
        expires_at=NOON + timedelta(days=57),
    )  # fmt: skip


@dataclass
class FakeDesk:
    """Keeps rows and a ledger in lists. `fail` is raised once by the next decision; `rows` may be changed by a test."""

    rows: list[Row] = field(default_factory=lambda: [row(at, *spec) for at, spec in enumerate(TITLES)])
    made: Callable[[Row], Dossier] = dossier
    ledger: list[tuple[Verb, tuple[str, ...], str]] = field(default_factory=list)
    fail: list[Exception] = field(default_factory=list)
    dossiers: dict[str, Dossier] = field(default_factory=dict)

    def queue(self, wanted: Filter = Filter()) -> Queue:  # noqa: B008 - a frozen value
        """Open rows that fit the words and the operation."""
        waiting = [r for r in self.rows if r.state is ProposalState.OPEN]
        rows = [
            r
            for r in waiting
            if all(word.casefold() in r.title.casefold() for word in wanted.words)
            and (wanted.op in (None, r.op) and wanted.kind in (None, r.kind))
        ]
        by_op = {op: sum(r.op is op for r in waiting) for op in Op}
        return Queue(
            tuple(rows), len(waiting), 0, len(self.rows) - len(waiting), by_op, sum(r.conflict for r in waiting), 4,
            NOON - timedelta(days=12), NOON - timedelta(days=3), 41, NOON - timedelta(hours=3),
            len(waiting) * 0.15, 1648, 2000,
        )  # fmt: skip

    def dossier(self, proposal_id: str) -> Dossier:
        """The row's dossier as it is now."""
        found = next((r for r in self.rows if r.proposal_id == proposal_id), None)
        if found is None:
            raise NotFound(f"there is no proposal {proposal_id}")
        return replace(self.dossiers[proposal_id], row=found) if proposal_id in self.dossiers else self.made(found)

    def accept(self, shown: Sequence[Shown], comment: str = "") -> Outcome:
        """Accept."""
        return self._decide(Verb.ACCEPT, shown, ProposalState.ACCEPTED)

    def reject(self, shown: Sequence[Shown], reason: str, comment: str = "") -> Outcome:
        """Reject."""
        return self._decide(Verb.REJECT, shown, ProposalState.REJECTED, f"{reason} {comment}".strip())

    def snooze(self, shown: Sequence[Shown]) -> Outcome:
        """Snooze."""
        return self._decide(Verb.SNOOZE, shown, ProposalState.SNOOZED)

    def _decide(self, verb: Verb, shown: Sequence[Shown], state: ProposalState, reason: str = "") -> Outcome:
        if self.fail:
            raise self.fail.pop(0)
        items = []
        for one in shown:
            at = next(i for i, r in enumerate(self.rows) if r.proposal_id == one.proposal_id)
            good = self.rows[at].rev == one.rev and not (self.rows[at].conflict and verb is Verb.ACCEPT)
            if good:
                self.rows[at] = replace(self.rows[at], state=state)
            items.append(
                Item(one.proposal_id, good, "done" if good else "conflict", "m-0201" if verb is Verb.ACCEPT else "")
            )
        done = tuple(item.id for item in items if item.done)
        if done:
            self.ledger.append((verb, done, reason))
        return Outcome(verb, len(self.ledger) if done else None, tuple(items), 1657)

    def undo(self, seq: int | None = None) -> Outcome:
        """Take the last decision back."""
        if not self.ledger:
            raise NotFound("there is nothing to undo")
        _, keys, _ = self.ledger.pop()
        self.rows = [replace(r, state=ProposalState.OPEN) if r.proposal_id in keys else r for r in self.rows]
        return Outcome(Verb.UNDO, 9, tuple(Item(key, True, "done") for key in keys), 1648)

    def log(self, limit: int = 20) -> tuple[LogLine, ...]:
        """The ledger, newest first."""
        return tuple(
            LogLine(at, NOON, verb, "you", "review", keys, (), reason, "", None, None, f"{verb} {', '.join(keys)}")
            for at, (verb, keys, reason) in reversed(list(enumerate(self.ledger, 1)))
        )[:limit]

    def revise(self, shown: Shown, drafts: Sequence[Draft]) -> Outcome:
        """Change a proposal; it stays pending."""
        at = next(i for i, r in enumerate(self.rows) if r.proposal_id == shown.proposal_id)
        old = self.dossier(shown.proposal_id)
        self.rows[at] = replace(
            self.rows[at], rev=shown.rev + 1, edited=True, title=drafts[0].title, kind=drafts[0].kind,
            route=drafts[0].route, labels=drafts[0].labels,
        )  # fmt: skip
        self.dossiers[shown.proposal_id] = replace(old, row=self.rows[at], after=tuple(drafts))
        self.ledger.append((Verb.REVISE, (shown.proposal_id,), ""))
        return Outcome(Verb.REVISE, len(self.ledger), (Item(shown.proposal_id, True, "done"),), 1650)

    def split(self, shown: Shown, parts: Sequence[Draft]) -> Outcome:
        """Several pending proposals of one."""
        return Outcome(Verb.SPLIT, 1, ())

    def fold(self, shown: Shown, entry_id: str) -> Outcome:
        """A merge of one."""
        return Outcome(Verb.REVISE, 1, ())

    def summary(self, since: int) -> Summary:
        """Counts of the ledger."""
        return Summary({Op.ADD: 1}, {"one-off": 1}, 0, 0, 0, 1, 1612, 1648, 41, 43, 64, 67, 2000)

    def search(self, text: str) -> tuple[Entry, ...]:
        """Nothing is stored."""
        return ()

    def preview(self) -> Any:
        """Nothing is handed over."""
        return None
