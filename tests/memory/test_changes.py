import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory import changes, lexical
from memory.database import Database
from memory.domain import AgentSlug, Scope
from memory.migrating import HEAD
from tests.databases import new_database
from tests.memory.recall.stores import AGENT, HERE, write
from tests.migrations.files import file_at

THERE = Scope("chat:2")


@pytest.fixture
def store(database: Database) -> Database:
    """A store with one memory that has a cue, and its first changes."""
    write(database, [{"text": "boat", "triggers": ["sail"]}, {"text": "tent"}])
    return database


def after(database: Database, sql: str, scope: Scope = HERE) -> list[int]:
    """Give the rows that count as changed in ``scope`` once ``sql`` is committed."""
    with database.read() as uow:
        before = changes.latest(uow.connection, AGENT, scope)
    with database.write() as uow:
        uow.connection.exec_driver_sql(sql)
        uow.commit()
    with database.read() as uow:
        return changes.since(uow.connection, AGENT, scope, before)


def test_an_empty_scope_has_no_change(database: Database) -> None:
    """Nor has one that does not exist."""
    with database.read() as uow:
        assert changes.latest(uow.connection, AGENT, HERE) == 0
        assert changes.since(uow.connection, AGENT, HERE, 0) == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE memories SET status = 'archived' WHERE pk = 1",
        "UPDATE memories SET text = 'ship' WHERE pk = 1",
        "UPDATE memories SET embedding = x'00', embedding_model = 'm' WHERE pk = 1",
        "DELETE FROM memories WHERE pk = 1",
        "UPDATE memory_triggers SET phrase = 'row'",
        "DELETE FROM memory_triggers",
        "INSERT INTO memory_triggers (memory_id, phrase, terms) VALUES ('00000000000000000000000001', 'moor', 'moor')",
        "UPDATE memories SET agent_slug = 'other' WHERE pk = 1",
    ],
)
def test_whatever_recall_looks_at_is_logged_by_the_file_itself(sql: str, store: Database) -> None:
    """No write path can forget it, since none has to remember it."""
    assert after(store, sql) == [1]


def test_a_move_is_a_change_in_both_scopes(store: Database) -> None:
    """Where it came from and where it went."""
    move = "UPDATE memories SET scope = 'chat:2' WHERE pk = 1"
    assert after(store, move) == [1]
    assert after(store, "UPDATE memories SET scope = 'chat:2' WHERE pk = 2", THERE) == [2]


def test_a_use_in_a_reply_changes_nothing_that_is_held(store: Database) -> None:
    """Every reply counts uses; the indexes need not stir."""
    assert after(store, "UPDATE memories SET uses = uses + 1, accessed_at = '2026-12-01 00:00:00.000000'") == []


def test_other_scopes_and_assistants_count_for_themselves(store: Database) -> None:
    """What others write is no reason to look again."""
    assert after(store, "UPDATE memories SET status = 'archived'", THERE) == []
    with store.read() as uow:
        assert changes.latest(uow.connection, AgentSlug("other"), HERE) == 0


def test_one_row_has_one_line_however_often_it_changes(store: Database) -> None:
    """The log grows with the memories, not with time."""
    for _ in range(5):
        assert after(store, "UPDATE memories SET status = 'active' WHERE pk = 1") == [1]
    with store.read() as uow:
        assert uow.connection.exec_driver_sql("SELECT count(*) FROM memory_changes").scalar_one() == 2


def test_what_is_rolled_back_was_no_change(store: Database) -> None:
    """The number is given again, to somebody else's change."""
    with store.write() as uow:
        before = changes.latest(uow.connection, AGENT, HERE)
        uow.connection.exec_driver_sql("UPDATE memories SET status = 'archived'")
        assert changes.latest(uow.connection, AGENT, HERE) > before
    with store.read() as uow:
        assert changes.latest(uow.connection, AGENT, HERE) == before


def test_terms_that_are_indexed_again_are_a_change(store: Database) -> None:
    """Full-text tables have no triggers; whoever writes them says so."""
    with store.write() as uow:
        before = changes.latest(uow.connection, AGENT, HERE)
        lexical.index(uow.connection, 2, AGENT, HERE, "marquee")
        assert changes.since(uow.connection, AGENT, HERE, before) == [2]


def test_only_a_reader_sees_nothing_but_what_is_committed(store: Database) -> None:
    """Asked twice, since the answer is kept with the connection."""
    for _ in range(2):
        with store.read() as reader, store.write() as writer:
            assert changes.reads_only(reader.connection)
            assert not changes.reads_only(writer.connection)


def test_the_migrations_and_the_tables_make_the_same_triggers(tmp_path: Path) -> None:
    """Word for word, blanks aside."""
    new_database(tmp_path / "tables.db").close()
    file_at(tmp_path / "revisions.db", HEAD, rows=False)
    made = []
    for name in ("tables.db", "revisions.db"):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            made.append({trigger: "".join(sql.split()) for trigger, sql in triggers})
    assert made[0] == made[1]
    assert len(made[0]) == 6
