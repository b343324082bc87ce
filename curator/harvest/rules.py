"""The signs by which a sentence is a rule, a correction, a decision, a root cause or a lesson. English and Chinese.

Owns word lists only; no rows, no order. Each sign is here because a real conversation showed it and what it found
there was worth keeping; what only looks like a rule (a step of the task at hand, a question) is held off by `_NOW`.
"""

import re
from collections.abc import Sequence

from curator.door.normal import KINDS
from curator.harvest.sentences import words_in
from curator.vocab import Kind

_MARKER = re.compile(rf"\**(?:{KINDS})\s*\**\s*[:：]", re.IGNORECASE)
_INNER = re.compile(rf"(?<=[.!?。！？])\s+(?=(?:{KINDS})[:：])", re.IGNORECASE)
_PLAIN = re.compile(r"(?:research|design|decision|pattern)\b", re.IGNORECASE)
PLACEHOLDER = re.compile(r"[<\[{(].{0,40}[>\]})]|\.{2,}|…|none|n/?a|-+", re.IGNORECASE)

_RULE = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|whenever|every time|each time|by default"
    r"|as a rule|don'?t ever|must(?:n'?t| not)?|prefer|keep in mind|remember (?:that|to)|not allowed"
    r"|forbidden|off.limits|under no circumstances|instead of|rather than|our (?:convention|rule|policy|style|standard)"
    r"|we (?:use|prefer|avoid|don'?t|do not|require|only)|in this (?:repo(?:sitory)?|project|code ?base)"
    r"|should(?:n'?t| not| always| never| only| (?:align with|match|follow|stay|remain|live in))|only (?:when|if|use)"
    r"|no longer|at (?:most|least)|i (?:dislike|hate|don'?t like|do not like|like it when)"
    r"|the (?:pattern|convention|rule|policy) (?:is|was) (?:to|that)"
    r"|make sure (?:that )?\w+ (?:always|never|should|must|only))\b"
    r"|^(?:please )?(?:don'?t|do not|avoid|stop \w+ing|never|always)\b|^(?:please )?use \S+.*,? not\b"
    r"|以后|今后|永远|一律|必须|务必|不要|不准|不许|禁止|严禁|别再|每次|默认|优先|记住|记得|规定|约定|统一|只能|不能用|改用|而不是",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"\bmake sure (?:that )?(?:claude|you|the agent|agents?|it)\b.*\b(?:asks?|never|always|only|not)\b", re.I
)
_NOW = re.compile(
    r"\b(?:yet|for now|right now|currently|this time|today|tomorrow|at the moment|until i"
    r"|just (?:this|the) once|then run"
    r"|(?:this|the) (?:pr|commit|branch|test|plan|step|task|session|message|conversation))\b"
    r"|(?:issues|pulls?|merge_requests)/\d+|(?<!\w)#\d+\b"
    r"|暂时|这次|现在先|先别|先不|今天|刚才",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:yet|for now|this time|today|at the moment|right now|currently)\b|暂时|这次|先", re.IGNORECASE
)
_GENERAL = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|whenever|every time|as a rule|by default)\b"
    r"|以后|今后|永远|一律|每次|默认",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:can|could|would|will|do|does|did|is|are|was|were|what|why|how|where|when|which|who|should)\b", re.I
)
_WONDERS = re.compile(
    r"^(?:why|what(?:'s| is| are| does| do| if)|how (?:do|does|is|are|can|come|about)|where (?:is|are|do|does)|who"
    r"|can (?:we|i|you|it|the)|could|would|does|did|is (?:it|there|this|that|the)|are (?:there|we|you|they|the)"
    r"|should(?:n'?t)? (?:we|i|it)|shall we|do (?:we|you|i|they)|i(?:'m| am)? wonder(?:ing)?"
    r"|wonder(?:ing)? (?:if|whether)|maybe|perhaps|i (?:guess|suppose))\b|^(?:为什么|怎么|是不是|能不能|要不要|我在想)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^(?:in \S+ ?, )?(?:(?:please|now|then|next|can you|could you)\s+)*(?:spawn|reorder|sort|format"
    r"|move|fix|create|implement|add|remove|delete|update"
    r"|check|review|write|push|merge|open|investigate|look|find|rename|refactor|generate|explain|try|retry|start|finish"
    r"|continue|go|show|tell|give|list|change|make (?!sure)|convert|extract|split|replace|install|build|deploy|draft"
    r"|propose|research|analy[sz]e|compare)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|ok(?:ay)?|and|also|but|wait|btw|by the way|oh|hm+|fyi|basically|anyway|hey)"
    r"(?:\s*[,.!:;]+\s*|\s+)|(?:right|well|so|sure|great|nice|cool|perfect|thanks|thank you|please)\s*[,.!:;]+\s*"
    r"|(?:另外|还有|对了|那么|嗯|好的)[，,。！\s]*)+",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"^(?:can|could|would|will) you (?:please )?", re.IGNORECASE)
_MENDS = re.compile(
    r"\b(?:please|consider|maybe|perhaps|can you|could you|would you|should we|we should|how about|what about"
    r"|i wonder)\b"
    r"|\?|？|建议|能不能|请",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(?:please )?(?:do not|don'?t|avoid|only|keep|leave|make sure|be sure|use|不要|别|只)\b", re.IGNORECASE
)
_ABOUT_ME = re.compile(r"^i(?:'ve|'m|'d| am| have| had| was) (?!decided)", re.IGNORECASE)
_DONE = re.compile(
    r"^\W*(?:(?:i|we)(?:'ve| have)? )?(?:added|updated|fixed|created|removed|changed|moved|renamed|deleted|implemented"
    r"|modified|replaced|wrote|ran|verified|refactored|confirmed|all tests)\b|^\W*(?:已|更新了|新增|修复)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?m)^\s*(?:re )?\d{1,2}[.):,]\s")
_OURS = re.compile(
    r"\bour (?:convention|rule|policy|style|standard)|\bwe (?:use|prefer|avoid|require|only)\b"
    r"|\bin this (?:repo(?:sitory)?|project|code ?base)\b|\bthe (?:pattern|convention)\b|统一|约定",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^(?:no[,.!—-]|nope\b|wrong\b|incorrect\b|actually[, ]|that(?:'s| is) (?:not|wrong|incorrect)\b"
    r"|(?:you are|you're) (?:not (?:correct|right)|wrong|mistaken)|i (?:said|told you|meant)\b"
    r"|not (?:correct|right|true)\b"
    r"|you (?:forgot|missed|ignored|misunderstood|misread|broke|should(?:n'?t| not)? have)|it(?:'s| is) not \w+"
    r"|不对|错了|不是这样|不是的|你(?:又)?(?:忘|漏|搞错|理解错|弄错|误解)|我说的是|其实)",
    re.IGNORECASE,
)
_CONCEDES = re.compile(
    r"^\W*(?:you(?:'re| are) (?:absolutely |completely |quite |totally )?(?:right|correct)|good (?:catch|point|call)"
    r"|fair point|my (?:mistake|bad|apologies|fault)|sorry\b|apologies|that was my"
    r"|i (?:apologi[sz]e|was wrong|made (?:that|a mistake)|misread|misunderstood)"
    r"|你说得对|您说得对|你说的对|抱歉|对不起|是我(?:的错|搞错|弄错|理解错)|我(?:搞|弄|理解)错)",
    re.IGNORECASE,
)
_LETS = re.compile(
    r"\b(?:let'?s|we(?:'ll| will| should| decided to| are going to)|i(?:'ve| have)? decided to)\s+(?:(?:not|also)\s+)?"
    r"(?:use|go with|switch|move|adopt|drop|remove|stop|avoid|keep|standardi[sz]e|replace|rename|stick|store|support)\b"
    r"|决定|改用|采用|就用|统一用|换成",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:the )?(?:actual |real |underlying )?root cause\b|\bthe culprit\b|\bturn(?:s|ed) out\b"
    r"|\b(?:issue|problem|bug|failure|error|crash|flake|flakiness|regression)s? (?:is|was|were|came|comes)"
    r" (?:that\b|caused|because|due to|from|both\b)"
    r"|\b(?:fails?|failed|breaks?|broke|crash(?:es|ed)|hangs?|happen(?:s|ed)) (?:\w+ ){0,3}because\b|\bwas caused by\b"
    r"|根本原因|根因|问题出在|原因是|原来是",
    re.IGNORECASE,
)
_FOUND_IT = re.compile(
    r"^(?:\W*(?:now )?i(?:'ve| have)? (?:see|found|understand|identified)"
    r" (?:the |what the )?(?:issue|problem|bug|root cause)"
    r"|there(?:'s| is) the (?:issue|problem|bug)|\**(?:problem|cause|root cause)\**:\**\s*$|找到(?:了)?(?:问题|原因))",
    re.IGNORECASE,
)
_PROBLEM = re.compile(r"^\W*(?:problem|cause|root cause)\W*[:：]\W*(?=\S)", re.IGNORECASE)
_LESSON = re.compile(
    r"\b(?:lessons? learned|key (?:takeaway|insight|lesson)|gotcha|worth remembering"
    r"|note (?:to self|for (?:the )?future)|for future reference|in future sessions|must never|should never be)\b"
    r"|教训|经验是|以后要",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:we|i)(?:'ve| have)? (?:decided|chose|opted|settled on)\b"
    r".*\b(?:because|since|so that|over|instead of|rather than)\b"
    r"|决定.*(?:因为|由于|而不是)",
    re.IGNORECASE,
)
_LESSON_HEADING = re.compile(
    r"\b(?:lessons?(?: learned)?|gotchas?|takeaways?|learnings?|pitfalls?|caveats?|conventions?|(?:ground|house) rules"
    r"|summary of the .{0,40}pattern)\b|教训|注意事项|约定",
    re.IGNORECASE,
)
_CAUSE_HEADING = re.compile(
    r"^[\W\d]*(?:the )?(?:root[- ]causes?(?: analysis)?|(?:actual |real )?(?:problem|cause|bug)|what went wrong"
    r"|why (?:it|this|that) (?:fail\w*|happen\w*|br[eo]\w+)|根因(?:分析)?|根本原因|问题原因|原因)[\W\d]*$",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"^\W*(?:let me|now (?:let|i)|i(?:'ll| will| need| should)|next[, ]|first[, ]|checking|looking)\b", re.I
)
_LOOKING = re.compile(r"^looking at ([^,]{1,80}), ", re.IGNORECASE)
_SPECIFIC = re.compile(
    r"`[^`]+`|\w[\w-]*\.\w{1,5}\b|/\w|\w_\w|[a-z][A-Z]|\d|--\w|[A-Z]{2,}|[\u4e00-\u9fff]{6}|\b[A-Z][a-z]+\b"
)
_DANGLING = re.compile(
    r"^\W*(?:it|this|that|these|those|they|he|she|also|and|but|so|then|otherwise|because)\b|^(?:这|那|它)", re.I
)
_REASON = re.compile(r"^\W*(?:because|since|otherwise|so that|the reason|that way|it)\b|^(?:因为|否则|不然|这样)", re.I)
_EVERYDAY = frozenset(
    re.findall(
        r"\w+",
        """about after again always because before being cannot could default every first from have into just like make
        more must need never only other should since sure than that their them then there these they this those use
        used uses using want were what when where which while will with without would your repository project file
        files code test tests lesson""",
    )
)


def begins_with_marker(text: str) -> bool:
    """Does the text begin with `lesson:` or another kind's marker?"""
    return bool(_MARKER.match(text))


def marker_pieces(line: str, by_person: bool) -> list[str]:
    """The marked parts of a line: at its start, or after a sentence's end.

    An agent's lists use words such as `Design:` as labels; those kinds count for it only in lower case, as asked for.
    """
    pieces = [piece for piece in _INNER.split(line) if _MARKER.match(piece)]
    return [p for p in pieces if by_person or not _PLAIN.match(p.lstrip("*")) or p.lstrip("*")[0].islower()]


def concedes(text: str) -> bool:
    """Does an answer begin by admitting that the person was right?"""
    return bool(_CONCEDES.match(text))


def corrects(text: str) -> bool:
    """Does a message begin by saying that something is wrong?"""
    return bool(_CORRECTS.match(text.strip()))


def mends(text: str) -> bool:
    """Does a remark only ask for a change of what is being made, so that nothing of it lasts once that is done?"""
    return bool(_MENDS.search(text)) or passing(text) or len(text) > REMARK


def _asks(sentence: str) -> bool:
    return sentence.rstrip(" )\"'").endswith(("?", "？")) or bool(_WONDERS.match(sentence))


def answers(text: str, before: str) -> bool:
    """Is it a numbered answer to questions, whose words stand in the questions?"""
    return len(_NUMBERED.findall(text)) >= 2 and bool(re.search(r"[?？]", before)) and not _GENERAL.search(text)


def belongs(sentence: str, before: str) -> bool:
    """Does a sentence only explain or narrow the task that stands before it?"""
    narrows = _DANGLING.match(sentence) or (_ASIDE.match(sentence) and not _GENERAL.search(sentence))
    return bool(narrows) and (_asks(before) or bool(_TASK.match(before)) or words_in(before) < 3)


def tells_change(text: str) -> bool:
    """Is it a line of a report on what was done?"""
    return bool(_DONE.match(text)) or text.endswith((":", "："))


def step(sentence: str) -> bool:
    """Is it a task, a question, or a word or two: nothing that belongs to a rule beside it?"""
    return _asks(sentence) or bool(_TASK.match(sentence)) or words_in(sentence) < 3


def without_lead(text: str) -> str:
    """The text without "yeah, and", "also" and the like before it, and without "can you" before a rule."""
    rest = _LEADS.sub("", text.strip())
    asks = _REQUEST.match(rest)
    if asks and _GENERAL.search(rest):
        rest = rest[asks.end() :].rstrip("?？ ")
    return rest or text


REMARK = 240
"""Characters of a remark that only the agent's admission makes a correction; a longer one is a review's comment."""


def of_person(sentence: str) -> tuple[Kind, str] | None:
    """What a sentence of the person lays down, and by which sign; None when it is a step, a question or a remark."""
    if not 3 <= words_in(sentence) <= 90 or not has_content(sentence):
        return None
    asks = _asks(sentence)
    if _WONDERS.match(sentence) and not _REQUEST.match(sentence):
        return None
    if _WANTS.search(sentence):
        return Kind.CORRECTION, "says how to work"
    if _LETS.search(sentence) and words_in(sentence) >= 6 and not asks and not _PASSING.search(sentence):
        return Kind.DECISION, "decides how it is done"
    if passing(sentence):
        return None
    if (asks or _TASK.match(sentence) or _ABOUT_ME.match(sentence)) and not _GENERAL.search(sentence):
        return None
    if _RULE.search(sentence) and not (asks and _ASKS.match(sentence) and not _REQUEST.match(sentence)):
        return Kind.PATTERN if _OURS.search(sentence) else Kind.CORRECTION, "states a rule or preference"
    return None


def of_agent(sentence: str, following: str) -> tuple[Kind, str, str] | None:
    """Kind, sign and text of what a sentence of the agent establishes; None when it is progress or a plan."""
    if _FOUND_IT.match(sentence) and words_in(sentence) <= 8:
        sentence, found = _LOOKING.sub(r"In \1, ", following), True
    else:
        found = bool(_CAUSE.search(sentence))
    if _PROBLEM.match(sentence):
        sentence, found = _PROBLEM.sub("", sentence), True
    sentence = sentence.rstrip(" :：")
    if not 6 <= words_in(sentence) <= 80 or _AHEAD.match(sentence) or sentence.rstrip().endswith(("?", "？")):
        return None
    if not specific(sentence) and not (found and words_in(sentence) >= 9):
        return None
    if found:
        return Kind.ROOT_CAUSE, "names a cause", sentence
    if _LESSON.search(sentence):
        return Kind.LESSON, "says what was learned", sentence
    if _DECIDED.search(sentence):
        return Kind.DECISION, "gives a decision with its reason", sentence
    return None


def cause(parts: Sequence[str]) -> str:
    """The cause that a paragraph under such a heading begins with: a sentence or two; empty where it is a plan."""
    text = " ".join(parts[:2])
    good = 6 <= words_in(text) <= 80 and specific(text) and not _AHEAD.match(text) and not _asks(text)
    return text.rstrip(" :：") if good else ""


def specific(text: str) -> bool:
    """Does the text name something: code, a path, a number, a proper name?"""
    return bool(_SPECIFIC.search(text[1:]))


def is_cause_heading(heading: str) -> bool:
    """Does a heading announce what was wrong and why?"""
    return bool(_CAUSE_HEADING.match(heading))


def is_lesson_heading(heading: str) -> bool:
    """Does a heading announce lessons, pitfalls or conventions?"""
    return bool(_LESSON_HEADING.search(heading))


def passing(text: str) -> bool:
    """Is it about the state of things at this moment, without being a rule?"""
    return bool(_NOW.search(text)) and not _GENERAL.search(text)


def has_content(text: str) -> bool:
    """Is there more than a wave of the hand: three words, one of them telling?"""
    return words_in(text) >= 3 and bool(telling_words(text) or re.search(r"[\u3040-\u9fff]{4}", text))


def telling_words(text: str) -> set[str]:
    """Words of four letters and more that are not everyday ones, case-folded."""
    return set(re.findall(r"[a-z0-9_./-]{4,}", text.casefold())) - _EVERYDAY


def with_context(parts: Sequence[str], number: int) -> str:
    """A sentence with the one before it when it points there, and the one after it when that gives the reason."""
    chosen = [parts[number]]
    if number and _DANGLING.match(parts[number]):
        chosen.insert(0, parts[number - 1])
    if number + 1 < len(parts) and _REASON.match(parts[number + 1]):
        chosen.append(parts[number + 1])
    return " ".join(chosen)
