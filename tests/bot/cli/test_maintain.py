"""`tidemark maintain`: a pass by hand, and what it would do."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.cli.maintain import maintain, told
from bot.maintenance_task import Report
from bot.upkeep.words import WORDS
from config.schema import Settings
from config.settings import load_settings
from memory import maintenance
from memory.database import Database
from memory.migrating import prepare
from tests.bot.assistant import NOW
from tests.bot.upkeep import prepared


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of the offline model over a database of the present shape."""
    found = load_settings(environ={"TIDEMARK_HOME": str(tmp_path / "data")}, files=[], cwd=tmp_path)
    prepare(found.home / "tidemark.db", NOW)
    return found


def database_of(settings: Settings) -> Database:
    return Database(settings.home / "tidemark.db")


def fill(settings: Settings) -> None:
    database = database_of(settings)
    with database.write() as uow:
        prepared.fill(uow)
        uow.commit()
    database.close()


def everything(settings: Settings) -> dict[str, object]:
    database = database_of(settings)
    with database.read() as uow:
        found = prepared.tables(uow)
    database.close()
    return dict(found)


def test_a_dry_run_says_what_a_pass_would_do_and_changes_nothing(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(settings)
    before = everything(settings)
    assert maintain(settings, dry_run=True, vacuum=True) == 0
    out = capsys.readouterr().out
    assert "nothing was changed" in out
    assert "would be rewritten" in out
    assert f"archive    “{prepared.ARCHIVABLE}” – faded from buffer, importance 2" in out
    assert f"expire     “{prepared.EXPIRED}” – the matter is over" in out
    assert "the same word for word" in out
    assert "which is not asked" in out
    assert "embed      15 memories\nembed      2 cues\ntrim       2 journal entries older than " in out
    assert everything(settings) == before


def test_a_dry_run_that_meets_what_cannot_be_read_says_so(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pass leaves that one rule out and goes on."""
    fill(settings)
    with closing(sqlite3.connect(settings.home / "tidemark.db")) as connection, connection:
        connection.execute("UPDATE memories SET valid_from = 'garbage'")
    assert maintain(settings, dry_run=True, vacuum=False) == 1
    told_why = capsys.readouterr().err
    assert "cannot be read (ValueError" in told_why
    assert "tidemark doctor" in told_why


def test_a_pass_by_hand_tells_in_plain_words_and_a_second_finds_nothing_to_do(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(settings)
    assert maintain(settings, dry_run=False, vacuum=False) == 0
    first = capsys.readouterr().out
    assert "memories archived" in first
    assert "literal duplicates merged" in first
    assert maintain(settings, dry_run=False, vacuum=False) == 0
    assert "There was nothing to do." in capsys.readouterr().out


def test_without_a_database_it_says_how_to_get_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = load_settings(environ={"TIDEMARK_HOME": str(tmp_path / "none")}, files=[], cwd=tmp_path)
    assert maintain(settings, dry_run=False, vacuum=False) == 1
    assert "`tidemark run` makes one" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_database_of_another_shape_is_left_alone(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(settings.home / "tidemark.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert maintain(settings, dry_run=False, vacuum=False) == 1
    assert "`tidemark run`" in capsys.readouterr().err


def test_a_file_that_somebody_holds_is_one_line_and_status_one(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.wiring.Database", partial(Database, busy_timeout_s=0.05))
    monkeypatch.setenv("TIDEMARK_HOME", str(settings.home))
    with closing(sqlite3.connect(settings.home / "tidemark.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert main(["maintain"]) == 1
        other.execute("ROLLBACK")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tidemark: The database is held by another process.")
    assert main(["maintain"]) == 0


def test_what_went_wrong_is_told_and_is_status_one(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pass is made; the file could not be rewritten."""
    monkeypatch.setattr(maintenance, "VACUUM_PATIENCE_S", 0.05)
    fill(settings)
    with closing(sqlite3.connect(settings.home / "tidemark.db", isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM memories").fetchone()  # an old state, held: the log cannot be emptied
        assert maintain(settings, dry_run=False, vacuum=True) == 1
    printed = capsys.readouterr().out
    assert "memories archived" in printed
    assert "problem: the file could not be rewritten" in printed


def test_every_count_has_plain_words() -> None:
    report = Report(dict.fromkeys(WORDS, 2), ["the disk is full"])
    assert told(report)[-1] == "problem: the disk is full"
    assert not any("_" in line for line in told(report)[:-1])


def test_the_command_line_knows_it(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEMARK_HOME", str(settings.home))
    assert main(["maintain", "--dry-run"]) == 0
