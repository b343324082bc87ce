"""prompt: counts the person's turns, reminds in long sessions and when the thread is lost, delivers what got lost."""

from curator.brief import session
from curator.brief.bootstrap import bootstrap
from curator.brief.compose import compose
from curator.brief.gather import gather
from curator.hook import start
from curator.hook.call import Call, setting, spooled
from curator.hook.delivery import missing
from curator.hook.signs import lost_thread
from curator.light import Any

_ENVELOPES = ("<task-notification", "<system-reminder", "<local-command", "<command-", "<bash-")
_SHARE = 0.3
"""A reminder is due after so much of the window has passed by, where the window is known."""


def run(call: Call) -> str:
    """What is added to this prompt; "" for nothing."""
    text = call.payload.text("prompt")
    typed = bool(text.strip()) and not text.lstrip().startswith(_ENVELOPES)
    with session.opened(call.spot.folder, call.session) as known:
        if call.client == "gemini" and not known.get("digest"):
            return _first(call, known)
        if typed:
            known["turns"] = turn = int(known.get("turns", 0)) + 1
        if missing(call, known):
            return _again(call, known)
        if not typed or not setting(call, "prompt_hook"):
            return ""
        why = _due(call, known, text, turn)
        if not why:
            return _recalled(call, text)
        known["reminded"] = turn
    asked = gather(call.spot, source="prompt", client=call.client, today=call.today, named=call.session)
    said = bootstrap(asked, why)
    if said:
        spooled(call, reminder=why, bytes=len(said.encode("utf-8", "replace")))
    return said


def _due(call: Call, known: dict[str, Any], text: str, turn: int) -> str:
    """Why a reminder is due at this turn, in words; "" when none is."""
    if lost_thread(text):
        return "the person says that the thread was lost"
    first, every = int(setting(call, "bootstrap_turn")), max(1, int(setting(call, "bootstrap_every")))
    window, used = int(setting(call, "window")) or int(known.get("window", 0)), int(known.get("tokens", 0))
    if window and used and turn > 1:
        every = max(1, int(window * _SHARE / (used / (turn - 1))))
        first = max(every, 1) if int(setting(call, "window")) else first
    last = int(known.get("reminded", 0))
    due = turn >= first if not last else turn - last >= every
    return f"turn {turn} of this session" if due else ""


def _first(call: Call, known: dict[str, Any]) -> str:
    """Gemini drops what its start hook injects, so the start's text comes with the first prompt."""
    asked = gather(call.spot, source="startup", client=call.client, today=call.today, named=call.session)
    made = compose(asked)
    if made.text:
        start.remember(known, call, asked, made)
        spooled(call, source="startup", receipt=start.receipt(made, asked))
    return made.text


def _again(call: Call, known: dict[str, Any]) -> str:
    """Deliver once more what the start handed over and the transcript does not hold."""
    known["redelivered"] = True
    asked = gather(call.spot, source="startup", client=call.client, today=call.today, named=call.session)
    made = compose(asked)
    spooled(call, delivered=False, digest=known.get("digest", ""), again=made.digest)
    return made.text


def _recalled(call: Call, text: str) -> str:
    if not setting(call, "recall"):
        return ""
    from curator.brief.recall import recalled
    from curator.brief.snapshot_file import read

    known = read(call.spot.folder).snapshot
    said, line = recalled(known, text, int(setting(call, "recall_k")))
    spooled(call, recall=line)
    return said
