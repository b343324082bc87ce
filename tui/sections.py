"""A proposal as a page: its head and the four sections Change, Evidence, Similar, History.

Pure and built off the event loop. Owns the order and the wording of the dossier; draws nothing.
"""

from datetime import datetime

from curator.desk.views import Dossier, Evidence, Similar
from curator.plain import hides
from curator.vocab import OP_SIGNS, Op, Origin
from tui.change import change
from tui.page import Page
from tui.text import Line, age, cells, piece, plural, score, signed, spread, wrap


def page(dossier: Dossier, width: int, now: datetime, marks: bool) -> Page:
    """The whole dossier for `width` cells, drawn at the instant `now`."""
    out = Page(width, now, marks)
    _head(out, dossier)
    out.section("Change")
    change(out, dossier)
    out.section(f"Evidence ({len(dossier.evidence)})")
    size = max((cells(((who(item, now), ""),)) for item in dossier.evidence), default=0) + 2
    for item in dossier.evidence:
        _evidence(out, item, size)
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
    where = f" → {row.route.value}"
    if row.op is Op.TOMBSTONE:
        where = ", replaced" if dossier.after else ", taken out"
    left = (
        (f"{OP_SIGNS[row.op]} {row.op.value.upper()}", f"op-{row.op.value}"),
        (f"  {row.kind.value}", ""),
        (where, "dim"),
    )
    right: Line = ((f"{row.proposal_id}  ", "dim"), (f"conf {score(row.confidence)}", ""))
    if entry and cells((*left, *right)) + cells(((entry, ""),)) + 4 <= out.width:
        right = (right[0], (f"{entry}  ", "dim"), right[1])
    out.lines.append(spread(left, right, out.width))
    labels = ", ".join(piece(label)[0] for label in row.labels)
    side: Line = ((f"{labels}  " if labels else "", "label"), (f"{signed(row.token_effect)} tok", "dim"))
    title = wrap([piece(row.title, "bold")], out.width)
    if len(title) == 1 and cells(title[0]) + cells(side) + 2 <= out.width:
        out.lines.append(spread(title[0], side, out.width))
    else:
        out.lines += title
        out.lines.append(spread((), side, out.width))
    if dossier.reason:
        told = f"{dossier.reason} ({dossier.relation.value})" if dossier.relation else dossier.reason
        out.beside("Why", [(told, "")])
    for badge in badges(dossier):
        out.beside("!", [(badge, "warn")], "warn")


WARNINGS = {
    "instruction-like": "it reads like an instruction to the agent; keep it only if it states what is so",
    "uncertain kind": "its kind is a guess: l changes kind and route",
}
"""What a sweep's word of warning means to a reviewer."""


def badges(dossier: Dossier) -> list[str]:
    """Everything that asks for a second look, one sentence each."""
    row = dossier.row
    found = [WARNINGS.get(warning, warning) for warning in row.warnings]
    if row.conflict:
        found.append("conflict: the stored text changed since the sweep; enter shows both")
    if dossier.hidden or any(hides(draft.text) for draft in dossier.after):
        found.append("hidden or steering characters: shown as escapes such as \\u200b")
    if dossier.rejected_before:
        found.append(dossier.rejected_before)
    if dossier.blocked:
        found.append(f"{plural(dossier.blocked, 'repeat')} of what you refused then, blocked since")
    if row.edited:
        found.append("edited by a reviewer; it will be recorded as yours")
    return found


def who(item: Evidence, now: datetime | None = None) -> str:
    """Who said it and where: `you #212`, with the time on the person's clock, and the day unless it is today."""
    place = f" #{item.seq}" if item.seq is not None else ""
    if item.at is None or now is None:
        return f"{item.speaker}{place}"
    here = item.at.astimezone()
    day = "" if here.date() == now.astimezone().date() else f"{here:%d %b} "
    return f"{item.speaker}{place}  {day}{here:%H:%M}"


def _evidence(out: Page, item: Evidence, size: int) -> None:
    out.stops[len(out.lines)] = item
    style = "accent" if item.origin.trust >= Origin.HUMAN.trust else "dim"
    if size > out.width // 3:
        out.add(("  " + who(item, out.now), style))
        size = 2
    text = [(f"“{item.text}”", "")]
    out.hanging(who(item, out.now) if size > 2 else "", style, text, size)
    source = f"{item.client} session {item.session[:8]}" if item.session else item.file
    if item.checkpoint:
        source += f", checkpoint {item.checkpoint}"
    if item.part:
        source += f" ({item.part})"
    out.hanging("", "", [(f"origin {item.origin.value}" + (f", from {source}" if source else ""), "dim")], size)


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
    for past in dossier.history:
        left = (
            (f"  rev {past.rev:<4}", "dim"),
            piece(past.what),
            (f"  by {past.by}" if past.by else "", "dim"),
        )
        out.lines.append(spread(left, ((age(past.at, out.now), "dim"),), out.width))
    if not dossier.history:
        out.add(("  new: no entry yet" if not entry else "  no earlier revision", "dim"))
    for draft in dossier.chain:
        out.hanging("earlier", "dim", [(draft.body, "dim")], 8)
    if dossier.expires_at:
        out.add((f"  expires {dossier.expires_at.astimezone():%d %b %Y} if nobody decides", "dim"))
