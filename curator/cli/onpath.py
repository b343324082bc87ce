"""Which program the word `curator` starts in the person's shell, and whether that is this one."""

import os
import shutil
from pathlib import Path

from curator.errors import CuratorError
from curator.hosts.hookline import installed


def other_program() -> str | None:
    """One sentence where the `curator` on PATH is not this program; None where it is, or where there is none."""
    found = shutil.which("curator")
    if found is None:
        return None
    try:
        ours = installed().script
    except CuratorError:
        return None
    if os.path.realpath(found) == os.path.realpath(ours):
        return None
    kind = "another installation of it" if _starts_us(Path(found)) else "a different program of that name"
    return f"`curator` on your PATH is {found}, {kind}; the hooks run this one: {ours}"


def _starts_us(path: Path) -> bool:
    try:
        return b"curator.__main__" in path.read_bytes()[:4096]
    except OSError:
        return False
