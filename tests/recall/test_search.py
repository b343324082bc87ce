"""Search takes any text literally, in every script, and says what it cut, narrowed or could not know."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator.draft import draft
from curator.recall.reading import counts, whole
from curator.recall.search import search
from curator.recall.values import Query
from curator.store.engine import Store
from curator.store.entries import insert
from curator.store.search import Filters

CASES = Path(__file__).parent.parent / "cases"


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def load(store: Store, rows: list[dict[str, Any]]) -> None:
    """Put rows into the store as they are."""
    with store.write() as session:
        for row in rows:
            said = draft(row["title"], row["body"], row["kind"], None, row.get("labels", []), (), row["id"])
            insert(session, store.project_id, said, store.now(), state=row.get("status", "active"))


def found(store: Store, text: str | None, **filters: Any) -> list[str]:
    """Ids that a search gives."""
    return [hit.entry_id for hit in search(store, Query(text, Filters(**filters))).hits]


def test_case_48_any_text_is_words_and_never_a_query_language(store: Store) -> None:
    """Each of the strings that break raw full-text queries finds the note that holds it, or nothing, without error."""
    load(store, lines(CASES / "48" / "notes.jsonl"))
    for row in lines(CASES / "48" / "queries.jsonl"):
        if row["expect"] == "usage":
            continue
        hits = found(store, row["q"])
        if row["expect"] == 0:
            assert not hits, row
        elif row["expect"] is not None:
            assert f"n-{row['expect']:03}" in hits, (row, hits)


def test_case_49_contains_is_literal(store: Store) -> None:
    """`%`, `_` and backslash stand for themselves in the body filter, in title search and in labels."""
    rows = lines(CASES / "49" / "notes.jsonl")
    load(store, rows)
    for text in ("user_id", "%", "_", "50%", "\\", "a\\b"):
        assert len(found(store, None, contains=text)) == 1, text
        assert search(store, Query(text, title_only=True)).total <= 1, text
    assert found(store, None, labels=("%",)) == []
    assert found(store, None, contains="USER_ID") == found(store, None, contains="user_id")


def test_case_50_chinese_japanese_and_korean_words_of_any_length_are_found(store: Store) -> None:
    """One and two characters, long runs and glued identifiers each find exactly the notes that hold them."""
    load(store, lines(CASES / "50" / "notes.jsonl"))
    for row in lines(CASES / "50" / "queries.jsonl"):
        assert sorted(found(store, row["q"])) == [f"n-{number:03}" for number in row["expect"]], row


def test_all_words_must_match_and_a_partial_answer_says_so(store: Store) -> None:
    """Entries that hold only some words are given only when none holds all, and the answer is marked."""
    load(store, [entry("m-1", "retry the upload"), entry("m-2", "retry the download"), entry("m-3", "paint the shed")])
    assert found(store, "retry upload") == ["m-1"]
    answer = search(store, Query("retry shed"))
    assert answer.partial and {hit.entry_id for hit in answer.hits} == {"m-1", "m-2", "m-3"}
    assert not search(store, Query("nowhere")).hits


def test_forms_of_a_word_count_only_where_no_entry_holds_the_word(store: Store) -> None:
    """`provider` finds `providers`, and the answer says so; with an exact match the forms stay out."""
    load(store, [entry("m-1", "compare mail providers"), entry("m-2", "mailing the shed")])
    answer = search(store, Query("mail provider"))
    assert [hit.entry_id for hit in answer.hits] == ["m-1"] and not answer.partial
    assert answer.notes == ("no entry holds exactly these words; these hold forms of them",)
    load(store, [entry("m-3", "one mail provider")])
    assert found(store, "mail provider") == ["m-3"]


def test_filters_apply_together_and_an_unknown_value_gives_nothing(store: Store) -> None:
    """Labels mean AND, any-labels OR, exclusions NOT, kind and route narrow; an unknown label is named."""
    load(
        store,
        [
            entry("m-1", "alpha", labels=["ci", "web"]),
            entry("m-2", "alpha", labels=["ci"]),
            entry("m-3", "alpha", kind="design", labels=["web"]),
        ],
    )
    assert found(store, "alpha", labels=("ci", "web")) == ["m-1"]
    assert set(found(store, "alpha", any_labels=("ci", "web"))) == {"m-1", "m-2", "m-3"}
    assert found(store, "alpha", any_labels=("ci", "web"), excluded=("web",)) == ["m-2"]
    assert found(store, None, labels=("kb",)) == ["m-3"]
    assert found(store, "alpha", route="injected", kind="design") == []
    answer = search(store, Query("alpha", Filters(labels=("nope",))))
    assert not answer.hits and answer.notes == ("no entry has the label 'nope'",)


def test_titles_come_first_and_what_was_cut_is_counted(store: Store) -> None:
    """An entry with the word in its title stands before one that repeats it in the body; the total counts all."""
    load(store, [entry("m-1", "other", body="cache cache cache cache"), entry("m-2", "cache", body="x")])
    load(store, [entry(f"m-9{n}", f"filler {n}", body="the cache again") for n in range(5)])
    answer = search(store, Query("cache", limit=3))
    assert answer.hits[0].entry_id == "m-2"
    assert answer.total == 7 and len(answer.hits) == 3
    assert [hit.entry_id for hit in search(store, Query("cache", title_only=True)).hits] == ["m-2"]


def test_ids_labels_and_letter_case_of_every_script_match(store: Store) -> None:
    """The id and labels are found like words; Greek, Cyrillic and German sharp s fold."""
    load(store, [entry("m-abc7", "ΣΊΣΥΦΟΣ Straße ПРИВЕТ", labels=["release-train"])])
    for text in ("m-abc7", "σίσυφος", "STRASSE", "привет", "release-train"):
        assert found(store, text) == ["m-abc7"], text
    assert found(store, None, contains="привет") == ["m-abc7"]


def test_tombstoned_entries_are_in_no_answer_unless_asked_for(store: Store) -> None:
    """A retired entry takes no place in a limited list; `all` shows it with its state."""
    load(store, [entry(f"m-{n}", f"same words {n}", status="tombstoned") for n in range(11)])
    load(store, [entry("m-live", "same words live")])
    assert found(store, "same words") == ["m-live"]
    everything = search(store, Query("same words", Filters(states=("active", "superseded", "tombstoned")), limit=0))
    assert everything.total == 12
    assert counts(store)["injected"] == {"active": 1, "tombstoned": 11}


def test_reading_changes_nothing(store: Store) -> None:
    """Searching and showing leave every row as it was."""
    load(store, [entry("m-1", "alpha beta")])
    before = whole(store, "m-1")
    for _ in range(3):
        found(store, "alpha")
    assert whole(store, "m") == before


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_no_text_is_an_error(store: Store, text: str) -> None:
    """Any text can be searched for, filtered by and used as a label."""
    if text.strip():
        search(store, Query(text, Filters(contains=text, labels=(text,))))


@pytest.mark.parametrize("word", ["Kümmel", "ﬁle", "Ｔｅｓｔ", "É"])
def test_forms_of_one_letter_are_one(store: Store, word: str) -> None:
    """Composed, decomposed, ligature and full-width forms of a word find each other."""
    import unicodedata

    load(store, [entry("m-1", f"about {word} here")])
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert found(store, unicodedata.normalize(form, word)) == ["m-1"]


def entry(entry_id: str, title: str, body: str = "", kind: str = "lesson", **more: Any) -> dict[str, Any]:
    """A row to load."""
    return {"id": entry_id, "title": title, "body": body or title, "kind": kind, **more}
