"""What is worth a note, told from the conversation alone: precision before recall, English and Chinese."""

import pytest

from curator.harvest.statements import Said, Statement, statements
from curator.vocab import Kind, Origin, Row

ANSWER = "All right, done."


def person(seq: int, text: str) -> Said:
    """A typed message."""
    return Said(seq, Row.INPUT, Origin.HUMAN, text, True)


def agent(seq: int, text: str) -> Said:
    """A reply of the agent."""
    return Said(seq, Row.RESPONSE, Origin.AGENT, text)


def after(text: str, answer: str = ANSWER) -> list[Statement]:
    """What a typed message and its answer give."""
    return statements([person(1, text), agent(2, answer)])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Always run the formatter together with the linter.", Kind.CORRECTION),
        ("From now on write migrations by hand.", Kind.CORRECTION),
        ("Never push to the release branch without a review.", Kind.CORRECTION),
        ("Please don't add new dependencies to the core package.", Kind.CORRECTION),
        ("I prefer small commits with the reason in the body.", Kind.CORRECTION),
        ("In this repo the database is reached through the gateway only.", Kind.PATTERN),
        ("make sure that the agent asks before it runs the paid tests", Kind.CORRECTION),
        ("We use pnpm here, not npm, because of the lockfile.", Kind.PATTERN),
        ("let's replace the polling loop with the event stream", Kind.DECISION),
        ("以后提交信息一律用英文写", Kind.CORRECTION),
        ("不要改动 migrations 目录里的旧文件", Kind.CORRECTION),
        ("我们决定采用 SQLite 作为本地存储", Kind.DECISION),
    ],
)
def test_rules_preferences_prohibitions_and_decisions_of_the_person(text: str, kind: Kind) -> None:
    """What lays down how to work is one note, in the person's own words, of human origin."""
    (found,) = after(text)
    assert (found.text, found.kind, found.origin, found.seqs, found.at) == (text, kind, Origin.HUMAN, (1,), 2)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "continue",
        "please fix the importer",
        "don't commit yet",
        "use option 2",
        "where is the staging config?",
        "what does the cache do when the disk is full?",
        "run it again",
        "Can you review the branch and especially the new tests",
        "for now don't bother with the tests in this branch",
        "先不要提交，等我看完",
        "继续",
        "wait why do we keep the logs apart shouldn't they only be in one folder",
        "I wonder if the gateway must always be started first",
        "follow up: what do we use for retries (the queue?)",
        "start a worker to move every report to the archive folder, we no longer need the old one",
        "Sort the lists in the guide. Do not change their items.",
        "rename the module, that means the tests should only import the new one",
        "I've spent another day on the build instead of real work.",
        "right now we block this on the main branch, let's remove the check",
        "you closed https://example.com/team/app/issues/91 but that one should only be closed by us",
        "```\nnever do this in code\n```",
        "> always quoted from elsewhere",
    ],
)
def test_steps_questions_and_short_answers_are_no_notes(text: str) -> None:
    """Steps of the task at hand, questions, pasted code and quotations give nothing."""
    assert after(text) == []


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The timeout of the upload client is 30 seconds, the docs are out of date.", "You're right, I misread that."),
        ("No, the export job reads from the replica, the primary is for writes.", ANSWER),
        ("the fixture belongs into conftest, two suites share it", "Good catch. Moving it."),
        ("不对，缓存的键里还要带上租户编号", "好的，马上改。"),
        ("配置文件在 config/staging.yaml 里面，而且是生成的", "抱歉，我弄错了。"),
    ],
)
def test_corrections_are_told_by_the_persons_words_or_by_the_agents_admission(text: str, answer: str) -> None:
    """A message that corrects the agent is a correction; the admission is part of its evidence."""
    (found,) = after(text, answer)
    assert (found.text, found.kind, found.origin) == (text, Kind.CORRECTION, Origin.HUMAN)
    assert 1 in found.seqs


@pytest.mark.parametrize(
    "text",
    [
        "The new retry code drops the cause of the error. Please wrap it.",
        "The comment is wrong: the name comes from the command line. Consider checking it before it is used.",
        "I wonder if that is enough, maybe the message belongs into the main function?",
        "The error of the second call is looked at but not told. Unlike the copy helper, which wraps the output and"
        " the error, the fetch code only holds the output, so that whoever reads the log later sees an empty reason and"
        " has nothing to go on when the program is not even installed.",
        "I think we should also print the name there, it helps",
    ],
)
def test_a_remark_on_what_is_being_made_is_no_correction_to_keep(text: str) -> None:
    """A review's comment or a doubt is mended at once: the agent's "good catch" makes no memory of it."""
    assert after(text, "Good catch, fixing it.") == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("yeah, and we never squash on the release branch", "we never squash on the release branch"),
        ("please fix. i no longer use the old hook manager", "i no longer use the old hook manager"),
        ("can you always run the slow tests before a release?", "always run the slow tests before a release"),
        ("另外，以后提交信息一律用英文写", "以后提交信息一律用英文写"),
        ("The gateway is slow. Never call it in a loop.", "The gateway is slow. Never call it in a loop."),
    ],
)
def test_what_leads_in_or_stands_beside_a_rule_is_left_out(text: str, kept: str) -> None:
    """A rule is kept without "yeah, and", the request or the task before it; a sentence that explains it stays."""
    (found,) = after(text)
    assert found.text == kept


def test_numbered_answers_to_questions_are_no_rules() -> None:
    """What only answers the agent's list of questions has its words there and is left alone; a lasting rule is not."""
    asks = agent(1, "1. Overwrite the file?\n2. Which folder?")
    assert statements([asks, person(2, "1. do not overwrite it\n2. only the docs folder"), agent(3, ANSWER)]) == []
    told = statements([asks, person(2, "1. yes\n2. never write outside of docs"), agent(3, ANSWER)])
    assert [s.text for s in told] == ["never write outside of docs"]


def test_a_cause_under_its_heading_is_taken_without_a_telling_word() -> None:
    """The paragraph under "Root cause" is the cause, its plan or list of files is not."""
    text = (
        "## Root cause\n\nThe worker reads `limits.toml` before the lock is held. So two of them win. I fix it now.\n"
    )
    (found,) = statements([agent(1, text)])
    assert found.text == "The worker reads `limits.toml` before the lock is held. So two of them win."
    assert found.kind is Kind.ROOT_CAUSE and found.why == "stands under 'Root cause'"
    assert statements([agent(1, "## Root cause\n\nLet me look at `limits.toml` and the other files first.")]) == []


@pytest.mark.parametrize(
    ("text", "kind", "held"),
    [
        ("The root cause was that `parse_date` drops the zone.", Kind.ROOT_CAUSE, "parse_date"),
        ("I found the issue! The pool in `db.py` is created before the fork.", Kind.ROOT_CAUSE, "before the fork"),
        ("**Problem:** The hook runs twice because both settings files register it.", Kind.ROOT_CAUSE, "runs twice"),
        ("Lesson learned: `make check` must run before the version is bumped.", Kind.LESSON, "make check"),
        ("We decided to keep SQLite over Postgres because one writer is enough.", Kind.DECISION, "SQLite"),
        ("根本原因是 `read_all` 在文件末尾少读了一行数据。", Kind.ROOT_CAUSE, "read_all"),
    ],
)
def test_what_the_agent_establishes(text: str, kind: Kind, held: str) -> None:
    """Root causes, lessons and decisions with reasons, named as such, with something specific in them."""
    (found,) = statements([agent(3, text)])
    assert (found.kind, found.origin, found.marked) == (kind, Origin.AGENT, False)
    assert held in found.text


@pytest.mark.parametrize(
    "text",
    [
        "Let me check whether the root cause is in `db.py`.",
        "Now I'll run the tests again.",
        "All tests pass and lint is clean.",
        "Is the root cause the fork in `db.py`?",
        "The issue is tricky.",
        "- **Design:** two panels\n- **Decision:** pending",
    ],
)
def test_progress_plans_and_labels_are_no_notes(text: str) -> None:
    """What the agent is about to do, how far it is, and words used as labels give nothing."""
    assert statements([agent(1, text)]) == []


def test_a_list_under_a_telling_heading_is_taken_item_by_item() -> None:
    """Items under `Gotchas` and the like are notes; the text after the list is not."""
    text = (
        "## Gotchas\n\n- `flush` must come before `fsync`\n- the `tmp` folder is on another disk\n\nNext I update it."
    )
    assert [s.text for s in statements([agent(1, text)])] == [
        "`flush` must come before `fsync`",
        "the `tmp` folder is on another disk",
    ]


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        ("lesson: alpha", ["alpha"]),
        ("Done.\n\n**Lesson:** the cache must be warm\n\nNow the next.", ["the cache must be warm"]),
        ("- lesson: one\n- root-cause: two", ["one", "two"]),
        ("All fixed. lesson: the clock is UTC", ["the clock is UTC"]),
        ("lesson: the first line\n  goes on here\nNow the work", ["the first line\ngoes on here"]),
        ("lesson: this wraps\nonto the next line.\nNew thought.", ["this wraps\nonto the next line."]),
        ("lesson: with a list:\n- a\n- b\n\nother", ["with a list:\n- a\n- b"]),
        ("lesson: <what was learned>", []),
        ("```\nlesson: in a template\n```", []),
        ("> lesson: quoted", []),
        ("the lesson: none of this is marked at a line's start", []),
    ],
)
def test_markers_are_found_where_they_are_stated(text: str, bodies: list[str]) -> None:
    """At a line's start or after a sentence, with what continues it; not in code, quotations or templates."""
    found = statements([agent(1, text)])
    assert [s.text for s in found] == bodies
    assert all(s.marked for s in found)


def test_the_agents_marked_note_stands_for_what_it_was_told() -> None:
    """A rule that the agent notes itself in its answer is one note, not two."""
    (found,) = after("use pnpm, never npm", "lesson: this repository uses pnpm")
    assert found.text == "this repository uses pnpm"


def test_the_same_cause_told_again_is_one_statement() -> None:
    """A summary that repeats a cause adds nothing."""
    cause = "The root cause was that `parse_date` drops the zone."
    assert len(statements([agent(1, cause), agent(2, f"Summary. {cause}")])) == 1


def test_reading_in_two_parts_finds_the_same() -> None:
    """A message whose answer is not there yet waits; together the parts give what the whole gives."""
    rows = [person(1, "Never push to main without review."), agent(2, ANSWER), person(3, "always squash commits here")]
    rows.append(agent(4, ANSWER))
    whole = statements(rows)
    for cut in range(1, 4):
        first = statements(rows[:cut])
        later = [s for s in statements(rows) if s.at > cut]
        assert [*first, *later] == whole
