"""Models on ONNX Runtime: those fastembed knows by name, and folders. The only place that knows fastembed."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memory import policy
from memory.embedders.prefixes import Prefixes, prefixes_of
from memory.embedders.sight import ENGLISH, MULTILINGUAL, fluency, legible
from memory.embedders.values import Vector, batches, brief, readable, sha256, unit
from memory.errors import EmbedderUnavailable

_NO_PREFIXES = Prefixes()


class OnnxEmbedder:
    """A fastembed model behind our port; see `memory.embedding.Embedder` for what its methods give."""

    def __init__(self, model: Any, digest: str, *, latin_only: bool, prefixes: Prefixes = _NO_PREFIXES) -> None:
        self._model = model
        self._latin_only = latin_only
        self._prefixes = prefixes
        self.digest = _generation(digest, prefixes)
        _limit_tokens(model)
        self.dimensions = len(self._embed(["."])[0])

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector of unit length for each text. Raises EmbedderUnavailable."""
        vectors: dict[int, Vector] = {}
        for places in batches([len(text) for text in texts]):
            vectors |= zip(places, self._embed([texts[place] for place in places]), strict=True)
        return [vectors[place] for place in range(len(texts))]

    def embed_query(self, text: str) -> Vector:
        """Give the vector of a question, as long as its readable share. Raises EmbedderUnavailable."""
        vector = self._embed([text], query=True)[0]
        return vector * np.float32(legible(text) * fluency(text)) if self._latin_only else vector

    def _embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        prefix = self._prefixes.query if query else self._prefixes.passage
        work = self._model.query_embed if query else self._model.passage_embed
        try:
            return [unit(vector) for vector in work([prefix + readable(text) for text in texts], batch_size=len(texts))]
        except Exception as error:  # whatever the runtime raises, keywords must go on serving
            raise EmbedderUnavailable(f"The embedding model failed ({brief(error)}).") from error


def of_folder(folder: Path, *, digest: str | None = None, latin_only: bool = False) -> OnnxEmbedder:
    """Give the model whose ONNX file, tokenizer and configuration lie in ``folder``.

    Raises:
        EmbedderUnavailable: there is none, or it is broken.
    """
    likely = (folder / "model.onnx", folder / "onnx" / "model.onnx", *sorted(folder.rglob("*.onnx")))
    weights = next((path for path in likely if path.is_file()), None)
    if weights is None:
        raise EmbedderUnavailable(f"The folder {folder} holds no ONNX model (a file that ends in .onnx).")
    digest = digest or sha256(weights)
    name = f"tidemark/{digest[:16]}"
    _register(name, folder, weights)
    model = _text_embedding(name, specific_model_path=str(folder))
    return OnnxEmbedder(model, digest, latin_only=latin_only, prefixes=prefixes_of(folder.resolve().name))


def of_name(model: str, home: Path) -> OnnxEmbedder:
    """Give the model that fastembed knows as ``model``, downloaded below ``home`` the first time.

    Raises:
        EmbedderUnavailable: no model is called so, or it is broken.
    """
    from fastembed import TextEmbedding  # noqa: PLC0415

    known = {entry["model"].casefold(): entry for entry in TextEmbedding.list_supported_models()}
    entry = known.get(model.casefold())
    if entry is None:
        raise EmbedderUnavailable(
            f"No embedding model is called {model!r}. Use {ENGLISH!r}, {MULTILINGUAL!r}, a name that fastembed supports, "
            "or a folder."
        )
    digest = hashlib.sha256(f"{entry['model']}:{entry['dim']}".encode()).hexdigest()
    latin_only = ", English," in entry.get("description", "")
    loaded = _text_embedding(entry["model"], cache_dir=str(home / "models"), offline=False)
    return OnnxEmbedder(loaded, digest, latin_only=latin_only, prefixes=prefixes_of(entry["model"]))


def _generation(digest: str, prefixes: Prefixes) -> str:
    """Give the digest of vectors by a model with a prefix before statements: without it they would be others."""
    return hashlib.sha256(f"{digest}:{prefixes.passage}".encode()).hexdigest() if prefixes.passage else digest


def _register(name: str, folder: Path, weights: Path) -> None:
    """Tell fastembed about a model of ours: mean pooling, unit length, the dimensions its configuration names."""
    from fastembed import TextEmbedding  # noqa: PLC0415
    from fastembed.common.model_description import ModelSource, PoolingType  # noqa: PLC0415

    if any(known["model"] == name for known in TextEmbedding.list_supported_models()):
        return
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    TextEmbedding.add_custom_model(
        name,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=name),
        dim=int(config.get("hidden_size", 0)),
        model_file=str(weights.relative_to(folder)),
    )


def _text_embedding(name: str, *, offline: bool = True, **where: Any) -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    if offline:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from fastembed import TextEmbedding  # noqa: PLC0415

    return TextEmbedding(name, threads=policy.EMBEDDING_THREADS, **where)


def _limit_tokens(model: Any) -> None:
    """Cut what the model reads at once: attention costs memory by the square of the tokens."""
    tokenizer = getattr(getattr(model, "model", None), "tokenizer", None)
    if tokenizer is not None:
        longest = (tokenizer.truncation or {}).get("max_length", policy.EMBEDDED_TOKENS)
        tokenizer.enable_truncation(max_length=min(longest, policy.EMBEDDED_TOKENS))
