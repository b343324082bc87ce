"""The signs by which a line of a memory file is a statement, an inventory, a pointer or a status. English and Chinese.

Owns word lists only; who wins over whom is `candidates`' business. Written for this purpose, on files of our own.
"""

import re

from curator.harvest.sentences import words_in
from curator.vocab import Kind

_STATUS = re.compile(
    r"^\W*(?:(?:current|project|overall|latest)\s+)?(?:status|state|progress|focus|tasks?|sprint|milestones?|phase)\W*$"
    r"|\b(?:to-?dos?|next steps?|roadmap|change ?log|release notes|recent (?:changes|work|updates)|what'?s (?:left|new)"
    r"|left to build|what works|backlog|in progress|completed(?: tasks| work)?|session (?:log|notes|history)"
    r"|current (?:work|session|task)|open (?:questions|tasks)|history of changes)\b"
    r"|进度|当前(?:状态|任务|工作)|待办|下一步|更新日志|变更记录|已完成|路线图",
    re.IGNORECASE,
)
_HINTS: tuple[tuple[str, Kind], ...] = (
    (r"root[- ]causes?|post-?mortems?|根因|复盘", Kind.ROOT_CAUSE),
    (
        r"lessons?(?! plans?\b)|gotchas?|pitfalls?|learnings?|take-?aways?|caveats?|troubleshooting|known issues"
        r"|common mistakes|what (?:we|i)(?:'ve)? learn(?:ed|t)"
        r"|watch out|教训|经验|踩坑|注意事项|常见(?:问题|错误)",
        Kind.LESSON,
    ),
    (r"corrections?|feedback|(?:user|my|personal|working) preferences?|preferences|纠正|反馈|偏好", Kind.CORRECTION),
    (
        r"conventions?|code style|coding (?:style|standards?|guidelines?)|style guide|idioms?|patterns?|best practices"
        r"|naming|(?:ground|house|critical|core|important)? ?rules|guidelines|standards|principles|workflow"
        r"|do'?s and don'?ts"
        r"|惯例|约定|规范|规则|准则|原则",
        Kind.PATTERN,
    ),
    (r"decisions?(?! (?:engine|tree|table|maker|support)s?\b)|adrs?|trade-?offs?|决策|决定|选型", Kind.DECISION),
    (r"research|findings?|investigations?|benchmarks?|evaluation|调研|研究|发现", Kind.RESEARCH),
    (
        r"architecture|design|overview|structure|layout|tech(?:nology)? stack|data model|schema|components?|modules?"
        r"|架构|设计|概述|结构|技术栈|目录|数据模型",
        Kind.DESIGN,
    ),
)
_BY_HINT = tuple(
    (re.compile(rf"(?:\b(?:{words})\b|(?:{words})(?=\W|$|[\u4e00-\u9fff]))", re.I), k) for words, k in _HINTS
)
_GENERIC = re.compile(
    r"^\W*(?:important|notes?|general|misc(?:ellaneous)?|other|overview|introduction|rules?|instructions?|guidelines?"
    r"|critical|summary|details?|tips?|memory|memories|claude(?:\.md)?|agents(?:\.md)?|gemini(?:\.md)?|readme|project"
    r"|observations?|content|重要|说明|其他|注意|概述|总则|规则)\W*$",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:always|never|must(?:n'?t)?|do not|don'?t|only|avoid|prefer(?:red)?|should(?:n'?t)?|required?|requires"
    r"|forbidden|not allowed|instead of|rather than|make sure|ensure|no longer|at (?:most|least)|by default|whenever"
    r"|before you|after you|cannot|can'?t|because|otherwise|unless|be careful|beware|remember to|needs? to|has to"
    r"|have to|important|critical|warning)\b"
    r"|必须|务必|不要|不准|不许|不得|不能|禁止|严禁|避免|一律|总是|永远|优先|只能|应当|应该|统一|默认|因为|否则|注意|改用|而不是|记得|请",
    re.IGNORECASE,
)
_STRICT = re.compile(
    r"\b(?:always|never|must(?:n'?t)?|do not|don'?t|avoid|forbidden|not allowed|prefer)\b"
    r"|必须|务必|不要|不准|不得|禁止|严禁|避免|一律|永远",
    re.IGNORECASE,
)
_CHOSE = re.compile(r"\b(?:decided|chose|chosen|opted|we (?:use|went with))\b|决定|选择了|采用", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"^\W*(?:please\s+)?(?:use|run|add|keep|write|follow|check|put|place|store|call|return|import|export|test|do|no|make"
    r"|all|every|each|any|set|treat|read|update|create|include|handle|validate|log|wrap|name|document|format|lint"
    r"|commit|push|open|ask|stop|start|build|install|pass|mock|move|remove|delete|rename|replace|define|declare"
    r"|implement|limit|mark|match|merge|order|pin|quote|raise|re-?use|refer|report|restart|respect|review|save|send"
    r"|separate|show|skip|split|stick|switch|throw|trust|try|verify|wait|watch|work|consider|default to|ensure|favou?r"
    r"|fix|guard|new|give|leave|let|look|close|configure|confirm|copy|explain|extract|group|hide|hold|inject|isolate"
    r"|note|parse|plan|prefix|print|record|reject|render|require|sort|state|suggest|tag|think|type|when|if|for|before"
    r"|after|in|on|with|without)\b",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(r"`[^`]+`|\w[\w-]*\.\w{1,5}\b|\w/\w|\w_\w|[a-z][A-Z]|\d|--\w|\b[A-Z]{2,}\b|[\u4e00-\u9fff]{6}")
_ITEM_NAME = re.compile(
    r"^(?:`[^`]+`(?:\s*(?:,|/|and|&|、)\s*`[^`]+`)*|\[[^\]]+\]\([^)]*\)|[\w.*-]*/[\w./*-]*|[\w-]+\.\w{1,5}|[\w./@-]+\(\))"
    r"(?:\s*\([^)]*\))?\s*(?:[-–—:：=→]|->|$)"
)
_BOLD_NAME = re.compile(r"^(?:\*\*|__)(?P<name>[^*_]{1,80}?)(?:\*\*|__)\s*[:：–—-]?\s*(?P<rest>.*)$", re.DOTALL)
_POINTER = re.compile(
    r"^\W*(?:see(?: also)?:?\s+|参见|详见)?(?:@[\w~./-]+|\[[^\]]*\]\([^)]*\)|\[\[[^\]]+\]\]|<?https?://\S+>?|`[\w./-]+\.mdc?`)"
    r"\W*(?:$|[-–—:：].{0,160}$)",
    re.IGNORECASE | re.DOTALL,
)
_READ_MORE = re.compile(
    r"^\W*(?:.{1,80}[:：]\s*)?(?:see|read|start with|refer to|consult|for (?:more|details?|the full)|details?"
    r"|documentation|full|更多|详情|完整)"
    r".{0,160}"
    r"(?:\]\([^)]*\)|\.mdc?`?|https?://\S+)[\W]*$",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECTLESS = re.compile(
    r"^\W*(?:creates|uses|builds|tracks|handles|returns|stores|provides|supports|contains|runs|reads|writes|manages"
    r"|this|that|these|those|it|they|both|such|implements|allows|requires|does|is|has|can|cannot|sends|receives|validates|generates|calls|loads|checks|keeps"
    r"|holds|defines|exposes|wraps|sets|needs|takes|gets|lives|must|should|will)\b",
    re.IGNORECASE,
)
_TASK = re.compile(r"^\[(?P<done>[ xX~/-])\]\s+")
_BOILERPLATE = re.compile(
    r"\bthis file (?:provides|contains|gives|is)\b.{0,80}\b(?:guidance|instructions?|context|memory)\b"
    r"|\bguidance (?:to|for) (?:claude code|ai|agents?|coding agents)\b|\bclaude\.ai/code\b"
    r"|本文件(?:为|用于|提供).{0,40}(?:指导|指引|说明|上下文)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(
    r"^\W*(?:when(?:ever)?|if|for|before|after|in|during|while|unless|on|with|to|never|always|do not|don'?t|avoid|must"
    r"|only|prefer|use)\b|^\W*(?:当|在|如果|对于|写|编写|修改|提交|部署|禁止|不要|必须|务必)|(?:时|前|后|情况下)\W*$",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"^\W*(?:\*\*|__)?(?:what happened|mistake|problem|issue|symptoms?|context|background|cause|root cause|why|fix"
    r"|solution|resolution|rule|lesson|pattern|how to apply|impact|trigger|prevention|action|decision|rationale"
    r"|consequences|correction|before|after|wrong|right|错误|问题|现象|背景|原因|根因|解决(?:方案)?|修复|教训|规则|预防|决定|后果)"
    r"(?:\*\*|__)?\s*[:：]",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^\s*(?:\d{1,2}[、．.)）]|[（(]\d{1,2}[)）]|[①-⑳]|[•●·▪◦‣・]|[a-z][)）])\s*")
_NEXT = re.compile(r"^[a-z(，。、；]")


def is_status(heading: str) -> bool:
    """Does a heading announce what is going on now, which is no memory?"""
    return bool(_STATUS.search(heading))


def hint(heading: str) -> Kind | None:
    """The kind that a heading speaks for, if it does."""
    return next((kind for pattern, kind in _BY_HINT if pattern.search(heading)), None)


def labelled(heading: str, text: str) -> str:
    """A text with its heading before it, in the punctuation of the heading's script."""
    return f"{heading}：{text}" if heading[-1:] > "\u2e80" else f"{heading}: {text}"


def is_title(heading: str) -> bool:
    """Does a heading name a subject, and not only a kind or nothing?"""
    return not is_generic(heading) and not (hint(heading) and words_in(heading) <= 2)


def is_generic(heading: str) -> bool:
    """Does a heading say nothing about the subject?"""
    return not heading or bool(_GENERIC.match(heading))


def is_rule(text: str) -> bool:
    """Does a text lay down, forbid, warn or give a reason?"""
    return bool(_MUST.search(text))


def is_strict(text: str) -> bool:
    """Does it say always, never, must or the like?"""
    return bool(_STRICT.search(text))


def is_standing_order(text: str) -> bool:
    """Does it tell what to do or not to do from now on, without telling of a choice that was made?"""
    return (is_strict(text) or bool(_IMPERATIVE.match(text))) and not _CHOSE.search(text)


def is_statement(text: str) -> bool:
    """Can a list item stand alone? An item of an inventory (a name and its gloss, a bare fragment) cannot."""
    if is_rule(text):
        return words_in(text) >= 3
    if _ITEM_NAME.match(text):
        return False
    if bold := _BOLD_NAME.match(text):
        rest = bold["rest"].strip()
        return bool(rest) and (words_in(rest) >= 8 or (bool(_IMPERATIVE.match(rest)) and words_in(rest) >= 3))
    enough = 4 if re.search(r"[\u3040-\u9fff]{4}", text) else 6  # no articles, no inflection: less says as much
    return words_in(text) >= enough or (words_in(text) >= 3 and bool(_IMPERATIVE.match(text)))


def is_telling(paragraph: str) -> bool:
    """Is a paragraph worth a note: a rule, an instruction, or a short fact with something specific in it?"""
    if words_in(paragraph) < 4:
        return False
    if is_order(paragraph):
        return True
    return len(paragraph) <= 400 and len(_SPECIFIC.findall(paragraph)) >= 2


def is_pointer(text: str) -> bool:
    """Does a line only point at another file or page? What is long says more, and is not looked at."""
    if len(text) > 400:
        return False
    return bool(_POINTER.match(text.strip()) or _READ_MORE.match(text.strip())) and not is_strict(text)


def lacks_subject(text: str) -> bool:
    """Does a line begin with what something does, so that only the heading says what?"""
    return bool(_SUBJECTLESS.match(text))


def is_order(text: str) -> bool:
    """Does it lay down a rule or tell what to do?"""
    return is_rule(text) or bool(_IMPERATIVE.match(text))


def task_of(text: str) -> str:
    """For an item with a checkbox `open` or `done`; else empty."""
    found = _TASK.match(text)
    return ("open" if found["done"] == " " else "done") if found else ""


def is_boilerplate(text: str) -> bool:
    """Does it only say what the file is for?"""
    return bool(_BOILERPLATE.search(text)) and not is_strict(text)


def is_condition(text: str) -> bool:
    """Does a lead-in say when or what for, so that each item under it needs its words?"""
    return bool(_CONDITION.match(text))


def is_record_line(text: str) -> bool:
    """Does it begin with a label of a record, such as `Mistake:` or `Rule:`?"""
    return bool(_RECORD.match(text))


def leads_in(text: str) -> bool:
    """Does it announce what follows?"""
    return text.rstrip("*_ ").endswith((":", "："))


def pseudo_heading(text: str) -> str:
    """The words of a paragraph that is set as a heading (all bold); else empty."""
    found = re.fullmatch(r"(?:\*\*|__)([^*_\n]{1,100}?)(?:\*\*|__)\s*[:：]?", text.strip())
    return found[1].strip().strip("#:： ") if found and not is_strict(found[1]) else ""


def lines_of_list(text: str) -> list[str]:
    """The lines of a paragraph that is a list without the marks of one; empty where it is running text."""
    lines = [line.strip() for line in text.split("\n")]
    if len(lines) < 2:
        return []
    if all(_LISTED.match(line) for line in lines):
        return [_LISTED.sub("", line) for line in lines]
    if all(line.endswith(("。", "！", ".", "!")) and len(line) <= 110 and is_statement(line) for line in lines):
        return lines
    wrapped = any(_NEXT.match(line) for line in lines[1:]) or any(len(line) > 110 for line in lines)
    if not wrapped and all(is_statement(line) and is_order(line) for line in lines):
        return lines
    return []
