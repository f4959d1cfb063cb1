from pathlib import Path

import pytest

from memory.embedding import Embedder, load


@pytest.fixture(scope="session")
def multilingual() -> Embedder:
    """The real model: it comes along, and loads within a second."""
    return load("multilingual", Path("/nowhere"))
