"""Reading labelled files: one line of reason where one is not there or not in its format."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curator.errors import BadUsage, NotFound


def raw(path: Path) -> bytes:
    """The bytes of a file, unpacked where its name ends with `.gz`."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except FileNotFoundError as error:
        raise NotFound(f"there is no {path}") from error
    except (OSError, EOFError) as error:
        raise BadUsage(f"{path} could not be read: {error}") from error


def rows(path: Path, needed: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file; each must have the needed keys."""
    found = []
    for number, line in enumerate(raw(path).decode("utf-8-sig", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise BadUsage(f"{path}:{number} is not JSON") from error
        missing = [key for key in needed if not isinstance(value, dict) or key not in value]
        if missing:
            raise BadUsage(f"{path}:{number} has no {' and no '.join(missing)}")
        found.append(value)
    return found


def document(path: Path) -> Any:
    """The JSON document of a file."""
    try:
        return json.loads(raw(path).decode("utf-8-sig"))
    except ValueError as error:
        raise BadUsage(f"{path} is not JSON") from error


def within(path: Path, name: str) -> Path:
    """The file itself, or the one of this name in a folder."""
    return path / name if path.is_dir() else path
