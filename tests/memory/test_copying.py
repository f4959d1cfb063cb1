"""A copy is of one instant, whole, private, alone in its file; or there is none, and nothing else was harmed."""

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memory import copying
from memory.copying import copy_database
from memory.errors import CopyRefused, DatabaseUnwritable, NotADatabase


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A database in use: two accounts whose sum is always a hundred, and some bulk."""
    folder = tmp_path / "data"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "tidemark.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE accounts (name TEXT PRIMARY KEY, amount INTEGER)")
        connection.execute("CREATE TABLE bulk (x BLOB)")
        connection.execute("INSERT INTO accounts VALUES ('a', 100), ('b', 0)")
        connection.executemany("INSERT INTO bulk VALUES (?)", [(bytes(3000),)] * 500)
        connection.commit()
    return folder / "tidemark.db"


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT name, amount FROM accounts ORDER BY name").fetchall()


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_copy_holds_what_the_source_holds_and_is_one_private_file(tmp_path, source):
    target = tmp_path / "copy.db"
    assert copy_database(source, target) == target.stat().st_size
    assert rows(target) == rows(source)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert left_in(tmp_path) == {"data", "copy.db"}
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_what_stands_only_in_the_write_ahead_log_is_copied(tmp_path, source):
    with closing(sqlite3.connect(source)) as writer:
        writer.execute("UPDATE accounts SET amount = 7 WHERE name = 'a'")
        writer.commit()
        copy_database(source, tmp_path / "copy.db")
    assert rows(tmp_path / "copy.db")[0] == ("a", 7)


def test_commits_between_the_steps_of_a_copy_are_neither_in_it_nor_begin_it_anew(tmp_path, source):
    """A copy that began anew with every commit would never end beside a busy writer."""
    steps = 0

    def commit_something(_status: int, remaining: int, _total: int) -> None:
        nonlocal steps
        steps += 1
        assert steps < 1000, "the copy begins anew with every commit"
        writer.execute("UPDATE accounts SET amount = amount - 1 WHERE name = 'a'")
        writer.execute("UPDATE bulk SET x = randomblob(3000) WHERE rowid = ?", (500 - steps % 500,))
        writer.commit()

    with (
        closing(sqlite3.connect(source)) as writer,
        closing(copying._open_source(source)) as reading,
        closing(sqlite3.connect(tmp_path / "copy.db")) as writing,
    ):
        reading.backup(writing, pages=3, progress=commit_something)
    assert steps > 100
    assert rows(tmp_path / "copy.db") == [("a", 100), ("b", 0)]


def test_a_writer_is_not_held_up_while_copies_are_made(tmp_path, source):
    """Two connections at once, as the service and the command line have them; the sum would show a torn copy."""
    stop = threading.Event()
    refused: list[sqlite3.Error] = []
    moved = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(source, timeout=0)) as writer:
            while not stop.is_set():
                try:
                    writer.execute("UPDATE accounts SET amount = amount - 1 WHERE name = 'a'")
                    writer.execute("UPDATE accounts SET amount = amount + 1 WHERE name = 'b'")
                    writer.commit()
                except sqlite3.Error as error:
                    refused.append(error)
                moved.set()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(3):
            moved.clear()
            assert moved.wait(20)
            copy_database(source, tmp_path / f"{number}.db")
            assert sum(int(str(amount)) for _, amount in rows(tmp_path / f"{number}.db")) == 100
    finally:
        stop.set()
        thread.join()
    assert refused == []


def test_an_open_write_does_not_hold_a_copy_up_and_is_not_in_it(tmp_path, source):
    with closing(sqlite3.connect(source, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE accounts SET amount = -1")
        copy_database(source, tmp_path / "copy.db")
    assert rows(tmp_path / "copy.db") == [("a", 100), ("b", 0)]


def test_an_existing_file_stays_unless_it_may_be_replaced(tmp_path, source):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(CopyRefused, match="exists already"):
        copy_database(source, target)
    assert target.read_text() == "precious"
    copy_database(source, target, replace=True)
    assert rows(target) == rows(source)


def test_a_file_that_appears_while_the_copy_is_made_stays(tmp_path, source, monkeypatch):
    target = tmp_path / "copy.db"
    monkeypatch.setattr(copying, "_sync", lambda path: target.write_text("precious"))
    with pytest.raises(CopyRefused, match="exists already"):
        copy_database(source, target)
    assert target.read_text() == "precious"
    assert left_in(tmp_path) == {"data", "copy.db"}


def test_the_database_never_becomes_its_own_copy(tmp_path, source):
    before = source.read_bytes()
    (tmp_path / "link.db").symlink_to(source)
    for target in (source, tmp_path / "link.db"):
        with pytest.raises(CopyRefused, match="itself"):
            copy_database(source, target, replace=True)
    assert source.read_bytes() == before


def test_a_database_in_use_is_never_replaced(tmp_path, source):
    """Its write-ahead log would be laid over the copy, and ruin it."""
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE a (b)")
        with pytest.raises(CopyRefused, match="in use"):
            copy_database(source, other, replace=True)


@pytest.mark.parametrize(
    ("where", "says"),
    [(".", "is a folder"), ("no/such/folder/copy.db", "no folder"), ("data/tidemark.db/copy.db", "no folder")],
)
def test_a_place_that_is_none_for_a_file_is_refused(tmp_path, source, where, says):
    with pytest.raises(CopyRefused, match=says):
        copy_database(source, tmp_path / where)


def test_a_name_that_the_file_system_refuses_leaves_nothing_behind(tmp_path, source):
    with pytest.raises(DatabaseUnwritable):
        copy_database(source, tmp_path / ("n" * 250 + ".database"))
    assert left_in(tmp_path) == {"data"}


def test_a_missing_source_is_refused_and_not_created(tmp_path):
    with pytest.raises(CopyRefused, match="no database"):
        copy_database(tmp_path / "nowhere.db", tmp_path / "copy.db")
    assert left_in(tmp_path) == set()


@pytest.mark.parametrize("content", [b"my notes, no database", b"SQLite format 3\0" + b"\x07" * 9000])
def test_a_source_that_is_no_database_is_refused_and_leaves_nothing_behind(tmp_path, content):
    (tmp_path / "tidemark.db").write_bytes(content)
    with pytest.raises(NotADatabase, match=r"tidemark\.db"):
        copy_database(tmp_path / "tidemark.db", tmp_path / "copy.db")
    assert left_in(tmp_path) == {"tidemark.db"}


def test_a_damaged_database_is_refused_rather_than_copied_damage_and_all(tmp_path, source):
    content = bytearray(source.read_bytes())
    content[2 * 4096 : 3 * 4096] = b"\xa5" * 4096
    source.write_bytes(content)
    with pytest.raises(NotADatabase, match="damaged"):
        copy_database(source, tmp_path / "copy.db")
    assert left_in(tmp_path) == {"data"}


def test_an_interrupted_copy_leaves_nothing_behind(tmp_path, source, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(copying, "_copy", interrupted)
    with pytest.raises(KeyboardInterrupt):
        copy_database(source, tmp_path / "copy.db")
    assert left_in(tmp_path) == {"data"}


def test_a_file_system_without_hard_links_gets_its_copy_all_the_same(tmp_path, source, monkeypatch):
    def refused(self, target):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    copy_database(source, tmp_path / "copy.db")
    assert rows(tmp_path / "copy.db") == rows(source)
