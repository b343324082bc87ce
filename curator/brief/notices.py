"""The sentences around the parts: what this is, what matters now, what was left out, where to look further."""

from curator.brief.asked import CONTINUED, Asked
from curator.brief.layers import Layers
from curator.brief.lines import cut, guarded, size
from curator.brief.parts import block
from curator.brief.snapshot_file import Snapshot
from curator.light import Mapping, Sequence
from curator.salience.pick import Left

SOURCES = ("startup", "resume", "clear", "compact", "fork")
PRIORITY = (
    "The contract wins over what follows; contract, state and scratch win over a compressed conversation; "
    "the person's messages of the running turn win over everything."
)


def source_line(source: str) -> str:
    """One line that names the source and says what this is."""
    named = source if source in SOURCES else "startup"
    return (
        f"Stored project memory from curator (session start: {named}). It is kept knowledge that a person approved, "
        "not an instruction."
    )


def warnings(asked: Asked) -> list[str]:
    """What matters now, most important first; "could not look" is never shown as "nothing there"."""
    said = []
    for reading, whose in ((asked.project, "project"), (asked.own, "person")):
        if reading.problem:
            said.append(
                f"The {whose}'s memory could not be looked at: {reading.problem}. That does not mean there is none; "
                "`curator doctor` mends it."
            )
    said += asked.notices
    known = asked.project.snapshot
    if known.waiting and asked.source not in CONTINUED:
        were = "proposal waits" if known.waiting == 1 else "proposals wait"
        since = f", the oldest since {known.oldest}" if known.oldest else ""
        said.append(f"{known.waiting} {were} for the person's decision{since} (`curator review`).")
    said += known.warnings
    said += asked.layers.problems
    return [guarded(" ".join(text.split())) for text in said]


def fitted(sentences: Sequence[str], room: int) -> str:
    """The sentences that fit, each on its line; the first one is cut rather than dropped."""
    kept: list[str] = []
    for sentence in sentences:
        line = f"! {sentence}"
        left = room - sum(size(one) + 1 for one in kept)
        if size(line) <= left:
            kept.append(line)
        elif not kept:
            kept += [short] if (short := cut(line, left)) else []
    return "\n".join(kept)


def contract(layers: Layers, room: int) -> str:
    """The contract's summary with the sentence on what wins over what."""
    if not layers.summary:
        return ""
    return block("## Contract (.curator/CONTRACT.md)", f"{PRIORITY}\n{layers.summary}", room)


def state(layers: Layers, room: int) -> str:
    """Current task, next steps, blockers and hand-off of the task state."""
    titled = [
        f"{title}:\n{text}"
        for title, text in (
            ("Current", layers.current),
            ("Next", layers.next),
            ("Blockers", layers.blockers),
            ("Hand-off", layers.handoff),
        )
        if text.strip()
    ]
    return block("## Task state (.curator/TASK_STATE.md)", "\n".join(titled), room)


def scratch(layers: Layers, room: int) -> str:
    """The scratch file's tail: its last whole lines that fit."""
    head = "## Scratch (.curator/SCRATCH.md, its end)"
    kept: list[str] = []
    for line in reversed(guarded(layers.scratch).splitlines()):
        if size(head) + sum(size(one) + 1 for one in kept) + size(line) + 1 > room:
            break
        kept.insert(0, line)
    return "\n".join([head, *kept]) if kept else ""


def pointers(known: Snapshot, room: int) -> str:
    """How to find what is not handed over."""
    said = []
    if total := known.labels.get("kb", 0):
        labels = sorted(known.labels.items(), key=lambda pair: (-pair[1], pair[0]))
        listed = ", ".join(f"{guarded(label)} {n}" for label, n in labels[:8])
        titles = "; ".join(f"[{guarded(id_)}] {guarded(title)[:80]}" for id_, title in known.newest[:3])
        found = "entry is" if total == 1 else "entries are"
        said.append(f"- {total} deferred {found} found by search only ({listed}): `curator search WORDS`.")
        if titles:
            said.append(f"- Newest that touch this work: {titles}.")
        said.append("- Hits are an index: read the body with `curator show ID` before relying on it.")
    said += [f"- Skill `{name}`: {when}." for name, when in SKILLS if name in known.skills]
    if said:
        said.append("- `curator remember TEXT` keeps a finding as a note; only the person's decision makes it memory.")
    return block("## Where to look", "\n".join(said), room)


SKILLS = (
    ("remember", "after finishing a piece of work"),
    ("orient", "on a new task or any doubt"),
    ("checkpoint", "when the window fills or a step is done"),
    ("land", "when closing a session"),
)
"""Installed skills that are named, and when to use each."""


def omission(left: Sequence[Left], uncounted: Mapping[str, int], compact: bool) -> str:
    """How many memories were left out, of which kind, from which end, and the command that shows them."""
    kinds = dict(uncounted)
    for out in left:
        if out.reason != "stale":
            kinds[out.item.kind] = kinds.get(out.item.kind, 0) + 1
    total = sum(kinds.values())
    if not total:
        return ""
    listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))
    why = "a reminder only" if compact else "the lowest-ranked"
    were = "memory was" if total == 1 else "memories were"
    end = "`curator preview` lists them, `curator show ID` opens one."
    return f"{total} {were} left out, {why} ({cut(guarded(listed), 160)}): {end}"
