"""How the screen words what the desk answered: one line each. Pure."""

from curator.desk.views import Item, Outcome
from curator.vocab import Verb
from tui.text import number, piece

_DONE = {
    Verb.ACCEPT: "accepted",
    Verb.REJECT: "rejected",
    Verb.SNOOZE: "snoozed",
    Verb.REVISE: "saved, still pending",
    Verb.SPLIT: "split",
    Verb.UNDO: "taken back",
    Verb.EDIT: "edited",
    Verb.PIN: "pinned",
    Verb.UNPIN: "unpinned",
    Verb.TOMBSTONE: "tombstoned",
}
REJECTED = {"conflict": "the stored text changed meanwhile", "gone": "already decided elsewhere", "refused": "refused"}


def done(outcome: Outcome, title: str) -> str:
    """What was done: `accepted P-0129 "pnpm, never npm" → m-0201`."""
    good = [item for item in outcome.items if item.done]
    bad = [item for item in outcome.items if not item.done]
    word = _DONE.get(outcome.verb, outcome.verb.value)
    if not good:
        return f"not {word}: {'; '.join(why(item) for item in bad[:3])}" if bad else f"nothing to {outcome.verb.value}"
    if len(good) == 1:
        entry = f" → {good[0].entry_id}" if good[0].entry_id and good[0].entry_id != good[0].id else ""
        said = f"{word} {good[0].id} “{piece(title)[0]}”{entry}" if title else f"{word} {good[0].id}{entry}"
    else:
        said = f"{word} {len(good)} proposals"
    if bad:
        said += f"; left out {len(bad)}: " + "; ".join(why(item) for item in bad[:3])
    return f"{said}; next session {number(outcome.next_tokens)} tok" if outcome.next_tokens else said


def why(item: Item) -> str:
    """Why an item was not done."""
    return f"{item.id} {item.detail or REJECTED.get(item.outcome, item.outcome)}"


def reason(error: Exception) -> str:
    """An error as one line a person can read."""
    if isinstance(error, OSError) and error.strerror:
        return f"the store cannot be reached: {error.strerror.lower()}"
    text = piece(str(error))[0] or type(error).__name__
    if "locked" in text:
        return "another program holds the store's lock"
    return text.split(" (Background on this error")[0][:200]
