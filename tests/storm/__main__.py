"""`make storm`: the full storm and 50 kills, printed as they end; exit 1 with anything lost, wrong or damaged."""

import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.storm.storm import storm


def main() -> int:
    """PROCESSES WRITES; 8 and 1,000 without."""
    numbers = [int(word) for word in sys.argv[1:]] or [8, 1_000]
    with tempfile.TemporaryDirectory() as folder:
        result = storm(Path(folder), numbers[0], numbers[1])
        for name, value in asdict(result).items():
            sys.stdout.write(f"{name}: {value}\n")
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
