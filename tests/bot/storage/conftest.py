"""An empty database in a real file, and a unit of work that holds its write lock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.unit_of_work import UnitOfWork
from tests.databases import new_database


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[UnitOfWork]:
    database = new_database(tmp_path / "t.db")
    with database.write() as uow:
        yield uow
    database.close()
