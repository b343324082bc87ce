"""Marks: the words at the very start of a note by which its writer names its kind, in English and Chinese.

Owns the many forms (`Gotcha:`, `**Root cause**`, `[decision]`, `Decision — `, `TIL:`, `【教训】`, a heading line) and
what is none: the same word inside a sentence, in code or in quotation marks. The exact markers of `curator.vocab`
are taken off by the door before.
"""

import re
from dataclasses import dataclass

from curator.vocab import Kind

_NAMES: tuple[tuple[Kind, str], ...] = (
    (
        Kind.LESSON,
        r"(?:key |hard[- ]won )?lessons?(?: learn(?:ed|t))?|gotchas?|pitfalls?|caveats?|learnings?"
        r"|(?:key )?take-?aways?"
        r"|what (?:we|i)(?:'ve)? learn(?:ed|t)|learn(?:ed|t)(?: the hard way)?|til|today i learned|note to self"
        r"|footguns?|traps?|insights?"
        r"|(?:血泪|经验)?教训|经验(?:总结|教训)?|踩坑(?:记录|总结)?|避坑|避雷|坑点?|注意事项|心得|小结",
    ),
    (
        Kind.ROOT_CAUSE,
        r"(?:the )?(?:root|actual|real|underlying)[- ]causes?(?: analysis)?|causes?|rca|post-?mortem|(?:the )?culprit"
        r"|diagnosis|why it (?:failed|broke|happened)"
        r"|根因(?:分析)?|根本原因|(?:问题|故障)?原因(?:分析)?|(?:故障)?复盘|症结|起因|定位(?:结果|结论)",
    ),
    (
        Kind.DECISION,
        r"(?:key |final |team |(?:architecture|architectural|design|technical) )?decisions?(?: made| log)?"
        r"|(?:we )?(?:decided|chose|agreed)|verdict"
        r"|adr(?:[- ]?\d+)?|(?:技术|架构|设计|最终)?(?:决策|决定|选型)(?:记录)?|拍板|方案选定",
    ),
    (
        Kind.PATTERN,
        r"(?:code |naming |team |project )?(?:patterns?|conventions?)|house rules?|best practices?"
        r"|(?:code|coding) style|idioms?"
        r"|(?:命名|代码|编码|统一)?(?:规范|约定|惯例)|模式|最佳实践",
    ),
    (
        Kind.CORRECTION,
        r"correct(?:ions?|ed)|(?:user )?(?:feedback|preferences?)|user (?:said|says|wants|asked)"
        r"|纠正|更正|(?:用户)?(?:反馈|偏好)|用户(?:纠正|指正|要求)",
    ),
    (
        Kind.RESEARCH,
        r"research(?: findings?)?|findings?|investigations?|analysis|benchmarks?(?: results?)?|survey|spike|evaluation"
        r"|comparison|experiments?|literature"
        r"|调研(?:结论|结果)?|研究(?:结论|结果)?|(?:实|评)测(?:结果)?|(?:数据)?分析|发现|结论|对比|测试结果",
    ),
    (
        Kind.DESIGN,
        r"(?:system )?(?:design|architecture)|data model|specs?|specification|schema|protocol|(?:\w+ )?layout"
        r"|(?:接口|架构|系统|方案)?设计|架构|数据模型|规格|结构|协议",
    ),
)
_LEAD = r"(?:[-*+>•#]+\s+|\d{1,2}[.)、]\s+)*[\u200d\ufe0f\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\s]*"
_TAIL = r"(?:\s*#?\d{1,3})?(?:\s*[(（][^()（）\n]{1,30}[)）])?"
_BOLD = r"[*_]{0,2}"
_MARK = re.compile(
    rf"{_LEAD}(?:\#{{1,6}}\s+)?{_BOLD}(?P<box>[\[【(（「])?"
    rf"(?:{'|'.join(f'(?P<k{n}>{words})' for n, (_, words) in enumerate(_NAMES))}){_TAIL}"
    rf"(?P<end>\s*{_BOLD}\s*[:：]\s*{_BOLD}|\s*[\]】)）」]\s*{_BOLD}\s*[:：]?|{_BOLD}\s+[-–—]{{1,2}}\s+|——|{_BOLD}\s*\n)",
    re.IGNORECASE,
)
_HEADING_LINE = re.compile(r"^\s*(?:#{1,6}\s|\*\*|__)")
_POINTS = r"[\s.…?？。*_–—-]*"
_SAYS_NOTHING = re.compile(
    rf"{_POINTS}(?:none(?: yet)?|n/?a|tbd|tba|to ?do|unknown|unclear|pending|reverted|done|see (?:above|below)"
    rf"|same(?: as above)?|无|暂无|没有|待定|待补充|未知|不明|同上|已回滚|见上)?{_POINTS}",
    re.IGNORECASE,
)
_NO_PROSE = re.compile(r"`[^`]*`|https?://\S+|\[[^\]]*\]\([^)]*\)")
_HEAD = 200
"""Characters in which a mark stands; a longer text costs no more."""


@dataclass(frozen=True)
class Mark:
    """The kind named, the words that name it as written, and the text they introduce."""

    kind: Kind
    name: str
    body: str


def mark(text: str) -> Mark | None:
    """The mark that a text begins with; None where there is none or only code or a link follows it."""
    text = text.lstrip()
    found = _MARK.match(text[:_HEAD])
    if not found or not _closes(found, text):
        return None
    body = text[found.end() :].strip()
    if not re.search(r"\w", _NO_PROSE.sub("", body)) and not says_nothing(body):
        return None
    kind, name = next((kind, found[f"k{n}"]) for n, (kind, _) in enumerate(_NAMES) if found[f"k{n}"])
    return Mark(kind, name, body)


def says_nothing(body: str) -> bool:
    """Is what follows a mark only a placeholder such as `none`, `TBD` or `待定`?"""
    return len(body) < 60 and bool(_SAYS_NOTHING.fullmatch(body))


def _closes(found: re.Match[str], text: str) -> bool:
    """Does the end fit the beginning: a bracket for a bracket, a line of its own for a heading only?"""
    end = found["end"]
    if bool(found["box"]) != bool(re.match(r"\s*[\]】)）」]", end)):
        return False
    return "\n" not in end or bool(re.search(r"[:：]", end)) or bool(_HEADING_LINE.match(text))
