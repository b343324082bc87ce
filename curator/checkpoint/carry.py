"""What a typed message carries, told from its words in English and Chinese.

Owns the small list of signs by which a prohibition, an authorization, a constraint or a preference is known, so that
room goes to them first when not every message fits. A message that carries none is ordinary, never dropped for it.
"""

import re
from enum import IntEnum


class Carries(IntEnum):
    """What guides the work most, first."""

    PROHIBITION = 0
    CONSTRAINT = 1
    AUTHORIZATION = 2
    PREFERENCE = 3
    ORDINARY = 4


_SIGNS = {
    Carries.PROHIBITION: (
        r"\b(?:never|don'?t ever|do not|don'?t|must not|mustn'?t|shall not|may not|should not|shouldn'?t|cannot|"
        r"no longer|stop (?:\w+ing|and)|forbid(?:den|s)?|prohibit(?:ed|s)?|off.limits|not allowed|refrain|avoid|"
        r"hands off|leave \w+(?: \w+)? alone|without (?:my |explicit )?(?:approval|asking|permission|consent))\b"
        r"|不要|不准|不許|不许|禁止|严禁|嚴禁|不能|不得|不可以?|别(?!的|人|处)|勿|停止|避免|不允许|不允許",
        r"\bno (?:more |new |external |direct |force)?[\w-]+(?: [\w-]+){0,3} (?:in|from|on|to|without|steps?)\b",
    ),
    Carries.CONSTRAINT: (
        r"\b(?:must|only|always|at most|at least|no more than|no less than|limit(?:ed)?|maximum|minimum|max|min|cap|"
        r"budget|deadline|until|before|required?|requires|need(?:s)? to|has to|have to|exactly|hard constraint|rule|"
        r"allergic|within|keep)\b|必须|必須|只能|只用|只准|仅|僅|总是|總是|一律|最多|最少|至少|不超过|不超過|限制|预算|預算|"
        r"截止|要求|务必|務必|之前|规则|規則|上限|下限",
    ),
    Carries.AUTHORIZATION: (
        r"\b(?:you (?:may|can|are free to)|feel free|go ahead|allowed to|permission|approved?|authori[sz]ed?|"
        r"i allow|it'?s ok(?:ay)? to|fine to|ask me|check with me|decide (?:yourself|on your own))\b"
        r"|可以|允许|允許|同意|批准|授权|授權|放心|先问我|先問我|你决定|你決定",
    ),
    Carries.PREFERENCE: (
        r"\b(?:prefer(?:s|red|ence)?|i (?:want|like|would like|hate|dislike)|wants?|instead of|rather than|please use|"
        r"style|from now on|in future|in the future|going forward|whenever|each time|every time|call me|answer in)\b"
        r"|喜欢|喜歡|希望|想要|偏好|更愿意|更願意|以后|以後|今后|今後|每次|请用|請用|用中文|风格|風格|而不是|不喜欢",
    ),
}
_RULES = {kind: re.compile("|".join(signs), re.IGNORECASE) for kind, signs in _SIGNS.items()}
_HEAD = 4_000  # characters looked at: a pasted log carries nothing by its thousandth line


def carries(text: str) -> Carries:
    """The first of the kinds that a message shows a sign of."""
    head = text[:_HEAD]
    return next((kind for kind, rule in _RULES.items() if rule.search(head)), Carries.ORDINARY)
