"""Runs the real review in a real terminal device: sends keys, and reads what the terminal is sent."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

REVIEW = (sys.executable, "-m", "curator", "review")


def _own_terminal() -> None:
    """Ctrl-C interrupts, also where the tests run as a background job, which hands down that it be ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A command on a terminal of its own. `seen` is everything that the terminal was sent."""

    def __init__(
        self, root: Path, words: Sequence[str] = REVIEW, size: tuple[int, int] = (120, 36), **env: str
    ) -> None:
        self.handle, self._theirs = pty.openpty()
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = self.modes()
        self.seen = bytearray()
        self.start = time.perf_counter()
        self.child = subprocess.Popen(
            list(words),
            cwd=root,
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            env={**os.environ, **env},
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 - so that Ctrl-C is a signal
        )

    def modes(self) -> list[Any]:
        """The terminal's modes, as `termios` has them."""
        return termios.tcgetattr(self._theirs)

    def send(self, keys: bytes) -> None:
        """Type."""
        os.write(self.handle, keys)

    def read(self, seconds: float) -> bytes:
        """What comes within so many seconds; empty when nothing does."""
        if not select.select([self.handle], [], [], seconds)[0]:
            return b""
        more = os.read(self.handle, 65_536)
        self.seen += more
        return more

    def quiet(self, seconds: float = 0.3) -> None:
        """Read until nothing has come for so long."""
        while self.read(seconds):
            pass

    def until(self, words: bytes, after: int = 0, seconds: float = 30) -> float:
        """Read until `words` were sent after byte `after`; milliseconds since the start. Fails when they never come."""
        end = time.perf_counter() + seconds
        while words not in self.seen[after:]:
            assert time.perf_counter() < end, (words, bytes(self.seen[-2_000:]))
            self.read(0.5)
        return (time.perf_counter() - self.start) * 1000

    def ended(self, seconds: float = 30) -> int:
        """Read on until the command is over; its exit code."""
        end = time.perf_counter() + seconds
        while self.child.poll() is None:
            assert time.perf_counter() < end, bytes(self.seen[-2_000:])
            self.read(0.05)
        self.quiet(0.05)
        return self.child.returncode

    def resident(self) -> float:
        """Resident memory of the command, in MB."""
        status = Path(f"/proc/{self.child.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        """End the command if it still runs."""
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.handle)
        os.close(self._theirs)
