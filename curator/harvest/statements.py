"""What in a conversation is worth a note, told without a model. Pure; precision before recall.

Owns the rules: explicit markers; the person's corrections, rules, preferences, prohibitions and decisions; the
agent's root causes, lessons and decisions. A statement of the person is taken up when the answer (or the person's
next message) is there, because the answer tells a correction from a remark; so the result does not depend on where
a file was cut between two readings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from curator.door import normal, repeats, without_marker
from curator.harvest import rules
from curator.harvest.asked import asked, drafted
from curator.harvest.sentences import Line, prose, sentences, words_in
from curator.vocab import Kind, Origin, Row


@dataclass(frozen=True)
class Said:
    """A row of the record as the rules see it; `text` is what was kept."""

    seq: int
    row: Row
    origin: Origin
    text: str
    by_person: bool = False


@dataclass(frozen=True)
class Statement:
    """Something that may become a note.

    `kind` is None where only the sweep can tell; `marked` says that the speaker named it. `seqs` are the rows it
    rests on, `at` the row whose arrival completed it, `why` the rule in words.
    """

    text: str
    kind: Kind | None
    marked: bool
    origin: Origin
    seqs: tuple[int, ...]
    at: int
    why: str


LONGEST = 1_200
"""Characters of the longest unmarked statement: what is longer is a paste or a report, not a memory."""

ASKED = "you asked for it in a memory file"

LISTED = 8
"""Items of the agent's list that "write that down" may mean."""


def statements(rows: Sequence[Said]) -> list[Statement]:
    """Every statement in these rows of one session, in order, each thing once."""
    found: list[Statement] = []
    person: Said | None = None
    reply: Said | None = None
    for row in rows:
        if not row.text.strip() or (row.row is Row.INPUT and not row.by_person) or row.row is Row.TOOL_RESULT:
            continue
        marked = list(_marked(row))
        if person is not None:
            found += _settled(person, row, marked)
            person = None
        found += marked
        if row.by_person:
            found += _asked(row, reply)
            person = None if reply and rules.answers(row.text, reply.text) else row
        elif row.row is Row.RESPONSE:
            found += _of_agent(row)
            reply = row
    return _once(found)


def _marked(row: Said) -> Iterable[Statement]:
    """Lines that begin with a marker such as `lesson:`, with the lines that continue them."""
    lines = prose(row.text)
    for number, line in enumerate(lines):
        for piece in rules.marker_pieces(line.text, row.by_person):
            body, kind = without_marker(piece)
            if piece == line.text or line.text.endswith(piece):
                body = "\n".join([body, *_continued(line, body, lines[number + 1 :])]).strip()
            if words_in(body) >= 1 and not rules.PLACEHOLDER.fullmatch(body):
                yield Statement(
                    body, Kind(kind.replace(" ", "-")), True, row.origin, (row.seq,), row.seq, f"marked {kind}:"
                )


def _continued(first: Line, body: str, rest: Sequence[Line]) -> Iterable[str]:
    """Lines that belong to a marked one: deeper ones, and the rest of a sentence that was wrapped."""
    open_end = not body or body[-1] in ":,;-—（(" or body[-1].isalnum()
    for line in rest:
        if not line.text or rules.begins_with_marker(line.text):
            return
        deeper = line.indent > first.indent or (line.item and (not body or body.endswith(":")))
        wrapped = open_end and not line.item and line.text[0].islower()
        if not (deeper or wrapped):
            return
        yield f"- {line.text}" if line.item else line.text
        open_end = line.text[-1] in ",;" or line.text[-1].isalnum()


def _settled(person: Said, answer: Said, answered: Sequence[Statement]) -> Iterable[Statement]:
    """What the person's message holds, now that it is known what came after it."""
    conceded = answer.row is Row.RESPONSE and rules.concedes(answer.text)
    for statement in _of_person(person, conceded):
        if any(_about_the_same(statement.text, marked.text) for marked in answered):
            continue  # the agent made a marked note of it in its answer
        yield replace(statement, at=answer.seq, seqs=(person.seq, answer.seq) if conceded else (person.seq,))


def _asked(row: Said, reply: Said | None) -> Iterable[Statement]:
    """What the person wants in a memory file: their words, or what the agent had just listed."""
    for line in prose(row.text):
        parts = [rules.without_lead(part) for part in sentences(line.text)]
        for number, part in enumerate(parts):
            wanted = asked(part)
            before = parts[number - 1] if number else ""
            if wanted is None:
                continue
            if rules.has_content(wanted.said):
                after = parts[number + 1 : number + 2]
                more = [each for each in after if rules.of_person(each) and words_in(each) <= 20]
                yield _written(" ".join([wanted.said, *more]), row)
            elif rules.has_content(before) and not rules.step(before):
                yield _written(before, row)
            elif reply is not None:
                seqs = (reply.seq, row.seq)
                for listed in _listed(reply):
                    yield replace(_statement(listed, Kind.PATTERN, reply, ASKED), seqs=seqs, at=row.seq)


def _written(text: str, row: Said) -> Statement:
    ruled = rules.of_person(text)
    return _statement(text, ruled[0] if ruled else Kind.PATTERN, row, ASKED)


def _listed(reply: Said) -> list[str]:
    """The items of an answer's last list that say something specific."""
    lines = prose(reply.text)
    last = next((line.heading for line in reversed(lines) if line.item), "")
    items = [line.text for line in lines if line.item and line.heading == last and not line.indent]
    good = [item for item in items if rules.specific(item) and words_in(item) >= 4 and not rules.tells_change(item)]
    return good[:LISTED]


def _of_person(row: Said, conceded: bool) -> Iterable[Statement]:
    lines = [line for line in prose(row.text) if line.text]
    whole = "\n".join(line.text for line in lines)
    if not whole or rules.begins_with_marker(lines[0].text):
        return
    short = len(whole) <= 400 and len(lines) <= 3
    corrects = rules.corrects(whole) or (conceded and not rules.mends(whole))
    if corrects and words_in(whole) >= 6 and len(whole) <= LONGEST and not asked(whole):
        text = whole if short else " ".join(list(sentences(lines[0].text))[:3])
        if rules.has_content(text) and not rules.passing(text):
            yield _statement(text, Kind.CORRECTION, row, "corrects the agent" + (", which agreed" if conceded else ""))
            return
    for line in lines:
        parts = [rules.without_lead(part) for part in sentences(line.text)]
        for number, sentence in enumerate(parts):
            if asked(sentence) or (number and asked(parts[number - 1])):
                continue  # taken up by the request
            if found := rules.of_person(sentence):
                kind, why = found
                if number and rules.belongs(sentence, parts[number - 1]):
                    continue
                around = [part for part in parts if part == sentence or not (rules.step(part) or asked(part))]
                text = " ".join(around) if short and len(lines) == 1 else rules.with_context(parts, number)
                if not rules.begins_with_marker(text):
                    yield _statement(text, kind, row, why)
                break  # one note a line: neighbouring sentences say the same thing


def _of_agent(row: Said) -> Iterable[Statement]:
    for item in drafted(row.text):
        if words_in(item) >= 4 and rules.has_content(item):
            yield _statement(item, Kind.PATTERN, row, "drafted for a memory file")
    lines = prose(row.text)
    explained = ""
    for line in lines:
        if not line.text or rules.begins_with_marker(line.text):
            continue
        if line.heading != explained and rules.is_cause_heading(line.heading) and not line.text.endswith((":", "：")):
            explained = line.heading
            if not line.item and (cause := rules.cause(list(sentences(line.text)))):
                yield _statement(cause, Kind.ROOT_CAUSE, row, f"stands under {line.heading!r}")
                continue
        if line.item and rules.is_lesson_heading(line.heading) and rules.has_content(line.text):
            yield _statement(line.text, Kind.PATTERN, row, f"listed under {line.heading!r}")
            continue
        parts = list(sentences(line.text))
        for number, sentence in enumerate(parts):
            if found := rules.of_agent(sentence, parts[number + 1] if number + 1 < len(parts) else ""):
                kind, why, text = found
                yield _statement(text, kind, row, why)
                break


def _statement(text: str, kind: Kind | None, row: Said, why: str) -> Statement:
    if row.origin is not Origin.HUMAN:
        text = text.replace("**", "")  # the agent's emphasis; a person's words stay as they are
    return Statement(text.strip(), kind, False, row.origin, (row.seq,), row.seq, why)


def _about_the_same(text: str, other: str) -> bool:
    """Do two statements share a word that is not an everyday one?"""
    return bool(rules.telling_words(text) & rules.telling_words(other))


def _once(found: Iterable[Statement]) -> list[Statement]:
    """Without what an earlier statement says already; a marked one is never dropped for an unmarked one."""
    kept: list[Statement] = []
    seen: set[str] = set()
    for statement in found:
        form = normal(statement.text)
        if form in seen or (not statement.marked and any(repeats(statement.text, before.text) for before in kept)):
            continue
        seen.add(form)
        kept.append(statement)
    return kept
