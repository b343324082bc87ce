"""The report: how often a correction had to be said again, tokens per session, entries that were never useful.

Owns the counting and the plots (terminal, SVG, HTML), drawn without any library. Reads only.
"""

import html
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from sqlmodel import col, select

from curator.snapshot.evidence import CITED, CONTRADICTED
from curator.store.engine import Store
from curator.store.tables import Entry, Note, Receipt, Sighting
from curator.vocab import EntryState, Kind, Origin

INJECTED_OFTEN = 5
"""An entry that so many sessions were handed and none cited is named as never useful."""
_WEEKS, _SESSIONS = 12, 30


@dataclass(frozen=True)
class Week:
    """Corrections of the person in a week, and how many were said before."""

    monday: str
    corrections: int
    repeated: int

    @property
    def rate(self) -> float:
        return self.repeated / self.corrections if self.corrections else 0.0


@dataclass(frozen=True)
class Report:
    """`sessions`: (day, session, tokens of memories), oldest first. `unused`: (id, title, times injected)."""

    weeks: tuple[Week, ...]
    sessions: tuple[tuple[str, str, int], ...]
    unused: tuple[tuple[str, str, int], ...]
    cited: int
    contradicted: int
    undelivered: int

    def document(self) -> dict[str, Any]:
        """As `--json` prints it."""
        value = asdict(self)
        value["weeks"] = [{**asdict(week), "rate": round(week.rate, 3)} for week in self.weeks]
        value["sessions"] = [{"day": day, "session": name, "tokens": n} for day, name, n in self.sessions]
        value["unused"] = [{"id": id_, "title": title, "injected": n} for id_, title, n in self.unused]
        return value


def gathered(store: Store) -> Report:
    """Count what the store holds; weeks up to this one."""
    with store.read() as session:
        receipts = session.exec(
            select(Receipt)
            .where(Receipt.project_id == store.project_id, Receipt.digest != "")
            .order_by(col(Receipt.at), Receipt.receipt_id)
        ).all()
        notes = session.exec(
            select(Note).where(
                Note.project_id == store.project_id,
                Note.kind == Kind.CORRECTION.value,
                Note.origin == Origin.HUMAN.value,
            )
        ).all()
        again = session.exec(
            select(Sighting).where(Sighting.project_id == store.project_id, Sighting.origin == Origin.HUMAN.value)
        ).all()
        entries = session.exec(
            select(Entry.entry_id, Entry.title).where(
                Entry.project_id == store.project_id, Entry.state == EntryState.ACTIVE.value
            )
        ).all()
    said = Counter(_monday((note.said_at or note.created_at).date()) for note in notes)
    repeats = Counter(_monday(one.at.date()) for one in again)
    first = _monday(store.now().date()) - timedelta(weeks=_WEEKS - 1)
    mondays = [first + timedelta(weeks=n) for n in range(_WEEKS)]
    weeks = tuple(Week(day.isoformat(), said[day] + repeats[day], repeats[day]) for day in mondays)
    verdicts = [verdict for row in receipts for verdict in (row.evidence.get("entries") or {}).values()]
    return Report(
        weeks,
        _sessions(receipts),
        _unused(receipts, dict(entries)),
        verdicts.count(CITED),
        verdicts.count(CONTRADICTED),
        sum(1 for row in receipts if row.delivered is False),
    )


def told(found: Report) -> list[str]:
    """The report as lines, with bars."""
    lines = ["Corrections said again, by week (repeated of all)"]
    if not any(week.corrections for week in found.weeks):
        lines.append("  no correction of yours was kept in these weeks")
    else:
        lines += [
            f"  {week.monday}  {bar(week.rate, 1.0, 30):30} {week.rate:4.0%}  {week.repeated} of {week.corrections}"
            for week in found.weeks
        ]
    most = max((n for _, _, n in found.sessions), default=0)
    lines.append("Tokens of memories by session")
    lines += [f"  {day}  {name[:8]:8}  {bar(n, most, 30):30} {n}" for day, name, n in found.sessions[-_SESSIONS:]]
    lines += [] if found.sessions else ["  no session start was recorded yet"]
    lines.append(f"Entries cited {found.cited} times, contradicted {found.contradicted} times")
    if found.undelivered:
        lines.append(f"{found.undelivered} injections did not arrive")
    lines.append(f"Handed to {INJECTED_OFTEN} sessions or more and never cited")
    lines += [f"  {id_}  {n} times  {title[:80]}" for id_, title, n in found.unused[:20]] or ["  none"]
    return lines


def bar(value: float, most: float, width: int) -> str:
    """A horizontal bar in eighths of a character."""
    eighths = round(value / most * width * 8) if most else 0
    return "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")


def picture(found: Report) -> str:
    """Both plots as one SVG."""
    rates = [(week.monday[5:], week.rate) for week in found.weeks]
    tokens = [(day[5:], float(n)) for day, _, n in found.sessions[-_SESSIONS:]]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="440" font-family="sans-serif" font-size="11">'
        '<rect width="720" height="440" fill="#ffffff"/>'
        + _plot(rates, 20, "Share of corrections said again, by week", 1.0, "%")
        + _plot(tokens, 230, "Tokens of memories by session", max([n for _, n in tokens], default=1.0) or 1.0, "")
        + "</svg>\n"
    )


def page(found: Report) -> str:
    """The report as a page with the plots inside."""
    rows = "".join(
        f"<tr><td>{html.escape(id_)}</td><td>{n}</td><td>{html.escape(title)}</td></tr>"
        for id_, title, n in found.unused
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>curator report</title>'
        '<body style="font-family:sans-serif;max-width:760px;margin:2em auto"><h1>Memory report</h1>'
        f"{picture(found)}<p>Cited {found.cited} times, contradicted {found.contradicted} times, "
        f"{found.undelivered} injections did not arrive.</p><h2>Never cited</h2>"
        f"<table><tr><th>id</th><th>times injected</th><th>title</th></tr>{rows}</table></body></html>\n"
    )


def _plot(points: Sequence[tuple[str, float]], top: int, title: str, most: float, unit: str) -> str:
    """Bars with their values; an empty plot says so."""
    parts = [f'<text x="20" y="{top + 12}" font-size="13">{html.escape(title)}</text>']
    if not points:
        parts.append(f'<text x="20" y="{top + 40}" fill="#666666">nothing was recorded yet</text>')
    step = 680 / max(1, len(points))
    for at, (name, value) in enumerate(points):
        height = round(130 * value / most, 1)
        x, y = round(20 + at * step, 1), round(top + 160 - height, 1)
        shown = f"{value:.0%}" if unit else f"{value:.0f}"
        parts.append(f'<rect x="{x}" y="{y}" width="{step * 0.7:.1f}" height="{height}" fill="#3366aa"/>')
        parts.append(f'<text x="{x}" y="{y - 3}">{shown}</text>')
        if at % max(1, len(points) // 12) == 0:
            parts.append(f'<text x="{x}" y="{top + 174}" fill="#666666">{html.escape(name)}</text>')
    return "".join(parts)


def _sessions(receipts: Sequence[Receipt]) -> tuple[tuple[str, str, int], ...]:
    days: dict[str, str] = {}
    tokens: dict[str, int] = defaultdict(int)
    for row in receipts:
        days.setdefault(row.session_id, row.at.date().isoformat())
        tokens[row.session_id] += row.tokens
    return tuple((days[name], name, tokens[name]) for name in days)


def _unused(receipts: Sequence[Receipt], titles: dict[str, str]) -> tuple[tuple[str, str, int], ...]:
    sessions: dict[str, set[str]] = defaultdict(set)
    useful: set[str] = set()
    for row in receipts:
        for one in row.entries:
            sessions[str(one.get("entry_id"))].add(row.session_id)
        useful |= {id_ for id_, verdict in (row.evidence.get("entries") or {}).items() if verdict == CITED}
    often = [
        (id_, titles[id_], len(names))
        for id_, names in sessions.items()
        if len(names) >= INJECTED_OFTEN and id_ in titles and id_ not in useful
    ]
    return tuple(sorted(often, key=lambda one: (-one[2], one[0])))


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
