"""Databases for tests: the whole schema, straight from the tables, without migrations."""

from pathlib import Path

from bot.storage.tables import metadata
from memory import lexical
from memory.database import Database, create_file


def new_database(path: Path) -> Database:
    """Give an empty database with every table, at ``path`` (a file that does not exist yet). The caller closes it."""
    create_file(path)
    database = Database(path)
    with database.write() as uow:
        metadata.create_all(uow.connection)
        uow.connection.exec_driver_sql(lexical.CREATE_SQL)
        uow.commit()
    return database
