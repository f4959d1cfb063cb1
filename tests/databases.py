"""Databases for tests: the whole schema, straight from the tables, without migrations."""

import tempfile
from functools import cache
from pathlib import Path

from bot.storage.tables import metadata
from memory import lexical
from memory.database import Database, create_file


def new_database(path: Path) -> Database:
    """Give an empty database with every table, at ``path`` (a file that does not exist yet). The caller closes it."""
    create_file(path)
    path.write_bytes(_empty())
    return Database(path)


@cache
def _empty() -> bytes:
    """Give the file of an empty database. Thousands of tests begin with one: it is made once, then copied."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        create_file(path)
        database = Database(path)
        with database.write() as uow:
            metadata.create_all(uow.connection)
            uow.connection.exec_driver_sql(lexical.CREATE_SQL)
            uow.commit()
        database.close()
        assert [file.name for file in path.parent.iterdir()] == [path.name], "the log is in the file"
        return path.read_bytes()
