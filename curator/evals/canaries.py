"""How many planted sentences survive five checkpoints without a model, by the room the person's words get.

The file is one JSON document: `turns` (a list of `{role: user|assistant, text}`), `canaries` (a list of
`{id, kind: safety|constraint|fact|goal|preference, required: [text]}`; kept when every required text stands in what is
left, in any letter case) and optionally `rounds` (5). Other keys are ignored. `baseline` is what the newest messages
alone would keep in the same room.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curator.checkpoint import Checkpoint, Row, Window, Word, built
from curator.checkpoint.words import Shown
from curator.errors import CuratorError
from curator.ports import Count
from curator.vocab import Row as Kind
from curator.vocab import Typed

WINDOWS = {500: Window(32_000), 1_000: Window(64_000), 2_000: Window(128_000), 3_000: Window(200_000)}
"""Windows by the tokens that their checkpoints give to the person's words."""

KINDS = ("safety", "constraint", "fact", "goal", "preference")


def canaries(path: Path) -> dict[str, Any]:
    """The evaluation document of a file of canaries, or of `canaries.json` in a folder."""
    from curator.edge.tokens import tokens

    return measured(path / "canaries.json" if path.is_dir() else path, tokens().count)


def measured(path: Path, count: Count) -> dict[str, Any]:
    """`{windows: [{tokens, used, kept: {kind: share}, all, baseline, baseline_kept}]}`, shares 0..1.

    `baseline` is the share of safety rules and constraints. Raises `CuratorError` where the file does not fit.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        turns = [(str(turn["role"]), str(turn["text"])) for turn in document["turns"]]
        canaries = [(str(c["kind"]), [str(t).lower() for t in c["required"]]) for c in document["canaries"]]
        rounds = int(document.get("rounds", 5))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CuratorError(f"{path} is no file of canaries: {error!r}") from error
    rows = _rows(turns)
    return {"windows": [_window(tokens, rows, canaries, rounds, count) for tokens in WINDOWS]}


def survivors(rows: Sequence[Row], rounds: int, window: Window, count: Count) -> Checkpoint | None:
    """The checkpoint after so many rounds, each made of one more part of the conversation."""
    value = None
    for number in range(1, rounds + 1):
        made = built(rows[: len(rows) * number // rounds], value, window, count)
        value = made or value
    return value


def _window(
    tokens: int, rows: Sequence[Row], canaries: Sequence[tuple[str, list[str]]], rounds: int, count: Count
) -> dict[str, Any]:
    value = survivors(rows, rounds, WINDOWS[tokens], count)
    left = Shown(value.words).text if value else ""
    kept = {kind: _share(left, [c for c in canaries if c[0] == kind]) for kind in KINDS}
    newest = recent(rows, tokens, count)
    rules = [c for c in canaries if c[0] in ("safety", "constraint")]
    return {
        "tokens": tokens,
        "used": count(left),
        "kept": kept,
        "all": _share(left, canaries),
        "baseline": _share(newest, rules),
        "baseline_kept": {kind: _share(newest, [c for c in canaries if c[0] == kind]) for kind in KINDS},
    }


def _share(text: str, canaries: Sequence[tuple[str, list[str]]]) -> float:
    lowered = text.lower()
    kept = [all(part in lowered for part in required) for _, required in canaries]
    return round(sum(kept) / len(kept), 4) if kept else 0.0


def recent(rows: Sequence[Row], tokens: int, count: Count) -> str:
    """What recency alone keeps: the newest of the person's messages, backwards, while they fit."""
    kept: list[Word] = []
    for row in reversed(rows):
        if row.by_person:
            if count(Shown((Word(row.seq, row.text), *kept)).text) > tokens:
                break
            kept.insert(0, Word(row.seq, row.text))
    return Shown(tuple(kept)).text


def _rows(turns: Sequence[tuple[str, str]]) -> list[Row]:
    kinds = {"user": (Kind.INPUT, Typed.TYPED), "assistant": (Kind.RESPONSE, Typed.MACHINE)}
    told = [(role, text) for role, text in turns if role in kinds]
    return [Row(seq, kinds[role][0], text, kinds[role][1], unit=seq) for seq, (role, text) in enumerate(told, 1)]
