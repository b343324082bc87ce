"""Writes `docs/conformance.md`: every statement of the checkpoint's contract with the tests that carry its number.

`python -m tests.conformance > docs/conformance.md`. A test of the suite compares the file with what this prints.
"""

import ast
import re
import sys
from pathlib import Path

from tests.checkpoint.profiles import FACTS, PROFILES, WINDOWS, played

ROOT = Path(__file__).parent.parent

STATEMENTS = {
    1: "Rows are append-only; a checkpoint adds one and changes none",
    2: "A cut never separates a call from its result",
    3: "The tail is the longest run of whole units within `keep`, at least the last unit",
    4: "A cut that moves only inputs of the running turn is no cut",
    5: "Inputs of the running turn before the cut stand verbatim before the text",
    6: "A later cut never falls between inputs that an earlier one kept",
    7: "A view anchored before a checkpoint is the original",
    8: "The next checkpoint starts from the whole mind",
    9: "Checkpoints are chained; the last number never decreases",
    10: "A malformed stored checkpoint fails at load with its id",
    11: "The threshold table, price steps included",
    12: "T > 0 for every window of at least 16 tokens",
    13: "Chinese reaches the threshold by real size",
    14: "A provider's count anchors the estimate while the prefix is unchanged",
    15: "`scaled()` and its table",
    16: "The least-now table",
    17: "Reads run; shells and unknown tools never do",
    18: "Overwriting is refused; a unique edit keeps BOM and CRLF",
    19: "Nested, parent, linked or swapped paths receive nothing; no temporary file remains",
    20: "At most five tool rounds",
    21: "A tool result is cut to the room left",
    22: "Only the checkpoint's own two files may be changed",
    23: "A second checkpoint is refused while one is open; an abandoned one expires",
    24: "The request states limits and origin and lists memo and mind",
    25: "No candidates: no list, an empty memo",
    26: "One block in any case and with inner blanks; text outside is ignored",
    27: "Every malformed block has its own reason",
    28: "A short block is refused with both numbers",
    29: "A stop by length, a refusal, a tool call or nothing is a failed checkpoint",
    30: "All headings of the now, in order",
    31: "Missing, doubled, misplaced or indented headings are named",
    32: "Trailing blanks, CRLF and deeper headings are accepted",
    33: "A heading in a fence does not count",
    34: "Fewer Mission entries are refused",
    35: "Every Mission id stays; a changed text needs a typed message",
    36: "A Mission in prose is one entry and cannot vanish",
    37: "Sections over their limit are named with size and limit",
    38: "An unchanged template keeps no mind",
    39: "A blank block gets its placeholder back",
    40: "Untouched sections stay byte for byte",
    41: "Candidates are the carried and the typed inputs moved out",
    42: "Offered once and left unticked is not offered again",
    43: "Copied byte for byte up to 300 tokens, then cut with a notice",
    44: "What may change in the memo and what may not",
    45: "An altered memo keeps every candidate",
    46: "Untouched without room keeps every candidate",
    47: "Untouched with room is asked for once, then kept whole",
    48: "Over the total the longest are cut to one share",
    49: "What guides comes first when not even the floor fits",
    50: "A carried message grows back",
    51: "One repair with every problem; a second refused now fails",
    52: "After the repair: previous mind kept, or shown cut",
    53: "The read-only copy: 0444, by content, once and whole",
    54: "A failure leaves no row",
    55: "One audit record per attempt",
    56: "A request that cannot fit is never sent",
    57: "Too large for one turn: a prefix near half",
    58: "Otherwise eviction without a model",
    59: "Two that did not help end the tries of a run",
    60: "Four overflow refusals end a request",
    61: "The newest tool batch too large is cut to one cap",
    62: "When nothing can move: one sentence",
    63: "Hostile text cannot open or close a frame",
    64: "Paths: five, ten, newest first, a mark for older ones",
    65: "Skills: order and limits",
    66: "The pointer: where, how far, a command that runs",
    67: "A checkpoint shows nothing; `show` prints it, `--injected` what was injected",
    68: "Provenance lines from metadata only",
    69: "A typed message that begins with the marker gets its sender",
    70: "The request is never the person's word",
    71: "Ten planted facts, faithful and unfaithful models",
    72: "Five rounds without new input change nothing",
    73: "Facts are the union of all rounds; injected blocks are removed",
    74: "What saves nothing is refused",
    75: "The compressed history is what the next turn reads",
}
LATER = frozenset({17, 20, 21, 56, 57, 58, 60, 61, 62, 75})
"""They come with a loop of one's own."""

PLACES = (
    "checkpoint/test_*.py",
    "cycle/test_*.py",
    "cli/test_checkpoints.py",
    "evals/test_canaries.py",
    "mcp/test_checkpointing.py",
)
_NUMBER = re.compile(r"_s(\d\d)(?=_)")
_HEAD = """\
# Conformance of checkpoints

Made by `python -m tests.conformance`; a test compares. Each statement of the checkpoint's contract, and the tests that
carry its number. *Later* ones come with a loop of one's own, where the model itself works in turns.

| number | statement | test |
| --- | --- | --- |
"""
_PROFILES = """
## What survives

Ten facts planted in a conversation (three ground rules, two changed files with reasons, an error line verbatim, a next
step, three agreements), three checkpoints, one scripted model each. A model that gives no usable block keeps the last
good checkpoint; what is wrong in memo or mind loses nothing.

| model | {windows} | what was lost |
| --- | {rules} | --- |
"""


def numbered() -> dict[int, list[str]]:
    """Test names by the numbers they carry, from the files that hold them."""
    found: dict[int, list[str]] = {}
    for path in sorted(path for place in PLACES for path in (ROOT / "tests").glob(place)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_s"):
                head = re.match(r"test(?:_s\d\d)+(?=_)", node.name)
                for number in _NUMBER.findall((head.group() if head else "") + "_"):
                    found.setdefault(int(number), []).append(f"`{path.relative_to(ROOT)}::{node.name}`")
    return found


def page() -> str:
    """The whole document."""
    carried = numbered()
    rows = [
        f"| {number} | {text} | {'<br>'.join(sorted(carried.get(number, ()))) or 'later'} |"
        for number, text in STATEMENTS.items()
    ]
    table = _PROFILES.format(windows=" | ".join(WINDOWS), rules=" | ".join("---" for _ in WINDOWS))
    return _HEAD + "\n".join(rows) + "\n" + table + "\n".join(_survival()) + "\n"


def _survival() -> list[str]:
    rows = []
    for name, profile in PROFILES.items():
        runs = [played(profile, size) for size in WINDOWS.values()]
        shares = " | ".join(f"{len(run.survived)} of {len(FACTS)}" for run in runs)
        lost = [fact for fact in FACTS if any(fact not in run.survived for run in runs)]
        rows.append(f"| {name} | {shares} | {', '.join(lost) or 'nothing'} |")
    return rows


if __name__ == "__main__":
    sys.stdout.write(page())
