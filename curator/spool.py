"""The spool: what hooks leave behind for `curator ingest`, one JSON object a line.

Owns the file and the atomic append. Standard library only, and cheap: every hook appends.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

FOLDER = "spool"
NAME = "events.jsonl"


def append(folder: str, event: Mapping[str, Any]) -> None:
    """Append one event to the spool of a store's folder, in one write; raises `OSError`."""
    os.makedirs(os.path.join(folder, FOLDER), mode=0o700, exist_ok=True)
    data = json.dumps(event, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    handle = os.open(os.path.join(folder, FOLDER, NAME), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, data)
    finally:
        os.close(handle)
