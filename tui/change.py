"""Section Change of the dossier: before and after of every operation, the anchors, what was lost on the way. Pure."""

from curator.desk.views import Anchor, Dossier, Lost
from curator.draft import Draft, title_of
from curator.vocab import Op, Relation
from tui.page import Page, changes, gone, new
from tui.text import Line, Piece, cells, fit, piece, spread

STATE_STYLE = {"FRESH": "good", "MOVED": "warn", "STALE": "bad"}


def change(out: Page, dossier: Dossier) -> None:
    """What would be stored instead of what is stored."""
    row, before, after = dossier.row, dossier.before, dossier.after
    if row.op is Op.ADD or not before:
        for draft in after:
            out.text([(draft.body, "")], "  ")
    elif row.op is Op.MERGE:
        _merge(out, before, after)
    elif row.op is Op.TOMBSTONE:
        out.text([gone(before[0].text, out.marks)], "  ")
        for draft in after:
            out.text([("replaced by", "dim")], "  ")
            out.text([new(draft.text, out.marks)], "  ")
    elif row.op is Op.SPLIT:
        out.text([gone(before[0].text, out.marks)], "  ")
        for at, draft in enumerate(after, 1):
            out.hanging(f"{at}", "dim", [new(draft.text, out.marks)], 3)
            out.hanging("", "", [(f"{draft.kind.value} → {draft.route.value}", "dim")], 3)
    else:
        for old, made in zip(before, after, strict=False):
            _update(out, old, made)
        if dossier.relation is Relation.REPLACES:
            out.text([("the old text stays in the history as superseded", "dim")], "  ")
    if dossier.anchors or dossier.lost:
        out.add()
    for anchor in dossier.anchors:
        _anchor(out, anchor)
    for lost in dossier.lost:
        _lost(out, lost)


def _merge(out: Page, before: tuple[Draft, ...], after: tuple[Draft, ...]) -> None:
    size = max(cells(((draft.entry_id, ""),)) for draft in before) + 2
    for draft in before:
        out.hanging(draft.entry_id, "key", [(draft.text, "dim")], size)
    for draft in after:
        out.hanging("result", "title", changes(before[0].text, draft.text, out.marks), size)


def _lost(out: Page, lost: Lost) -> None:
    """A missing detail with the key that restores it."""
    out.stops[len(out.lines)] = lost
    left: Line = (("  ! missing ", "warn"), (f"{lost.kind} " if lost.kind else "", "dim"), piece(lost.text, "bold"))
    right: Line = (("+ ", "key@screen.restore_lost"), ("restores it", "dim@screen.restore_lost"))
    out.lines.append(spread(left, right, out.width))


def _update(out: Page, old: Draft, made: Draft) -> None:
    if old.title != made.title and made.title != title_of(made.body):
        out.hanging("title", "dim", changes(old.title, made.title, out.marks), 8)
    for name, was, now in (("kind", old.kind.value, made.kind.value), ("route", old.route.value, made.route.value)):
        if was != now:
            out.hanging(name, "dim", [gone(was, out.marks), (" → ", "dim"), new(now, out.marks)], 8)
    if old.labels != made.labels:
        out.hanging("labels", "dim", _labels(old.labels, made.labels, out.marks), 8)
    if old.body == made.body:
        out.text([(made.body, "dim")], "  ")
    else:
        out.changed(old.body, made.body)


def _labels(old: tuple[str, ...], made: tuple[str, ...], marks: bool) -> list[Piece]:
    """Each label once: kept, gone or new."""
    found: list[Piece] = []
    for label in dict.fromkeys((*old, *made)):
        found += [("  ", "")] if found else []
        kept = label in old and label in made
        found.append((label, "") if kept else gone(label, marks) if label in old else new(label, marks))
    return found


def _anchor(out: Page, anchor: Anchor) -> None:
    out.text([(f"{anchor.state:8}", STATE_STYLE.get(anchor.state, "dim")), piece(anchor.ref)], "  ")
    for text in anchor.lines.splitlines()[:6]:
        out.add(("    │ ", "rule"), (fit(piece(text)[0], out.width - 6), "dim"))
