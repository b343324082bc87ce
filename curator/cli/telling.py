"""Proposals, entries and decisions in words, for the shell and for plain mode: one line a fact, nothing drawn."""

from curator.cli.common import local
from curator.desk.views import Dossier, Evidence, Item, LogLine, Outcome, Queue, Row, Summary
from curator.draft import Draft
from curator.ledger.values import name
from curator.plain import one_line, plain
from curator.vocab import OP_SIGNS, EntryState, Op, ProposalState, Verb
from curator.worddiff import Segment, diff, marked

MANY = 40
"""Items above which a bulk is told as a count."""


def line_of(row: Row) -> str:
    """A line of the queue."""
    state = "!" if row.conflict else {ProposalState.SNOOZED: "z"}.get(row.state, ".")
    effect = f"{row.token_effect:+d} tok"
    marks = [*("edited" for _ in range(row.edited)), *row.warnings]
    told = f"{row.proposal_id}  {state} {OP_SIGNS[row.op]} {row.op:<9} {row.kind:<10} {row.confidence:.2f}  {effect:>8}"
    return f"{told}  {one_line(row.title, 72)}" + (f"  [{', '.join(marks)}]" if marks else "")


def head_of(queue: Queue) -> str:
    """The queue in one sentence."""
    if not queue.waiting and not queue.snoozed:
        return "Nothing is waiting for you."
    counts = ", ".join(f"{count} {op}" for op, count in queue.by_op.items())
    parts = [
        f"{queue.waiting} {'proposal' if queue.waiting == 1 else 'proposals'} waiting"
        + (f" ({counts})" * bool(counts)),
        *([f"{queue.conflicts} in conflict"] * bool(queue.conflicts)),
        *queue.asides(f"from {local(queue.oldest)}" if queue.oldest else ""),
        *([f"{queue.repeats}, kept out"] * bool(queue.blocked)),
    ]
    return ", ".join(parts) + "."


def dossier_lines(seen: Dossier) -> list[str]:
    """Everything about a proposal, as sentences."""
    row = seen.row
    target = " ".join(draft.entry_id for draft in seen.before)
    route = f"{row.kind} -> {row.route}"
    lines = [
        f"{row.proposal_id}@{row.rev}: {row.op} {route} {target}".rstrip() + f", confidence {row.confidence:.2f}, "
        f"{row.state}{', edited' if row.edited else ''}.",
        f"Title: {one_line(row.title)}. Labels: {', '.join(row.labels) or 'none'}.",
    ]
    if seen.reason:
        lines.append(f"Why: {one_line(seen.reason)}")
    if seen.rejected_before:
        lines.append(plain(seen.rejected_before))
    if row.warnings or seen.hidden:
        lines.append(f"Warning: {', '.join([*row.warnings, *(['hidden characters'] * seen.hidden)])}.")
    lines += [f"Said before: {_body(draft)}" for draft in seen.chain]
    lines += _conflict(seen) if seen.drift else change_lines(seen.before, seen.after, row.op)
    lines += [f"Missing from the result: {lost.kind} {one_line(lost.text)}".replace("  ", " ") for lost in seen.lost]
    count = len(seen.evidence)
    lines += [f"Evidence {n} of {count}: {evidence_line(each)}" for n, each in enumerate(seen.evidence, 1)]
    lines += [f"Similar: {s.entry_id} {s.score:.2f} {s.route}: {one_line(s.title, 80)}" for s in seen.similar]
    for anchor in seen.anchors:
        lines += [
            f"Anchor: {one_line(anchor.ref)} {anchor.state}",
            *(f"  {line}" for line in anchor.lines.splitlines()),
        ]
    lines += [
        f"History: revision {c.rev}, {local(c.at)}, {c.by or 'unknown'}: {one_line(c.what)}" for c in seen.history[:5]
    ]
    if seen.blocked:
        lines.append(f"Repeats blocked: {seen.blocked}")
    return lines


def change_lines(before: tuple[Draft, ...], after: tuple[Draft, ...], op: Op) -> list[str]:
    """Before, after, and what differs in words."""
    lines = [f"Before{_of(draft, before)}: {_body(draft)}" for draft in before]
    lines += [f"After{_of(draft, after)}: {_body(draft)}" for draft in after]
    if op is Op.TOMBSTONE and not after:
        lines.append("After: it leaves the memory; its text is kept.")
    for new in after:
        old = next((draft for draft in before if draft.entry_id == new.entry_id), before[0] if before else None)
        if old is not None:
            lines += _differences(old, new)
    return lines


def evidence_line(each: Evidence) -> str:
    """Who said it, where and when, and the words."""
    where = [each.speaker or each.origin.value]
    where += [f"origin {each.origin.value}"] if each.origin.value != each.speaker else []
    where += [f"message {each.seq}"] if each.seq is not None else []
    where += [local(each.at)] if each.at else []
    where += [each.client] if each.client else []
    where += [f"checkpoint {each.checkpoint} {each.part}".strip()] if each.checkpoint else []
    where += [each.file] if each.file else []
    return f'{", ".join(where)}: "{one_line(each.text)}"'


def item_line(item: Item) -> str:
    """What happened to one proposal or entry."""
    told = f"{item.outcome} {item.id}" + (f" -> {item.entry_id}" if item.entry_id not in {"", item.id} else "")
    if item.done:
        return told + (f" ({item.detail})" if item.detail else "")
    return f"{item.id} not done, {item.outcome}" + (f": {item.detail}" if item.detail else "")


def outcome_lines(outcome: Outcome) -> list[str]:
    """A decision's report: what was done, what was not and why, and how to take it back."""
    done = [item for item in outcome.items if item.done]
    if len(done) > MANY:
        lines = [f"{done[0].outcome} {len(done):,} of {len(outcome.items):,}"]
    else:
        lines = [item_line(item) for item in done]
    lines += [item_line(item) for item in outcome.items if not item.done]
    if outcome.decision is not None:
        number = name(outcome.decision)
        undone = outcome.verb is Verb.UNDO
        lines.append(f"{number} stands in the ledger" + ("" if undone else f"; `curator undo {number}` takes it back"))
    return lines


def summary_lines(told: Summary) -> list[str]:
    """What a review came to."""
    accepted = ", ".join(f"{count} {op}" for op, count in told.accepted.items()) or "nothing"
    rejected = ", ".join(f"{count} {one_line(reason, 40)}" for reason, count in told.rejected.items()) or "nothing"
    return [
        f"Accepted: {accepted}. Rejected: {rejected}. {told.edited} of the accepted edited by you.",
        f"{told.left} left, {told.snoozed} snoozed, {told.conflicts} in conflict.",
        f"Next session: {told.tokens_before:,} tokens before, {told.tokens_now:,} of {told.budget:,} now; "
        f"{told.memories_before} memories before, {told.memories_now} now; "
        f"{told.deferred_before} deferred before, {told.deferred_now} now.",
    ]


def log_line(line: LogLine) -> str:
    """A decision in the log."""
    told = f"{name(line.seq)}  {local(line.at)}  {line.reviewer}, {line.via}  {one_line(line.summary, 80)}"
    told += f": {one_line(line.reason, 60)}" if line.reason else ""
    return told + (f"  (taken back by {name(line.undone_by)})" if line.undone_by else "")


def _conflict(seen: Dossier) -> list[str]:
    lines = [f"Changed since the sweep: {'; '.join(seen.drift)}."]
    for base, now in zip(seen.before, seen.now, strict=True):
        if now != base:
            lines.append(f"Base {base.entry_id}: {_body(base)}")
            lines.append(f"Now: {_body(now)}" if now else f"Now: not {EntryState.ACTIVE} any more.")
    lines += [f"Proposed: {_body(draft)}" for draft in seen.after]
    return lines + [f"Merged: {_body(draft)}" for draft in seen.merged]


def _differences(old: Draft, new: Draft) -> list[str]:
    lines = []
    for title, one, two in (("Title", old.title, new.title), ("Change", old.body, new.body)):
        segments = diff(plain(one), plain(two))
        if any(segment.sign != "=" for segment in segments):
            lines += [f"{title}: {one_line(marked(segments))}", *_spoken(segments)]
    for title, was, becomes in (("Kind", old.kind, new.kind), ("Route", old.route, new.route)):
        if was != becomes:
            lines.append(f"{title}: {was} becomes {becomes}.")
    gone, more = set(old.labels) - set(new.labels), set(new.labels) - set(old.labels)
    if gone or more:
        lines.append("Labels: " + ", ".join([*(f"-{x}" for x in sorted(gone)), *(f"+{x}" for x in sorted(more))]) + ".")
    return lines


def _spoken(segments: tuple[Segment, ...]) -> list[str]:
    """The change as a sentence: `Removed "in"; added "…".`, at most six steps of it."""
    steps = [("removed" if s.sign == "-" else "added", s.text) for s in segments if s.sign != "=" and s.text.strip()]
    told = "; ".join(f'{verb} "{one_line(text.strip(), 80)}"' for verb, text in steps[:6])
    more = f"; and {len(steps) - 6} more" if len(steps) > 6 else ""
    return [f"{told[0].upper()}{told[1:]}{more}."] if told else []


def _of(draft: Draft, drafts: tuple[Draft, ...]) -> str:
    return f" {draft.entry_id or 'new'}" if len(drafts) > 1 else ""


def _body(draft: Draft | None) -> str:
    return one_line(draft.body) if draft else ""
