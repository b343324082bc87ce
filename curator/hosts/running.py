"""Is an agent running this command? Told from the variables that clients set for the commands of their agent.

Owns the list. Not in it: what an editor sets in the person's own terminal (`CURSOR_TRACE_ID`,
`CLAUDE_CODE_SSE_PORT`) and what a person sets to configure a client (`CODEX_HOME`, `GEMINI_API_KEY`). Standard
library only.
"""

from collections.abc import Mapping

from curator.vocab import Client

AGENT_VARIABLES: dict[str, Client | None] = {
    "CLAUDECODE": Client.CLAUDE,
    "CLAUDE_CODE_ENTRYPOINT": Client.CLAUDE,
    "CODEX_SANDBOX*": Client.CODEX,
    "CODEX_CI": Client.CODEX,
    "CODEX_THREAD_ID": Client.CODEX,
    "GEMINI_CLI": Client.GEMINI,
    "COPILOT_CLI": Client.COPILOT,
    "COPILOT_AGENT*": Client.COPILOT,
    "OPENCODE": Client.OPENCODE,
    "OPENCODE_CLIENT": Client.OPENCODE,
    "CURSOR_AGENT": Client.CURSOR,
    "QWEN_CODE": None,
    "CLINE_ACTIVE": None,
    "GOOSE_TERMINAL": None,
    "AMP_CURRENT_THREAD_ID": None,
    "AI_AGENT": None,
}
"""Variables, `*` for any ending, with the client that sets them where it is one we know."""


def agent_variable(env: Mapping[str, str]) -> str:
    """The first variable that shows an agent's hand; empty when none does."""
    return _found(env)[0]


def agent_client(env: Mapping[str, str]) -> str:
    """The client whose agent runs this command; empty where it is not known, or where none does."""
    return _found(env)[1] or ""


def _found(env: Mapping[str, str]) -> tuple[str, Client | None]:
    for pattern, client in AGENT_VARIABLES.items():
        for name in env:
            fits = name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
            if fits and env[name]:
                return name, client
    return "", None
