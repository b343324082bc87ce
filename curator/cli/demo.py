"""`demo`: one bundled conversation becomes memory, in a throwaway store, stage by stage with counts."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.call import Call
from curator.cli.common import out, say, settings_of
from curator.cli.person import terminal
from curator.edge.clock import now
from curator.edge.tokens import tokens
from curator.errors import CuratorError
from curator.place import Place
from curator.plain import one_line
from curator.vocab import OP_SIGNS, Client

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.desk.desk import Desk
    from curator.desk.views import Outcome, Row, Shown
    from curator.store.engine import Store

app = typer.Typer()

CONVERSATION = Path(__file__).parent.parent / "demo" / "conversation.jsonl"
LATER = CONVERSATION.with_name("later.jsonl")
BRANCH = "fix/double-reminders"
REFUSED = {
    "Members get the due-date reminder twice": "the task of that day, not a rule",
    "keep that for later": "one-off",
}
"""What the script of decisions rejects, by the beginning of the title, and why; it accepts the rest."""


@app.command("demo")
def demo(
    keep: Annotated[bool, typer.Option("--keep", help="Keep the store and say where it is.")] = False,
    script: Annotated[bool, typer.Option("--script", help="Decide by script even on a terminal.")] = False,
) -> None:
    """See a conversation become memory, in a throwaway store: capture, checkpoint, sweep, decisions, injection."""
    if keep:
        root = Path(tempfile.mkdtemp(prefix="curator-demo-"))
        _run(root, by_hand=terminal() and not script)
        say(f"kept in {root}")
        return
    with tempfile.TemporaryDirectory(prefix="curator-demo-") as folder:
        _run(Path(folder), by_hand=terminal() and not script)


def _run(root: Path, *, by_hand: bool) -> None:
    from curator.store.opening import create_store

    _branch(root)
    place = Place(root, root, "", False)
    store = create_store(place, settings_of(place).settings, now, demo=True)
    call = Call(root)
    _capture(store)
    _checkpoint(store)
    _sweep(store)
    if by_hand:
        _stage(4, "Decide: the review opens; a accepts, r rejects, u takes back, ? helps, q leaves")
        _review(store, call)
    else:
        _stage(4, "Decide: the queue, and a fixed script of decisions (allowed only in a store marked as demo)")
        _decide(_desk(call))
    _later(store)
    if by_hand:
        _review(store, call)
    else:
        desk = _desk(call)
        _told("accepted", desk.accept(_shown(_listed(desk))))
    _inject(root)
    _search(root)


def _branch(root: Path) -> None:
    """Stand on the branch of the conversation, so that its checkpoint is this work's; without git it is named only."""
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q", "-b", BRANCH, str(root)], check=True, stdout=subprocess.DEVNULL)


def _capture(store: "Store") -> None:
    from curator.harvest.book import notes
    from curator.harvest.files import harvest_file
    from curator.harvest.noting import Outcome

    _stage(1, "Capture: read a Claude Code transcript into the record and raw notes")
    count = tokens(store.settings.encoding).count
    read = harvest_file(store, CONVERSATION, count)
    out(f"  {read.rows} rows, {read.typed} of them typed by the person, gave {len(notes(store))} notes; for example")
    for note in notes(store)[:3]:
        out(f"    {note.origin:<6} {one_line(note.body, 100)}")
    again = harvest_file(store, CONVERSATION, count)
    out(f"  read again: {again.rows} new rows, {again.outcomes.get(Outcome.NEW, 0)} new notes")


def _checkpoint(store: "Store") -> None:
    from curator.cycle.checkpoints.hooked import without_model

    _stage(2, "Checkpoint, without a model: the person's words copied, the step at hand, the files")
    made = without_model(store, tokens(store.settings.encoding).count)
    if made is None:
        raise CuratorError("the demo conversation gave no checkpoint")
    value = made.value
    out(f"  {made.ident}: {value.tokens} tokens for the whole conversation; the person's words verbatim, such as")
    for word in value.words[:4]:
        out(f"    #{word.seq} {one_line(word.text, 100)}")


def _sweep(store: "Store") -> None:
    from curator.cycle.sweeping import run

    _stage(3, "Sweep, without a model: what should be remembered, what replaces what; nothing is applied")
    report = run(store)
    out(f"  {len(report.proposals)} proposals; a second sweep makes {len(run(store).proposals)}")


def _later(store: "Store") -> None:
    from curator.cycle.sweeping import run
    from curator.harvest.files import harvest_file

    _stage(5, "A session two weeks later: rules change, one is said again, one is taken back")
    read = harvest_file(store, LATER, tokens(store.settings.encoding).count)
    report = run(store)
    out(f"  {read.rows} rows, {read.typed} of them typed by the person, gave {len(report.proposals)} proposals")


def _review(store: "Store", call: Call) -> None:
    from tui.app import run

    typer.prompt("Press enter to open it", default="", show_default=False)
    run(lambda: _desk(call), store.settings, "demo")


def _listed(desk: "Desk") -> Sequence["Row"]:
    """The rows of the queue, printed."""
    rows = desk.queue().rows
    for row in rows:
        out(f"  {OP_SIGNS[row.op]} {row.kind:<10} {row.route:<8} {row.confidence:.2f}  {one_line(row.title, 90)}")
    return rows


def _decide(desk: "Desk") -> None:
    rows = _listed(desk)
    refused = [(row, reason) for row in rows if (reason := _refusal(row))]
    wanted = [row for row in rows if not _refusal(row)]
    for row, reason in refused:
        _told("rejected", desk.reject(_shown([row]), reason), reason)
    _told("accepted", desk.accept(_shown(wanted)))
    out(f"  undone: decision {desk.undo().decision} takes back the one before")
    _told("accepted again", desk.accept(_shown(desk.queue().rows)))


def _shown(rows: Sequence["Row"]) -> list["Shown"]:
    from curator.desk.views import Shown

    return [Shown(row.proposal_id, row.rev) for row in rows]


def _told(word: str, outcome: "Outcome", reason: str = "") -> None:
    done = sum(item.done for item in outcome.items)
    out(f"  {word} {done} of {len(outcome.items)}{f' ({reason})' if reason else ''}, decision {outcome.decision}")


def _refusal(row: "Row") -> str:
    return next((reason for title, reason in REFUSED.items() if row.title.startswith(title)), "")


def _desk(call: Call) -> "Desk":
    from curator.cli.desks import deciding
    from curator.desk.upcoming import next_tokens

    return deciding(call, next_tokens)


def _inject(root: Path) -> None:
    _stage(6, "Inject: what the hook hands the next session")
    payload = {"session_id": "demo-next", "cwd": str(root), "hook_event_name": "SessionStart", "source": "startup"}
    words = [sys.executable, "-m", "curator", "hook", "session-start", "--client", Client.CLAUDE.value]
    answer = subprocess.run(
        words, input=json.dumps(payload).encode(), cwd=root, env=_environment(), stdout=subprocess.PIPE, check=True
    )
    if not answer.stdout.strip():
        raise CuratorError("the hook handed over nothing")
    text = json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"]
    for line in text.splitlines():
        out(f"  {line}")
    out(f"  ({len(text.encode())} bytes)")


def _search(root: Path) -> None:
    _stage(7, "Search: deferred knowledge is found when it is asked for")
    _command(root, ["search", "mail provider"])
    _command(root, ["search", "--label", "kb", "--desc-contains", "pending"])


def _command(root: Path, words: Sequence[str]) -> None:
    out(f"  $ curator {' '.join(words)}")
    done = subprocess.run(
        [sys.executable, "-m", "curator", *words], cwd=root, env=_environment(), stdout=subprocess.PIPE, check=True
    )
    for line in done.stdout.decode().splitlines():
        out(f"  {line}")


def _environment() -> dict[str, str]:
    """This process's, able to import what it imports whatever the working directory."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def _stage(number: int, title: str) -> None:
    out()
    out(f"{number}. {title}")
