"""The one table of what a reviewer can do: its keys, its word, its help, where it holds.

Bindings, footer, help screen, command palette, plain mode and `docs/keys.md` are made from it. Imports no Textual,
so that plain mode and `curator doctor` can read it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Action:
    """`keys` are Textual's names, comma separated; `plain` is the letter in `--plain` ("" = none).

    `word` is what the footer says; `rank` orders the footer, 0 keeps it out; `scope` names the screen it holds on.
    """

    id: str
    keys: str
    word: str
    help: str
    group: str
    rank: int = 0
    plain: str = ""
    scope: str = "review"


MOVE, DECIDE, MARK, LOOK, APP = "Move", "Decide", "Mark", "Look", "App"

ACTIONS: tuple[Action, ...] = (
    Action("next", "j,down", "Next", "next proposal", MOVE),
    Action("prev", "k,up", "Previous", "previous proposal", MOVE),
    Action("first", "g,home", "First", "first proposal", MOVE),
    Action("last", "G,end", "Last", "last proposal", MOVE),
    Action("swap", "tab", "Queue", "queue / dossier", MOVE, 11),
    Action("match_next", "n", "Next match", "next match of the filter's words", MOVE),
    Action("match_prev", "N", "Previous match", "previous match", MOVE),
    Action("accept", "a,y", "Accept", "accept this proposal", DECIDE, 1, "a"),
    Action("reject", "r,x", "Reject", "reject with a reason", DECIDE, 2, "r"),
    Action("edit", "e", "Edit", "edit in place", DECIDE, 3, "e"),
    Action("edit_external", "E", "$EDITOR", "edit in $EDITOR", DECIDE, 0, "E"),
    Action("snooze", "z", "Snooze", "back in the next sweep", DECIDE, 4, "z"),
    Action("split", "s", "Split", "split into parts", DECIDE, 0, "s"),
    Action("fold", "m", "Fold", "on a similar memory: merge into it", DECIDE, 0, "m", "similar"),
    Action("route", "t", "Route", "route: injected or deferred", DECIDE, 0, "t"),
    Action("labels", "l", "Labels", "route, kind and labels", DECIDE, 0, "l"),
    Action("restore_lost", "+", "Restore", "put a missing detail back into the text", DECIDE, 0, "+"),
    Action("undo", "u,ctrl+z", "Undo", "take back the last decision", DECIDE, 5, "u"),
    Action("log", "U", "Log", "decision log", DECIDE, 0, "U"),
    Action("mark", "space", "Mark", "mark", MARK, 9),
    Action("range", "v", "Range", "mark a range", MARK),
    Action("mark_shown", "*", "Mark all", "mark all that the filter shows", MARK),
    Action("accept_marked", "A", "Accept marked", "accept the marked, after a sheet", MARK, 0, "A"),
    Action("reject_marked", "R", "Reject marked", "reject the marked, after a sheet", MARK, 0, "R"),
    Action("filter", "/", "Filter", "filter line", MARK, 6, "/"),
    Action("facets", "f", "Facets", "pick facets", MARK),
    Action("section_1", "1", "Change", "section Change", LOOK),
    Action("section_2", "2", "Evidence", "section Evidence", LOOK),
    Action("section_3", "3", "Similar", "section Similar", LOOK),
    Action("section_4", "4", "History", "section History", LOOK),
    Action("section_next", "]", "Next section", "next section", LOOK),
    Action("section_prev", "[", "Previous section", "previous section", LOOK),
    Action("scroll_down", "J,ctrl+d,pagedown", "Down", "scroll the dossier down", LOOK),
    Action("scroll_up", "K,ctrl+u,pageup", "Up", "scroll the dossier up", LOOK),
    Action("open", "enter", "Open", "open what is under the cursor", LOOK),
    Action("source", "o", "Source", "the conversation at this message, in $PAGER", LOOK, 0, "o"),
    Action("copy", "Y", "Copy", "copy the id", LOOK),
    Action("preview", "p", "Preview", "what the next session gets", LOOK, 7, "p"),
    Action("memory", "m", "Memory", "search memory", LOOK, 8, "m"),
    Action("help", "?", "Help", "these keys", APP, 10, "?"),
    Action("palette", "ctrl+p", "Palette", "command palette", APP),
    Action("quit", "q", "Quit", "leave; the rest stays undecided", APP, 12, "q"),
)
"""In the order in which help and docs show them. Ids are what `[keys]` in `config.toml` names."""

BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


def keys_of(action: Action, remapped: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The keys of an action, after the person's `[keys]`."""
    return tuple(key.strip() for key in (remapped or {}).get(action.id, action.keys).split(",") if key.strip())


def problems(remapped: Mapping[str, str]) -> tuple[str, ...]:
    """What is wrong with a `[keys]` table: unknown actions, and keys that two actions would share."""
    found = [f"[keys] names no action {name!r}" for name in remapped if name not in BY_ID]
    owners: dict[str, str] = {}
    for action in ACTIONS:
        for key in keys_of(action, remapped):
            owner = owners.setdefault(f"{action.scope} {key}", action.id)
            if owner != action.id:
                found.append(f"[keys] gives {key!r} to both {owner!r} and {action.id!r}")
    return tuple(found)


def footer(remapped: Mapping[str, str], words: int, without: Iterable[str] = ()) -> tuple[tuple[str, Action], ...]:
    """The key and the action of each of the most important `words` actions, in footer order; Help always stays."""
    ranked = sorted((a for a in ACTIONS if a.rank and a.id not in set(without)), key=lambda action: action.rank)
    kept = [action for action in ranked if action.id != "help"][: words - 1]
    kept.append(BY_ID["help"])
    return tuple((keys_of(action, remapped)[0], action) for action in kept if keys_of(action, remapped))


def markdown() -> str:
    """`docs/keys.md`, whole."""
    lines = [
        "# Keys of the review screen",
        "",
        "Made from the table in `tui/keys.py` (`python -m tui.keys > docs/keys.md`); a test keeps it equal.",
        'Remap in `config.toml`: a `[keys]` table of `action = "key"`, several keys separated by commas.',
        "",
    ]
    for group in (MOVE, DECIDE, MARK, LOOK, APP):
        lines += [f"## {group}", "", "| key | in `--plain` | does | action |", "| --- | --- | --- | --- |"]
        for action in ACTIONS:
            if action.group == group:
                keys = ", ".join(f"`{key}`" for key in keys_of(action))
                letter = f"`{action.plain}`" if action.plain else ""
                lines.append(f"| {keys} | {letter} | {action.help} | `{action.id}` |")
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    print(markdown(), end="")  # noqa: T201 - this module's only output, on request
