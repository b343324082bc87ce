"""`make storm`: the full storm and 50 kills, printed as they end; exit 1 with anything lost, wrong or damaged.

`python -m tests.storm storm [PROCESSES WRITES]` and `… kills [EACH]` run one of the two.
"""

import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.storm.kills import PREPARE, Killed, killed
from tests.storm.storm import Result, storm


def main() -> int:
    """Returns 1 where anything was wrong."""
    what, numbers = sys.argv[1:2] or ["storm", "kills"], [int(word) for word in sys.argv[2:]]
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        if "storm" in what:
            bad |= _told(storm(Path(folder) / "storm", *(numbers or [8, 1_000])))
        if "kills" in what:
            for act in PREPARE:
                bad |= _told(killed(Path(folder) / act, act, (numbers or [10])[0], seed=7))
    return int(bad)


def _told(result: Result | Killed) -> bool:
    for name, value in asdict(result).items():
        sys.stdout.write(f"{name}: {value}\n")
    sys.stdout.flush()
    return bool(result.wrong)


if __name__ == "__main__":
    sys.exit(main())
