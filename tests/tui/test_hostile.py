"""What is stored never steers the terminal: the real screen in a pseudo-terminal over a store full of hostile text."""

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect
from sqlmodel import SQLModel, select

from curator.snapshot import refresh
from curator.store.engine import Store
from curator.store.tables import Entry
from tests.tui.sample import desk_on, fill
from tests.tui.terminal import REVIEW, Terminal

HOSTILE = (
    "\x1b]0;OWNED\x07",  # the window's title
    "\x1b]52;c;T1dORUQ=\x1b\\",  # the clipboard
    "\x1b]8;;http://owned.example/\x1b\\OWNED\x1b]8;;\x1b\\",  # a link
    "\x1b[7777;1H",
    "\x1b[?4444h",
    "\x1bP+qOWNED\x1b\\",
    "\x9b7777m\x9d0;OWNED\x9c",  # the same with C1 bytes
    "\x1bc\x08\x7f\x0e",
    "\u202eOWNED\u2066\u200b\u2060\ufeff\U000e0041",  # unseen and turning characters
    "[@click=app.quit]OWNED[/]",
)
PAYLOAD = "Zq" + "".join(HOSTILE)
MACHINE = re.compile(
    r".*_id|.*_at|at|id|op|state|kind|typed|origin|client|session|seq|verb|via|relation|status|route|fingerprint|"
    r"content_hash|hash|encoding|digest|mark|outcome|became|key|made_by|number|settings|counts|targets|cursor|"
    r"proposals|entries|rev|files|speaker|parent|superseded_by"
)
"""Columns and keys that the program itself fills with words of its own."""
OURS = re.compile(
    rb"\x1b\[[\d;]*[Hm]"  # a place, a look
    rb"|\x1b\[\?(?:1049|1000|1003|1004|1015|1006|1016|25|2004|2026|2048|7)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p|\x1b\[>\d+u|\x1b\[<u"
    rb"|\x1b\]22;[a-z]*\x07"  # the mouse pointer's shape
)
"""Everything that Textual and the first frame send besides text."""


def poison(value: Any, name: str = "") -> Any:
    """The value with the payload in every text that a person or a program outside could have written."""
    if isinstance(value, dict):
        return {key: poison(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [poison(each, name) for each in value]
    if isinstance(value, str) and value and not MACHINE.fullmatch(name):
        return value[:8] + PAYLOAD + value[8:]
    return value


def poisoned(store: Store) -> set[str]:
    """Fill the store and poison it past every door; the names of what was poisoned."""
    fill(store)
    found = set()
    with store.write() as session:
        for mapper in SQLModel._sa_registry.mappers:
            for row in session.exec(select(mapper.class_)).all():
                for column in inspect(mapper.class_).column_attrs:
                    old = getattr(row, column.key)
                    new = poison(old, column.key)
                    if new != old:
                        setattr(row, column.key, new)
                        found.add(f"{mapper.class_.__name__}.{column.key}")
                session.add(row)
    refresh(store)
    return found


def stray(seen: bytes) -> list[bytes]:
    """What was sent that is neither text nor one of our own sequences, with what stands around it."""
    found = []
    rest = OURS.sub(b"\x00", seen).replace(b"\x00\x07", b"\x00")  # Textual rings where a key has nothing to do
    for match in re.finditer(rb"\x1b|\x07|\x08|\x7f|\x0e|\x0f", rest):
        found.append(rest[max(0, match.start() - 30) : match.end() + 30])
    text = rest.decode("utf-8", "replace")
    hidden = "[\x80-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
    return found + [text[max(0, m.start() - 30) : m.end() + 30].encode() for m in re.finditer(hidden, text)]


def typed(screen: Terminal, keys: bytes) -> None:
    """Press one key after the other, and read what each brings."""
    for key in keys:
        screen.send(bytes([key]))
        screen.quiet(0.4 if key == 27 else 0.1)  # escape alone is told from a longer sequence by the pause


def conflict(store: Store) -> bytes:
    """The keys that lead from anywhere in the queue into the conflict."""
    rows = desk_on(store).queue().rows
    return b"g" + b"j" * next(at for at, row in enumerate(rows) if row.conflict) + b"\r"


SCREENS: tuple[tuple[str, bytes, bytes, bytes], ...] = (
    ("dossiers", b"jjjjjjjjjjjjg", b"Zq", b"JJ4321"),
    ("help", b"?", b"Snooze", b"\x1b"),
    ("filter", b"/Zq", b"Zq", b"\x1b"),
    ("facets", b"f", b"conflict", b"\x1b"),
    ("labels", b"l", b"Zq", b"\x1b"),
    ("reject", b"r", b"Zq", b"\x1b"),
    ("edit", b"e", b"Zq", b"\x1b"),
    ("split", b"s", b"Zq", b"\x1b"),
    ("confirm", b"*A", b"Zq", b"\x1b*"),
    ("preview", b"p", b"Zq", b"\t\t\x1b"),
    ("memory", b"m", b"Zq", b"jj\x1b"),
    ("snoozed", b"z", b"Zq", b"u"),
    ("log", b"U", b"Zq", b"j\x1b"),
    ("palette", b"\x10", b"Search", b"Zq\x1b"),
    ("source", b"o", b"Zq", b""),
    ("conflict", b"C", b"Zq", b"\t\x1b"),
    ("summary", b"gjzq", b"summary", b""),
)
"""Name, keys that open it, what shows that it came, keys on it and away from it. `C` here stands for the way there."""


@pytest.mark.slow
def test_no_stored_text_reaches_the_terminal_with_its_control_bytes(store: Store) -> None:
    """Every screen is visited; what comes besides text is our own, and the payload stands there visibly."""
    found = poisoned(store)
    assert {"Proposal.title", "Proposal.reason", "Proposal.after", "Entry.body", "Entry.title"} <= found
    with store.read() as session:
        assert PAYLOAD in session.exec(select(Entry)).all()[0].body
    shown = {}
    with Terminal(Path(store.place.root), REVIEW, size=(160, 50), PAGER="cat") as screen:
        screen.until(b"\\x1b")
        screen.quiet(1)
        for name, keys, word, more in SCREENS:
            begin = len(screen.seen)
            typed(screen, conflict(store) if keys == b"C" else keys)
            screen.until(word, begin)
            screen.quiet(0.2)
            typed(screen, more)
            shown[name] = bytes(screen.seen[begin:])
        screen.send(b"q")
        screen.ended()
    assert {name: stray(sent) for name, sent in shown.items() if stray(sent)} == {}
    assert b"\\u202e" in screen.seen
