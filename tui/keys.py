"""The one table of what a reviewer can do: its keys, its word, its help, where it holds.

Bindings, footer, help screen, command palette, plain mode and `docs/keys.md` are made from it. Imports no Textual,
so that plain mode and `curator doctor` can read it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby


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


def _scope(scope: str, *rows: tuple[str, str, str, str]) -> tuple[Action, ...]:
    """The actions of another screen, all of them in its footer, in order."""
    return tuple(
        Action(name, keys, word, text, scope.capitalize(), rank, "", scope)
        for rank, (name, keys, word, text) in enumerate(rows, 1)
    )


ACTIONS: tuple[Action, ...] = (
    Action("next", "j,down", "Next", "next proposal", MOVE),
    Action("prev", "k,up", "Previous", "previous proposal", MOVE),
    Action("first", "g,home", "First", "first proposal", MOVE),
    Action("last", "G,end", "Last", "last proposal", MOVE),
    Action("swap", "tab", "Queue", "queue / dossier", MOVE, 11),
    Action("match_next", "n", "Next match", "next match of the filter", MOVE),
    Action("match_prev", "N", "Prev match", "previous match", MOVE),
    Action("accept", "a,y", "Accept", "accept this proposal", DECIDE, 1, "a"),
    Action("reject", "r,x", "Reject", "reject with a reason", DECIDE, 2, "r"),
    Action("edit", "e", "Edit", "edit in place", DECIDE, 3, "e"),
    Action("edit_external", "E", "$EDITOR", "edit in $EDITOR", DECIDE, 0, "E"),
    Action("snooze", "z", "Snooze", "back in the next sweep", DECIDE, 4, "z"),
    Action("split", "s", "Split", "split into parts", DECIDE, 0, "s"),
    Action("fold", "m", "Fold", "merge into a similar one", DECIDE, 0, "m", "similar"),
    Action("route", "t", "Route", "injected or deferred", DECIDE, 0, "t"),
    Action("labels", "l", "Labels", "route, kind and labels", DECIDE, 0, "l"),
    Action("restore_lost", "+", "Restore", "restore a missing detail", DECIDE, 0, "+"),
    Action("undo", "u,ctrl+z", "Undo", "take back a decision", DECIDE, 5, "u"),
    Action("log", "U", "Log", "decision log", DECIDE, 0, "U"),
    Action("mark", "space", "Mark", "mark", MARK, 9),
    Action("range", "v", "Range", "mark a range", MARK),
    Action("mark_shown", "*", "Mark all", "mark all that are shown", MARK),
    Action("accept_marked", "A", "Accept marked", "accept all marked", MARK, 0, "A"),
    Action("reject_marked", "R", "Reject marked", "reject all marked", MARK, 0, "R"),
    Action("filter", "/", "Filter", "filter line", MARK, 6, "/"),
    Action("facets", "f", "Facets", "pick facets", MARK),
    Action("section_1", "1", "Change", "section Change", LOOK),
    Action("section_2", "2", "Evidence", "section Evidence", LOOK),
    Action("section_3", "3", "Similar", "section Similar", LOOK),
    Action("section_4", "4", "History", "section History", LOOK),
    Action("section_next", "]", "Next section", "next section", LOOK),
    Action("section_prev", "[", "Prev section", "previous section", LOOK),
    Action("scroll_down", "J,ctrl+d,pagedown", "Scroll down", "scroll the dossier down", LOOK),
    Action("scroll_up", "K,ctrl+u,pageup", "Scroll up", "scroll the dossier up", LOOK),
    Action("open", "enter", "Open", "open what is selected", LOOK),
    Action("source", "o", "Source", "the conversation, $PAGER", LOOK, 0, "o"),
    Action("copy", "Y", "Copy", "copy the id", LOOK),
    Action("preview", "p", "Preview", "the next session", LOOK, 7, "p"),
    Action("memory", "m", "Memory", "search memory", LOOK, 8, "m"),
    Action("help", "?", "Help", "these keys", APP, 10, "?"),
    Action("palette", "ctrl+p", "Palette", "command palette", APP),
    Action("quit", "q", "Quit", "leave, rest undecided", APP, 12, "q"),
    *_scope(
        "edit",
        ("edit_accept", "ctrl+s", "Accept edited", "accept the text as it stands"),
        ("edit_save", "ctrl+l", "Save, stay pending", "keep the text, decide later"),
        ("edit_editor", "ctrl+o", "$EDITOR", "go on in $EDITOR"),
        ("edit_part", "ctrl+n", "Next part", "the next of several results"),
        ("edit_reset", "ctrl+r", "Reset", "back to the proposal's text"),
        ("edit_close", "escape", "Cancel", "leave everything as it was"),
    ),
    *_scope(
        "conflict",
        ("keep_now", "1", "Keep now", "reject the proposal, keep what is stored"),
        ("take_proposed", "2", "Take proposed", "accept the proposal's text over what is stored"),
        ("accept_merged", "3,ctrl+s", "Accept merged", "accept the merged text as it stands"),
        ("send_back", "4", "Send back", "snooze: the next sweep looks at it again"),
        ("conflict_edit", "tab", "Edit merged", "go into the merged text and out of it"),
        ("conflict_close", "escape", "Later", "nothing is overwritten"),
    ),
    *_scope(
        "split",
        ("split_do", "ctrl+s", "Split", "make the parts pending proposals"),
        ("split_evidence", "ctrl+e", "Evidence", "which evidence goes with the part at the cursor"),
        ("split_editor", "ctrl+o", "$EDITOR", "go on in $EDITOR"),
        ("split_close", "escape", "Cancel", "leave it whole"),
    ),
    *_scope(
        "preview",
        ("preview_change", "b", "Before/After", "changed since this review began, or as it is"),
        ("preview_swap", "tab", "Text", "ranking / text"),
        ("preview_next", "j,down", "Next", "next entry"),
        ("preview_prev", "k,up", "Previous", "previous entry"),
        ("preview_copy", "Y", "Copy", "copy the text"),
        ("preview_open", "enter", "Open memory", "read the entry"),
        ("preview_close", "escape,q", "Back", "back to the queue"),
    ),
    *_scope(
        "memory",
        ("memory_search", "/", "Search", "into the search line"),
        ("memory_next", "j,down", "Next", "next entry"),
        ("memory_prev", "k,up", "Previous", "previous entry"),
        ("memory_edit", "e,E", "Edit", "edit the entry in $EDITOR"),
        ("memory_route", "t", "Route", "route: injected or deferred"),
        ("memory_pin", "P", "Pin", "pin or unpin"),
        ("memory_promote", "O", "Own store", "move it to your own store, for every project"),
        ("memory_tombstone", "x", "Tombstone", "retire it, with a reason"),
        ("memory_copy", "Y", "Copy id", "copy the id"),
        ("memory_close", "escape,q", "Back", "back to where you came from"),
    ),
    *_scope(
        "log",
        ("log_next", "j,down", "Next", "next decision"),
        ("log_prev", "k,up", "Previous", "previous decision"),
        ("log_undo", "u", "Undo this", "take this decision back"),
        ("log_close", "escape,q", "Back", "back to the queue"),
    ),
    *_scope(
        "summary",
        ("summary_quit", "enter,q", "Quit", "leave"),
        ("summary_preview", "p", "Preview", "what the next session gets"),
        ("summary_memory", "m", "Memory", "search memory"),
        ("summary_undo", "u", "Undo", "take back the last decision"),
        ("summary_log", "U", "Log", "decision log"),
        ("summary_close", "escape", "Back", "back to the queue"),
    ),
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


IN_QUEUE = ("open", "accept", "reject", "undo", "filter", "swap", "help")
"""The footer where the queue stands alone, in a narrow terminal."""
NOTHING = ("memory", "preview", "log", "filter", "quit", "help")
"""The footer where no proposal is shown."""


def footer(remapped: Mapping[str, str], words: int, ids: Sequence[str] = ()) -> tuple[tuple[str, Action], ...]:
    """Key and action of what the footer shows: `ids`, else the most important `words`; Help always stays, last."""
    ranked = sorted((a for a in ACTIONS if a.rank and a.scope == "review"), key=lambda action: action.rank)
    kept = [BY_ID[name] for name in ids] or [action for action in ranked if action.id != "help"][: words - 1]
    shown = [action for action in kept if action.id != "help"] + [BY_ID["help"]]
    return tuple((keys_of(action, remapped)[0], action) for action in shown if keys_of(action, remapped))


def families(group: str) -> tuple[tuple[Action, ...], ...]:
    """The actions of a group for a cheat sheet: those that differ only in a number (`section_1` …) stand together."""
    inside = [action for action in ACTIONS if action.group == group]
    return tuple(tuple(same) for _, same in groupby(inside, key=lambda action: action.id.rstrip("0123456789")))


def of_scope(scope: str) -> tuple[Action, ...]:
    """The actions of one screen."""
    return tuple(action for action in ACTIONS if action.scope == scope)


def markdown() -> str:
    """`docs/keys.md`, whole."""
    lines = [
        "# Keys of the review screen",
        "",
        "Made from the table in `tui/keys.py` (`python -m tui.keys > docs/keys.md`); a test keeps it equal.",
        'Remap in `config.toml`: a `[keys]` table of `action = "key"`, several keys separated by commas.',
        "",
    ]
    for group in dict.fromkeys(action.group for action in ACTIONS):
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
