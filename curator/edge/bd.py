"""The program `bd`, called as a process: what it holds comes out, what is new goes in.

Owns the words of its command line. Knows nothing of what the lines mean.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.errors import CuratorError

_SECONDS = 120.0
FAR = "2099-01-01"
"""The day until which knowledge is deferred: out of bd's lists of what can be worked on."""


@dataclass(frozen=True)
class Bd:
    """`bd` for the project that `folder` lies in. Build through `find`; every method raises `CuratorError`."""

    program: str
    folder: Path

    def export(self) -> bytes:
        """Its issues as JSONL."""
        return self._run("export")

    def memories(self) -> bytes:
        """Its memories as one JSON object, in either of two forms."""
        return self._run("memories", "--json")

    def take(self, lines: Sequence[bytes]) -> None:
        """Let it take in issues that changed."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "issues.jsonl"
            path.write_bytes(b"".join(lines))
            self._run("import", "-i", str(path))

    def remember(self, key: str, value: str) -> None:
        """Store a memory under a key, in place of what it holds there."""
        self._run("remember", "--key", key, "--", value)

    def create(self, issue: dict[str, Any]) -> str:
        """Make a deferred issue of an issue's fields; returns the id that it got."""
        words = ["--id", issue["id"], "--force", "--type", issue["issue_type"], "--defer", FAR, "--json"]
        words += ["--labels", ",".join(label.replace(",", " ") for label in issue["labels"])]
        words += ["--description", issue["description"]]
        if "metadata" in issue:
            words += ["--metadata", json.dumps(issue["metadata"])]
        return _id(self._run("create", *words, "--", issue["title"]))

    def _run(self, *words: str) -> bytes:
        call = [self.program, *words]
        try:
            done = subprocess.run(call, cwd=self.folder, capture_output=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise CuratorError(f"`bd {words[0]}` did not end within {_SECONDS:.0f} s") from error
        except (OSError, ValueError) as error:  # too long a word, or a NUL in it
            raise CuratorError(f"`bd {words[0]}` could not be started: {error}") from error
        if done.returncode:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().partition("\n")[0]
            raise CuratorError(f"`bd {words[0]}` failed: {said or f'exit code {done.returncode}'}")
        return done.stdout


def find(folder: Path) -> Bd:
    """The program on the PATH. Raises `CuratorError` where there is none."""
    program = shutil.which("bd")
    if program is None:
        raise CuratorError("there is no program `bd` on the PATH")
    return Bd(program, folder)


def _id(said: bytes) -> str:
    try:
        found = json.loads(said)
    except ValueError as error:
        raise CuratorError("`bd create --json` printed no JSON") from error
    found = found[0] if isinstance(found, list) and found else found
    found = found.get("data", found) if isinstance(found, dict) else {}
    return str(found.get("id", ""))
