"""Cues: what in a text speaks for one kind or another, each with a name a person can read.

Owns the lexicon (English and Chinese) and the table of cues of a text and its title. Judges nothing; `classify` does.
"""

import math
import re

from curator.sweep.lexicon import ADOPTING, IMPERATIVE, LEXICON, TITLES

_CODE = re.compile(r"`[^`]+`")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*|[\u4e00-\u9fff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE = re.compile(r"[.!?。！？](?:\s|$)|\n")

_SIGNS = {
    "a date": r"20\d\d-\d\d",
    "a year": r"\b(?:19|20)\d\d\b(?!-)",
    "a percentage": r"\d\s?%",
    "an issue or commit": r"#\d+|\b[0-9a-f]{7,40}\b",
    "an arrow": r"→|->",
    "a dash": r"—|\s--?\s",
    "a quotation": r"[\"“「]",
    "a question mark": r"[?？]",
    "a semicolon": r"[;；]",
    "a call": r"\w\(\)",
    "a camel-case name": r"\b[a-z]+[A-Z]\w+",
    "a snake-case name": r"\w_\w",
    "a file": r"\w/\w+\.\w",
    "a label in front": r"^[^.:：`]{2,45}[:：]\s",
    "a code label in front": r"^`[^`]+`[^.:]{0,25}:\s",
    "code in front": r"^`",
    "a number in front": r"^\d+[.)]",
    "a colon at the end": r"[:：]$",
    "a lower-case start": r"^[a-z]",
    "two capital words in front": r"^[A-Z][\w-]+ [A-Z][\w-]+",
    "an article in front": r"^(?:The|A|An|This|That|These|Our|We|It)\b",
    "an imperative start": rf"(?i)^[^\w]*(?:{IMPERATIVE})\b",
    "an adopting start": rf"(?i)^[^\w]*(?:{ADOPTING})\b",
}
_COUNTED = {
    "list items": (r"(?:^|\s)[-*•] ", 3, 2),
    "numbered items": (r"(?:^|\s)\d+[.)、] ?", 3, 2),
    "shouted words": (r"\b(?:MUST|NEVER|ALWAYS|NOT|DO|ALL|ONLY|ANY|NO|EVERY|IMPORTANT|CRITICAL)\b", 3, 2),
}
_DENSE = {
    "numbers": (r"\b\d[\d.,]*%?", 8),
    "past forms": (r"\b[a-z]{3,}ed\b", 12),
    "-ing forms": (r"\b[a-z]{3,}ing\b", 12),
}
_compiled = {name: re.compile(pattern) for name, pattern in _SIGNS.items()}
_counted = {name: (re.compile(p), most, by) for name, (p, most, by) in _COUNTED.items()}
_dense = {name: (re.compile(p), by) for name, (p, by) in _DENSE.items()}


def cues(text: str, title: str = "") -> dict[str, float]:
    """The cues of a text and its title, by name, each 0..3; cues that are absent are left out."""
    text = text.strip()[:6000]
    bare = _CODE.sub(" qcode ", text)
    words = max(1, len(_WORD.findall(bare)))
    values = _lexical(bare, words) | _shape(text, bare, words)
    title = title.strip()
    values |= _of_title(title, text) if title else {"no title": 1.0}
    return {name: round(value, 4) for name, value in values.items() if value}


def _lexical(bare: str, words: int) -> dict[str, float]:
    values: dict[str, float] = {}
    for name, pattern in LEXICON.items():
        if count := len(pattern.findall(bare)):
            values[f"speaks of {name}"] = 1.0
            values[f"speaks much of {name}"] = min(1.5, math.sqrt(count / words) * 3)
    return values


def _shape(text: str, bare: str, words: int) -> dict[str, float]:
    spans, sentences = len(_CODE.findall(text)), max(1, len(_SENTENCE.findall(text)))
    values = {
        "bias": 1.0,
        "Chinese": float(len(_HAN.findall(text)) > 0.15 * len(text)),
        "length": math.log(words) / 3 - 1.2,
        "a short text": float(words < 22),
        "a text of middle length": float(22 <= words < 60),
        "a long text": float(words > 110),
        "much code": min(2.0, spans / words * 10),
        "no code": float(not spans),
        "parentheses": min(2.0, text.count("(") / sentences),
        "sentences": math.log(sentences),
    }
    values |= {f"has {name}": 1.0 for name, pattern in _compiled.items() if pattern.search(text)}
    for name, (pattern, most, by) in _counted.items():
        values[name] = min(most, len(pattern.findall(text))) / by
    for name, (pattern, factor) in _dense.items():
        values[name] = min(2.0, len(pattern.findall(bare)) / words * factor)
    return values


def _of_title(title: str, text: str) -> dict[str, float]:
    words = re.findall(r"[\w'-]+", title)
    values = {
        "a long title": float(len(words) > 8),
        "a short title": float(len(words) <= 3),
        "capitals in the title": sum(word[:1].isupper() for word in words) / max(1, len(words)),
        "the title begins the text": float(title.lower()[:25] in text.lower()),
    }
    return values | {f"the title {name}": 1.0 for name, pattern in TITLES.items() if pattern.search(title)}
