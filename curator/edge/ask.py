"""A model to ask: a program that reads a prompt and prints an answer, a provider, or answers recorded earlier.

Owns starting the program and the file of recorded answers. Judges no answer. The program inherits no terminal, and
hooks that it triggers stay quiet (`CURATOR_INTERNAL`).
"""

import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from curator.edge.provider import FORMS, Provider
from curator.errors import BadUsage, CuratorError, NotFound
from curator.ports import Ask

SECONDS = 180
"""Longest time one answer may take."""

LARGEST = 200_000
"""Characters of an answer that are read; more is no answer to our questions."""


def asker(spec: str, cwd: Path | None = None, env: Mapping[str, str] = os.environ) -> Ask:
    """The model that `command:PROGRAM`, `PROVIDER:NAME` or `replay:FILE` names.

    Raises `BadUsage` for another form, and where the provider's key is missing in `env`.
    """
    form, _, rest = spec.partition(":")
    if form == "command" and rest.strip():
        return _Command(shlex.split(rest), spec, cwd)
    if form == "replay" and rest.strip():
        return _Replay(Path(rest), spec)
    if form in FORMS and rest.strip():
        return Provider(form, rest.strip(), env)
    known = ", ".join(f"{name}:NAME" for name in FORMS)
    raise BadUsage(f"--model takes command:PROGRAM, {known} or replay:FILE, not {spec!r}")


def recorded(ask: Ask, file: Path) -> Ask:
    """The same model, with each answer appended to a file that `replay:FILE` reads."""
    return _Recorded(ask, file)


def key_of(prompt: str) -> str:
    """Under which a prompt's answer is recorded."""
    return hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:32]


class _Command:
    def __init__(self, words: list[str], name: str, cwd: Path | None) -> None:
        self._words, self.name, self._cwd = words, name, cwd

    def __call__(self, prompt: str) -> str:
        try:
            done = subprocess.run(
                self._words,
                input=prompt.encode("utf-8", "replace"),
                capture_output=True,
                timeout=SECONDS,
                check=False,
                cwd=self._cwd,
                env={**os.environ, "CURATOR_INTERNAL": "1"},
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CuratorError(f"{self.name} gave no answer: {error}") from error
        if done.returncode:
            told = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise CuratorError(f"{self.name} failed with {done.returncode}: {told[-1] if told else 'no reason given'}")
        return done.stdout.decode("utf-8", "replace")[:LARGEST]


class _Replay:
    def __init__(self, file: Path, name: str) -> None:
        self.name = name
        try:
            lines = file.read_text(encoding="utf-8").split("\n")
            rows = [json.loads(line) for line in lines if line.strip()]
            self._answers = {str(row["key"]): str(row["answer"]) for row in rows}
        except FileNotFoundError as error:
            raise NotFound(f"there is no {file}") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadUsage(f"{file} holds no recorded answers") from error

    def __call__(self, prompt: str) -> str:
        answer = self._answers.get(key_of(prompt))
        if answer is None:
            raise CuratorError("this question has no recorded answer")
        return answer


class _Recorded:
    def __init__(self, ask: Callable[[str], str], file: Path) -> None:
        self._ask, self._file = ask, file
        self.name = str(getattr(ask, "name", "model"))

    def __call__(self, prompt: str) -> str:
        answer = self._ask(prompt)
        line = json.dumps({"key": key_of(prompt), "answer": answer}, ensure_ascii=False) + "\n"
        descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as out:
            out.write(line)
        return answer
