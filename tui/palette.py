"""The command palette: the actions of the screen it was opened on, from the one table, and the theme."""

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from tui.keys import Action, keys_of, of_scope
from tui.text import pad

_SELF = {"palette"}


class Actions(Provider):
    """What the screen below can do, by word or by what it says of itself."""

    def _all(self) -> Iterator[tuple[str, Action]]:
        keymap = getattr(self.app, "settings").keys  # noqa: B009 - the application's own type would be a cycle
        for action in of_scope(getattr(self.screen, "SCOPE", "")):
            if action.id not in _SELF:
                yield f"{pad(action.help, 44)} {' '.join(keys_of(action, keymap)[:2])}", action

    async def discover(self) -> Hits:
        """All of them."""
        for text, action in self._all():
            yield DiscoveryHit(Content(text), partial(self.screen.run_action, f"screen.{action.id}"))

    async def search(self, query: str) -> Hits:
        """Those whose key, help, word or id fits."""
        matcher = self.matcher(query)
        for text, action in self._all():
            score = max(matcher.match(each) for each in (text, action.word, action.id))
            if score > 0:
                yield Hit(score, Content(text), partial(self.screen.run_action, f"screen.{action.id}"))
