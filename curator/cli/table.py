"""The one table of commands: name, module, one line of help, grouped as `--help` prints them.

Imports nothing heavy: a command's module is loaded when the command is called, not before. The module holds the
command under the same name in its `app = typer.Typer()`, as `@app.command("NAME")` or `app.add_typer(…, name="NAME")`.
"""

from dataclasses import dataclass

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Set-up": {
        "init": ("setup", "Create the store and plug it into your agents."),
        "uninstall": ("setup", "Take our own entries out of your agents' settings."),
        "doctor": ("doctor", "Run the real hooks and check everything; each finding says what mends it."),
        "status": ("status", "One screen: what is stored, waiting, next."),
        "config": ("settings", "The merged settings; `decide-key` makes your key for scripts."),
        "purge": ("purge", "Erase private data everywhere."),
        "off": ("pausing", "Pause the hooks here or for one session."),
        "on": ("pausing", "Let the hooks work again."),
        "ingest": ("ingest", "Take in what hooks spooled, then sweep without a model."),
        "demo": ("demo", "See a conversation become memory, in a throwaway store."),
    },
    "Capture": {
        "remember": ("capture", "Store one raw note."),
        "notes": ("capture", "The raw notes and what became of each."),
        "harvest": ("capture", "Read transcripts into the record and notes."),
        "record": ("record", "The kept conversation, whole and by number."),
    },
    "Checkpoints": {
        "checkpoint": ("checkpoints", "Write, check and show a session's mind, memo and now."),
        "layers": ("inject", "The contract, task-state and scratch files."),
    },
    "Curation and approval": {
        "sweep": ("curation", "Propose changes to the memory; applies nothing."),
        "review": ("review", "The approval screen."),
        "proposals": ("proposals", "The queue, or one proposal with its evidence."),
        "accept": ("deciding", "Accept proposals."),
        "reject": ("deciding", "Reject proposals, with a reason."),
        "snooze": ("deciding", "Put proposals off until the next sweep."),
        "revise": ("deciding", "Change a proposal before deciding on it."),
        "edit": ("changing", "Change an entry in your editor."),
        "pin": ("changing", "Always inject an entry."),
        "unpin": ("changing", "Stop always injecting an entry."),
        "tombstone": ("changing", "Retire an entry, with a reason."),
        "restore": ("changing", "Bring a retired entry back."),
        "promote": ("changing", "Move an entry to your own store, for every project."),
        "undo": ("history", "Take back a decision."),
        "log": ("history", "Every decision, newest first."),
    },
    "Reading": {
        "search": ("reading", "Find entries by words, labels and meaning."),
        "list": ("reading", "List entries with the same filters."),
        "show": ("reading", "Whole entries, with where they came from."),
        "report": ("inject", "What repeats, what it costs, what is never useful."),
        "why": ("inject", "Why an entry was or was not injected last time."),
        "preview": ("inject", "Exactly what the next session will be handed."),
    },
    "Hooks and services": {
        "hook": ("services", "Answer one event of an agent; its payload is on stdin."),
        "mcp": ("mcp", "Serve the memory over MCP."),
        "sync": ("sync", "Keep the memory in git beside the code."),
        "import": ("interchange", "Read entries or other tools' files into proposals."),
        "export": ("interchange", "Write the memory for other tools."),
        "db": ("db", "Upgrade, back up, check and move the store."),
        "calibrate": ("curation", "Measure the recall threshold for the model in use."),
        "eval": ("evals", "Measure on labelled files."),
        "replay": ("replay", "One conversation with and without: what is known after each compaction."),
        "audit": ("audit", "Check existing memory files."),
    },
}


@dataclass(frozen=True)
class Row:
    """A command before it is loaded."""

    name: str
    section: str
    module: str
    help: str


def rows() -> tuple[Row, ...]:
    """Every command, in the order of `--help`."""
    return tuple(
        Row(name, section, f"curator.cli.{module}", text)
        for section, commands in SECTIONS.items()
        for name, (module, text) in commands.items()
    )
