"""The revisions lead to exactly the tables the code uses, there and back, with every row."""

import sqlite3
from contextlib import closing
from itertools import pairwise

import alembic.autogenerate
import alembic.config
import alembic.script
import pytest
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

import migrations
from bot.storage.tables import metadata
from memory.lexical import CREATE_SQL
from memory.migrating import HEAD, REVISIONS, revision_of
from tests.databases import new_database
from tests.migrations.files import ROWS, file_at, move, shape_of, tables_of

MEASURED_AGAIN = {"recall_floors", "recall_centres", "memory_firings", "memory_verdicts"}
"""What maintenance works out, or asks, again at its next pass, and when a cue last fired."""


def scripts() -> alembic.script.ScriptDirectory:
    return alembic.script.ScriptDirectory(str(migrations.__path__[0]))


def test_the_constant_names_exactly_the_revisions_there_are():
    """So that an up-to-date file is known without importing Alembic."""
    assert tuple(reversed([script.revision for script in scripts().walk_revisions()])) == REVISIONS
    assert scripts().get_current_head() == HEAD


def test_every_revision_has_rows_kept_for_it():
    assert {path.stem for path in ROWS.glob("*.sql")} == set(REVISIONS)


def test_the_kept_rows_leave_no_table_empty(tmp_path):
    found = tables_of(file_at(tmp_path / "t.db", HEAD))
    assert [name for name, rows in found.items() if not rows] == []


def test_from_empty_the_revisions_lead_to_the_metadata(tmp_path):
    path = file_at(tmp_path / "t.db", "head", rows=False)
    with create_engine(f"sqlite:///{path}").connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_server_default": True,
                "include_name": lambda name, kind, _: not (kind == "table" and name.startswith("memories_fts")),
            },
        )
        assert alembic.autogenerate.compare_metadata(context, metadata) == []


def test_the_file_made_by_revisions_is_made_like_the_one_made_from_the_tables(tmp_path):
    """Closer than Alembic looks: checks, conditions of indexes, AUTOINCREMENT, names of constraints."""
    new_database(tmp_path / "tables.db").close()
    file_at(tmp_path / "revisions.db", "head", rows=False)
    assert shape_of(tmp_path / "revisions.db") == shape_of(tmp_path / "tables.db")


def test_the_full_text_table_is_the_one_that_recall_expects(tmp_path):
    file_at(tmp_path / "t.db", "head", rows=False)
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection:
        sql = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'memories_fts'").fetchone()[0]
    assert "".join(sql.split()) == "".join(CREATE_SQL.split())


def test_down_to_nothing_and_up_again_works_with_rows_in_every_table(tmp_path):
    path = file_at(tmp_path / "t.db", HEAD)
    shape = shape_of(path)
    move(path, "downgrade", "base")
    assert set(tables_of(path)) == {"alembic_version"}
    assert revision_of(path) is None
    move(path, "upgrade", "head")
    assert shape_of(path) == shape


@pytest.mark.parametrize(("older", "newer"), list(pairwise(REVISIONS)))
def test_one_step_down_and_up_again_keeps_every_row(tmp_path, older, newer):
    path = file_at(tmp_path / "t.db", newer)
    rows = tables_of(path)
    move(path, "downgrade", older)
    move(path, "upgrade", newer)
    assert kept(tables_of(path)) == kept(rows)


def kept(tables):
    return {name: rows for name, rows in tables.items() if name not in MEASURED_AGAIN}
