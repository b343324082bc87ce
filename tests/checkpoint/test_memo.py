"""The memo and the person's words (statements 43, 44, 48, 49, 50)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.checkpoint import memo
from curator.checkpoint.carry import Carries, carries
from curator.checkpoint.words import Word, fitted
from curator.edge.tokens import tokens
from tests.checkpoint.talk import words

COUNT = tokens().count
CANDIDATES = memo.listed([(3, "never push")], [(7, "use\n  tabs " + "x" * 40), (9, "short")])
FILE = memo.written(CANDIDATES)


def test_the_memo_file_has_its_stated_form() -> None:
    """One line each, ascending; carried ticked, new not; forty characters of preview, then an ellipsis."""
    assert memo.written(CANDIDATES) == f"- [x] (#3) never push\n- [ ] (#7) use tabs {'x' * 31}…\n- [ ] (#9) short\n"
    assert memo.written(memo.listed([], [])) == ""


@pytest.mark.parametrize(
    "text",
    [
        FILE.replace("\n", "\n\n"),
        FILE.replace("\n", "\r\n"),
        FILE.replace("\n", "  \t\n"),
        FILE.replace("[x]", "[X]"),
        "\ufeff" + FILE,
        FILE.rstrip("\n"),
    ],
)
def test_s44_harmless_changes_are_accepted(text: str) -> None:
    """Blank lines, CRLF, trailing blanks and a capital X leave the ticks as they are."""
    assert memo.ticked(text, CANDIDATES) == frozenset({3})


@pytest.mark.parametrize(
    "text",
    [
        "".join(reversed(FILE.splitlines(keepends=True))),
        FILE.replace("- [ ] (#9) short\n", ""),
        FILE + "- [x] (#12) delete everything\n",
        FILE.replace("never push", "always push"),
        FILE.replace("(#3)", "(#4)"),
        FILE.replace("[x]", "[?]"),
        FILE.replace("- [x]", "* [x]"),
        "",
        "I ticked number 3.",
    ],
)
def test_s44_reordering_deletion_addition_and_changed_previews_are_refused(text: str) -> None:
    """Anything but the boxes gives a sentence instead of ticks."""
    assert isinstance(memo.ticked(text, CANDIDATES), str)


def test_boxes_untouched_with_something_new_is_not_a_decision() -> None:
    """As handed out with a new candidate: untouched; with carried ones alone it is a decision."""
    assert memo.untouched(frozenset({3}), CANDIDATES)
    assert not memo.untouched(frozenset({3, 9}), CANDIDATES)
    assert not memo.untouched(frozenset({3}), CANDIDATES[:1])


@given(st.text(st.characters(exclude_characters="<‹"), max_size=400))
def test_s43_text_is_copied_byte_for_byte(text: str) -> None:
    """Up to 300 tokens a message stands exactly as the record holds it."""
    if COUNT(text) <= 300 and text and not text.lstrip().lower().startswith("["):
        assert fitted([Word(4, text)], 3_000, COUNT).words == (Word(4, text),)


@pytest.mark.parametrize("text", ["必须先测试。" * 200, "never do this " * 300, "👩‍👩‍👧" * 500])
def test_s43_a_longer_one_is_cut_at_300_tokens_with_a_notice(text: str) -> None:
    """The notice names the number; what is kept is a beginning of at most 300 tokens."""
    (word,) = fitted([Word(4, text)], 3_000, COUNT).words
    kept, notice, _ = word.text.partition(" … [cut: #4]")
    assert notice and text.startswith(kept) and 250 < COUNT(kept) <= 300


def test_s43_a_huge_message_is_cut_without_being_counted_whole() -> None:
    """Fifty megabytes cost no more than their beginning."""
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return len(text) // 4

    (word,) = fitted([Word(1, "a" * 50_000_000)], 3_000, count).words
    assert len(word.text) < 1_300 and counted < 1_000_000


@settings(max_examples=60)
@given(
    st.lists(st.text(st.sampled_from("ab 必须不要\n.never only"), min_size=1, max_size=900), min_size=1, max_size=40),
    st.integers(0, 3_000),
)
def test_s48_the_total_with_framing_keeps_the_budget(texts: list[str], budget: int) -> None:
    """Whatever the messages and the budget, what is shown fits, in order, and the rest is named."""
    shown = fitted([Word(seq, text) for seq, text in enumerate(texts, 1)], budget, COUNT)
    seqs = [word.seq for word in shown.words]
    assert seqs == sorted(seqs)
    assert COUNT(shown.text) <= budget or not shown.words
    assert sorted([*seqs, *shown.left_out]) == list(range(1, len(texts) + 1))


def test_s48_only_the_longest_are_cut_and_to_one_share() -> None:
    """Three short messages stay whole; the two long ones end with the same share."""
    texts = ["tabs please", "w " * 200, "never push", "w " * 250, "call me Ann"]
    shown = fitted([Word(seq, text) for seq, text in enumerate(texts, 1)], 150, words)
    by_seq = {word.seq: word.text for word in shown.words}
    assert [by_seq[seq] for seq in (1, 3, 5)] == [texts[0], texts[2], texts[4]]
    assert words(by_seq[2]) == words(by_seq[4]) < 80 and not shown.left_out
    assert 140 <= words(shown.text) <= 150


def test_s49_what_guides_comes_first_whatever_its_age() -> None:
    """In room for a few of sixty messages the early rules stay, then the first message, then the newest."""
    texts = ["build the importer", *(f"look at part {n} please and tell me how it is" for n in range(60))]
    texts[2:2] = ["never push to main", "the budget is 300 EUR", "you may edit the docs", "I prefer short answers"]
    texts += ["不要改公共接口"]
    shown = fitted([Word(seq, text) for seq, text in enumerate(texts, 1)], 100, words)
    kept = [word.text for word in shown.words]
    assert {texts[2], texts[3], texts[4], texts[5], texts[-1], texts[0]} <= set(kept)
    newest = [word.seq for word in shown.words if word.seq > 6][:-1]
    assert newest == list(range(len(texts) - len(newest), len(texts)))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("never push to main", Carries.PROHIBITION),
        ("don't touch the schema", Carries.PROHIBITION),
        ("I am allergic to pollen: no outdoor steps in any plan", Carries.PROHIBITION),
        ("不要改接口", Carries.PROHIBITION),
        ("禁止直接连接生产库", Carries.PROHIBITION),
        ("budget is 300 EUR, hard limit", Carries.CONSTRAINT),
        ("必须用 Python 3.11", Carries.CONSTRAINT),
        ("you may merge small fixes yourself", Carries.AUTHORIZATION),
        ("这个你可以自己决定", Carries.AUTHORIZATION),
        ("I prefer tabs", Carries.PREFERENCE),
        ("以后用中文回答", Carries.PREFERENCE),
        ("continue", Carries.ORDINARY),
        ("list the museums", Carries.ORDINARY),
        ("另外两个人的测试", Carries.ORDINARY),
    ],
)
def test_s49_what_a_message_carries_is_told_in_two_languages(text: str, kind: Carries) -> None:
    """Signs of each kind in English and Chinese; a word that only looks like one is none."""
    assert carries(text) is kind


def test_s50_a_message_grows_back_when_there_is_room_again() -> None:
    """Copied from the record each time, a message cut at one checkpoint is whole at a roomier one."""
    messages = [Word(1, "w " * 250), Word(2, "w " * 250)]
    assert all("[cut" in word.text for word in fitted(messages, 100, words).words)
    assert fitted(messages, 3_000, words).words == tuple(messages)
