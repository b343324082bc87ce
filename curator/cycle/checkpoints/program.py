"""A checkpoint's turn done by a program: it reads the request on stdin and prints its answer.

Owns the form of the answer, which any headless agent can write:

    <edit section="# 4. Lessons"><old>text that stands once</old><new>text in its place</new></edit>
    <memo>3 7</memo>
    <checkpoint> … </checkpoint>

Any number of edits, `section` optional; `<memo>` names every message to keep (`<memo></memo>` keeps none; without it
the memo counts as untouched). What stands outside these is ignored. There is one repair.
"""

import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import replace

from curator.checkpoint import Answer, MadeBy, Opened, Outcome
from curator.checkpoint.edit import edited
from curator.checkpoint.request import repair, request
from curator.cycle.checkpoints.commit import Committed, Follow, commit, fail
from curator.cycle.checkpoints.opening import begin
from curator.errors import CuratorError
from curator.plain import one_line
from curator.ports import Count
from curator.store.engine import Store

FORM = """\
Answer in this form, and nothing else counts:

<edit section="# 4. Lessons"><old>text that stands exactly once there</old><new>the text in its place</new></edit>
<memo>3 7</memo>
<checkpoint>
# 6. Now
…
</checkpoint>

Any number of edits to the mind, in order (a placeholder line is such a text); `section` may be left out. `<memo>`
lists the numbers of all messages to keep."""

_BLOCK = re.compile(r"<\s*checkpoint\s*>.*?<\s*/\s*checkpoint\s*>", re.IGNORECASE | re.DOTALL)
_EDIT = re.compile(
    r"<edit(?:\s+section\s*=\s*\"([^\"]*)\")?\s*>\s*<old>(.*?)</old>\s*<new>(.*?)</new>\s*</edit>",
    re.IGNORECASE | re.DOTALL,
)
_MEMO = re.compile(r"<memo>([\s\d,#]*)</memo>", re.IGNORECASE)


def run(
    store: Store,
    ask: Callable[[str], str],
    count: Count,
    session_id: str = "",
    *,
    window: int = 0,
    follow: Follow | None = None,
) -> Committed:
    """Open a checkpoint, let a program answer, repair once, commit. `ask` takes a prompt and gives an answer.

    Raises as `begin` does; a program that fails is a failed checkpoint, which is audited.
    """
    under, turn = begin(store, session_id, made_by=MadeBy.MODEL, window=window)
    prompt = request(turn, FORM)
    mind = turn.mind
    for _ in range(2):
        try:
            answer, mind = answered(turn, mind, ask(prompt))
        except CuratorError as error:
            return fail(store, under.session, f"the program gave no answer: {error}")
        done = commit(store, answer, count, under.session, follow=follow)
        if done.outcome is not Outcome.REPAIR:
            break
        prompt = request(replace(turn, mind=mind), FORM) + "\n" + repair(done.problems, done.now_accepted)
    return done


def answered(turn: Opened, mind: str, text: str) -> tuple[Answer, str]:
    """A program's output as an answer, and the mind after its edits.

    An edit that does not fit is told as a problem of the mind: it is left out, and the text names it.
    """
    outside = _BLOCK.sub("", text)
    wrong = []
    for section, old, new in _EDIT.findall(outside):
        try:
            mind = edited(mind, _unwrapped(old), _unwrapped(new), section)
        except CuratorError as error:
            if not _unwrapped(new).strip() or _unwrapped(new) not in mind:  # else done already, in the first answer
                wrong.append(str(error))
    memo = _MEMO.search(outside)
    ticks = frozenset(int(number) for number in re.findall(r"\d+", memo[1])) if memo else None
    return Answer(text=text, mind=mind, memo=turn.memo, ticks=ticks, problems=tuple(wrong)), mind


def by_command(program: str, timeout: float = 900.0) -> Callable[[str], str]:
    """A program as `ask`: the prompt on stdin, the answer on stdout. It fails by its exit code or by the time."""

    def ask(prompt: str) -> str:
        try:
            done = subprocess.run(
                shlex.split(program), input=prompt.encode(), capture_output=True, timeout=timeout, check=False
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise CuratorError(f"{program} could not run: {error}") from error
        if done.returncode:
            raise CuratorError(
                f"{program} ended with {done.returncode}: {one_line(done.stderr.decode('utf-8', 'replace'), 200)}"
            )
        return done.stdout.decode("utf-8", "replace")

    return ask


def _unwrapped(text: str) -> str:
    """The text without one line end after the opening and before the closing tag."""
    return text.removeprefix("\n").removesuffix("\n")
