"""A proposal as a page: the head and the four sections (Change, Evidence, Similar, History) as lines for one width.

Pure and built off the event loop. Owns the order and wording of the dossier; draws nothing.
"""

from dataclasses import dataclass, field
from datetime import datetime

from curator.desk.views import Anchor, Dossier, Evidence, Lost, Row, Similar
from curator.draft import Draft
from curator.plain import hides
from curator.vocab import OP_SIGNS, Op
from curator.worddiff import diff
from tui.text import Line, Piece, age, cells, fit, pad, piece, plural, score, signed, spread, wrap

Stop = Evidence | Similar | Lost
STATE_STYLE = {"FRESH": "good", "MOVED": "warn", "STALE": "bad"}


@dataclass
class Page:
    """Lines, where each of the four sections begins, and what stands on the lines that the cursor can reach."""

    width: int
    now: datetime
    marks: bool
    lines: list[Line] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    stops: dict[int, Stop] = field(default_factory=dict)

    def add(self, *line: Piece) -> None:
        """One line as it is."""
        self.lines.append(tuple(line))

    def text(self, pieces: list[Piece], indent: str = "") -> None:
        """Wrapped text."""
        self.lines += wrap(pieces, self.width, indent)

    def hanging(self, label: str, style: str, pieces: list[Piece], size: int) -> None:
        """A label of `size` cells, with the wrapped text standing beside it."""
        rows = wrap(pieces, self.width - size - 2)
        for at, row in enumerate(rows):
            self.add(("  ", ""), (pad(label if at == 0 else "", size), style), *row)

    def section(self, name: str) -> None:
        """A rule with the section's number and name."""
        self.add()
        self.sections.append(len(self.lines))
        head = f"{len(self.sections)} {name} "
        self.add((head, "title"), ("─" * max(0, self.width - cells(((head, ""),))), "rule"))

    def changed(self, before: str, after: str, indent: str = "  ") -> None:
        """The word diff of two texts; with marks it can be read without any colour."""
        self.text(changes(before, after, self.marks), indent)


def changes(before: str, after: str, marks: bool) -> list[Piece]:
    """A word diff as pieces: removed and added words styled, and marked `[-gone-] {+new+}` when asked."""
    pieces: list[Piece] = []
    for segment in diff(before, after):
        if segment.sign == "=":
            pieces.append((segment.text, ""))
            continue
        opened, closed, style = ("[-", "-]", "removed") if segment.sign == "-" else ("{+", "+}", "added")
        head, body, tail = _trimmed(segment.text)
        if segment.sign == "+" and pieces and pieces[-1][1] == "removed":
            head = head or " "
        pieces += [p for p in ((head, ""), (f"{opened}{body}{closed}" if marks else body, style), (tail, "")) if p[0]]
    return pieces


def page(dossier: Dossier, width: int, now: datetime, marks: bool) -> Page:
    """The whole dossier for `width` cells."""
    out = Page(width, now, marks)
    _head(out, dossier)
    out.section("Change")
    _change(out, dossier)
    out.section(f"Evidence ({len(dossier.evidence)})")
    for item in dossier.evidence:
        _evidence(out, item)
    if not dossier.evidence:
        out.add(("  none kept", "dim"))
    out.section(f"Similar ({len(dossier.similar)})")
    for similar in dossier.similar:
        out.stops[len(out.lines)] = similar
        _similar(out, similar)
    if not dossier.similar:
        out.add(("  nothing like it is stored", "dim"))
    _history(out, dossier)
    return out


def _head(out: Page, dossier: Dossier) -> None:
    row = dossier.row
    entry = " + ".join(draft.entry_id for draft in dossier.before if draft.entry_id)
    left = (
        (f"{OP_SIGNS[row.op]} {row.op.value.upper()}", f"op-{row.op.value}"),
        (f"  {row.kind.value}", ""),
        (f" → {row.route.value}", "dim"),
    )
    right = (
        (f"{row.proposal_id}  {entry}  " if entry else f"{row.proposal_id}  ", "dim"),
        (f"conf {score(row.confidence)}", ""),
    )
    out.lines.append(spread(left, right, out.width))
    labels = ", ".join(row.labels)
    side: Line = ((f"{labels}  " if labels else "", "label"), (f"{signed(row.token_effect)} tok", "dim"))
    title = wrap([piece(row.title, "bold")], out.width)
    if len(title) == 1 and cells(title[0]) + cells(side) + 2 <= out.width:
        out.lines.append(spread(title[0], side, out.width))
    else:
        out.lines += title
        out.lines.append(side)
    if dossier.reason:
        out.lines += [
            ((pad("Why" if at == 0 else "", 6), "dim"), *line)
            for at, line in enumerate(wrap([(dossier.reason, "")], out.width - 6))
        ]
    for badge in badges(dossier):
        out.text([(f"! {badge}", "warn")])


def badges(dossier: Dossier) -> list[str]:
    """Everything that asks for a second look, one sentence each."""
    row = dossier.row
    found = list(row.warnings)
    if row.conflict:
        found.append("the stored text has changed since the sweep: open the conflict with enter")
    if dossier.hidden or any(hides(draft.text) for draft in dossier.after):
        found.append("hidden or steering characters: shown as escapes such as \\u200b")
    if dossier.rejected_before:
        found.append(f"you refused something like it: {dossier.rejected_before}")
    if dossier.blocked:
        found.append(f"blocked since: {plural(dossier.blocked, 'repeat')} of what you refused")
    if row.edited:
        found.append("edited by a reviewer; it will be recorded as yours")
    return found


def _change(out: Page, dossier: Dossier) -> None:
    row, before, after = dossier.row, dossier.before, dossier.after
    if row.op is Op.ADD or not before:
        for draft in after:
            out.text([(draft.body, "")], "  ")
    elif row.op is Op.MERGE:
        for draft in before:
            out.hanging(draft.entry_id, "dim", [(draft.text, "dim")], _label(before))
        for draft in after:
            out.add()
            out.changed(before[0].text, draft.text)
    elif row.op is Op.TOMBSTONE:
        out.text([(f"[-{before[0].text}-]" if out.marks else before[0].text, "removed")], "  ")
        for draft in after:
            out.add(("  replaced by", "dim"))
            out.text([(f"{{+{draft.text}+}}" if out.marks else draft.text, "added")], "  ")
    elif row.op is Op.SPLIT:
        out.text([(before[0].text, "removed")], "  ")
        for at, draft in enumerate(after, 1):
            out.hanging(f"{at}", "dim", [(draft.text, "added")], 3)
    else:
        for old, new in zip(before, after, strict=False):
            _update(out, old, new)
    for anchor in dossier.anchors:
        _anchor(out, anchor)
    for lost in dossier.lost:
        out.stops[len(out.lines)] = lost
        where = f"  in “{fit(lost.context, 48)}”" if lost.context else ""
        out.text(
            [
                ("! missing ", "warn"),
                (f"{lost.kind} ", "dim"),
                piece(lost.text, "bold"),
                (where, "dim"),
                ("   + restores it", "key"),
            ],
            "  ",
        )


def _update(out: Page, old: Draft, new: Draft) -> None:
    if old.title != new.title:
        out.hanging("title", "dim", changes(old.title, new.title, out.marks), 8)
    for name, was, now in (
        ("kind", old.kind.value, new.kind.value),
        ("route", old.route.value, new.route.value),
        ("labels", ", ".join(old.labels), ", ".join(new.labels)),
    ):
        if was != now:
            out.hanging(name, "dim", changes(was, now, out.marks), 8)
    if old.body == new.body:
        out.text([(new.body, "dim")], "  ")
    else:
        out.changed(old.body, new.body)


def _label(drafts: tuple[Draft, ...]) -> int:
    return max(cells(((draft.entry_id, ""),)) for draft in drafts) + 2


def _anchor(out: Page, anchor: Anchor) -> None:
    out.text([(f"{anchor.state:8}", STATE_STYLE.get(anchor.state, "dim")), piece(anchor.ref)], "  ")
    for text in anchor.lines.splitlines()[:6]:
        out.add(("    │ ", "rule"), (fit(piece(text)[0], out.width - 6), "dim"))


def _evidence(out: Page, item: Evidence) -> None:
    out.stops[len(out.lines)] = item
    place = f" #{item.seq}" if item.seq is not None else ""
    time = f"  {item.at.astimezone():%H:%M}" if item.at else ""
    style = "accent" if item.origin.trust >= 7 else "dim"
    label = f"{item.speaker}{place}{time}"
    out.hanging(label, style, [(f"“{item.text}”", "")], max(len(label) + 2, 16))
    source = f"{item.client} session {item.session[:8]}" if item.session else item.file
    if item.checkpoint:
        source += f", checkpoint {item.checkpoint}"
    if item.part:
        source += f" ({item.part})"
    out.text([(f"origin {item.origin.value}" + (f", from {source}" if source else ""), "dim")], " " * 18)


def _similar(out: Page, similar: Similar) -> None:
    left = (
        (f"  {score(similar.score)}  ", "dim"),
        (f"{similar.entry_id}  ", "key"),
        (f"{similar.route.value:9}", "dim"),
        piece(similar.title),
    )
    out.lines.append(spread(left, ((f"  {age(similar.updated_at, out.now)}", "dim"),), out.width))


def _history(out: Page, dossier: Dossier) -> None:
    entry = next((draft.entry_id for draft in dossier.before if draft.entry_id), "")
    out.section(f"History of {entry}" if entry else "History")
    for change in dossier.history:
        left = (
            (f"  rev {change.rev:<4}", "dim"),
            piece(change.what),
            (f"  by {change.by}" if change.by else "", "dim"),
        )
        out.lines.append(spread(left, ((age(change.at, out.now), "dim"),), out.width))
    if not dossier.history:
        out.add(("  new: no entry yet" if not entry else "  no earlier revision", "dim"))
    if dossier.expires_at:
        out.add((f"  expires {dossier.expires_at.astimezone():%d %b %Y} if nobody decides", "dim"))


def _trimmed(text: str) -> tuple[str, str, str]:
    body = text.strip()
    if not body:
        return "", text, ""
    head, _, tail = text.partition(body)
    return head, body, tail


def queue_line(row: Row, sign: str, marked: bool, chosen: bool, width: int, match: bool = False) -> Line:
    """A row of the queue: cursor, mark, state, operation, kind, title and confidence in `width` cells."""
    style = {"v": "good", "r": "bad", "!": "warn", ".": ""}.get(sign, "dim")
    kind = {"root-cause": "cause", "correction": "correct", "research": "research", "decision": "decide"}.get(
        row.kind.value, row.kind.value
    )
    done = "dim" if sign in "vrz-/" else ""
    left: Line = (
        (">" if chosen else " ", "accent"),
        ("*" if marked else " ", "warn"),
        (f" {sign} ", style),
        (f"{OP_SIGNS[row.op]} ", done or f"op-{row.op.value}"),
        (f"{kind:9}", "dim"),
        piece(row.title, done or ("match" if match else "")),
    )
    return spread(left, ((f" {score(row.confidence)} ", "dim"),), width)
