"""Relevance of an entry to the work at hand, by words: pure, the same for one entry and for all.

Owns the formula. Three views are added: BM25 of the checkpoint's words, branch and changed file names over title,
body, labels and paths; nearness of the entry's paths to the changed files; and the subsystem, which the best entries
by words vote for with their labels and folders (an entry that shares no word with the checkpoint still belongs to
it). Weights were tuned on labelled sessions, see docs/decisions/0070.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from curator.store.words import index_words, stem

PATHS, GROUPS = 0.15, 0.5
"""Weight of path nearness and of the subsystem against 1 for the words."""
VOTERS = 15
"""So many of the best entries by words vote for the subsystem."""
FILE_WORDS = 0.5
"""Weight of a word that only a changed file's name has: names repeat in every file of a folder."""
K1, B = 1.2, 0.5
_TITLE, _LABEL, _BODY = 2, 1.5, 1
_TICKET = re.compile(r"\b[A-Z]{2,}-\d+\b")
_STOPS = """a an the of to in on for and or is are be was were it its this that with as at by from not no but if then
than so do does did has have had can must should will would may might one two all any each same only also after before
into over out up down new use used using via per when which who what how why there here they them their we our you your
i he she his her"""
_STOP = frozenset(_STOPS.split())


@dataclass(frozen=True)
class Doc:
    """An entry as relevance sees it: weights of its words, their sum, its paths and the groups it belongs to."""

    words: Mapping[str, float]
    length: float
    paths: tuple[str, ...]
    groups: frozenset[str]


@dataclass(frozen=True)
class Work:
    """What is being worked on: texts of the checkpoint, the branch, the changed files (paths from the top level)."""

    texts: tuple[str, ...] = ()
    branch: str = ""
    files: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Is nothing known of the work?"""
        return not any(text.strip() for text in self.texts) and not self.files and not topic(self.branch)


@dataclass(frozen=True)
class Focus:
    """Everything needed to score one more entry later: weighted words, group votes and the scales."""

    words: Mapping[str, float] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    groups: Mapping[str, float] = field(default_factory=dict)
    average: float = 1.0
    best: float = 1.0


def doc(title: str, body: str, labels: Iterable[str] = (), paths: Iterable[str] = ()) -> Doc:
    """An entry's words by weight, and the groups it belongs to: its labels and the folders of its paths."""
    paths, labels = tuple(paths), tuple(labels)
    found: Counter[str] = Counter()
    for text, weight in ((title, _TITLE), (body, _BODY), (" ".join(labels), _LABEL), (_spaced(paths), _BODY)):
        for word in stems(text):
            found[word] += weight  # type: ignore[assignment]
    groups = frozenset(labels) | {_folder(path) for path in paths}
    return Doc(found, sum(found.values()), paths, groups)


def focus(work: Work, docs: Sequence[Doc]) -> Focus:
    """What to look for, learnt from the work and from all entries together."""
    counts = Counter(word for one in docs for word in one.words)
    words = {
        word: weight * math.log(1 + (len(docs) - counts[word] + 0.5) / (counts[word] + 0.5))
        for word, weight in _asked(work).items()
        if word in counts
    }
    average = sum(one.length for one in docs) / len(docs) if docs else 1.0
    plain = Focus(words, work.files, {}, average or 1.0)
    scores = [_words(plain, one) for one in docs]
    best = max(scores, default=0.0) or 1.0
    return Focus(words, work.files, _votes(work, docs, scores), average or 1.0, best)


def relevance(to: Focus, one: Doc) -> float:
    """Relevance 0..1 of an entry to the work; four digits, so that it is the same on every machine."""
    nearest = max((near(file, path) for file in to.files for path in one.paths), default=0.0)
    group = max((to.groups[name] for name in one.groups if name in to.groups), default=0.0)
    raw = _words(to, one) / to.best + PATHS * nearest + GROUPS * group
    return round(min(1.0, raw / (1 + PATHS + GROUPS)), 4)


def stems(text: str) -> list[str]:
    """A text's words as they are compared: stems without stop words, pairs of characters for Chinese and kin."""
    return [stem(word) for word in index_words(text) if word[0] != "~" and "_" not in word and word not in _STOP]


def topic(branch: str) -> str:
    """What a branch's name says: without ticket numbers, and nothing for the names every repository has."""
    name = _TICKET.sub(" ", branch)
    return "" if name.strip("/ ") in {"main", "master", "trunk", "develop", "dev", "HEAD"} else _spaced([name])


def _asked(work: Work) -> dict[str, float]:
    asked: Counter[str] = Counter()
    for text in (*work.texts, topic(work.branch)):
        asked.update(set(stems(text)))
    words: dict[str, float] = {word: float(n) for word, n in asked.items()}
    for file in work.files:
        for word in stems(_spaced([file])):
            words.setdefault(word, FILE_WORDS)
    return words


def _words(to: Focus, one: Doc) -> float:
    """BM25."""
    scale = K1 * (1 - B + B * one.length / to.average)
    shared = to.words.keys() & one.words.keys()
    return sum(to.words[word] * one.words[word] * (K1 + 1) / (one.words[word] + scale) for word in sorted(shared))


def _votes(work: Work, docs: Sequence[Doc], scores: Sequence[float]) -> dict[str, float]:
    """Votes for groups by the best entries and the changed files; large groups say less. The largest is 1."""
    sizes = Counter(name for one in docs for name in one.groups)
    best = max(scores, default=0.0) or 1.0
    mass: Counter[str] = Counter()
    for at in sorted(range(len(docs)), key=lambda at: (-scores[at], at))[:VOTERS]:
        for name in docs[at].groups:
            mass[name] += scores[at] / best  # type: ignore[assignment]
    for file in work.files:
        mass[_folder(file)] += 1
    votes = {name: weight / math.sqrt(sizes[name]) for name, weight in mass.items() if sizes[name] and weight > 0}
    most = max(votes.values(), default=1.0)
    return {name: round(votes[name] / most, 6) for name in sorted(votes)}


def near(file: str, path: str) -> float:
    """How much of an entry's path a changed file shares from the top: 1 for the same folder or file, 0 for another."""
    theirs, ours = file.split("/"), path.split("/")
    shared = 0
    for one, other in zip(theirs, ours, strict=False):
        if one != other:
            break
        shared += 1
    return shared / max(len(ours), 2)


def _folder(path: str) -> str:
    return "/".join(path.split("/")[:2])


def _spaced(paths: Iterable[str]) -> str:
    return re.sub(r"[/._-]", " ", " ".join(paths))
