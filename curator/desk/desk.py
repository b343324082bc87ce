"""The desk: every action of a reviewer and every view, for the screen, plain mode and the shell alike.

One transaction a call; frozen values out, never rows. It applies what a person decided; whether a person decides is
asked before it is built (`curator.desk.guard`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from curator.desk import around as lookup
from curator.desk import dossier as dossiers
from curator.desk import history, rows, texts
from curator.desk import summary as summaries
from curator.desk.views import (
    Dossier,
    Entry,
    Evidence,
    Filter,
    Item,
    Line,
    Listed,
    LogLine,
    Outcome,
    Preview,
    Queue,
    Shown,
    Summary,
)
from curator.draft import Draft
from curator.errors import CuratorError
from curator.ledger import accept, decline, direct, revise, undo
from curator.ledger.deed import Deed
from curator.ledger.values import Frame, Who
from curator.ports import Tokens
from curator.store.engine import Store
from curator.vocab import Verb


class Desk:
    """What a reviewer can see and do in one store. Safe to call from several threads; each call stands alone.

    `after` is called after each decision that changed something, outside its transaction (the snapshot is rewritten
    there); what it raises is not the decision's failure and is left to it. `measure` gives the tokens that the next
    session will be handed. `own` opens the desk on the person's own store.
    """

    def __init__(
        self,
        store: Store,
        tokens: Tokens,
        reviewer: str,
        via: str = "terminal",
        *,
        after: Callable[[], None] = lambda: None,
        measure: Callable[[], int] = lambda: 0,
        own: "Callable[[], Desk] | None" = None,
    ) -> None:
        self.store, self.tokens, self.who = store, tokens, Who(reviewer, via)
        self._after, self._measure, self._own = after, measure, own
        self._first: int | None = None

    def queue(self, wanted: Filter = Filter()) -> Queue:  # noqa: B008 - a frozen value
        """What waits, worst if wrong first."""
        tokens = self._measure()
        self._first = tokens if self._first is None else self._first
        with self.store.read() as session:
            return rows.queue(session, self.store.project_id, wanted, tokens, self.store.settings.memory_tokens)

    def listed(self, wanted: Filter = Filter()) -> tuple[Listed, ...]:  # noqa: B008 - a frozen value
        """What waits, with texts, in the queue's order."""
        with self.store.read() as session:
            return rows.listed(session, self.store.project_id, wanted)

    def dossier(self, proposal_id: str) -> Dossier:
        """One proposal whole, by id or a unique beginning; raises `NotFound`."""
        with self.store.read() as session:
            return dossiers.dossier(session, self.store.project_id, proposal_id, self.store.place.top)

    def entry(self, entry_id: str) -> Entry:
        """One entry whole, by id or a unique beginning; raises `NotFound`."""
        with self.store.read() as session:
            return history.entry_of(session, self.store.project_id, entry_id)

    def source(self, evidence: Evidence, around: int = 5) -> tuple[Line, ...]:
        """The kept conversation at a piece of evidence; empty where none is kept."""
        with self.store.read() as session:
            return lookup.source(session, self.store.project_id, evidence, around)

    def search(self, words: str, limit: int = 50) -> tuple[Entry, ...]:
        """Active entries that hold all the words, best first."""
        with self.store.read() as session:
            return lookup.search(session, self.store.project_id, words, limit)

    def preview(self) -> Preview:
        """Exactly what the next session will be handed."""
        from curator.desk.upcoming import preview

        return preview(self.store)

    def summary(self, since: int) -> Summary:
        """What was decided after decision number `since`, and what it does to the next session."""
        now = self._measure()
        with self.store.read() as session:
            tokens = (now if self._first is None else self._first, now)
            budget = self.store.settings.memory_tokens
            return summaries.summary(session, self.store.project_id, since, tokens, budget)

    def tabs(self) -> dict[str, str]:
        """The saved filters by name."""
        with self.store.read() as session:
            return lookup.tabs(session, self.store.project_id)

    def save_tab(self, name: str, line: str) -> None:
        """Save a filter line under a name; an empty line takes it away. No decision."""
        with self.store.write() as session:
            lookup.save_tab(session, self.store.project_id, name, line, self.store.now)

    def log(self, limit: int = 20) -> tuple[LogLine, ...]:
        """Decisions, newest first; 0 gives all."""
        with self.store.read() as session:
            return history.log(session, self.store.project_id, limit)

    def accept(self, shown: Sequence[Shown], comment: str = "") -> Outcome:
        """Apply exactly what was shown: one transaction, one decision, one undo; what cannot be is named."""
        with self._deed(Verb.ACCEPT) as deed:
            items = accept.accept(deed, shown)
            decision = deed.close(comment=comment)
        return self._outcome(Verb.ACCEPT, decision, items)

    def reject(self, shown: Sequence[Shown], reason: str, comment: str = "") -> Outcome:
        """Refuse, for good: the text comes back only when something specific in it changes."""
        if not reason.strip():
            raise CuratorError("a rejection needs a reason")
        with self._deed(Verb.REJECT) as deed:
            items = decline.reject(deed, shown, reason.strip())
            decision = deed.close(reason=reason.strip(), comment=comment)
        return self._outcome(Verb.REJECT, decision, items)

    def snooze(self, shown: Sequence[Shown]) -> Outcome:
        """Put off until the next sweep."""
        with self._deed(Verb.SNOOZE) as deed:
            items = decline.snooze(deed, shown)
            decision = deed.close()
        return self._outcome(Verb.SNOOZE, decision, items)

    def revise(self, shown: Shown, after: Sequence[Draft], seen: Sequence[Draft | None] | None = None) -> Outcome:
        """Change a proposal's results before deciding; it waits on, edited, at a new revision.

        `seen` is the dossier's `now` and settles a conflict: what the person wrote stands on that.
        """
        after = [texts.typed(draft, self.store.settings.note_bytes) for draft in after]
        with self._deed(Verb.REVISE) as deed:
            item = revise.revise(deed, shown, after, seen)
            decision = deed.close()
        return self._outcome(Verb.REVISE, decision, (item,))

    def accept_as(self, shown: Shown, after: Sequence[Draft], seen: Sequence[Draft | None] | None = None) -> Outcome:
        """Revise and accept in one decision: the person wrote the text, so it is what was shown."""
        after = [texts.typed(draft, self.store.settings.note_bytes) for draft in after]
        with self._deed(Verb.ACCEPT) as deed:
            items: tuple[Item, ...] = (revise.revise(deed, shown, after, seen),)
            if items[0].done:
                items = accept.accept(deed, [Shown(shown.proposal_id, shown.rev + 1)])
            decision = deed.close() if items[0].done else None
            if decision is None:
                deed.session.rollback()
        return self._outcome(Verb.ACCEPT, decision, items)

    def fold(self, shown: Shown, entry_id: str, rev: int | None = None) -> Outcome:
        """Turn an addition into an update of a similar memory; it waits on with both texts in it, to be looked at.

        `rev` is the memory's revision as the person saw it; None takes it as it is, because nothing is applied yet.
        """
        with self._deed(Verb.REVISE) as deed:
            item = revise.fold(deed, shown, entry_id, rev)
            decision = deed.close()
        return self._outcome(Verb.REVISE, decision, (item,))

    def split(self, shown: Shown, parts: Sequence[Draft], evidence: Sequence[Sequence[int]] = ()) -> Outcome:
        """Make several proposals of one, each with the pieces of evidence (by position) that speak for it."""
        parts = [texts.typed(draft, self.store.settings.note_bytes) for draft in parts]
        with self._deed(Verb.SPLIT) as deed:
            item = revise.split(deed, shown, parts, evidence)
            decision = deed.close()
        return self._outcome(Verb.SPLIT, decision, (item,))

    def undo(self, seq: int | None = None) -> Outcome:
        """Take back the last decision that stands, or a named one; raises `Conflict` naming what must go first."""
        with self._deed(Verb.UNDO) as deed:
            wanted = undo.last(deed.session, deed.project_id) if seq is None else seq
            if wanted is None:
                raise CuratorError("nothing to undo: no decision stands")
            items = undo.undo(deed, wanted)
            decision = deed.close(undoes=wanted)
        return self._outcome(Verb.UNDO, decision, items)

    def edit(self, entry_id: str, rev: int, draft: Draft) -> Outcome:
        """Change an entry directly; `rev` is the revision that was shown."""
        draft = texts.typed(draft, self.store.settings.note_bytes)
        with self._deed(Verb.EDIT) as deed:
            direct.edit(deed, entry_id, rev, draft)
            decision = deed.close()
        return self._outcome(Verb.EDIT, decision, _item(entry_id, "edited", decision))

    def pin(self, entry_id: str, rev: int, *, pinned: bool = True) -> Outcome:
        """Always inject an entry, or stop that."""
        verb = Verb.PIN if pinned else Verb.UNPIN
        with self._deed(verb) as deed:
            direct.pin(deed, entry_id, rev, pinned=pinned)
            decision = deed.close()
        return self._outcome(verb, decision, _item(entry_id, f"{verb}ned", decision))

    def tombstone(self, entry_id: str, rev: int, reason: str) -> Outcome:
        """Retire an entry, with a reason."""
        if not reason.strip():
            raise CuratorError("a tombstone needs a reason")
        with self._deed(Verb.TOMBSTONE) as deed:
            direct.tombstone(deed, entry_id, rev, reason.strip())
            decision = deed.close(reason=reason.strip())
        return self._outcome(Verb.TOMBSTONE, decision, _item(entry_id, "tombstoned", decision))

    def restore(self, entry_id: str, rev: int) -> Outcome:
        """Bring a retired entry back."""
        with self._deed(Verb.RESTORE) as deed:
            direct.restore(deed, entry_id, rev)
            decision = deed.close()
        return self._outcome(Verb.RESTORE, decision, _item(entry_id, "restored", decision))

    def promote(self, entry_id: str, rev: int) -> Outcome:
        """Move an entry to the person's own store, which serves every project. Each store records its half.

        The own store is written last but committed first: a failure there leaves this store as it was.
        """
        own = self._own() if self._own else self
        if own.store.place.root == self.store.place.root:
            raise CuratorError(f"{entry_id} is in your own store already")
        with self._deed(Verb.PROMOTE) as deed:
            seen = history.entry_of(deed.session, deed.project_id, entry_id)
            direct.leave(deed, entry_id, rev, "moved to the person's own store")
            with own._deed(Verb.PROMOTE) as other:
                made = direct.arrive(other, seen.draft, origin=seen.origin, pinned=seen.pinned, source=seen.source)
                other.close(reason=f"from {self.store.place.root.name}")
            decision = deed.close(reason=f"moved to the person's own store as {made}")
        own._after()
        detail = f"it is {made} in your own store"
        return self._outcome(Verb.PROMOTE, decision, (Item(entry_id, True, "promoted", made, detail),))

    @contextmanager
    def _deed(self, verb: Verb) -> Iterator[Deed]:
        with self.store.write(durable=True) as session:
            yield Deed(session, Frame(self.store.project_id, self.who, self.store.now(), self.tokens), verb)

    def _outcome(self, verb: Verb, decision: int | None, items: tuple[Item, ...]) -> Outcome:
        if decision is not None:
            self._after()
        return replace(Outcome(verb, decision, items), next_tokens=self._measure())


def _item(entry_id: str, outcome: str, decision: int | None) -> tuple[Item, ...]:
    return (Item(entry_id, True, outcome if decision is not None else "unchanged", entry_id),)
