"""`review --plain`: the queue line by line, for screen readers and plain terminals. The same letters as the screen.

One question a line; nothing is redrawn and no cursor moves. Speaks to the desk and to two functions: one asks, one
tells. Every letter comes from the table in `tui.keys`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from curator.cli.telling import dossier_lines, evidence_line, head_of, item_line, log_line, summary_lines
from curator.desk.desk import Desk
from curator.desk.filters import parse
from curator.desk.texts import other_route, parts_of, restored, sheet
from curator.desk.views import Dossier, Filter, Outcome, Row, Shown
from curator.draft import Draft
from curator.errors import CuratorError
from curator.plain import one_line
from curator.vocab import Kind, ProposalState, Route
from tui.keys import ACTIONS

REASONS = ("wrong", "already known", "one-off", "too vague", "private")

Ask = Callable[[str], str | None]
"""Puts a question and gives the answer without its line end; None when the person has gone."""


class _Left(Exception):
    """The person has left."""


@dataclass
class PlainReview:
    """One review. `ask` puts a question, `tell` says a line, `edit` opens the person's editor on a draft."""

    desk: Desk
    ask: Ask
    tell: Callable[[str], None]
    edit: Callable[[Draft], Draft]
    wanted: Filter = field(default_factory=Filter)
    reason: str = "one-off"

    def run(self) -> None:
        """Go through the queue; whatever is left without a decision waits on."""
        newest = self.desk.log(1)
        since = newest[0].seq if newest else 0
        try:
            self._round()
        except _Left:
            self.tell("")
        told = self.desk.summary(since)
        if self.desk.log(1) != newest:
            for line in summary_lines(told):
                self.tell(line)

    def _round(self) -> None:
        queue = self.desk.queue(self.wanted)
        self.tell(head_of(queue))
        self.tell(f"Next session {queue.next_tokens:,} of {queue.budget:,} tokens. ? lists the letters.")
        rows = [row for row in queue.rows if row.state is ProposalState.OPEN or "snoozed" in self.wanted.marks]
        wanted = self.wanted
        for number, row in enumerate(rows, 1):
            self._proposal(row, f"Proposal {number} of {len(rows)}: ")
            if self.wanted != wanted:
                self._round()
                return

    def _proposal(self, row: Row, place: str) -> None:
        """Show one proposal and take letters until it is decided or left."""
        last = None
        while True:
            seen = self.desk.dossier(row.proposal_id)
            if seen.row.state is not ProposalState.OPEN and seen.row.state is not row.state:
                return
            if seen != last:
                self.tell("")
                first, *rest = dossier_lines(seen)
                for line in (place + first, *rest):
                    self.tell(line)
                last = seen
            letter = self._asked(f"Accept? [{','.join(letters())}, enter leaves it] ")
            if not letter:
                return
            if self._done(letter, seen):
                return

    def _done(self, letter: str, seen: Dossier) -> bool:
        """Do what the letter says; True when the next proposal follows."""
        name = _IDS.get("a" if letter == "y" else "r" if letter == "x" else letter)
        if name is None:
            self.tell(f"{letter!r} is no letter here; ? lists them.")
            return False
        if name == "quit":
            raise _Left
        try:
            return bool(getattr(self, f"_do_{name}")(seen))
        except CuratorError as error:
            self.tell(f"Not done: {error}")
            return False

    # -- deciding ------------------------------------------------------------------------------------------------

    def _do_accept(self, seen: Dossier) -> bool:
        outcome = self.desk.accept([_shown(seen)])
        done = self._told(outcome)
        return done or (outcome.items[0].outcome == "conflict" and bool(seen.merged) and self._settle(seen))

    def _settle(self, seen: Dossier) -> bool:
        """A target changed in between: the person says which text stands."""
        (now,), merged = seen.now[:1], seen.merged[0]
        answer = self._asked("Which text stands? [n now, p proposed, m merged, e edit the merged, enter leaves it] ")
        if answer == "n":
            return self._told(self.desk.reject([_shown(seen)], "the newer text stands"))
        if answer == "p" and now is not None:
            kept = seen.after[0]
            return self._told(self.desk.accept_as(_shown(seen), [kept], seen.now))
        if answer == "m":
            return self._told(self.desk.accept_as(_shown(seen), [merged], seen.now))
        if answer == "e":
            return self._told(self.desk.accept_as(_shown(seen), [self.edit(merged)], seen.now))
        return False

    def _do_reject(self, seen: Dossier) -> bool:
        reason = self._reason()
        return bool(reason) and self._told(self.desk.reject([_shown(seen)], reason))

    def _do_snooze(self, seen: Dossier) -> bool:
        return self._told(self.desk.snooze([_shown(seen)]))

    def _do_edit(self, seen: Dossier) -> bool:
        draft = _one(seen)
        self.tell("Type the new text; a line with only a dot ends it, a dot alone leaves it as it is.")
        body = self._lines()
        return bool(body) and self._revise(seen, draft.saying(body))

    def _do_edit_external(self, seen: Dossier) -> bool:
        draft = _one(seen)
        new = self.edit(draft)
        return new != draft and self._revise(seen, new)

    def _do_route(self, seen: Dossier) -> bool:
        return self._revise(seen, other_route(_one(seen)))

    def _do_labels(self, seen: Dossier) -> bool:
        draft = _one(seen)
        kind = self._asked(f"Kind? [{', '.join(Kind)}; enter keeps {draft.kind}] ") or draft.kind
        default = Kind(kind).route if kind in set(Kind) and kind != draft.kind else draft.route
        route = self._asked(f"Route? [{', '.join(Route)}; enter takes {default}] ") or default
        labels = self._asked(f"Labels? [commas between; enter keeps {', '.join(draft.labels) or 'none'}, - for none] ")
        kept = draft.labels if not labels else () if labels == "-" else tuple(labels.split(","))
        if kind not in set(Kind) or route not in set(Route):
            raise CuratorError(f"there is no kind {kind!r} or no route {route!r}")
        return self._revise(seen, draft.with_(kind=Kind(kind), route=Route(route), labels=kept))

    def _do_restore_lost(self, seen: Dossier) -> bool:
        if not seen.lost:
            raise CuratorError("nothing is missing from the result")
        return self._revise(seen, restored(_one(seen), seen.lost[0], seen.before))

    def _do_split(self, seen: Dossier) -> bool:
        self.tell("Type the parts, a line with only --- between them; a line with only a dot ends.")
        parts = parts_of(_one(seen), self._lines())
        return len(parts) > 1 and self._told(self.desk.split(_shown(seen), parts))

    def _do_fold(self, seen: Dossier) -> bool:
        """Merge into a similar memory by its number, or look for one."""
        for number, each in enumerate(seen.similar, 1):
            self.tell(f"{number}: {each.entry_id} {one_line(each.title, 80)}")
        answer = self._asked("Merge into which? [number or id; words search the memory; enter leaves it] ")
        if answer.isdigit() and 0 < int(answer) <= len(seen.similar):
            return self._folded(seen, seen.similar[int(answer) - 1].entry_id)
        if answer.startswith("m-"):
            return self._folded(seen, answer)
        for entry in self.desk.search(answer, 10) if answer else ():
            self.tell(f"{entry.entry_id} rev {entry.rev} {entry.draft.kind}: {one_line(entry.draft.text, 200)}")
        return False

    def _folded(self, seen: Dossier, entry_id: str) -> bool:
        entry = self.desk.entry(entry_id)
        self._told(self.desk.fold(_shown(seen), entry.entry_id, entry.rev))
        return False

    def _do_undo(self, seen: Dossier) -> bool:  # noqa: ARG002 - every letter is given what is on screen
        self._told(self.desk.undo())
        return False

    def _do_accept_marked(self, seen: Dossier) -> bool:  # noqa: ARG002
        rows = self._bulk("Accept")
        return bool(rows) and self._told(self.desk.accept([Shown(row.proposal_id, row.rev) for row in rows]))

    def _do_reject_marked(self, seen: Dossier) -> bool:  # noqa: ARG002
        rows = self._bulk("Reject")
        reason = self._reason() if rows else ""
        return bool(reason) and self._told(self.desk.reject([Shown(r.proposal_id, r.rev) for r in rows], reason))

    # -- looking -------------------------------------------------------------------------------------------------

    def _do_filter(self, seen: Dossier) -> bool:  # noqa: ARG002
        line = self._asked("Filter? [op: kind: route: label: conf>= conf< is: words; enter shows all] ")
        wanted = parse(line)
        left = self.wanted != wanted
        self.wanted = wanted
        return left

    def _do_source(self, seen: Dossier) -> bool:
        for each in seen.evidence:
            self.tell(evidence_line(each))
            lines = self.desk.source(each)
            for line in lines:
                self.tell(f"{'> ' if line.cited else '  '}{line.seq} {line.kind}: {one_line(line.text, 400)}")
            if not lines:
                self.tell("  no conversation is kept for it")
        return False

    def _do_preview(self, seen: Dossier) -> bool:  # noqa: ARG002
        shown = self.desk.preview()
        self.tell(f"The next session gets {shown.tokens:,} of {shown.budget:,} tokens, {shown.size:,} bytes:")
        for line in shown.text.splitlines() or ["nothing"]:
            self.tell(line)
        for each in shown.left:
            self.tell(f"Left out: {each.entry_id} {one_line(each.title, 60)}: {each.why}")
        return False

    def _do_log(self, seen: Dossier) -> bool:  # noqa: ARG002
        for line in self.desk.log(20):
            self.tell(log_line(line))
        return False

    def _do_help(self, seen: Dossier) -> bool:  # noqa: ARG002
        for action in ACTIONS:
            if action.plain and action.id in _IDS.values():
                text = _HELP.get(action.id, action.help)
                self.tell(f"{action.plain}  {text}")
        self.tell("enter  leave it undecided and go on")
        return False

    # -- asking --------------------------------------------------------------------------------------------------

    def _asked(self, question: str) -> str:
        answer = self.ask(question)
        if answer is None:
            raise _Left
        return answer.strip()

    def _lines(self) -> str:
        lines: list[str] = []
        while (line := self.ask("")) is not None and line.strip() != ".":
            lines.append(line)
        return "\n".join(lines).strip()

    def _reason(self) -> str:
        told = ", ".join(f"{number} {reason}" for number, reason in enumerate(REASONS, 1))
        answer = self._asked(f"Reason? [{told}, or your own words; enter takes {self.reason}, - leaves it] ")
        if answer == "-":
            return ""
        if answer.isdigit() and 0 < int(answer) <= len(REASONS):
            answer = REASONS[int(answer) - 1]
        self.reason = answer or self.reason
        return self.reason

    def _bulk(self, word: str) -> tuple[Row, ...]:
        """All that the filter shows, after the person has seen the list and said yes."""
        told = sheet(tuple(row for row in self.desk.queue(self.wanted).rows if row.state is ProposalState.OPEN))
        for row in told.rows:
            self.tell(f"{row.proposal_id} {row.op} {row.kind} {row.confidence:.2f}: {one_line(row.title, 80)}")
        left = ", ".join(f"{count} {name}" for name, count in told.left_out.items())
        self.tell(f"{len(told.rows)} proposals, {told.token_effect:+d} tokens; left out: {left or 'none'}.")
        if not told.rows or self._asked(f"{word} these {len(told.rows)}? One undo takes all back. [yes, no] ") != "yes":
            return ()
        return told.rows

    def _revise(self, seen: Dossier, draft: Draft) -> bool:
        self._told(self.desk.revise(_shown(seen), [draft], seen.now))
        return False

    def _told(self, outcome: Outcome) -> bool:
        """Say what happened; True when something was decided, so that the next proposal follows."""
        for item in outcome.items:
            line = item_line(item)
            if item.done and item.entry_id and len(outcome.items) == 1:
                line += f" rev {self.desk.entry(item.entry_id).rev}" if _is_there(self.desk, item.entry_id) else ""
            self.tell(f"{line[:1].upper()}{line[1:]}.")
        budget = self.desk.store.settings.memory_tokens
        if outcome.decision is not None:
            self.tell(f"Next session {outcome.next_tokens:,} of {budget:,} tokens. u to undo.")
        return outcome.decision is not None


def letters() -> tuple[str, ...]:
    """The letters of plain mode, in the table's order."""
    return tuple(_IDS)


_IDS = {
    action.plain: action.id
    for action in reversed(ACTIONS)
    if action.plain and (hasattr(PlainReview, f"_do_{action.id}") or action.id == "quit")
}
_IDS = dict(sorted(_IDS.items(), key=lambda pair: [action.id for action in ACTIONS].index(pair[1])))
_HELP = {
    "accept_marked": "accept all that the filter shows, after a question",
    "reject_marked": "reject all that the filter shows, after a question",
    "edit": "type another text",
    "source": "the conversation around the evidence",
    "fold": "merge into a similar memory; search memory",
}


def _shown(seen: Dossier) -> Shown:
    return Shown(seen.row.proposal_id, seen.row.rev)


def _one(seen: Dossier) -> Draft:
    results: Sequence[Draft] = seen.merged or seen.after
    if len(results) != 1:
        raise CuratorError("there is no text in it to change" if not results else "it has several results")
    return results[0]


def _is_there(desk: Desk, entry_id: str) -> bool:
    try:
        desk.entry(entry_id)
    except CuratorError:
        return False
    return True
