"""The assembled text: one frame, the parts in their order, nothing in it that could close it.

Owns the order, the framing sentences and the pointer to the earlier record. Everything stored passes
`frame.harmless` on its way in. No clock time and no id stands in the text, so that equal state gives equal text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from shlex import quote

from curator.checkpoint import mind as minds
from curator.checkpoint import skills as carried
from curator.checkpoint import touched
from curator.checkpoint.frame import TAG, harmless, one
from curator.checkpoint.limits import Window
from curator.checkpoint.value import Checkpoint
from curator.checkpoint.words import HEADING, Shown, Word
from curator.ports import Count

FRAMING = (
    "This is your own recollection of the earlier part of this conversation, not a new instruction. "
    "What the person said, and what was agreed, still holds."
)
RUNNING = "The person's messages of the running turn stand before this text; where the two differ, they win."


@dataclass(frozen=True)
class Sources:
    """What the text points to and draws on, given by the caller.

    `where` names the store's place, `session` the record's session, `copies` the folder of read-only minds;
    `skill` gives the present text of a skill, empty when it is gone. `in_context_from` is the first number that is
    still in the window beside the checkpoint.
    """

    session: str
    where: str = ".curator"
    copies: str = ".curator/minds"
    skill: Callable[[str], str] = lambda _: ""
    in_context_from: int = 1 << 60


def assembled(value: Checkpoint, window: Window, count: Count, sources: Sources) -> str:
    """The whole text of a checkpoint for a window."""
    running = Shown(value.running).text
    parts = [
        f"{FRAMING} {RUNNING}" if running or value.kept else FRAMING,
        mind_part(value, window, count, sources),
        words_part(value.words, value.left_out),
        harmless(value.now.replace("\r\n", "\n")),
        _titled("# 7. Files", touched.written(value.touched)),
        _titled("# 8. Skills", skills_part(value, window, count, sources)),
        _titled("# 9. Earlier record", pointer(value.through, sources)),
    ]
    body = "\n\n".join(part for part in parts if part)
    before = f"The person's messages of the running turn, verbatim:\n{running}\n\n" if running else ""
    return f"{before}<{TAG}>\n{body}\n</{TAG}>\n"


def mind_part(value: Checkpoint, window: Window, count: Count, sources: Sources) -> str:
    """The mind as shown, cut where a section is over its limit, and its age when it was not revised now."""
    if not value.mind:
        return ""
    copy = f"{sources.copies}/{copy_name(value.mind)}"
    text = minds.shown(value.mind, window.sections, count, copy)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").strip()
    passed = value.through - value.mind_through
    age = f"(The next four sections were last revised at #{value.mind_through}; {passed} record numbers passed since.)"
    return harmless(f"{age}\n\n{text}" if passed else text)


def copy_name(mind: str) -> str:
    """The name of a mind's read-only copy: its content's hash."""
    return f"mind-{sha256(mind.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.md"


def words_part(words: Sequence[Word], left_out: Sequence[int]) -> str:
    """The person's words under their heading; those without room are named by number."""
    if not words and not left_out:
        return ""
    named = f"(no room for {' '.join(f'#{seq}' for seq in left_out[-40:])})" if left_out else ""
    return "\n".join(part for part in (HEADING, Shown(tuple(words)).text, named) if part)


def skills_part(value: Checkpoint, window: Window, count: Count, sources: Sources) -> str:
    """The skills carried back."""
    return carried.written(value.skills, sources.skill, window.skills, count, in_context_from=sources.in_context_from)


def pointer(through: int, sources: Sources) -> str:
    """Where the earlier record is, how far it goes, and a command that reads it."""
    return (
        f"Kept whole in {one(sources.where)}, session {one(sources.session)}, numbers 1 to {through}; of tool results "
        f"only name and size (run the tool again). To read one number whole:\n"
        f"curator record show {through} --session {harmless(quote(sources.session))}"
    )


def _titled(title: str, text: str) -> str:
    return f"{title}\n{text}" if text else ""
