"""Sentences that nobody said before, as transcripts and as files of entries."""

import json
import random
from pathlib import Path

_NOUNS = ("crane", "belt", "pallet", "gate", "dock", "ramp", "hoist", "valve", "lever", "winch", "spindle", "gauge")
_VERBS = ("lifts", "blocks", "feeds", "opens", "holds", "turns", "stops", "moves", "jams", "clears")


def sentence(dice: random.Random, mark: str) -> str:
    """One sentence around a mark that stands nowhere else."""
    pick = dice.choice
    return f"The {pick(_NOUNS)} {mark} {pick(_VERBS)} the {pick(_NOUNS)} after {dice.randint(2, 900)} turns"


def talk(path: Path, mark: str, number: int) -> None:
    """Append that many lessons, as the person typed them, to a transcript."""
    dice = random.Random(mark)
    with path.open("a", encoding="utf-8") as file:
        for n in range(number):
            text = f"lesson: {sentence(dice, f'{mark}-{n}-{dice.getrandbits(32):08x}')}"
            row = {"type": "user", "uuid": f"{mark}-{n}", "sessionId": path.stem}
            file.write(json.dumps({**row, "message": {"role": "user", "content": text}}) + "\n")


def offers(path: Path, mark: str, number: int) -> None:
    """A file of that many entries."""
    dice = random.Random(mark)
    rows = [{"kind": "lesson", "body": sentence(dice, f"{mark}-{n}-{dice.getrandbits(32):08x}")} for n in range(number)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
