"""What a person takes back: "forget the rule about …", "the rule that … no longer holds".

Owns finding such a sentence and the one entry that it means. Only a person's words retire something, only a plain
sentence about a rule counts (never "drop the table"), and where two entries fit equally none is chosen.
"""

import re
from dataclasses import dataclass

from curator.sweep.compare import content
from curator.sweep.nominate import Known, Nominator
from curator.sweep.slots import tokens

_NOUN = r"(?:rule|note|lesson|memory|advice|decision|convention|instruction|pattern|agreement)s?"
_OVER = (
    r"(?:no longer (?:holds?|appl(?:y|ies)|stands?|(?:is|are) (?:true|valid|right))"
    r"|(?:does|do) not (?:hold|apply|stand) any ?more|doesn't (?:hold|apply) any ?more"
    r"|(?:is|are) (?:obsolete|outdated|out of date|void|gone|withdrawn|no longer (?:true|valid|needed)))"
)
_START = r"^(?:(?:no|ok(?:ay)?|and|also|please|actually|again|from now on)[,:]?\s+)*"
_END = r"(?=[.;!,:](?:\s|$)|[。；！，：]|$)"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        _START
        + r"(?:forget|drop|scrap|retire|cancel|withdraw|take back|i take back)\s+(?:what (?:i|we) said|(?:the|that|my"
        rf"|our)\s+(?:old\s+|earlier\s+)?{_NOUN})\s+(?:about|that|on|to|for|of)\s+(?P<about>.+?){_END}(?P<instead>.*)",
        _START
        + rf"(?:the|that|my|our)\s+(?:old\s+|earlier\s+)?{_NOUN}\s+(?:about|that|on|to|for|of)\s+(?P<about>.+?)\s+"
        rf"{_OVER}(?P<instead>.*)",
        r"^(?:之前|以前|原来)?(?:我)?(?:说过?的|定的)?(?P<about>.{3,80}?)的?(?:这条|这个|那条|那个)?(?:规则|规矩|规定|约定)"
        r"(?:已经|现在)?(?:作废|不再适用|不适用|取消|不算数?|过时)了?(?P<instead>.*)",
        r"^(?:忘掉|忘了|取消|废除)(?:之前|以前)?(?:说过?的)?(?:关于)?(?P<about>.{3,80}?)的?(?:这条|这个|那条|那个)?"
        r"(?:规则|规矩|规定|约定)(?P<instead>.*)",
    )
]

COVERED = 0.6
"""Least share of the content words of what is taken back that the entry must hold."""

_INSTEAD = 3
"""Content words from which on what follows is a new statement, not a "thanks"."""


@dataclass(frozen=True)
class Withdrawal:
    """`about` is what was taken back, in the person's words; `replaced` says that something is to hold instead."""

    about: str
    replaced: bool


def withdrawal(text: str) -> Withdrawal | None:
    """What this text takes back, if it begins with taking something back."""
    for pattern in _PATTERNS:
        if match := pattern.match(text.strip()):
            return Withdrawal(match["about"].strip(), content(tokens(match["instead"])).total() >= _INSTEAD)
    return None


def taken_back(about: str, nominator: Nominator) -> Known | None:
    """The one entry that holds what was taken back; None where none does, or two do equally."""
    wanted = content(tokens(about))
    if not wanted:
        return None
    scored = sorted(
        ((sum((wanted & known.words).values()) / wanted.total(), near, known) for known, near in nominator.near(about)),
        key=lambda each: each[:2],
        reverse=True,
    )
    if not scored or scored[0][0] < COVERED or (len(scored) > 1 and scored[1][:2] == scored[0][:2]):
        return None
    return scored[0][2]
