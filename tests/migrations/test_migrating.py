"""At start the file is brought to the present shape, once, with a copy kept; what is not ours is refused untouched."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import migrating
from memory.database import Database
from memory.errors import DatabaseBusy, DatabaseUnwritable, NotADatabase, SchemaTooNew, TidemarkDatabaseError
from memory.migrating import HEAD, REVISIONS, prepare
from tests.migrations.files import file_at, shape_of, tables_of

NOW = datetime(2026, 11, 30, 8, 15, tzinfo=UTC)


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a real process that has `prepare` and `NOW` at hand."""
    start = "import sys\nfrom datetime import UTC, datetime\nfrom pathlib import Path\nfrom memory.migrating import prepare\n"
    command = [sys.executable, "-c", f"{start}NOW = datetime(2026, 11, 30, tzinfo=UTC)\n{code}", *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def a_revision_to_come(monkeypatch):
    """Stand as the newer program that knows one revision more, whose change is a table."""

    def with_one_more(connection, command, revision):
        connection.exec_driver_sql("CREATE TABLE pinboard (id INTEGER)")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0999'")

    monkeypatch.setattr(migrating, "REVISIONS", (*REVISIONS, "0999"))
    monkeypatch.setattr(migrating, "HEAD", "0999")
    monkeypatch.setattr(migrating, "run_alembic", with_one_more)


def test_a_first_start_creates_folder_and_file_for_their_owner_alone(tmp_path):
    path = tmp_path / "a" / "data" / "tidemark.db"
    done = prepare(path, NOW)
    assert (done.created, done.upgraded, done.before, done.revision, done.copy) == (True, False, None, HEAD, None)
    assert mode(path.parent) == 0o700
    assert {file.name: mode(file) for file in path.parent.iterdir()} == {
        "tidemark.db": 0o600,
        "tidemark.db.lock": 0o600,
    }


def test_a_second_start_changes_nothing(tmp_path):
    path = tmp_path / "tidemark.db"
    prepare(path, NOW)
    before = path.read_bytes()
    done = prepare(path, NOW)
    assert (done.created, done.upgraded, done.before) == (False, False, HEAD)
    assert path.read_bytes() == before


def test_an_up_to_date_database_starts_without_alembic(tmp_path):
    prepare(tmp_path / "tidemark.db", NOW)
    process = python("prepare(Path(sys.argv[1]), NOW)\nprint('alembic' in sys.modules)", tmp_path / "tidemark.db")
    assert process.communicate()[0].strip() == "False"


def test_a_path_full_of_what_addresses_take_for_their_own_is_just_a_path(tmp_path):
    path = tmp_path / "100%41 ?mode=ro#x&y" / "tide 里.db"
    assert prepare(path, NOW).created
    assert prepare(path, NOW).before == HEAD
    database = Database(path)
    with database.read() as uow:
        assert uow.connection.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() == 0
    database.close()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_file_of_every_revision_opens_with_all_its_rows(tmp_path, revision):
    path = file_at(tmp_path / "tidemark.db", revision)
    rows = tables_of(path)
    prepare(path, NOW)
    prepare(tmp_path / "new.db", NOW)
    assert shape_of(path) == shape_of(tmp_path / "new.db")
    after = tables_of(path)
    assert {name: len(after[name]) for name in rows} == {name: len(found) for name, found in rows.items()}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH 'alvarez'").fetchall() == [
            (7,)
        ]


def test_an_older_file_is_copied_aside_before_it_is_changed(tmp_path, a_revision_to_come):
    path = file_at(tmp_path / "tidemark.db", REVISIONS[-1])
    rows = tables_of(path)
    done = prepare(path, NOW)
    assert (done.created, done.upgraded, done.before, done.revision) == (False, True, REVISIONS[-1], "0999")
    assert done.copy == tmp_path / "tidemark.db.before-0999-20261130T081500Z"
    assert mode(done.copy) == 0o600
    assert tables_of(done.copy) == rows
    assert "pinboard" in tables_of(path)


def test_a_second_copy_of_the_same_second_does_not_replace_the_first(tmp_path, a_revision_to_come):
    first = tmp_path / "tidemark.db.before-0999-20261130T081500Z"
    first.write_text("mine")
    done = prepare(file_at(tmp_path / "tidemark.db", REVISIONS[-1]), NOW)
    assert done.copy == first.with_name(first.name + "-2")
    assert first.read_text() == "mine"


def test_what_stands_only_in_the_write_ahead_log_is_seen_and_copied(tmp_path, a_revision_to_come):
    """A process that was killed leaves its last commits there."""
    path = file_at(tmp_path / "tidemark.db", REVISIONS[-1])
    code = """
import os, sqlite3
connection = sqlite3.connect(sys.argv[1])
connection.execute("INSERT INTO keys VALUES ('late', x'01')")
connection.commit()
os._exit(9)
"""
    process = python(code, path)
    process.communicate()
    assert path.with_name("tidemark.db-wal").stat().st_size > 0
    done = prepare(path, NOW)
    assert done.copy is not None
    assert ("late", b"\x01") in tables_of(done.copy)["keys"]


def test_a_database_that_stands_wholly_in_the_write_ahead_log_is_not_taken_for_a_new_one(tmp_path):
    """As after a kill in the first minute, before anything moved into the file itself."""
    code = """
import os, sqlite3
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("PRAGMA journal_mode = WAL")
other.execute("BEGIN"); other.execute("SELECT count(*) FROM sqlite_master").fetchone()
prepare(Path(sys.argv[1]), NOW)
os._exit(9)
"""
    path = tmp_path / "tidemark.db"
    assert python(code, path).communicate() == ("", "")
    assert path.stat().st_size < path.with_name("tidemark.db-wal").stat().st_size
    assert prepare(path, NOW).before == HEAD


def test_a_change_that_fails_leaves_the_file_as_it_was(tmp_path, a_revision_to_come, monkeypatch):
    def half_way(connection, command, revision):
        connection.exec_driver_sql("DROP TABLE keys")
        connection.exec_driver_sql("DELETE FROM messages")
        raise RuntimeError("a bug in a revision")

    monkeypatch.setattr(migrating, "run_alembic", half_way)
    path = file_at(tmp_path / "tidemark.db", REVISIONS[-1])
    rows = tables_of(path)
    with pytest.raises(RuntimeError):
        prepare(path, NOW)
    assert tables_of(path) == rows


def test_a_change_that_breaks_references_is_taken_back(tmp_path, a_revision_to_come, monkeypatch):
    monkeypatch.setattr(
        migrating,
        "run_alembic",
        lambda connection, command, revision: connection.exec_driver_sql("DELETE FROM memories"),
    )
    path = file_at(tmp_path / "tidemark.db", REVISIONS[-1])
    rows = tables_of(path)
    with pytest.raises(TidemarkDatabaseError, match="references"):
        prepare(path, NOW)
    assert tables_of(path) == rows


def test_a_full_disk_while_copying_aside_leaves_the_file_as_it_was_and_no_part_behind(tmp_path, a_revision_to_come):
    """A limit on file sizes stands in for the full disk."""
    path = file_at(tmp_path / "tidemark.db", REVISIONS[-1])
    before = path.read_bytes()
    code = """
import resource, signal
from memory import migrating
from memory.errors import DiskFull, DatabaseUnwritable
migrating.REVISIONS, migrating.HEAD = (*migrating.REVISIONS, "0999"), "0999"
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    prepare(Path(sys.argv[1]), NOW)
except (DiskFull, DatabaseUnwritable) as error:
    print("refused")
"""
    out, error = python(code, path).communicate()
    assert (out.strip(), error) == ("refused", "")
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} <= {
        "tidemark.db",
        "tidemark.db.lock",
        "tidemark.db-wal",
        "tidemark.db-shm",
    }


def test_a_newer_schema_is_refused_and_every_byte_stays(tmp_path):
    path = file_at(tmp_path / "tidemark.db", HEAD)
    execute(path, "UPDATE alembic_version SET version_num = '0777'")
    before = path.read_bytes()
    with pytest.raises(SchemaTooNew, match="0777"):
        prepare(path, NOW)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"tidemark.db", "tidemark.db.lock"}


GARBAGE = {
    "text": b"these are my notes, not a database\n" * 50,
    "one byte": b"x",
    "header alone": b"SQLite format 3\0",
    "header and noise": b"SQLite format 3\0" + bytes(range(256)) * 40,
    "an archive": b"PK\x03\x04" + b"\0" * 5000,
    "zeros": b"\0" * 8192,
}


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE.keys())
def test_a_file_that_is_no_database_is_refused_and_every_byte_stays(tmp_path, content):
    path = tmp_path / "tidemark.db"
    path.write_bytes(content)
    with pytest.raises(NotADatabase, match=r"tidemark\.db"):
        prepare(path, NOW)
    assert path.read_bytes() == content
    assert {file.name for file in tmp_path.iterdir()} == {"tidemark.db", "tidemark.db.lock"}


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE bookmarks (url TEXT)",),
        ("CREATE TABLE alembic_version (version_num TEXT)", "CREATE TABLE bookmarks (url TEXT)"),
        ("CREATE TABLE alembic_version (version_num TEXT)", "CREATE TABLE memories (id INTEGER)"),
    ],
)
def test_another_programs_database_is_refused_and_every_byte_stays(tmp_path, statements):
    path = tmp_path / "tidemark.db"
    execute(path, *statements)
    before = path.read_bytes()
    with pytest.raises(NotADatabase, match="another program"):
        prepare(path, NOW)
    assert path.read_bytes() == before


def test_a_folder_in_the_files_place_is_refused(tmp_path):
    (tmp_path / "tidemark.db").mkdir()
    with pytest.raises(NotADatabase, match="no file"):
        prepare(tmp_path / "tidemark.db", NOW)


@pytest.mark.parametrize(
    "leave", [lambda path: path.touch(), lambda path: execute(path, "CREATE TABLE a (b)", "DROP TABLE a")]
)
def test_an_empty_file_as_a_cut_short_first_start_leaves_it_is_taken_for_a_new_one(tmp_path, leave):
    path = tmp_path / "tidemark.db"
    leave(path)
    assert prepare(path, NOW).created
    assert prepare(path, NOW).before == HEAD


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseUnwritable, match="cannot be created"):
        prepare(tmp_path / "file" / "data" / "tidemark.db", NOW)


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_what_cannot_be_written_is_refused_untouched(tmp_path, closed):
    """In a process without root's powers, which would write anywhere."""
    (tmp_path / "data").mkdir()
    path = file_at(tmp_path / "data" / "tidemark.db", HEAD)
    before = path.read_bytes()
    path.chmod(0o444 if closed == "file" else 0o666)
    path.parent.chmod(0o777 if closed == "file" else 0o555)
    for parent in path.parents:
        if parent.is_relative_to("/tmp/") and parent != path.parent and os.access(parent, os.W_OK):
            parent.chmod(parent.stat().st_mode | 0o055)
    code = """
import os
from memory.errors import DatabaseUnwritable
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    prepare(Path(sys.argv[1]), NOW)
except DatabaseUnwritable as error:
    print("refused:", error)
"""
    out, error = python(code, path).communicate()
    assert error == ""
    assert "cannot be written" in out
    assert path.read_bytes() == before


def test_a_restored_file_that_others_can_read_is_closed_to_them(tmp_path):
    path = tmp_path / "tidemark.db"
    prepare(path, NOW)
    path.chmod(0o644)
    prepare(path, NOW)
    assert mode(path) == 0o600


def test_two_processes_that_start_at_once_make_one_database(tmp_path):
    """Real processes, let loose together: one creates, the others find it done, and nobody fails."""
    code = "print('ready', flush=True)\nsys.stdin.read()\nprint(prepare(Path(sys.argv[1]), NOW).created)"
    processes = [python(code, tmp_path / "data" / "tidemark.db") for _ in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    said = []
    for process in processes:
        assert process.stdout is not None
        assert process.stderr is not None
        said.append(process.stdout.read().strip())
        assert (process.wait(), process.stderr.read()) == (0, "")
        process.stdout.close()
        process.stderr.close()
    assert sorted(said) == ["False", "False", "True"]


def test_who_waits_too_long_for_another_process_is_told(tmp_path):
    path = tmp_path / "tidemark.db"
    with migrating._lock(path, 0), pytest.raises(DatabaseBusy, match="Another process"):
        prepare(path, NOW, lock_patience_s=0)


def test_a_database_locked_by_another_process_is_a_busy_one_and_stays(tmp_path, a_revision_to_come, monkeypatch):
    path = file_at(tmp_path / "tidemark.db", REVISIONS[-1])
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: real(*a, **(k | {"timeout": 0})))
    with closing(real(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy):
            prepare(path, NOW)
    assert "pinboard" not in tables_of(path)
