"""An empty database in a real file, and a unit of work that holds its write lock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.database import Database
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path / "t.db")
    yield database
    database.close()


@pytest.fixture
def uow(database: Database) -> Iterator[UnitOfWork]:
    with database.write() as uow:
        yield uow
