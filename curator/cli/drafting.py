"""What the options of a deciding command mean: which revision was seen, which text it is to become."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from curator.desk.editing import edited
from curator.desk.views import Dossier, Shown
from curator.draft import Draft
from curator.errors import BadUsage, CuratorError
from curator.vocab import Kind, Route

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk


def changed(
    desk: "Desk", old: Draft, text: str | None, title: str | None, kind: Kind | None, route: Route | None,
    labels: list[str] | None,
) -> Draft:  # fmt: skip
    """The draft with the options applied, or as the editor left it when there is none."""
    if all(value is None for value in (text, title, kind, route, labels)):
        return edited(old, desk.store.settings.note_bytes)
    for flag, value in (("--title", title), *(("--label", label) for label in labels or ())):
        if value is not None and not value.strip():
            raise BadUsage(f"{flag} needs a value")
    new = old if text is None else old.saying(read(text))
    changes = {"title": title, "kind": kind, "route": route or (kind.route if kind else None), "labels": labels}
    return new.with_(**{name: value for name, value in changes.items() if value is not None})


def read(name: str) -> str:
    """The file's text, or stdin's for `-`. Raises `BadUsage` when it is empty."""
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig", errors="replace")
    if not text.strip():
        raise BadUsage(f"--text {name}: the text is empty")
    return text.strip()


def one_result(seen: Dossier) -> tuple[Draft]:
    """The text to change; with a conflict the merged one."""
    results = seen.merged or seen.after
    if len(results) != 1:
        what = "there is no text in it to change" if not results else "it has several results"
        raise CuratorError(f"{seen.row.proposal_id}: {what}")
    return (results[0],)


def all_shown(desk: "Desk", ids: list[str]) -> list[Shown]:
    """What each id names; an id given twice counts once."""
    found = {each: desk.dossier(each.partition("@")[0]) for each in ids}
    return list(dict.fromkeys(shown_as(seen, each) for each, seen in found.items()))


def shown_as(seen: Dossier, given: str) -> Shown:
    """The revision named in `ID@REV`, else the present one."""
    rev = given.partition("@")[2]
    if rev and not rev.isdigit():
        raise BadUsage(f"{given!r}: the revision after @ is a number")
    return Shown(seen.row.proposal_id, int(rev) if rev else seen.row.rev)
