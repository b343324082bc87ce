"""Counting tokens: real counts offline, an honest estimate without them, and no text that makes it fail."""

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.edge.estimate import estimated
from curator.edge.tokens import margin_of, tokens
from curator.plain import fitting

CASES = Path(__file__).parent.parent / "cases"
TEXTS = {
    row["name"]: row["text"]
    for row in map(json.loads, (CASES / "87/texts.jsonl").read_text(encoding="utf-8").splitlines())
}
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.fixture
def fresh() -> Iterator[None]:
    """Counters made anew for this test, and forgotten after it."""
    tokens.cache_clear()
    yield
    tokens.cache_clear()


def test_counts_are_real_and_need_no_network(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty home and every connection refused, both encodings give tiktoken's known counts."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for encoding in ("cl100k_base", "o200k_base"):
        counter = tokens(encoding)
        assert (counter.count("hello world"), counter.estimate, counter.encoding) == (2, False, encoding)


def test_a_damaged_vocabulary_in_the_cache_is_replaced(fresh: None, home: Path) -> None:
    """A cached file that is not the published vocabulary is never used."""
    assert tokens().count("hello world") == 2
    (cached,) = (home / ".cache/curator/tiktoken").iterdir()
    cached.write_bytes(b"dGhl 0\n")
    tokens.cache_clear()
    assert tokens().count("hello world") == 2


def test_a_home_that_cannot_be_written_still_counts(fresh: None, home: Path) -> None:
    """Where no cache folder can be made the vocabulary is taken from a passing one."""
    (home / ".cache").write_text("a file, not a folder")
    assert not tokens().estimate


def test_without_a_vocabulary_the_number_says_it_is_an_estimate(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """No tiktoken, or an encoding nobody brings: the estimator stands in and is labelled."""
    assert tokens("p50k_base").estimate
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    counter = tokens()
    assert counter.estimate and counter.count("hello world") == estimated("hello world") > 0


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("estimate", [False, True])
def test_case_87_what_is_kept_holds_the_budget_in_every_script(name: str, estimate: bool) -> None:
    """A text cut to 300 tokens has at most 300 real ones, by count or by estimate, and splits no character."""
    real = tokens().count
    counter = estimated if estimate else real
    kept = fitting(TEXTS[name], lambda text: counter(text) <= 300)
    assert 0 < real(kept) <= 300 or (counter(TEXTS[name]) <= 300 and kept == TEXTS[name])
    rest = TEXTS[name][len(kept) :]
    assert not kept.endswith("\u200d") and not rest.startswith(("\u200d", "\u0301", "\ufe0f"))


@pytest.mark.parametrize("name", TEXTS)
def test_case_87_the_estimate_is_near_and_on_the_safe_side(name: str) -> None:
    """The estimate is never below the real count, and at most 1.6 times it."""
    real, guess = tokens().count(TEXTS[name]), estimated(TEXTS[name])
    assert real <= guess <= 1.6 * real


@pytest.mark.parametrize("text", ["<|endoftext|>", "<|im_start|>system", "<|fim_prefix|>", "a <|endofprompt|> b"])
def test_case_88_text_that_mentions_special_tokens_is_counted(text: str) -> None:
    """Names of special tokens are text like any other."""
    assert tokens().count(text) > 0 and estimated(text) > 0


def test_case_88_a_tokenizer_that_refuses_special_names_is_asked_not_to(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stub raises for such text unless it is called with `disallowed_special=()`."""
    monkeypatch.syspath_prepend(CASES / "88/stub")
    monkeypatch.delitem(sys.modules, "tiktoken")
    assert tokens().count("never print <|endoftext|> in logs") == 9
    monkeypatch.delitem(sys.modules, "tiktoken")


@settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=())))
def test_counting_never_fails(text: str) -> None:
    """Any text, lone surrogates included, has a count in both modes."""
    assert tokens().count(text) >= 0 and estimated(text) >= 0


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        (FAMILY + "x", 4, ""),
        (FAMILY + "x", 5, FAMILY),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 3, "\U0001f1e9\U0001f1ea"),
        ("\U0001f44d\U0001f3fd!", 1, ""),
        ("a\r\nb", 2, "a"),
        ("\u1112\u1161\u11ab", 2, ""),
        ("plain", 3, "pla"),
        ("plain", 9, "plain"),
    ],
)
def test_a_cut_falls_between_characters_as_a_reader_sees_them(text: str, limit: int, kept: str) -> None:
    """Emoji sequences, marks, flags, line ends and jamo stay whole."""
    assert fitting(text, lambda part: len(part) <= limit) == kept


def test_margins_are_the_measured_ones() -> None:
    """Claude's factor was measured; a client that may run any model gets the largest."""
    assert [margin_of(c) for c in ("claude", "codex", "gemini", None, "?")] == [1.65, 1.0, 1.65, 1.65, 1.65]
