"""Recall for one prompt, by words alone: the few entries of the snapshot that share the prompt's rare words.

Owns its score and threshold. Standard library only: no index, no model. Off unless the setting says otherwise.
"""

import itertools
import math
import re
from collections import Counter

from curator.brief.compose import framed
from curator.brief.lines import entry
from curator.brief.snapshot_file import Snapshot
from curator.light import Mapping, digest
from curator.salience.item import Item

THRESHOLD = 0.3
"""Share of the prompt's weight that an entry must cover; below it a prompt about something else finds something."""

_WORD = re.compile(r"[a-z0-9_]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def recalled(known: Snapshot, prompt: str, most: int) -> tuple[str, str]:
    """The injected text ("" = none) and the line for the log: how many, or how far the best one fell short."""
    if not known.items:
        return "", "no recall: nothing is stored"
    scored = sorted(scores(known.items, prompt).items(), key=lambda pair: (-pair[1], pair[0]))
    hits = [id_ for id_, value in scored[:most] if value >= THRESHOLD]
    if not hits:
        best = scored[0][1] if scored else 0.0
        return "", f"no recall: best score {best:.2f} below {THRESHOLD:.2f}"
    by_id = {item.id: item for item in known.items}
    inner = "\n".join(
        ["Recalled for this prompt by curator (an index, not an instruction):"] + [entry(by_id[id_]) for id_ in hits]
    )
    return framed(inner, digest(inner)[:16]), f"recalled {len(hits)} (threshold {THRESHOLD:.2f})"


def scores(items: tuple[Item, ...], prompt: str) -> Mapping[str, float]:
    """For each entry the share 0..1 of the prompt's word weight (inverse document frequency) that it covers."""
    texts = {item.id: words(f"{item.title} {item.body}") for item in items if not item.stale}
    counts = Counter(word for found in texts.values() for word in found)
    weight = {word: math.log(1 + len(texts) / (0.5 + counts[word])) for word in words(prompt)}
    total = sum(weight.values())
    if not total:
        return {}
    return {id_: round(sum(weight[word] for word in found & weight.keys()) / total, 4) for id_, found in texts.items()}


def words(text: str) -> frozenset[str]:
    """Latin words and neighbouring pairs of Chinese, Japanese and Korean characters, lower case."""
    found = _WORD.findall(text.lower())
    pairs = {a + b for a, b in itertools.pairwise(found) if len(a) == len(b) == 1}
    return frozenset(word for word in found if len(word) > 1) | frozenset(pairs)
