"""The settings as the hook reads them: from the snapshot while no configuration file changed since.

Parsing the files costs the hook more than everything else it does; a file's time of change tells whether it must.
"""

import os

from curator.brief.snapshot_file import Snapshot
from curator.light import Any, Mapping

CONFIG = "config.toml"


def files(folder: str, home: str, env: Mapping[str, str]) -> tuple[str, str]:
    """The person's and the project's settings files, the latter winning."""
    base = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(base, "curator", CONFIG), os.path.join(folder, CONFIG)


def stamp(path: str) -> int:
    """Time of a file's last change in nanoseconds; 0 where there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def knobs(folder: str, known: Snapshot, env: Mapping[str, str]) -> tuple[Mapping[str, Any], str]:
    """Settings by name, and in one sentence what was wrong with them ("" = nothing; the defaults hold then)."""
    paths = files(folder, os.path.expanduser("~"), env)
    overridden = any(f"CURATOR_{name.upper()}" in env for name in known.settings)
    if known.settings and not overridden and all(known.sources.get(path, 0) == stamp(path) for path in paths):
        return known.settings, ""
    from dataclasses import asdict
    from pathlib import Path

    from curator.config import Settings, load
    from curator.errors import CuratorError

    try:
        return asdict(load(tuple(Path(path) for path in paths), env).settings), ""
    except CuratorError as error:
        return asdict(Settings()), f"The settings are not in force: {error}"
