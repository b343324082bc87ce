"""What every command knows about how it was called. The command finds it in `ctx.obj`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Call:
    """`start` is the folder the command runs for (`-C`, else the working directory); `user` asks for `--user`."""

    start: Path
    user: bool = False
