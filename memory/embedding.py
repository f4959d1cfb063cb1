"""Meaning as a vector: the port, and where a model of a name comes from. Importing this module costs nothing.

``english`` and ``multilingual`` come with the installation: nothing is downloaded. Any other name is fastembed's (downloaded
once, because the owner asked for it) or a local folder with an ONNX model. What each can read stands in `embedders.sight`.
"""

from pathlib import Path

from memory.embedders.remembering import Remembering
from memory.embedders.sight import ENGLISH, MULTILINGUAL
from memory.embedders.values import Embedder, Vector, brief
from memory.errors import EmbedderUnavailable

__all__ = ["ENGLISH", "MULTILINGUAL", "Embedder", "Vector", "load"]


def load(model: str, home: Path) -> Embedder:
    """Give the embedder called ``model``: "english", "multilingual", a name fastembed knows, or a folder.

    ``home`` is for its files. The last questions are remembered.

    Raises:
        EmbedderUnavailable: it is missing, broken or unknown; the message is a sentence for the owner.
    """
    try:
        return Remembering(_load(model.strip(), home))
    except EmbedderUnavailable:
        raise
    except Exception as error:  # onnxruntime, tokenizers and the hub client share no base class
        raise EmbedderUnavailable(f"The embedding model {model!r} cannot be loaded ({brief(error)}).") from error


def _load(model: str, home: Path) -> Embedder:
    # Each runtime is imported when its model is wanted: the other one stays out of memory.
    if model.casefold() == MULTILINGUAL:
        from memory.embedders.multilingual import multilingual  # noqa: PLC0415

        return multilingual()
    if model.casefold() == ENGLISH:
        from memory.embedders.english import english  # noqa: PLC0415

        return english(home)
    from memory.embedders import onnx  # noqa: PLC0415

    folder = Path(model).expanduser()
    return onnx.of_folder(folder) if folder.is_dir() else onnx.of_name(model, home)
