"""`curator review`, from the call to the screen. Started before typer is loaded, because the first frame must be quick.

Owns which form is shown: the screen on a person's terminal, plain lines with `--plain` or `TERM=dumb`, the queue
printed read-only where there is no terminal.
"""

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from curator.cli.call import Call
from curator.cli.common import out, place_of, say, settings_of
from curator.cli.person import decider, terminal
from curator.desk.guard import WEB_VARIABLE, Decider, browser_token
from curator.edge.clock import now
from curator.errors import CuratorError

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk
    from curator.desk.upcoming import Following


NOTHING = "Nothing is waiting for you: nothing is stored for {} yet."


def quick(words: Sequence[str]) -> int | None:
    """Run `[-C DIR] review [--plain] [--user]`; None where the words say more and typer has to read them."""
    start, rest = Path.cwd(), list(words)
    if rest[:1] == ["-C"] and len(rest) > 2 and Path(rest[1]).is_dir():
        start, rest = Path(rest[1]).absolute(), rest[2:]
    if rest[:1] != ["review"] or set(rest[1:]) - {"--plain", "--user"}:
        return None
    return review(Call(start, user="--user" in rest), plain="--plain" in rest)


def review(call: Call, *, plain: bool = False) -> int:
    """Open the review; returns the exit code."""
    place = place_of(call)
    in_a_browser = bool(os.environ.get(WEB_VARIABLE))
    if not terminal() and not in_a_browser:
        return _printed(call)
    if not place.found:
        out(NOTHING.format(place.root))
        return 0
    who = decider(place)
    if plain or (os.environ.get("TERM") == "dumb" and not in_a_browser):
        return _plainly(call, who)
    return _on_screen(call, who)


def in_browser(call: Call, port: int) -> int:
    """The review in a browser of this machine, until Ctrl-C; returns the exit code."""
    place = place_of(call)
    if not place.found:
        out(NOTHING.format(place.root))
        return 0
    decider(place)
    try:
        from tui.web import serve
    except ModuleNotFoundError as error:
        raise CuratorError("--web needs textual-serve: pip install 'curator-memory[web]'") from error
    words = [sys.executable, "-P", "-m", "curator", "-C", str(place.root), "review", *(["--user"] if call.user else [])]
    with browser_token(place) as token:
        os.environ[WEB_VARIABLE] = token  # for the reviews that the browser starts, and for nothing else
        try:
            serve(words, f"curator review: {place.root.name}", port, _told)
        finally:
            del os.environ[WEB_VARIABLE]
    return 0


def _told(address: str) -> None:
    out(address)
    sys.stdout.flush()
    say("open this address in a browser of this machine; it works once; Ctrl-C ends the review")


def _printed(call: Call) -> int:
    """The queue, read-only: 0 when it is empty, else 1, because nobody is here to decide."""
    from curator.cli.desks import looking
    from curator.cli.telling import head_of, line_of

    desk = looking(call)
    queue = desk.queue() if desk else None
    if queue is None or not queue.rows:
        out("Nothing is waiting for you.")
        return 0
    out(head_of(queue))
    for row in queue.rows:
        out(line_of(row))
    say("no terminal is attached, so nothing can be decided here: run `curator review` in a terminal")
    return 1


def _on_screen(call: Call, who: Decider) -> int:
    """The screen; Textual is loaded and the store opened behind its first frame."""
    from tui.opening import opened

    gc.disable()  # a start makes no garbage, and looking for some takes a tenth of it
    place = place_of(call)
    settings = settings_of(place).settings
    behind: list[Following] = []

    def desk() -> "Desk":
        from curator.cli.desks import counter, own_desk, store_of
        from curator.desk.desk import Desk
        from curator.desk.upcoming import Following

        store = store_of(call)
        gc.freeze()
        gc.enable()
        behind.append(Following(store))
        return Desk(
            store,
            counter(store.settings.encoding),
            who.reviewer,
            who.via,
            after=behind[0].after,
            measure=behind[0].tokens,
            own=own_desk(who),
        )

    try:
        with opened(place.root.name, settings, os.environ, now()) as opening:
            from tui.app import run  # 250 ms

            return run(desk, settings, place.root.name, opening)
    finally:
        for each in behind:
            each.close()


def _plainly(call: Call, who: Decider) -> int:
    from curator.cli.desks import counter, own_desk, refresher, store_of
    from curator.cli.plainly import PlainReview
    from curator.desk.desk import Desk
    from curator.desk.editing import edited
    from curator.desk.upcoming import next_tokens

    store = store_of(call)
    desk = Desk(
        store,
        counter(store.settings.encoding),
        who.reviewer,
        who.via,
        after=refresher(store),
        measure=lambda: next_tokens(store),
        own=own_desk(who),
    )
    PlainReview(desk, _asked, out, lambda old: edited(old, store.settings.note_bytes)).run()
    return 0


def _asked(question: str) -> str | None:
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None
