"""The settings: one table that makes the configuration, its origins and its documentation.

Owns names, defaults, meanings and where each value came from. Only entry points call `load`; everything below
receives a `Settings`. Standard library only, because the hook reads it.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from curator.errors import CuratorError


def _setting(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


_ISSUE_TYPES = {"research": "task", "design": "task", "decision": "decision"}
"""`research` and `design` are no types of bd unless its `types.custom` names them."""


@dataclass(frozen=True)
class Settings:
    """Every setting with its default; `config.toml` uses these names, the environment `CURATOR_` + upper case."""

    database_url: str = _setting("", "PostgreSQL for a team; empty = SQLite in `.curator/`")
    memory_tokens: int = _setting(2_000, "tokens of memories injected at session start")
    injection_bytes: int = _setting(9_500, "UTF-8 bytes of one injected value")
    note_bytes: int = _setting(65_536, "largest note, in bytes")
    entry_warn_tokens: int = _setting(150, "an entry longer than this gets a warning")
    entry_max_tokens: int = _setting(300, "an entry longer than this gets a proposal to shorten it")
    pin_share: float = _setting(0.25, "share of the memory part that pins may take")
    sweep_limit: int = _setting(20, "proposals a sweep makes at most")
    removal_share: float = _setting(0.10, "share of the store a sweep may propose to remove (at least 1)")
    proposal_days: int = _setting(60, "days until an undecided proposal expires")
    checkpoint_days: int = _setting(14, "oldest checkpoint excerpt shown at session start, in days")
    search_limit: int = _setting(20, "hits a search prints (0 = all)")
    recall_k: int = _setting(3, "entries recalled for a prompt, where recall is on")
    recall: bool = _setting(False, "recall entries for each prompt (changes the prompt, so caches miss)")
    bootstrap_turn: int = _setting(20, "turn at which a short reminder is injected")
    bootstrap_every: int = _setting(5, "turns between later reminders")
    prompt_hook: bool = _setting(True, "the reminder in long sessions")
    pre_tool_hook: bool = _setting(True, "the reminder before destructive operations")
    post_tool_hook: bool = _setting(True, "the reminder after two results in a row that something does not exist")
    stop_hook: bool = _setting(True, "the request for a checkpoint when the window fills")
    yield_to_bd: bool = _setting(True, "leave entries that `bd prime` injects to it")
    window: int = _setting(0, "context window in tokens; 0 = the client's own (128,000 if unknown)")
    encoding: str = _setting("cl100k_base", "tiktoken encoding of raw counts")
    margin: float = _setting(0.0, "factor from raw count to the client's tokens; 0 = the client family's own")
    embedder: str = _setting("", "embedding model: a name or path; empty = the packaged one, `none` = words only")
    threshold: float = _setting(0.0, "least likeness by meaning that counts as found; 0 = the model's own")
    model: str = _setting("", "`command:PROGRAM` or `PROVIDER:NAME` for sweeps and checkpoints; empty = none")
    ingest_model: bool = _setting(False, "may the sweep that hooks start use the model?")
    subagents: bool = _setting(False, "take notes from sub-agents too")
    retention_days: int = _setting(0, "days the kept conversation stays; 0 = for ever")
    sync: bool = _setting(False, "keep `memory.jsonl` for git beside the store")
    reviewer: str = _setting("", "name in the ledger; empty = the login name")
    advance: bool = _setting(True, "the review moves to the next proposal after a decision")
    theme: str = _setting("", "Textual theme of the review; empty = Textual's own")
    keys: Mapping[str, str] = field(default_factory=dict, metadata={"help": "`[keys]` table: action = key"})
    issue_types: Mapping[str, str] = field(
        default_factory=lambda: dict(_ISSUE_TYPES),
        metadata={"help": "`[issue_types]` table: kind = issue type in beads"},
    )


@dataclass(frozen=True)
class Loaded:
    """Settings and, by name, the file or variable each value that is not a default came from."""

    settings: Settings
    origins: Mapping[str, str]


def load(files: tuple[Path, ...], env: Mapping[str, str] | None = None) -> Loaded:
    """Merge the files, later ones winning, then the environment.

    Raises `CuratorError` naming file and setting where a file cannot be read, is not TOML, or holds a name or a
    value that does not fit. A missing file is no error.
    """
    env = os.environ if env is None else env
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for path in files:
        for name, value in _read(path).items():
            values[name] = _fitting(name, value, str(path))
            origins[name] = str(path)
    for name in _TABLE:
        variable = f"CURATOR_{name.upper()}"
        if name not in _TABLES and (text := env.get(variable)):
            values[name] = _parsed(name, text, variable)
            origins[name] = variable
    return Loaded(Settings(**values), origins)


def is_demo(folder: Path) -> bool:
    """Does the folder `.curator` hold a throwaway store in which a script may decide?"""
    try:
        return tomllib.loads((folder / "config.toml").read_text(encoding="utf-8-sig")).get("demo") is True
    except (OSError, ValueError):
        return False


def user_config(env: Mapping[str, str] | None = None, home: Path | None = None) -> Path:
    """The person's own settings file, used for every project."""
    env = os.environ if env is None else env
    base = Path(env.get("XDG_CONFIG_HOME") or (home or Path.home()) / ".config")
    return base / "curator" / "config.toml"


def table() -> tuple[tuple[str, Any, str], ...]:
    """Name, default and meaning of every setting, in order."""
    return tuple((f.name, _TABLES.get(f.name, f.default), f.metadata["help"]) for f in fields(Settings))


_TABLE: dict[str, Field[Any]] = {f.name: f for f in fields(Settings)}
_TABLES: dict[str, Mapping[str, str]] = {"keys": {}, "issue_types": _ISSUE_TYPES}
_SKIPPED = {"project_id", "shared", "demo"}  # kept in the same file by the store, not settings


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise CuratorError(f"{path} could not be read: {error}") from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CuratorError(f"{path} is not valid TOML: {error}") from error
    return {name: value for name, value in values.items() if name not in _SKIPPED}


def _fitting(name: str, value: Any, source: str) -> Any:
    if name not in _TABLE:
        raise CuratorError(f"{source}: there is no setting {name!r}")
    if name in _TABLES:
        given = {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else {}
        return {**_TABLES[name], **given}
    wanted = type(_TABLE[name].default)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise CuratorError(f"{source}: {name} must be of type {wanted.__name__}, not {value!r}")
    return value


def _parsed(name: str, text: str, source: str) -> Any:
    wanted: type = type(_TABLE[name].default)
    if wanted is bool:
        lowered = text.strip().lower()
        if lowered not in {"1", "0", "true", "false", "yes", "no", "on", "off"}:
            raise CuratorError(f"{source}: {text!r} is neither true nor false")
        return lowered in {"1", "true", "yes", "on"}
    try:
        return wanted(text)
    except ValueError as error:
        raise CuratorError(f"{source}: {text!r} is not of type {wanted.__name__}") from error
