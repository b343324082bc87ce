"""What kind a note is, or that it is nothing to keep, with the reason in words.

An explicit marker counts before where the note came from, and that before the text. Only the text is judged by
weights, and only there may the answer be uncertain (`kind` None). Progress, status and chatter are skipped.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from curator.sweep.cues import cues
from curator.sweep.linear import Features, Linear, load
from curator.sweep.marks import mark, says_nothing
from curator.vocab import Kind, Origin, Route

SURE = 0.72
"""Below this probability of its route a judgement by the text alone abstains."""


@dataclass(frozen=True)
class Classified:
    """A note's kind and route; `skip` when it is nothing to keep. `confidence` is of the route, 0..1.

    `kind` is always the best guess of what is kept; `abstains` says that a person should choose; `by_text` that
    neither a marker nor a place decided.
    """

    kind: Kind | None
    route: Route | None
    confidence: float
    reason: str
    skip: bool = False
    abstains: bool = False
    by_text: bool = False


_HEADINGS: tuple[tuple[str, Kind], ...] = (
    (
        r"lessons?|gotchas?|pitfalls?|learnings?|take-?aways?|caveats?|what we learned|经验|教训|踩坑|注意事项",
        Kind.LESSON,
    ),
    (r"patterns?|conventions?|code style|idioms?|模式|惯例|约定|规范", Kind.PATTERN),
    (r"root[- ]causes?|causes?|post-?mortems?|根因|原因|复盘", Kind.ROOT_CAUSE),
    (r"corrections?|feedback|user preferences?|纠正|反馈|用户偏好", Kind.CORRECTION),
    (r"(?:key |architecture |design |technical )?decisions?|adrs?|decision log|决策|决定|选型", Kind.DECISION),
    (r"research|findings?|investigations?|analysis|survey|evaluations?|调研|研究|分析|结论|发现", Kind.RESEARCH),
    (r"design|architecture|specs?|specifications?|data model|设计|架构|规格|数据模型", Kind.DESIGN),
)
_BY_HEADING = tuple((re.compile(rf"^[\W\d]*(?:{words})[\W\d]*$", re.IGNORECASE), kind) for words, kind in _HEADINGS)
_STRUCTURAL = re.compile(
    r"\b(?:layer|module|interface|schema|component|protocol|format|layout|flow)s?\b|架构|模块|接口", re.IGNORECASE
)
_CHATTER = re.compile(
    r"^\W*(?:ok(?:ay)?|done|thanks?(?: you)?|great|perfect|yes|no|sure|got it|sounds good"
    r"|all (?:tests |checks )?(?:pass\w*|green|good)|好的?|谢谢|收到|完成了?|可以|没问题|继续)\W*$",
    re.IGNORECASE,
)
_PROGRESS = re.compile(
    r"^\W*(?:(?:now |next,? |then )?(?:let me|i'?ll|i will|i am going to|i'?m (?:now )?\w+ing"
    r"|let'?s (?:now )?(?:see|check|look|run|try))\b"
    r"|(?:running|checking|looking|reading|starting|working|continuing|moving on|proceeding)\b"
    r"|(?:i(?:'ve| have)? |we(?:'ve| have)? )(?:just |now )?"
    r"(?:finished|completed|updated|added|fixed|pushed|committed|created|ran|implemented)\b"
    r"|(?:all )?\d+ (?:of \d+ )?(?:tests?|checks?|files?) (?:pass\w*|fail\w*|changed|green)\b"
    r"|(?:in progress|wip|todo|status|progress|step \d+(?: of \d+)?)\s*[:：]"
    r"|我(?:先|来|现在|接下来|正在|已经)|正在|接下来|下一步|已完成|进度[:：]|状态[:：])",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"^\W*(?:waiting (?:for|on)|now \w+ing|sure[,.]|got it|understood|here(?: is|'s) (?:the|a) summary|exit code \d"
    r"|(?:i )?will (?:look|check|do|fix|try|continue|get)\b|\d+ of \d+\b|(?:still )?(?:in progress|running|pending)\b"
    r"|(?:the )?(?:builds?|tests?|ci|pipeline|checks?|deploy(?:ment)?|linter|type ?check)\s+(?:is |are |has |have )?"
    r"(?:all |now )?(?:green|red|pass\w*|succeeded|failed|finished|done|running|started|completed?)"
    r"(?: (?:again|now|in \S+|on (?:main|ci)))?\W*$|(?:the )?user (?:has )?approved\b"
    r"|(?:已经?|刚刚?)(?:提交|推送|完成|更新|修改|合并|部署)|(?:测试|构建|检查)(?:已经?|全部|都)*(?:通过|成功|失败|完成)"
    r"|稍后|马上|明白了?|先看|再(?:跑|试|看)一?)",
    re.IGNORECASE,
)
"""What only tells how things stand; it counts in a short text alone, because a rule may begin so too."""
_SHORT = 12
_LASTING = re.compile(
    r"\b(?:always|never|must|because|lesson|root cause|don't|do not|should|instead of|decided)\b"
    r"|因为|必须|不要|一律|根因|决定",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"```.*```|`[^`]*`|https?://\S+|[$%] \S.*|\$\(.*\)"
    r"|(?:SELECT\b.*\bFROM|INSERT INTO|UPDATE\b.*\bSET|DELETE FROM|(?:CREATE|ALTER|DROP) TABLE)\b.*"
)
_SAYS = re.compile(r"[A-Za-z\u0080-\U0010ffff]")


def classify(
    text: str,
    marker: str = "",
    heading: str = "",
    part: str = "",
    origin: Origin | None = None,
    title: str = "",
    judge: Linear | None = None,
) -> Classified:
    """The kind of a note's text, or that it is skipped.

    `marker` is the kind the speaker named, where the text does not begin with such a name itself; `heading` the heading
    it stood under; `part` the part of a checkpoint (mind, memo, now). `title` helps to judge the text; `judge` is the
    shipped one unless another is measured.
    Never raises; an unknown marker counts as none.
    """
    named = mark(text)
    if marker in {kind.value for kind in Kind}:
        if says_nothing(text):
            return _skipped(f"marked {marker}:, but it says nothing")
        return _sure(Kind(marker), 0.99, f"marked {marker}: by who said it")
    if named:
        if says_nothing(named.body):
            return _skipped(f"it begins with {named.name!r}, but says nothing")
        return _sure(named.kind, 0.97, f"it begins with {named.name!r}")
    if kind := _by_place(text, heading, part, origin):
        where = f"it stood under {heading!r}" if heading else f"it came from the {part}"
        return _sure(kind, 0.98, where)
    if why := _worthless(text):
        return _skipped(why)
    return _by_text(text, title or heading, judge or shipped())


@cache
def shipped() -> Linear:
    """The shipped judge of kinds."""
    return load("kinds")


def _sure(kind: Kind, confidence: float, reason: str) -> Classified:
    return Classified(kind, kind.route, confidence, reason)


def _skipped(reason: str) -> Classified:
    return Classified(None, None, 0.9, reason, skip=True)


def _by_place(text: str, heading: str, part: str, origin: Origin | None) -> Kind | None:
    heading = heading.strip()
    kind = next((kind for pattern, kind in _BY_HEADING if heading and pattern.match(heading)), None)
    if part == "now":
        kind = Kind.ROOT_CAUSE if heading.lower() == "pitfalls" else kind
    if part == "mind" and kind is Kind.DECISION and _STRUCTURAL.search(text) and not _chooses(text):
        return Kind.DESIGN
    if part == "memo" and origin is Origin.HUMAN and kind is None:
        return Kind.CORRECTION
    return kind


def _chooses(text: str) -> bool:
    found = cues(text)
    return "speaks of a choice" in found or "speaks of alternatives" in found


def _worthless(text: str) -> str:
    """Why a text is nothing to keep, or nothing."""
    flat = " ".join(text.split())
    if not _SAYS.search(re.sub(r"[\U0001f000-\U0001faff\u2190-\u2bff\ufe0f\u200d]", "", flat)):
        return "there are no words in it"
    if _CODE.fullmatch(flat):
        return "it is code only"
    if _CHATTER.match(flat):
        return "it is chatter"
    stands = bool(_STATUS.match(flat)) and words_in(flat) <= _SHORT
    if (_PROGRESS.match(flat) or stands) and not _LASTING.search(flat):
        return "it tells progress, not what lasts"
    if len(re.findall(r"[\w']+", flat)) < 2 and not re.search(r"[\u3040-\u9fff]{3}", flat):
        return "one word says too little"
    return ""


def words_in(text: str) -> int:
    """Words of a text; a Chinese, Japanese or Korean character counts half a word."""
    han = len(re.findall(r"[\u3040-\u9fff]", text))
    return len(re.findall(r"[A-Za-z0-9'_-]+", text)) + han // 2


def _by_text(text: str, title: str, judge: Linear) -> Classified:
    found = cues(text, title)
    odds = judge.probabilities(found)
    deferred = sum(p for label, p in odds.items() if Kind(label).route is Route.DEFERRED)
    route = Route.DEFERRED if deferred > 0.5 else Route.INJECTED
    kind = max((Kind(label) for label in odds if Kind(label).route is route), key=lambda k: odds[k.value])
    sure = max(deferred, 1 - deferred)
    because = ", ".join(name for name in judge.because(found, kind.value) if name != "bias")
    reason = f"by its text: {because}" if because else "by its text alone"
    if sure < SURE:
        why = _undecided(judge, found, odds, kind)
        return Classified(kind, route, round(sure, 3), why, abstains=True, by_text=True)
    return Classified(kind, route, round(sure, 3), reason, by_text=True)


def _undecided(judge: Linear, found: Features, odds: Mapping[str, float], kind: Kind) -> str:
    """Between which kinds of the two stores it stands, with what speaks for each."""
    other = max((Kind(label) for label in odds if Kind(label).route is not kind.route), key=lambda k: odds[k.value])
    sides = [(each, [name for name in judge.because(found, each.value) if name != "bias"]) for each in (kind, other)]
    told = [f"for {each.value}: {', '.join(names) or 'nothing'}" for each, names in sides]
    shares = " and ".join(f"{each.value} ({round(100 * odds[each.value])} %)" for each, _ in sides)
    return f"uncertain between {shares}; by its text: {'; '.join(told)}"
