"""The tools: name, what a client is told, parameters, and what does it. None decides: only a person does.

Every word here is paid for by every session of a client that loads it, so there are few.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from curator.mcp import checkpointing, noting, reading
from curator.mcp.answer import Answer
from curator.mcp.arguments import Form, Param, checked, schema
from curator.mcp.project import Caller
from curator.vocab import EntryState, Kind, Route

INSTRUCTIONS = (
    "Reviewed memory of this project. `search` it before deciding or debugging what may have come up before; a hit is "
    "an index, `show` the entry before relying on it. After a piece of work, or when the person corrects you, "
    "`remember` one statement. Only the person makes notes and proposals into memory; no tool here decides."
)

_MIND = 200_000
_KIND = Param("kind", choices=tuple(Kind))
_SESSION = Param("session", longest=200)
_ORIGIN = Param("origin", says="if not your own finding", choices=noting.ORIGINS)


@dataclass(frozen=True)
class Tool:
    """One tool. `reads` says that it changes nothing."""

    name: str
    says: str
    params: tuple[Param, ...]
    does: Callable[..., Answer]
    reads: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """Its parameters in JSON Schema."""
        return schema(self.params)

    def call(self, caller: Caller, given: Mapping[str, Any]) -> Answer:
        """Check the arguments and do it. Raises `CuratorError`."""
        return self.does(caller, **checked(self.params, given))


_ALL = (
    Tool(
        "remember",
        "Note one lesson, root cause, pattern, correction, decision, design or finding for the person to review.",
        (
            Param("text", says="one statement, clear without this conversation", required=True, longest=0),
            _KIND,
            Param("title", longest=300),
            Param("label", Form.TEXTS, longest=100),
            Param("ref", Form.TEXTS, says="PATH[:LINE], symbol, command or commit", longest=500),
            _ORIGIN,
        ),
        noting.remember,
    ),
    Tool(
        "search",
        "Find memory entries; all words must match, each literally. Without text: the newest.",
        (
            Param("text"),
            _KIND,
            Param("label", Form.TEXTS, longest=100),
            Param("status", choices=(*(state.value for state in EntryState), "all")),
            Param("store", choices=(*(route.value for route in Route), "all")),
            Param("limit", Form.NUMBER),
        ),
        reading.search,
        reads=True,
    ),
    Tool(
        "show",
        "Read whole entries.",
        (Param("ids", Form.TEXTS, required=True, longest=200),),
        reading.show,
        reads=True,
    ),
    Tool(
        "propose",
        "Suggest to the person another text for an entry, or to retire it (reason, no text).",
        (
            Param("entry", says="id", longest=200),
            Param("text", longest=0),
            Param("reason"),
            _KIND,
            _ORIGIN,
        ),
        noting.propose,
    ),
    Tool(
        "preview",
        "What the next session will be handed.",
        (
            Param("source", choices=reading.SOURCES),
            Param("part", choices=("checkpoint", "memories")),
            _SESSION,
        ),
        reading.preview,
        reads=True,
    ),
    Tool(
        "checkpoint_begin",
        "Open a checkpoint of this conversation; the answer says how to go on.",
        (_SESSION, Param("window", Form.NUMBER, says="tokens")),
        checkpointing.begin,
    ),
    Tool(
        "checkpoint_edit",
        "Edit the mind in place; each `old` must stand exactly once.",
        (Param("edits", Form.EDITS, required=True, longest=_MIND), _SESSION),
        checkpointing.edit,
    ),
    Tool(
        "checkpoint_memo",
        "Say which messages are kept.",
        (Param("keep", Form.NUMBERS, says="numbers from the memo", required=True), _SESSION),
        checkpointing.memo,
    ),
    Tool(
        "checkpoint_commit",
        "Hand in the now and store the checkpoint.",
        (Param("now", says="the <checkpoint> block", required=True, longest=_MIND), _SESSION),
        checkpointing.commit,
    ),
)

TOOLS: dict[str, Tool] = {tool.name: tool for tool in _ALL}
