"""From waiting notes to planned proposals: what each is, what it stands next to, and what follows from that.

Owns the decisions of a sweep about notes. Reads through a `Nominator`; writes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.door.normal import fingerprint
from curator.draft import Draft, draft
from curator.sweep.chain import Chain, chained
from curator.sweep.classify import Classified, classify
from curator.sweep.marks import mark
from curator.sweep.misplaced import rerouted
from curator.sweep.nominate import Known, Nominator, imported_from
from curator.sweep.planned import Planned, retired, slot_line, warned
from curator.sweep.pool import Pool
from curator.sweep.relate import Verdict, relate
from curator.sweep.revising import revises
from curator.sweep.slots import NEGATIONS, specifics
from curator.sweep.split import parts_of
from curator.sweep.state import Refused, State, Waiting
from curator.sweep.withdrawn import taken_back, withdrawal
from curator.vocab import Kind, NoteState, Op, Origin, Relation, lowest

Judge = Callable[[str, str], Verdict]
"""Older text, newer text: how they stand."""

Meant = Callable[[str], Mapping[str, float]]
"""Ids of entries near in meaning to a text, with their cosine."""

NEAR = {Relation.RESTATES: 0.5, Relation.REFINES: 0.5, Relation.REPLACES: 0.45}
SURE = 0.5
"""Below these an outcome is not proposed: the text is added beside the other one, which is shown as similar."""

SURE_OF_CORRECTION = 0.4
"""The same where a correction puts one value in the place of another: its speaker says that something changed."""

SURE_BY_MEANING = 0.8
"""Least confidence where meaning alone nominated the entry: the two texts share few words to judge by."""

_OPS = {Relation.RESTATES: Op.MERGE, Relation.REFINES: Op.UPDATE, Relation.REPLACES: Op.UPDATE}


@dataclass(frozen=True)
class Settled:
    """A note that makes no proposal: its state, and why. With `waits` it stays as it is until something is decided."""

    note_id: str
    state: NoteState
    reason: str
    waits: str = ""
    refused: str = ""


@dataclass
class Outcome:
    """What the notes came to. `verdicts`: older hash, newer hash, verdict."""

    planned: list[Planned] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    verdicts: list[tuple[str, str, Verdict]] = field(default_factory=list)


def judge_notes(
    state: State,
    nominator: Nominator,
    judge: Judge = relate,
    meant: Meant | None = None,
    step: Callable[[int], None] | None = None,
    standing: frozenset[str] = frozenset(),
) -> Outcome:
    """Every waiting note judged. `meant` gives ids of entries near in meaning; `step` is told of progress.

    An entry whose fingerprint is `standing` is revised by no note of an import: its line is still there.
    """
    outcome = Outcome()
    kept: list[tuple[Waiting, Classified, str]] = []
    refusals = _pool({refused.fingerprint: refused.text for refused in state.refused})
    by_key = {refused.fingerprint: refused for refused in state.refused}
    for note in state.notes:
        found = kind_of(note)
        blocked, before = _refused(note, refusals, by_key, judge)
        if blocked:
            outcome.settled.append(blocked)
        elif found.skip:
            outcome.settled.append(Settled(note.note_id, NoteState.SKIPPED, found.reason))
        else:
            kept.append((note, found, before))
    opened = _pool({f"{o.proposal_id} {n}": text for o in state.open for n, text in enumerate(o.texts)})
    texts = {f"{o.proposal_id} {n}": text for o in state.open for n, text in enumerate(o.texts)}
    taken = dict(state.held)
    for done, chain in enumerate(chained(kept, judge), 1):
        if step:
            step(done)
        if waits := _open_already(chain, opened, texts, state, judge):
            outcome.settled += [Settled(n.note_id, NoteState.WAITING, waits[1], waits=waits[0]) for n in chain.notes]
            continue
        _place(chain, nominator, judge, meant, taken, outcome, standing)
    return outcome


def _place(
    chain: Chain,
    nominator: Nominator,
    judge: Judge,
    meant: Meant | None,
    taken: dict[str, str],
    outcome: Outcome,
    standing: frozenset[str],
) -> None:
    if _withdrawn(chain, nominator, taken, outcome):
        return
    by_meaning = meant(chain.text) if meant else {}
    near = nominator.near(chain.text, more=tuple(by_meaning))
    best: tuple[float, Known, Verdict] | None = None
    for known, likeness in near:
        if likeness < min(NEAR.values()) and known.entry_id not in by_meaning:
            continue
        if known.fingerprint in standing and imported_from(chain.note.source):
            continue
        said, text = known.under(chain.note.title), chain.text
        late = chain.note.at < nominator.said(known)
        older, newer = (text, said) if late else (said, text)
        verdict = judge(older, newer)
        outcome.verdicts.append((fingerprint(older), fingerprint(newer), verdict))
        if verdict.relation is Relation.SAME:
            _same(chain, known, taken, outcome)
            return
        if late and _may_join(verdict, likeness, chain, said):
            why = f"said before {known.entry_id}, which holds since: {verdict.reason}"
            outcome.settled += [Settled(each.note_id, NoteState.SEEN, why) for each in chain.notes]
            return
        if not late and _may_join(verdict, likeness, chain, text):
            score = max(likeness, by_meaning.get(known.entry_id, 0.0)) * verdict.confidence
            if best is None or score > best[0]:
                best = (score, known, verdict)
    scored = [(known, max(likeness, by_meaning.get(known.entry_id, 0.0))) for known, likeness in near]
    similar = [_similar(*each) for each in sorted(scored, key=lambda each: (-each[1], each[0].entry_id))[:3]]
    if best is None:
        outcome.planned.append(_added(chain, similar))
        return
    _, known, verdict = best
    if held := taken.get(known.entry_id):
        why = f"{held} about {known.entry_id} is open"
        outcome.settled += [Settled(note.note_id, NoteState.WAITING, why) for note in chain.notes]
        return
    taken[known.entry_id] = "another proposal of this sweep"
    outcome.planned.append(_joined(chain, known, verdict, similar))


def _may_join(verdict: Verdict, likeness: float, chain: Chain, newer: str) -> bool:
    """May this be proposed on the entry? Words nominate it, or else meaning, and then the judge must be very sure."""
    wanted = NEAR.get(verdict.relation)
    if wanted is None:
        return False
    if likeness < wanted:
        return verdict.confidence >= SURE_BY_MEANING
    corrects = chain.note.kind == Kind.CORRECTION
    sure = SURE_OF_CORRECTION if corrects and verdict.changes and verdict.relation is Relation.REPLACES else SURE
    return verdict.confidence >= sure and revises(verdict, newer, corrects)


def _withdrawn(chain: Chain, nominator: Nominator, taken: dict[str, str], outcome: Outcome) -> bool:
    """The person takes an entry back: it is retired, or replaced by what is to hold instead."""
    said = withdrawal(chain.text) if chain.note.origin is Origin.HUMAN else None
    known = taken_back(said.about, nominator) if said else None
    if said is None or known is None or known.entry_id in taken:
        return False
    taken[known.entry_id] = "another proposal of this sweep"
    why = f"you took this back: {said.about}"
    if said.replaced:
        outcome.planned.append(_joined(chain, known, Verdict(Relation.REPLACES, why, 0.8), []))
        return True
    base = _base(chain, [])
    evidence = (*base.evidence, known.evidence)
    outcome.planned.append(retired(known, why, 0.8).with_(notes=base.notes, evidence=evidence, origin=base.origin))
    return True


def _same(chain: Chain, known: Known, taken: dict[str, str], outcome: Outcome) -> None:
    """An entry says the same: one more sighting, unless the person names it as of the other store."""
    note, why = chain.note, f"{known.entry_id} says the same"
    kind = Kind(note.kind) if note.marked and note.origin is Origin.HUMAN else known.draft.kind
    if kind.route is not known.draft.route and known.entry_id not in taken:
        taken[known.entry_id] = "another proposal of this sweep"
        planned = rerouted(known, kind, f"you marked it {kind.value}", 0.9, notes=tuple(n.note_id for n in chain.notes))
        outcome.planned.append(planned.with_(evidence=(*(e for n in chain.notes for e in n.evidence), known.evidence)))
        return
    outcome.settled += [Settled(each.note_id, NoteState.SEEN, why) for each in chain.notes]


def _added(chain: Chain, similar: list[dict[str, Any]]) -> Planned:
    made = _draft(chain)
    parts = parts_of(made) if chain.single and not chain.note.source.get("whole") else ()
    reason = chain.reason or chain.found.reason
    if parts:
        reason = f"{len(parts)} statements in one note; {reason}"
    return _base(chain, similar).with_(op=Op.SPLIT if parts else Op.ADD, after=parts or (made,), reason=reason)


def _joined(chain: Chain, known: Known, verdict: Verdict, similar: list[dict[str, Any]]) -> Planned:
    """One proposal on an entry: its text replaced as a revision of its own, or by a new entry that supersedes it."""
    made, old = _draft(chain), known.draft
    labels = tuple({*old.labels, *made.labels})
    refs = tuple(dict.fromkeys([*old.refs, *made.refs]))
    kind = made.kind if chain.note.marked else old.kind
    route = made.route if chain.note.marked else old.route
    entry_id = "" if verdict.relation is Relation.REPLACES else old.entry_id
    title = made.title if made.title and (chain.note.title or not entry_id) else ""
    after = draft(title, made.body, kind, route, labels, refs, entry_id)
    confidence = round(min(verdict.confidence, max(chain.found.confidence, 0.5)), 3)
    return _base(chain, similar).with_(
        op=_OPS[verdict.relation],
        after=(after,),
        before=(old,),
        targets=(known.target,),
        reason="; ".join(part for part in (verdict.reason, chain.reason) if part),
        relation=verdict.relation,
        confidence=confidence,
        group=known.entry_id,
    )


def _base(chain: Chain, similar: list[dict[str, Any]]) -> Planned:
    note = chain.note
    settings: dict[str, Any] = {"slots": slot_line(chain.text)}
    if older := [other for other in chain.notes if other is not note]:
        settings["older"] = [other.text for other in older]
        settings["chain"] = [_draft_of(other, chain.found.kind).document() for other in older]
    if chain.before:
        settings["rejected_before"] = chain.before
    return Planned(
        op=Op.ADD,
        key=note.fingerprint,
        after=(),
        reason="",
        confidence=chain.found.confidence,
        origin=lowest(*(each.origin for each in chain.notes)),
        notes=tuple(each.note_id for each in chain.notes),
        evidence=tuple(item for each in chain.notes for item in each.evidence),
        similar=tuple(similar),
        warnings=warned(chain.text, not chain.found.abstains),
        group=chain.group,
        settings=settings,
    )


def _draft(chain: Chain) -> Draft:
    made = _draft_of(chain.note, chain.found.kind)
    others = [each for each in chain.notes if each is not chain.note]
    labels = tuple({*made.labels, *(label for each in others for label in each.labels)})
    refs = tuple(dict.fromkeys([*made.refs, *(ref for each in others for ref in each.refs)]))
    return made.with_(labels=labels, refs=refs)


def _draft_of(note: Waiting, kind: Kind | None) -> Draft:
    wanted = Kind(note.kind) if note.kind in set(Kind) else kind or Kind.LESSON
    return draft(note.title, note.text, wanted, None, note.labels, note.refs)


def kind_of(note: Waiting) -> Classified:
    """The kind of a note: by its marker, by where it stood, or by its text."""
    heading, part = str(note.source.get("heading") or ""), str(note.source.get("part") or "")
    if note.kind and not note.marked and not mark(note.text):
        why = str(note.source.get("why") or "") or (f"it stood under {heading!r}" if heading else "by where it stood")
        kind = Kind(note.kind)
        return Classified(kind, kind.route, 0.85, why)
    return classify(note.text, note.kind if note.marked else "", heading, part, note.origin, note.title)


def _refused(note: Waiting, pool: Pool, by_key: dict[str, Refused], judge: Judge) -> tuple[Settled | None, str]:
    """Blocked because a person refused this; or, when a specific changed, what the reviewer is told."""
    if note.fingerprint in by_key:
        refused = by_key[note.fingerprint]
        return Settled(note.note_id, NoteState.BLOCKED, refused.why, refused=refused.fingerprint), ""
    for key, _ in pool.near(note.text, 3, least=0.5):
        refused = by_key[key]
        verdict = judge(refused.text, note.text)
        same_slots = _values(refused.text) == _values(note.text)
        if verdict.relation in (Relation.SAME, Relation.RESTATES) and same_slots:
            return Settled(note.note_id, NoteState.BLOCKED, f"in other words: {refused.why}", refused=key), ""
        if verdict.relation is not Relation.DISTINCT:
            return None, refused.before
    return None, ""


def _values(text: str) -> set[str]:
    """A text's specifics but for its negations: "never" and "do not" say the same, and `relate` saw the rest."""
    return {token.norm for token in specifics(text) if token.norm not in NEGATIONS}


def _open_already(
    chain: Chain, pool: Pool, texts: dict[str, str], state: State, judge: Judge
) -> tuple[str, str] | None:
    """The open proposal about the same, and why the note waits for its decision."""
    if open_id := state.fingerprints.get(chain.note.fingerprint):
        return open_id, f"{open_id} proposes this already"
    for key, likeness in pool.near(chain.text, 4, least=0.45):
        verdict = judge(texts[key], chain.text)
        if likeness >= NEAR.get(verdict.relation, 2.0) and _may_join(verdict, likeness, chain, chain.text):
            open_id = key.split(" ")[0]
            return open_id, f"{open_id} is open about the same: {verdict.reason}"
        if verdict.relation is Relation.SAME:
            return key.split(" ")[0], f"{key.split(' ')[0]} proposes this already"
    return None


def _similar(known: Known, likeness: float) -> dict[str, Any]:
    return {
        "entry_id": known.entry_id,
        "score": likeness,
        "title": known.draft.title,
        "route": known.draft.route.value,
    }


def _pool(texts: dict[str, str]) -> Pool:
    pool = Pool()
    for key, text in texts.items():
        pool.add(key, text)
    return pool
