"""The injected text from values: limits in every script, one frame, fixed order, honest omissions."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from curator.brief.asked import Asked
from curator.brief.compose import compose
from curator.brief.layers import Layers
from curator.brief.snapshot_file import Reading, Snapshot, decode, encode
from tests.hook.helpers import CASES, TODAY, checkpoint, item

ANY = st.text(st.characters(exclude_categories=()), max_size=600)
SOURCES = st.sampled_from(["startup", "resume", "clear", "compact", "fork", "warp", ""])


def asked(snapshot: Snapshot, **more: object) -> Asked:
    """A start with one project store and no store of the person's."""
    base = Asked("startup", TODAY, Reading(snapshot), Reading(Snapshot()), session="S1", margin=1.65)
    return base._replace(**more)  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(ANY, ANY), max_size=12), ANY, ANY, SOURCES, st.integers(0, 9_500))
def test_no_text_in_any_script_breaks_limit_or_frame(
    texts: list[tuple[str, str]], rules: str, words: str, source: str, limit: int
) -> None:
    """Whatever is stored: under the bytes, one frame, encodable, and the token budget holds for the memories."""
    items = [item(f"n-{n}", title, body, importance=0.5) for n, (title, body) in enumerate(texts)]
    kept = checkpoint("C1", "S1", words=((3, words), (5, words * 3)))._replace(parts={"mission": words, "step": rules})
    layers = Layers(summary=rules, next=words, scratch=words, header=rules)
    made = compose(asked(Snapshot(items=tuple(items), checkpoints=(kept,)), layers=layers, source=source, size=limit))
    assert len(made.text.encode()) <= limit
    assert made.pick.tokens <= 2_000
    assert len(re.findall(r"<\s*/?\s*curator-memory", made.text, re.IGNORECASE)) == (2 if made.text else 0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ANY, ANY), max_size=8), ANY)
def test_a_snapshot_survives_its_file_and_composes_to_the_same_bytes(texts: list[tuple[str, str]], words: str) -> None:
    """Encoding and decoding changes nothing that matters, and the text is a function of the values."""
    items = tuple(item(f"n-{n}", title, body) for n, (title, body) in enumerate(texts))
    known = Snapshot(items=items, checkpoints=(checkpoint("C1", "S1", words=((1, words),)),), labels={"kb": 2})
    again = decode(json.loads(encode(known)))
    assert compose(asked(again)).text == compose(asked(decode(json.loads(encode(again))))).text


def test_case_62_the_contract_stands_first_and_wins_over_an_older_memory() -> None:
    """Contract, then checkpoint, then memories; the old lesson carries its date; the text says what wins."""
    rule = (CASES / "62" / "PROJECT_CONTRACT.md").read_text().split("## SUMMARY\n")[1]
    old = item("n-001", "validation gates are the security workflow", verified=TODAY - 300)
    known = Snapshot(items=(old,), checkpoints=(checkpoint("C1", "S0"),))
    text = compose(asked(known, layers=Layers(summary=rule))).text
    places = [text.index(part) for part in ("validation gates: A review", "mission of C1", "lesson 2030-05-09")]
    assert places == sorted(places)
    assert "The contract wins over what follows" in text


def test_case_87_the_token_budget_holds_for_the_real_count_in_every_script() -> None:
    """Texts of eight scripts cut into entries: what is kept is at most 300 real tokens."""
    from curator.edge.tokens import tokens

    count = tokens().count
    for line in (CASES / "87" / "texts.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"]
        items = [item(f"n-{at}", text[at : at + 50]) for at in range(0, len(text), 50)]
        made = compose(asked(Snapshot(items=tuple(items)), tokens=300, margin=1.0))
        lines = [row for row in made.text.splitlines() if row.startswith("- [n-")]
        assert lines and count("\n".join(lines)) <= 300


def test_unused_room_goes_to_the_next_part() -> None:
    """A long checkpoint gets the contract's room when there is no contract, and memories get what is left."""
    long = checkpoint("C1", "S0")._replace(parts={"mission": "\n".join(f"goal number {n}" for n in range(400))})
    items = tuple(item(f"n-{n}", f"fact {n} " * 6, importance=0.5) for n in range(200))
    known = Snapshot(items=items, checkpoints=(long,))
    without = {part.name: part.size for part in compose(asked(known, tokens=9_999)).parts}
    rules = Layers(summary="\n".join(f"- rule {n} must hold" for n in range(200)))
    with_rules = {part.name: part.size for part in compose(asked(known, tokens=9_999, layers=rules)).parts}
    assert without["checkpoint"] > with_rules["checkpoint"] > 500
    assert with_rules["contract"] <= 1_900 and with_rules["memories"] >= 3_500


def test_the_persons_words_that_do_not_fit_are_named_by_number() -> None:
    """After a compaction each word is there whole or named with the command that shows it."""
    words = tuple((n, f"word {n} " * 40) for n in range(1, 40))
    text = compose(asked(Snapshot(checkpoints=(checkpoint("C1", "S1", words=words),)), source="compact")).text
    shown = [n for n, word in words if word.strip() in text]
    assert shown and "curator record show" in text
    named = text.split("Not shown: ")[1]
    assert all(str(n) in named for n, _ in words[:20] if n not in shown)


def test_nothing_stored_says_nothing() -> None:
    """No entries, no checkpoint, no layers: no text, for every source; a header alone is no reason to speak."""
    for source in ("startup", "resume", "clear", "compact", "fork", ""):
        assert compose(asked(Snapshot(), source=source, layers=Layers(header="# Atlas"))).text == ""
