"""What the hooks would hand over now: the next start, and what each later hook adds, in tokens.

Owns the list of hooks with their cost and whether they are on. Composed as the hooks compose it, from files alone.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from curator.brief.asked import Asked, Brief
from curator.brief.bootstrap import bootstrap, rules
from curator.brief.compose import compose
from curator.brief.gather import gather
from curator.brief.knobs import knobs
from curator.brief.lines import entry
from curator.checkpoint.due import due
from curator.checkpoint.limits import window_of
from curator.hosts.beads import primes
from curator.place import Place, Spot

Count = Callable[[str], int]


@dataclass(frozen=True)
class Cost:
    """One hook: about how many tokens it adds each time it speaks, when that is, and whether it is on."""

    hook: str
    tokens: int
    when: str
    on: bool = True


@dataclass(frozen=True)
class Outlook:
    """The next start as it was asked for and made, and the hooks of a session."""

    asked: Asked
    made: Brief
    hooks: tuple[Cost, ...]

    @property
    def left_to_bd(self) -> int:
        """Entries that `bd prime` hands over instead."""
        items = (*self.asked.project.snapshot.items, *self.asked.own.snapshot.items)
        return sum(item.in_bd for item in items) if self.asked.leave_to_bd else 0


def next_start(
    place: Place, source: str, client: str, today: int, *, session: str = "", part: str = ""
) -> tuple[Asked, Brief]:
    """The next start, composed as the hook composes it."""
    spot = Spot(str(place.root), str(place.top), place.worktree, place.found)
    asked = gather(spot, source=source, client=client, today=today, named=session)
    items = (*asked.project.snapshot.items, *asked.own.snapshot.items)
    yields = knobs(spot.folder, asked.project.snapshot, os.environ)[0]["yield_to_bd"]
    bd = client == "claude" and bool(yields) and any(item.in_bd for item in items)
    asked = asked._replace(only=part, leave_to_bd=bd and primes(spot.top, os.environ))
    return asked, compose(asked)


def outlook(place: Place, client: str, today: int, count: Count) -> Outlook:
    """Everything a session of this client costs. `count` gives raw tokens; the client's margin is put on them."""
    asked, made = next_start(place, "startup", client, today)
    settings = knobs(str(place.folder), asked.project.snapshot, os.environ)[0]
    hooks = _hooks(asked, made, settings, client)
    return Outlook(asked, made, tuple(replace(cost, tokens=round(count(text) * asked.margin)) for cost, text in hooks))


def _hooks(asked: Asked, made: Brief, settings: Mapping[str, Any], client: str) -> list[tuple[Cost, str]]:
    """Each hook with the text that it would add now."""
    first, every, most = (int(settings[name]) for name in ("bootstrap_turn", "bootstrap_every", "recall_k"))
    newest = asked.project.snapshot.checkpoints[:1]
    after = asked._replace(source="compact", session=newest[0].session if newest else "")
    window = window_of(client, int(settings["window"]))
    request = due(window.threshold, window)
    longest = sorted(map(entry, asked.project.snapshot.items), key=len)[-most:] if most else []
    turns = f"turn {first}, then every {every}; a lost thread"
    return [
        (Cost("session-start", 0, "each start"), made.text),
        (Cost("compaction", 0, "after each"), compose(after).text),
        (Cost("prompt", 0, turns, bool(settings["prompt_hook"])), bootstrap(asked, f"turn {first} of this session")),
        (
            Cost("pre-tool", 0, "what is hard to take back", bool(settings["pre_tool_hook"])),
            rules(asked, "before an operation that is hard to take back"),
        ),
        (
            Cost("post-tool", 0, "two misses in a row", bool(settings["post_tool_hook"])),
            bootstrap(asked, "two results in a row say that something does not exist"),
        ),
        (Cost("stop", 0, "a filling window", bool(settings["stop_hook"])), request.text if request else ""),
        (Cost("recall", 0, f"each prompt, at most {most} entries", bool(settings["recall"])), "\n".join(longest)),
    ]
