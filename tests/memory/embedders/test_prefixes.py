"""What models want before a text."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.embedders import onnx
from memory.embedders.onnx import OnnxEmbedder
from memory.embedders.prefixes import Prefixes, prefixes_of
from memory.policy import EMBEDDED_CHARS

RETRIEVE = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("/srv/models/multilingual-e5-small/", "query: ", "passage: "),
        ("BAAI/bge-small-en-v1.5", RETRIEVE, ""),
        ("BAAI/bge-large-en", RETRIEVE, ""),
        ("BAAI/bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("mixedbread-ai/mxbai-embed-large-v1", RETRIEVE, ""),
        ("snowflake/snowflake-arctic-embed-xs", RETRIEVE, ""),
        ("Snowflake/snowflake-arctic-embed-m-v2.0", "query: ", ""),
        ("nomic-ai/nomic-embed-text-v1.5-Q", "search_query: ", "search_document: "),
        ("google/embeddinggemma-300m", "task: search result | query: ", "title: none | text: "),
        ("BAAI/bge-m3", "", ""),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
        ("thenlper/gte-base", "", ""),
        ("english", "", ""),
        ("multilingual", "", ""),
        ("/srv/e5-models/mine", "", ""),
        ("", "", ""),
    ],
)
def test_each_family_gets_its_own(model: str, query: str, passage: str) -> None:
    """By the last part of the name: what the folder above is called tells nothing."""
    assert prefixes_of(model) == Prefixes(query, passage)


class Runtime:
    """A model that notes what it is given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def query_embed(self, texts: list[str], **_: object) -> list[Any]:
        self.given += texts
        return [np.array([1.0, 0.0]) for _ in texts]

    passage_embed = query_embed


def test_questions_and_statements_get_theirs_however_long_they_are() -> None:
    """The cut comes before the prefix."""
    runtime = Runtime()
    embedder = OnnxEmbedder(runtime, "d", latin_only=False, prefixes=Prefixes("query: ", "passage: "))
    runtime.given.clear()
    embedder.embed_query("Where?" + " " * 10_000)
    embedder.embed_passages(["Here."])
    assert runtime.given[0].startswith("query: Where?")
    assert len(runtime.given[0]) == len("query: ") + EMBEDDED_CHARS
    assert runtime.given[1:] == ["passage: Here."]


def test_a_prefix_before_statements_makes_another_generation() -> None:
    """Vectors with and without it must not meet; one before questions changes no stored vector."""
    digests = {
        OnnxEmbedder(Runtime(), "d", latin_only=False, prefixes=prefixes).digest
        for prefixes in (Prefixes(), Prefixes("q: "), Prefixes("q: ", "p: "))
    }
    assert len(digests) == 2
    assert "d" in digests
    assert all(len(digest) <= 64 for digest in digests)


def test_a_folder_is_known_by_its_name(tmp_path: Path) -> None:
    """Whoever keeps a model in a folder keeps its name."""
    from memory.embedders.english import english  # noqa: PLC0415 - loads a runtime

    english(tmp_path)
    folder = tmp_path / "e5-tiny"
    shutil.copytree(tmp_path / "models" / "minilm", folder)
    embedder = onnx.of_folder(folder)
    assert embedder._prefixes == Prefixes("query: ", "passage: ")
