"""The person's words in the checkpoint's text: copied from the record each time, shared out when room is short.

Owns how a message is quoted, cut and chosen. What finds no room is named by its number; nothing here forgets one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curator.checkpoint.carry import Carries, carries
from curator.checkpoint.frame import as_typed, harmless
from curator.checkpoint.limits import FLOOR, MESSAGE
from curator.checkpoint.share import cut, level
from curator.ports import Count

HEADING = "# 5. The user's words"


@dataclass(frozen=True)
class Word:
    """A message of the person: its number, and its text (in the record whole, in a checkpoint as much as is shown)."""

    seq: int
    text: str


@dataclass(frozen=True)
class Shown:
    """The words as they stand in the text, in order, and the numbers of those that found no room."""

    words: tuple[Word, ...]
    left_out: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(_line(word.seq, word.text) for word in self.words)


@dataclass(frozen=True)
class _Item:
    """A message ready to be shown: `whole` is at most 300 tokens and a notice; `size`, `frame`, `notice` are tokens."""

    seq: int
    raw: str
    whole: str
    size: int
    frame: int
    notice: int

    @property
    def floor(self) -> int:
        return self.frame + min(self.size, FLOOR + self.notice)

    def within(self, share: int, count: Count) -> str:
        """The text in at most `share` tokens."""
        return self.whole if self.size <= share else _cut(self.seq, self.raw, share - self.notice, count)


def fitted(messages: Sequence[Word], budget: int, count: Count) -> Shown:
    """The messages in order, within `budget` tokens with their framing.

    Each is whole up to 300 tokens. Over the budget the longest are cut to one common share. Where even ten tokens
    each do not fit, those that forbid, constrain, authorize or prefer come first whatever their age, then the first
    message, then the newest backwards. Sizes of parts only add up nearly, so the whole is counted at the end.
    """
    items = [_item(word, count) for word in messages]
    room = budget
    while True:
        texts = _shared(items, room, count) if sum(i.floor for i in items) <= room else _chosen(items, room, count)
        shown = Shown(
            tuple(Word(item.seq, texts[item.seq]) for item in items if item.seq in texts),
            tuple(item.seq for item in items if item.seq not in texts),
        )
        over = count(shown.text) - budget
        if over <= 0 or not texts:
            return shown
        room -= over


def _chosen(items: Sequence[_Item], room: int, count: Count) -> dict[int, str]:
    """Texts by number when not all get room: what guides first, one kind after the other, then a few whole ones."""
    ranks = {item.seq: carries(item.raw) for item in items}
    texts: dict[int, str] = {}
    for rank in (r for r in Carries if r is not Carries.ORDINARY):
        tier = _that_fit((item for item in items if ranks[item.seq] is rank), room)
        texts |= _shared(tier, room, count)
        room -= sum(item.frame + count(texts[item.seq]) for item in tier)
    for item in (*items[:1], *reversed(items[1:])):
        if item.seq not in texts and item.floor <= room:
            texts[item.seq] = item.within(room - item.frame, count)
            room -= item.frame + count(texts[item.seq])
    return texts


def _that_fit(items: Iterable[_Item], room: int) -> list[_Item]:
    taken = []
    for item in items:
        if item.floor <= room:
            taken.append(item)
            room -= item.floor
    return taken


def _shared(items: Sequence[_Item], room: int, count: Count) -> dict[int, str]:
    """Each text, the longest cut to the common share that `room` leaves after the framing."""
    share = level([item.size for item in items], room - sum(item.frame for item in items))
    return {item.seq: item.within(max(share, FLOOR + item.notice), count) for item in items}


def _item(word: Word, count: Count) -> _Item:
    raw = as_typed(harmless(word.text[: MESSAGE * 40]))
    size = count(raw)
    if size > MESSAGE or len(word.text) > MESSAGE * 40:
        whole = _cut(word.seq, raw, MESSAGE, count)
        size = count(whole)
    else:
        whole = raw
    return _Item(word.seq, raw, whole, size, count(_line(word.seq, "")) + 1, count(_notice(word.seq)) + 1)


def _cut(seq: int, text: str, limit: int, count: Count) -> str:
    return cut(text, limit, count).rstrip() + _notice(seq)


def _notice(seq: int) -> str:
    return f" … [cut: #{seq}]"


def _line(seq: int, text: str) -> str:
    return f"- (#{seq}) {text}"
