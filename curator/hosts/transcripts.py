"""The clients whose transcripts are read: where they are, whose a file is, which session it holds.

Standard library only; never writes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from curator.errors import BadUsage
from curator.hosts import claude, codex
from curator.place import Place
from curator.transcript import Message, Record, open_file, records
from curator.vocab import Client

_HEAD = 200  # records looked at


class Reader(Protocol):
    """Records of one file to messages, in order; `state` is what a new one needs to go on, as JSON."""

    def state(self) -> dict[str, Any]: ...

    def messages(self, record: Record) -> Iterator[Message]:
        """What one record says. Raises ValueError where its shape is not one of the client's."""
        ...


READERS: Mapping[Client, Callable[[str, Mapping[str, Any] | None], Reader]] = {
    Client.CLAUDE: claude.Reader,
    Client.CODEX: codex.Reader,
}

_SESSIONS = {Client.CLAUDE: claude.sessions, Client.CODEX: codex.sessions}
_CODEX = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}


def readable(client: Client) -> Client:
    """The client itself. Raises `BadUsage` where its transcripts are not read."""
    if client not in READERS:
        raise BadUsage(f"transcripts of {client.value} are not read yet")
    return client


def sessions(place: Place, clients: Sequence[Client] = tuple(READERS)) -> list[Path]:
    """The transcripts of work in a project, oldest first; sub-agents' last. Raises `BadUsage` for a client not read."""
    found = [path for client in clients for path in _SESSIONS[readable(client)](place)]
    return sorted(found, key=lambda path: (path.parent.name == "subagents", path.stat().st_mtime, str(path)))


def of_the_person(paths: Sequence[Path], session: str = "") -> list[Path]:
    """Those that are not a sub-agent's; with `session`, only those whose session begins so."""
    own = [path for path in paths if path.parent.name != "subagents" and not codex.is_agents(path)]
    return [path for path in own if codex.session_named(path).startswith(session)]


def reader(client: Client, session: str, state: Mapping[str, Any] | None = None) -> Reader:
    """A reader for a file of a client. Raises `BadUsage` for a client not read."""
    return READERS[readable(client)](session, state)


def client_of(path: Path) -> Client:
    """Whose transcript a file is, by its records. Raises NotFound, CannotLook, and BadUsage for one not read."""
    for row in _head(path):
        if row.get("type") in _CODEX and "payload" in row:
            return Client.CODEX
        if "sessionId" in row:
            return Client.CLAUDE
        if str(row.get("type")) in {"session.start", "user.message"} and "data" in row:
            readable(Client.COPILOT)
    return Client.CLAUDE


def session_of(path: Path) -> str:
    """The session that a file names; empty where it names none. Raises NotFound or CannotLook."""
    for row in _head(path):
        held = row.get("payload")
        if row.get("type") == "session_meta" and isinstance(held, dict):
            return str(held.get("id") or held.get("session_id") or "")
        if isinstance(row.get("sessionId"), str):
            return str(row["sessionId"])
    return ""


def _head(path: Path) -> Iterator[dict[str, Any]]:
    with open_file(path) as file:
        for _, each in zip(range(_HEAD), records(file), strict=False):
            if isinstance(each, Record):
                yield each.data
