"""`remember` where the store cannot be written now: the text waits in the spool until a command can take it in.

Owns the form of such a line. Credentials are taken out before it is written; taking one in twice notes it once.
"""

from datetime import datetime
from typing import Any

from sqlmodel import Session

from curator import spool
from curator.door import redact
from curator.errors import BadUsage
from curator.harvest.remembering import Handed, check, noted
from curator.place import Place
from curator.store.engine import Store
from curator.vocab import Kind, Origin

QUEUE = spool.REMEMBERED


def leave(
    place: Place, handed: Handed, origin: Origin, now: datetime, *, client: str = "", keep_secrets: bool = False
) -> tuple[str, ...]:
    """Leave the text for later; returns the kinds of credentials taken out. Raises `OSError` where that fails, too."""
    taken: list[str] = []

    def clean(text: str) -> str:
        if keep_secrets:
            return text
        redacted = redact(text)
        taken.extend(redacted.kinds)
        return redacted.text

    line = {
        "text": clean(handed.text),
        "kind": handed.kind.value if handed.kind else "",
        "labels": [clean(label) for label in handed.labels],
        "title": clean(handed.title),
        "refs": [clean(ref) for ref in handed.refs],
        "origin": origin.value,
        "client": client,
        "kept": keep_secrets,
        "at": now.isoformat(),
    }
    spool.append(str(place.folder), line, QUEUE)
    return tuple(dict.fromkeys(taken))


def take_in(store: Store) -> int:
    """Note what waits; returns how many were noted. None of it goes before it is in the store."""
    folder, number = str(store.place.folder), 0
    if not spool.waiting(folder, QUEUE):
        return 0
    with spool.drained(folder, QUEUE) as batches:
        for batch in batches or ():
            with store.write() as session:
                for _, line in batch.lines:
                    number += _noted(session, store, line)
            batch.done()
    return number


def _noted(session: Session, store: Store, line: dict[str, Any]) -> bool:
    """Note one line; a line that is not ours costs only itself."""
    try:
        kind = Kind(line["kind"]) if line["kind"] else None
        handed = Handed(line["text"], kind, line["labels"], line["title"], line["refs"])
        origin, at = Origin(line["origin"]), datetime.fromisoformat(line["at"])
        check(handed, store.place)
    except (KeyError, ValueError, TypeError, AttributeError, BadUsage):
        return False
    noted(session, store, handed, origin, at, client=str(line.get("client", "")), keep_secrets=line.get("kept") is True)
    return True
