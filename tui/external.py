"""The person's pager: a text is shown from one line on, while the screen stands aside."""

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from curator.errors import CuratorError
from curator.plain import plain


def paged(text: str, line: int, env: Mapping[str, str]) -> None:
    """Show text in `$PAGER` (else `less`) from that line on. Raises `CuratorError` when it cannot be started."""
    wanted = env.get("PAGER", "").strip() or "less"
    try:
        command = shlex.split(wanted)
        where = [f"+{line}"] if Path(command[0]).name in {"less", "more", "most"} else []
        subprocess.run([*command, *where], input=plain(text), encoding="utf-8", errors="replace", check=False)
    except ValueError as error:
        raise CuratorError(f"PAGER is no command: {wanted!r} ({error})") from error
    except OSError as error:
        raise CuratorError(f"{command[0]} could not be started: {error.strerror}") from error
