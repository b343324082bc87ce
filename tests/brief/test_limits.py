"""Every part keeps to its share and every reminder to its size, whatever stands in them and in whatever script."""

from hypothesis import given, settings
from hypothesis import strategies as st

from curator.brief import compose as composing
from curator.brief.bootstrap import SIZE, bootstrap, rules
from curator.brief.compose import compose
from curator.brief.layers import Layers
from curator.brief.lines import size
from curator.brief.parts import Part, fill
from curator.brief.recall import recalled
from curator.brief.snapshot_file import Snapshot
from tests.brief.test_compose import ANY, asked
from tests.hook.helpers import checkpoint, item

SCRIPTS = st.sampled_from(
    ["plain words ", "编码器与缓存 ", "キャッシュ ", "부호화 ", "🙂👩‍👩‍👧 ", "e\u0301 ", "кэш ", "x" * 700]
)


@settings(max_examples=60, deadline=None)
@given(ANY, ANY, ANY, st.integers(0, SIZE))
def test_reminders_never_pass_their_size(words: str, contract: str, why: str, limit: int) -> None:
    """The bootstrap and the reminder before destructive operations, with any mission, contract and reason."""
    kept = checkpoint("C1", "S1")._replace(parts={"mission": words * 3, "agreements": words, "step": words * 2})
    start = asked(Snapshot(checkpoints=(kept,)), layers=Layers(summary=contract * 3, problems=(words[:99],)))
    for made in (bootstrap(start, why[:200]), rules(start, why[:200])):
        assert size(made) <= SIZE
    assert size(bootstrap(start, "a reason", limit)) <= limit or limit < 400


@settings(max_examples=12, deadline=None)
@given(SCRIPTS, st.integers(40, 90), st.sampled_from(["startup", "compact"]))
def test_full_parts_keep_to_their_caps(word: str, times: int, source: str) -> None:
    """With more text than room everywhere no part takes more than its share and what the ones before it left unused."""
    long = "\n".join(f"- a{n}: {word * 3}" for n in range(times))
    kept = checkpoint("C1", "S1", words=tuple((n, word * 9) for n in range(1, 40)))
    kept = kept._replace(parts=dict.fromkeys(("request", "step", "mission", "agreements", "next", "waiting"), long))
    items = tuple(item(f"n-{n:03}", f"{(word * 4)[:90]} {n}") for n in range(80))
    every = Layers(summary=long, current=long, next=long, handoff=long, scratch=long, header=long)
    known = Snapshot(items=items, checkpoints=(kept,), labels={"kb": 9, word: 3}, newest=(("n-1", word * 50),))
    made = compose(asked(known, layers=every, source=source))
    used = {part.name: part.size for part in made.parts}
    spare = 9_500 - composing.FRAME - composing.OMISSION - sum(used.values())
    assert size(made.text) <= 9_500 and spare >= 0
    share = composing.COMPACT_CHECKPOINT if source == "compact" else composing.CHECKPOINT
    caps = {"header": composing.HEADER, "line": 0, "warnings": composing.WARNINGS, "contract": composing.CONTRACT}
    caps |= {
        "checkpoint": share,
        "state": composing.STATE,
        "scratch": composing.SCRATCH,
        "pointers": composing.POINTERS,
    }
    taken = allowed = 0
    for name in caps:
        taken, allowed = taken + used.get(name, 0), allowed + caps[name]
        assert taken <= allowed or name == "line", name
    assert source == "compact" or used["memories"]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.text(max_size=500)), max_size=9), st.integers(0, 2_000))
def test_room_is_handed_on_and_never_made_up(shares: list[tuple[int, str]], limit: int) -> None:
    """Parts with any caps and any builders, honest or not: never more in all than the limit."""
    parts = [Part(str(n), cap, lambda room, text=text: text) for n, (cap, text) in enumerate(shares)]  # type: ignore[misc]
    built = fill(parts, limit)
    assert sum(one.size for one in built) <= limit
    assert all(one.size == (size(one.text) + 1 if one.text else 0) for one in built)


def test_recall_says_how_far_the_best_fell_short() -> None:
    """No snapshot, no match and a match: the line for the log in each case."""
    assert recalled(Snapshot(), "anything", 3) == ("", "no recall: nothing is stored")
    known = Snapshot(items=(item("n-1", "the parser skips the header"), item("n-2", "queues retry")))
    assert recalled(known, "weather", 3)[1] == "no recall: best score 0.00 below 0.30"
    text, line = recalled(known, "does the parser skip a header", 3)
    assert "[n-1]" in text and line == "recalled 1 (threshold 0.30)"
