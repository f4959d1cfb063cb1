"""`tidemark backup FILE` says what it did, or why not, and its exit status says the same."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from bot.cli.backup import backup
from memory.errors import NotADatabase
from memory.migrating import prepare

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def source(tmp_path):
    """A database with one row to recognise."""
    path = tmp_path / "data" / "tidemark.db"
    prepare(path, NOW)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO keys VALUES ('mark', x'01')")
        connection.commit()
    return path


def test_a_backup_is_a_database_that_starts(tmp_path, source, capsys):
    """Restored into another folder it is up to date and has the row."""
    target = tmp_path / "copy.db"
    assert backup(source, target) == 0
    assert f"to {target} (0.3 MB)" in capsys.readouterr().out
    (tmp_path / "other").mkdir()
    restored = target.rename(tmp_path / "other" / "tidemark.db")
    assert not prepare(restored, NOW).created
    with closing(sqlite3.connect(restored)) as connection:
        assert connection.execute("SELECT name FROM keys").fetchall() == [("mark",)]


def test_an_existing_file_is_kept_with_status_one_and_a_hint_at_force(tmp_path, source, capsys):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    assert backup(source, target) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tidemark: ")
    assert "--force" in captured.err
    assert target.read_text() == "precious"


def test_force_replaces_an_existing_file(tmp_path, source):
    target = tmp_path / "copy.db"
    target.write_text("old")
    assert backup(source, target, force=True) == 0
    assert target.read_bytes().startswith(b"SQLite format 3\0")


def test_before_the_first_start_there_is_nothing_to_copy(tmp_path, capsys):
    assert backup(tmp_path / "tidemark.db", tmp_path / "copy.db") == 1
    assert "no database" in capsys.readouterr().err


def test_a_tilde_means_the_home_folder(tmp_path, source, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert backup(source, type(tmp_path)("~/copy.db")) == 0
    assert (tmp_path / "copy.db").exists()


def test_damage_is_an_error_for_the_command_line_to_tell(tmp_path):
    (tmp_path / "tidemark.db").write_bytes(b"no database at all")
    with pytest.raises(NotADatabase):
        backup(tmp_path / "tidemark.db", tmp_path / "copy.db")
