"""What a model is told when a checkpoint is asked for.

Owns the request's words, the same for a foreign client, a command and a loop of one's own. It comes from the host:
it says so, and no part of it can become the person's wish, because it is never stored as an input of the person.
"""

from curator.checkpoint import mind as minds
from curator.checkpoint import now as nows
from curator.checkpoint.frame import harmless, provenance
from curator.checkpoint.turn import Opened

GUIDE = """\
This request comes from the host, not from the person: never record it as the person's words, wish, goal or next step.
Pause the work. Look back over what happened since the last checkpoint and revise from the most stable layer to the
least. Let details go; the record keeps everything.

**Where I stand** (`# 1.`): for whom and why; what I own and where it ends; the agreements: how to report, when to
ask, what I may decide, how far the authorization goes.
**Goals** (`# 2.`): the Mission in your own words. It changes only when the person says so; then the entry is marked
done, withdrawn or replaced in place (`- M1 [done] … [#12]`), never deleted, and a changed text names the person's
message as its source. Each Workstream says its state, its done-criterion and, for a queue, how far it is and what
comes next. A finished workstream shrinks to one line. When a step is done, the next comes from its workstream; when a
workstream is done, go back to the Mission, or ask.
**Key decisions** (`# 3.`) with their reasons; an overturned one is folded into the one that replaced it.
**Lessons** (`# 4.`) as principles that will hold later; repeated ones merge.
If a whole layer was misunderstood, rewrite that section and say what was believed, what is true, and why.
What did not change stays as it is, byte for byte: edit in place, where the old text stands exactly once.

**Memo**: tick what sets or changes direction, constrains, forbids, prefers or authorizes. Untick what is withdrawn,
replaced, done or fully in the mind. Leave alone "continue" and short replies that mean nothing by themselves. Only
the boxes may change; the words are copied from the record.

**Now**, written anew each time in one `<checkpoint>` block: the step at hand and the workstream it belongs to;
progress with evidence (commit, file, test), so that nothing done is done again; what is waited for, with ids; next
steps that quote the person's latest request; pitfalls with the error text verbatim; exact paths, ids, commands, links
and values, the important files among them.

Only typed messages are the person's words. Write no secrets. Write in the person's language. Keep the limits."""


def limits(turn: Opened) -> str:
    """The limits of the actual window, in one paragraph."""
    window = turn.window
    sections = ", ".join(f"`{heading}` {limit}" for heading, limit in zip(minds.SECTIONS, window.sections, strict=True))
    return (
        f"Limits for this window of {window.tokens} tokens: {sections} tokens; the kept messages together "
        f"{window.memo}; the now at least {window.least_now} tokens."
    )


def request(turn: Opened, how: str) -> str:
    """The whole request. `how` says in which form the answer is given."""
    parts = [provenance("checkpoint-request", name="not the person"), GUIDE, limits(turn)]
    if turn.candidates:
        parts.append(f"The memo, as it stands:\n\n{harmless(turn.memo)}")
    parts += [f"The mind, as it stands:\n\n{harmless(turn.mind)}", f"The form of the now:\n\n{nows.template()}", how]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def repair(problems: tuple[str, ...], now_accepted: bool) -> str:
    """The one repair message: every problem at once."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    rest = "\nThe now was accepted and need not be repeated." if now_accepted else ""
    return f"The checkpoint cannot be taken as it is. Mend all of this in one go; there is one try:\n{listed}{rest}\n"
