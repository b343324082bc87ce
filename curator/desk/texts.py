"""What a reviewer types becomes a draft through the same door as everything else: size, cleaning, credentials.

Pure helpers for editing a draft: restoring a missing detail, cutting a text into parts, other route.
"""

import re
from collections.abc import Sequence

from curator.desk.views import Lost, Row, Sheet
from curator.draft import Draft
from curator.errors import CuratorError
from curator.vocab import Route


def typed(draft: Draft, limit: int) -> Draft:
    """The draft as it may be stored. Raises `CuratorError` with size and limit (bytes) when it is too long."""
    size = len(draft.body.encode("utf-8", "replace"))
    if size > limit:
        raise CuratorError(f"the text has {size:,} bytes, more than the {limit:,} allowed; nothing was changed")
    from curator.door import admit  # compiles 7 ms of patterns

    body, title = admit(draft.body, limit).text, admit(draft.title, limit).text
    if not body:
        raise CuratorError("nothing of the text may be stored; nothing was changed")
    return draft.with_(body=body, title=" ".join(title.split()))


def restored(draft: Draft, lost: Lost, sources: Sequence[Draft]) -> Draft:
    """The draft with a missing detail put back: the statement of a source that it stood in, else its context."""
    wanted = lost.text.casefold()
    if wanted in draft.body.casefold():
        return draft
    sentences = (part.strip() for source in sources for part in _ENDS.split(source.body))
    more = next((sentence for sentence in sentences if wanted in sentence.casefold()), "")
    more = more or lost.context.strip() or lost.text
    return draft.with_(body=f"{draft.body}\n{more}")


_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
"""Where one statement ends and the next begins."""


def parts_of(draft: Draft, text: str) -> tuple[Draft, ...]:
    """One draft for each block of the text; blocks are parted by a line that holds only `---`; empty ones go."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == "---":
            blocks.append([])
        else:
            blocks[-1].append(line)
    bodies = ["\n".join(block).strip() for block in blocks]
    return tuple(draft.with_(body=body, title="", entry_id="") for body in bodies if body)


def other_route(draft: Draft) -> Draft:
    """Injected memory becomes deferred knowledge, and the other way round; the kind stays."""
    return draft.with_(route=Route.DEFERRED if draft.route is Route.INJECTED else Route.INJECTED)


def sheet(rows: tuple[Row, ...]) -> Sheet:
    """What a bulk over these rows would do: conflicts and edited proposals want a look of their own."""
    left = {"conflict": sum(row.conflict for row in rows)}
    left["edited"] = sum(row.edited and not row.conflict for row in rows)
    kept = tuple(row for row in rows if not row.conflict and not row.edited)
    return Sheet(kept, {name: count for name, count in left.items() if count}, sum(row.token_effect for row in kept))
