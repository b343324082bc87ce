"""A text handed over on purpose becomes one raw note, and nothing else."""

from collections.abc import Callable

import pytest
from sqlmodel import select

from curator.errors import BadUsage
from curator.harvest.book import drop, note_by_prefix, notes
from curator.harvest.noting import Outcome
from curator.harvest.remembering import Handed, origin_of, remember
from curator.store.engine import Store
from curator.store.tables import Entry, Refusal
from curator.vocab import Kind, NoteState, Origin
from tests.helpers import load_active

TOKEN = "gl" + "pat-FAKEFAKEFAKE98765432"


def said(store: Store, text: str, **more: object) -> Outcome:
    """Remember as the person; the outcome."""
    return remember(store, Handed(text, **more), Origin.HUMAN).outcome  # type: ignore[arg-type]


def test_a_marker_names_the_kind_and_an_option_wins(store: Store) -> None:
    """The marker goes from the text; `--kind` overrides it; without both the kind is open."""
    for text, kind in (("root-cause: the clock", None), ("design: two queues", Kind.RESEARCH), ("no mark here", None)):
        remember(store, Handed(text, kind), Origin.HUMAN)
    assert {note.body: (note.kind, note.marked) for note in notes(store)} == {
        "the clock": ("root-cause", True),
        "two queues": ("research", True),
        "no mark here": ("", False),
    }


def test_title_labels_and_refs_are_kept_and_no_entry_is_written(store: Store) -> None:
    """What the caller says about the text stands in the note; only an accepted proposal makes an entry."""
    handed = Handed("lesson: warm the cache", None, ("ops", "cache", "ops"), "Cache", ("src/cache.py:12", "make warm"))
    noted = remember(store, handed, Origin.AGENT, client="claude")
    note = note_by_prefix(store, noted.note_id[:5])
    assert (note.title, note.labels, note.refs) == ("Cache", ("cache", "ops"), ("src/cache.py:12", "make warm"))
    assert (note.origin, note.source["client"], note.state) == ("agent", "claude", NoteState.WAITING)
    with store.read() as session:
        assert session.exec(select(Entry)).all() == []


@pytest.mark.parametrize("ref", ["../../etc/passwd", "/etc/passwd", "a/../../b", "", "a\nb", "x/\x00"])
def test_a_reference_never_leads_out_of_the_project(store: Store, ref: str) -> None:
    """Paths that leave the project, and values that are not one line, are wrong usage; nothing is stored."""
    with pytest.raises(BadUsage):
        said(store, "lesson: x y z", refs=(ref,))
    assert notes(store) == []


@pytest.mark.parametrize("text", ["", "   ", "lesson:", "lesson:   "])
def test_an_empty_text_is_wrong_usage(store: Store, text: str) -> None:
    """Nothing but white space, or nothing behind the marker, is refused."""
    with pytest.raises(BadUsage):
        said(store, text)


def test_the_same_text_twice_is_one_note_and_a_dropped_one_waits_again(store: Store) -> None:
    """Form does not count; dropping holds against an agent and a harvest, and a person can take it back."""
    assert said(store, "lesson: use pnpm, never npm") is Outcome.NEW
    assert said(store, "Lesson: Use `pnpm`, never npm.") is Outcome.AGAIN
    (note,) = notes(store)
    drop(store, note.note_id)
    remember(store, Handed("use pnpm, never npm"), Origin.AGENT)
    assert notes(store)[0].state == NoteState.DROPPED
    said(store, "use pnpm, never npm")
    assert [each.state for each in notes(store)] == [NoteState.WAITING]


def test_a_refused_text_is_blocked_and_counted(store: Store) -> None:
    """A refusal holds at this door too, and says why."""
    said(store, "ship on Fridays")
    (note,) = notes(store)
    with store.write() as session:
        from curator.door import fingerprint

        session.add(
            Refusal(project_id=store.project_id, fingerprint=fingerprint(note.body), reason="too vague", at=store.now())
        )
    noted = remember(store, Handed("Ship on Fridays!"), Origin.HUMAN)
    assert (noted.outcome, noted.reason) == (Outcome.BLOCKED, "refused: too vague")
    with store.read() as session:
        assert session.exec(select(Refusal)).one().blocked == 1


@pytest.mark.parametrize(
    "echo",
    [
        "As the memory says: Uploads are retried three times before the janitor archives `them_all`",
        "loads are retried three times before the janitor archives `them_al",
        "Lesson: uploads are retried three times before the janitor archives them_all.",
    ],
)
def test_an_echo_is_seen_among_entries_of_the_same_words(store: Store, echo: str) -> None:
    """A lead-in, a marker or a cut in the middle of a word hides no repetition; neither do entries that share words."""
    others = [f"Uploads are retried by the janitor of gate {n} before it archives" for n in range(40)]
    rule = "Uploads are retried three times before the janitor archives `them_all`"
    load_active(store, [{"kind": "lesson", "body": body} for body in [*others, rule]])
    assert remember(store, Handed(echo), Origin.AGENT).outcome is Outcome.ECHO


def test_an_agent_that_repeats_a_memory_adds_nothing(store: Store) -> None:
    """The agent's echo is dropped; a person's saying the same is one more sighting, no new note to decide on."""
    load_active(store, [{"id": "m-1", "kind": "lesson", "body": "staging config is config/staging.yaml"}])
    echo = remember(store, Handed("the staging config is config/staging.yaml"), Origin.AGENT)
    assert echo.outcome is Outcome.ECHO and notes(store) == []
    assert said(store, "Staging config is config/staging.yaml") is Outcome.AGAIN
    assert [note.state for note in notes(store)] == [NoteState.SEEN]


def test_a_credential_is_taken_out_unless_a_person_keeps_it(store: Store) -> None:
    """By default the sentence stays without the value; a deliberate yes stores it as it is."""
    noted = remember(store, Handed(f"lesson: bot token is {TOKEN} for now"), Origin.HUMAN)
    assert noted.redacted == ("GitLab token",)
    assert note_by_prefix(store, noted.note_id).body == "bot token is [redacted: GitLab token] for now"
    kept = remember(store, Handed(f"lesson: the token is {TOKEN}"), Origin.HUMAN, keep_secrets=True)
    assert TOKEN in note_by_prefix(store, kept.note_id).body


def test_a_huge_text_is_cut_and_says_so(store: Store) -> None:
    """50 MB come in as at most the largest note."""
    noted = remember(store, Handed("lesson: " + "long words " * 5_000_000), Origin.HUMAN)
    assert noted.cut and len(note_by_prefix(store, noted.note_id).body.encode()) <= store.settings.note_bytes


@pytest.mark.parametrize(
    ("env", "terminal", "origin"),
    [
        ({"CLAUDECODE": "1"}, True, Origin.AGENT),
        ({"GEMINI_CLI": "1"}, False, Origin.AGENT),
        ({}, True, Origin.HUMAN),
        ({}, False, Origin.UNVERIFIED),
    ],
)
def test_who_said_it_is_told_from_how_it_came(env: dict[str, str], terminal: bool, origin: Origin) -> None:
    """An agent's variables win; a terminal is the person's; a pipe is nobody's."""
    assert origin_of(env, terminal) is origin


def test_stores_do_not_mix(new_store: Callable[..., Store], store: Store) -> None:
    """A note of one project is not in another."""
    other = new_store(store.place.root.parent / "other")
    said(store, "lesson: only here, really")
    assert notes(other) == []
