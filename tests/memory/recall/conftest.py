from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory import embedding
from memory.embedding import Embedder
from tests.memory.recall.stores import Store, StoreMaker, store_of


@pytest.fixture
def make_store(tmp_path: Path) -> Iterator[StoreMaker]:
    """Make stores that are closed at the end."""
    made: list[Store] = []

    def make(*rows: Any, embedder: Embedder | None = None) -> Store:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(store_of(folder, *rows, embedder=embedder))
        return made[-1]

    yield make
    for store in made:
        store.database.close()


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """The embedder that comes with the installation; it needs no network."""
    return embedding.load("english", tmp_path_factory.mktemp("home"))
