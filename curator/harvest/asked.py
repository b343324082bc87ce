"""What was meant for a memory file: the person asks for it there, or the agent drafts it for there. Pure.

Nothing tells more surely that a text is worth keeping. Owns how such a request is worded, in English and Chinese, and
what of a message it asks for; the request itself is no part of the note.
"""

import re
from dataclasses import dataclass

FILE = (
    r"(?:(?:the |your |our |my )?(?:[\w.-]+/)*(?:claude|agents?|gemini|memory|lessons|copilot-instructions)"
    r"(?:\.|\s)?md\b|(?:the |your |our )?(?:project |agent )?(?:memory|rules|instructions) file\b"
    r"|(?:your|our|the project'?s|project) memory\b|\.cursor/?rules\b|记忆文件|规则文件|项目记忆)"
)
_VERB = r"(?:update|add|put|note|mention|document|write|record|include|state|save|store|append|extend)"
_THIS = r"(?:this|that|it|these|those|them|something|(?:a|the|this|that) (?:rule|note|section|line|word|paragraph))"
_ZH_PUT = r"(?:写进|写入|写到|加到|加进|加入|记到|记在|记入|更新到|放进|放到)"

_SAYING = [
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\b(?:in|into|to)\s+{FILE}[,:]?\s*(?:please\s+)?{_VERB}\s+(?:that\s+)?(?P<said>.+)",
        rf"\b{_VERB}\b[^.?!\n]{{0,60}}?{FILE}\s*(?:so\s+)?(?:[:：—–-]+|,?\s*(?:but|and)\s+make sure(?:\s+that)?|that"
        r"|to (?:say|mention|state|include|tell|note)(?:\s+that)?|with|saying(?:\s+that)?)\s*(?P<said>.+)",
        rf"{FILE}\s+(?:should|must|needs? to)\s+(?:say|mention|state|tell|include|list)\s+(?:that\s+)?(?P<said>.+)",
        rf"^(?P<said>.{{12,}}?)[,;.。，；]\s*(?:so |and |please |can you |could you )*{_VERB}\s+{_THIS}"
        rf"\s+(?:to|in|into)\s+{FILE}",
        rf"\b{_VERB}\s+{_THIS}\s+(?:to|in|into)\s+{FILE}\s*(?:\([^)]*\))?,?\s*(?:that|to|how to)\s+(?P<said>.+)",
        rf"\b{_VERB}\s+(?:that\s+)?(?P<said>(?:\S+\s+){{5,}}?)(?:to|in|into)\s+{FILE}",
        rf"(?:把|将)\s*(?P<said>.{{6,}}?)\s*{_ZH_PUT}\s*{FILE}",
        rf"{FILE}\s*(?:里面|里|中)?\s*(?:加上|加一[条句]|写上|写明|注明|说明|补充|记下|提一下|要写)\s*[：:,，]?\s*(?P<said>.+)",
        rf"(?:更新|{_ZH_PUT})\s*{FILE}\s*[：:,，]\s*(?P<said>.+)",
    )
]
_POINTING = re.compile(
    rf"\b{_VERB}\s+{_THIS}(?:\s+about\s+{_THIS})?\s+(?:to|in|into)\s+{FILE}|\b{_VERB}\b[^.?!\n]{{0,40}}?{FILE}\s+"
    rf"(?:about|with|for)\s+{_THIS}|(?:把|将)?(?:这个|这些|这条|这点|它|上面的?)\s*{_ZH_PUT}\s*{FILE}",
    re.IGNORECASE,
)
_ONLY_POINTS = re.compile(rf"\W*(?:about\s+)?{_THIS}(?:\s+(?:too|as well|please|accordingly))?\W*", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(```|~~~)[ \t]*(\w*)")
_ITEM = re.compile(r"^[ \t]*[-*+•]\s+(\S.*)$")
_NAMED = re.compile(FILE, re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """`said` is what is to stand in the file; empty where the request points at what was said before it."""

    said: str


def asked(text: str) -> Asked | None:
    """What this text asks to have written down; None where it asks for nothing of the kind."""
    if not _NAMED.search(text):
        return None
    for pattern in _SAYING:
        match = pattern.search(text)
        said = match["said"].strip(" \t\n\"'“”「」") if match else ""
        if said and not _ONLY_POINTS.fullmatch(said):
            return Asked(said)
    return Asked("") if _POINTING.search(text) else None


def drafted(text: str) -> list[str]:
    """The list items of fenced blocks that the line above announces as text for a memory file."""
    found: list[str] = []
    fence, wanted = "", False
    above: list[str] = []
    for line in text.split("\n"):
        if mark := _FENCE.match(line):
            wanted = not fence and mark[2].lower() in ("", "md", "markdown") and any(map(_NAMED.search, above[-2:]))
            fence = "" if fence == mark[1] else fence or mark[1]
        elif fence and wanted:
            if item := _ITEM.match(line):
                found.append(item[1].strip())
            elif line.strip() and found and line[0] in " \t":
                found[-1] += f" {line.strip()}"
        elif not fence and line.strip():
            above.append(line)
    return found
