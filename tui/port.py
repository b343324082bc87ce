"""What the screens ask of the desk. `curator.desk.Desk` is the one implementation that ships; tests have a fake."""

from collections.abc import Sequence
from typing import Any, Protocol

from curator.desk.views import Dossier, Entry, Filter, LogLine, Outcome, Queue, Shown, Summary
from curator.draft import Draft


class Desk(Protocol):
    """Every reviewer action and view. One transaction a call; raises `CuratorError` with one line of reason."""

    def queue(self, wanted: Filter = Filter()) -> Queue:  # noqa: B008 - a frozen value
        """The proposals that fit, by harm if wrong, then confidence."""

    def dossier(self, proposal_id: str) -> Dossier:
        """Everything about one proposal."""

    def accept(self, shown: Sequence[Shown], comment: str = "") -> Outcome:
        """Apply exactly what was shown; several are one decision."""

    def reject(self, shown: Sequence[Shown], reason: str, comment: str = "") -> Outcome:
        """Refuse, with a reason that the next sweep reads."""

    def snooze(self, shown: Sequence[Shown]) -> Outcome:
        """Put off until the next sweep."""

    def undo(self, seq: int | None = None) -> Outcome:
        """Take back the last decision, or a named one."""

    def log(self, limit: int = 20) -> tuple[LogLine, ...]:
        """The decisions, newest first."""

    def revise(self, shown: Shown, drafts: Sequence[Draft]) -> Outcome:
        """Change what a proposal would write; it stays pending."""

    def split(self, shown: Shown, parts: Sequence[Draft]) -> Outcome:
        """Make several pending proposals of one."""

    def fold(self, shown: Shown, entry_id: str) -> Outcome:
        """Make the proposal a merge into that entry; it stays pending."""

    def summary(self, since: int) -> Summary:
        """What was decided after that decision, and what it does to the next session."""

    def search(self, text: str) -> tuple[Entry, ...]:
        """Entries that match, best first."""

    def preview(self) -> Any:
        """What the next session gets."""
