"""Is an agent running this command? Told from the variables that the clients set for what they start.

Owns the list of variables. Standard library only.
"""

from collections.abc import Mapping

from curator.vocab import Client

_SIGNS = {
    Client.CLAUDE: ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"),
    Client.CODEX: ("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"),
    Client.GEMINI: ("GEMINI_CLI",),
    Client.OPENCODE: ("OPENCODE", "OPENCODE_PID"),
    Client.COPILOT: ("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
    Client.CURSOR: ("CURSOR_AGENT", "CURSOR_TRACE_ID"),
}


def agent_in(env: Mapping[str, str]) -> tuple[Client, str] | None:
    """The client whose variable is set, and that variable; None when no agent runs the command."""
    return next(((client, name) for client, names in _SIGNS.items() for name in names if env.get(name)), None)
