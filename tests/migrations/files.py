"""Database files at any revision, with rows in every table, for the tests of migrations."""

import sqlite3
from contextlib import closing
from pathlib import Path

from memory.migrating import _connected, run_alembic

ROWS = Path(__file__).parent / "rows"


def file_at(path: Path, revision: str, *, rows: bool = True) -> Path:
    """Make a database of ``revision`` at ``path``, with the rows kept for it."""
    with _connected(path) as connection:
        run_alembic(connection, "upgrade", revision)
    if rows:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((ROWS / f"{revision}.sql").read_text(encoding="utf-8"))
    return path


def move(path: Path, command: str, revision: str) -> None:
    """Upgrade or downgrade the database at ``path``."""
    with _connected(path) as connection:
        run_alembic(connection, command, revision)


def tables_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Give all rows of all tables but FTS5's shadows, ordered."""
    with closing(sqlite3.connect(path)) as connection:
        names = [
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not row[0].startswith(("memories_fts_", "sqlite_"))
        ]
        return {name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for name in sorted(names)}


def shape_of(path: Path) -> dict[str, object]:
    """Give what a database is made of: columns, checks, keys and indexes, free of order and layout."""
    with closing(sqlite3.connect(path)) as connection:
        names = [
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not row[0].startswith(("memories_fts", "sqlite_", "alembic_"))
        ]
        return {name: _shape(connection, name) for name in sorted(names)}


def _shape(connection: sqlite3.Connection, name: str) -> dict[str, object]:
    def rows(pragma: str, of: str, columns: slice = slice(None)) -> list[tuple[object, ...]]:
        return sorted((row[columns] for row in connection.execute(f'PRAGMA {pragma}("{of}")')), key=repr)

    sql = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    indexes = {
        (row[1], row[2], row[4]): rows("index_info", row[1])
        for row in connection.execute(f'PRAGMA index_list("{name}")')
    }
    wheres = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", (name,))
    return {
        "columns": rows("table_xinfo", name, slice(1, None)),
        "references": rows("foreign_key_list", name, slice(2, None)),
        "indexes": indexes,
        "index texts": sorted(((row[0], row[1] and " ".join(row[1].split())) for row in wheres), key=repr),
        "constraints": sorted(line.strip(" ,\t") for line in sql.splitlines() if line.strip().startswith("CONSTRAINT")),
        "counts on": "AUTOINCREMENT" in sql,
    }
