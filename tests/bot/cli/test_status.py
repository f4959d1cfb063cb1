"""`tidemark status` and `tidemark health`: how things stand, told without a running process."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.cli.status import POLL_FRESH, health, status
from bot.model import ModelReply, Purpose
from bot.storage import inbox, runs, usage
from bot.storage.health import standing
from bot.turn import take_turn
from config.schema import Settings
from config.settings import load_settings
from memory.database import Database
from memory.migrating import prepare
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import NOW, assistant, incoming

LATER = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(environ={"TIDEMARK_HOME": str(tmp_path / "data")}, files=[], cwd=tmp_path)


@pytest.fixture
def prepared(settings: Settings) -> Settings:
    prepare(settings.home / "tidemark.db", NOW)
    return settings


def write(settings: Settings, *steps: object) -> None:
    database = Database(settings.home / "tidemark.db")
    with database.write() as uow:
        for step in steps:
            step(uow)  # type: ignore[operator]
        uow.commit()
    database.close()


def test_without_a_database_it_says_how_to_get_one(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(settings) == 0
    assert "tidemark run" in capsys.readouterr().out
    assert not settings.home.exists()


def test_a_start_that_was_cut_short_is_not_taken_for_a_database(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.home.mkdir()
    (settings.home / "tidemark.db").touch()
    assert status(settings) == 0
    assert "tidemark run" in capsys.readouterr().out
    assert health(settings) == 1


def test_a_new_database_has_nothing_to_tell(prepared: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(prepared) == 0
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in capsys.readouterr().out.splitlines()}
    assert lines.pop("database").endswith("MB)")
    assert lines == {
        "memories": "none", "messages": "0", "inbox": "none", "outbox": "none", "reflections": "none",
        "last": "poll never", "maintenance": "never ran",
        "upkeep": "0 of 40000 tokens of the language model used today",
    }  # fmt: skip


def test_a_pass_is_shown_with_what_it_did_and_what_troubled_it(
    prepared: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    report = {"counts": {"embedded": 3, "expired": 0}, "problems": ["The weights are not there."]}

    def work(uow: UnitOfWork) -> None:
        runs.finish(uow, runs.begin(uow, NOW), NOW, report)

    write(prepared, work)
    status(prepared)
    printed = capsys.readouterr().out
    assert "3 memories embedded" in printed
    assert "dated matters" not in printed
    assert "problem: The weights are not there." in printed
    write(prepared, lambda uow: runs.begin(uow, LATER))
    status(prepared)
    assert "2026-11-30T00:00:00+00:00 (unfinished)" in capsys.readouterr().out


def test_of_the_budget_only_what_upkeep_used_today_counts(
    prepared: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(at: datetime, purpose: Purpose, tokens: int) -> Callable[[UnitOfWork], None]:
        return lambda uow: usage.record(uow, now=at, purpose=purpose, reply=ModelReply("x", "m", tokens - 1, 1, None))

    yesterday, today = LATER - timedelta(seconds=1), LATER + timedelta(hours=5)
    write(prepared, call(yesterday, Purpose.MAINTENANCE, 4_000), call(LATER, Purpose.MAINTENANCE, 500))
    write(prepared, call(today, Purpose.MAINTENANCE, 20), call(today, Purpose.TURN, 3_000))
    status(prepared, today)
    assert "upkeep       520 of 40000 tokens" in capsys.readouterr().out


async def test_a_reflection_that_failed_shows(tmp_path: Path) -> None:
    """The one place where the owner sees that memory has stopped growing."""
    async with assistant(tmp_path) as here:
        await take_turn(here.turn, incoming())
        await here.says("/remember I eat no shellfish.")
        await here.write(
            lambda uow: uow.connection.exec_driver_sql("UPDATE reflections SET state = 'failed', error = 'down'")
        )
        found = await here.read(standing)
    assert found.reflections == {"failed": 1}
    assert found.memories == {"active": 1}
    assert found.inbox == {"done": 1}
    assert found.outbox == {"pending": 2}
    assert found.messages == 3


@pytest.mark.parametrize(
    ("age", "exit_status"),
    [
        (timedelta(0), 0),
        (POLL_FRESH - timedelta(seconds=1), 0),
        (POLL_FRESH, 1),
        (timedelta(days=1), 1),
        (timedelta(hours=-3), 0),
    ],
)
def test_it_is_healthy_while_it_polls(
    prepared: Settings, capsys: pytest.CaptureFixture[str], age: timedelta, exit_status: int
) -> None:
    """A clock that stepped back makes nobody restart a process that works."""
    write(prepared, lambda uow: inbox.record_poll(uow, NOW))
    assert health(prepared, NOW + age) == exit_status
    assert ("deaf" in capsys.readouterr().out) is bool(exit_status)


def test_before_the_first_poll_it_is_not_healthy(prepared: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert health(prepared, NOW) == 1
    assert "no poll" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["status", "health"])
def test_a_file_that_is_no_database_is_one_line_and_status_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setenv("TIDEMARK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tidemark.db").write_text("no database at all " * 20)
    assert main([command]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_wrong_setting_is_one_line_and_status_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIDEMARK_TIMEZONE", "Europe/Berlim")
    assert main(["status"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "TIDEMARK_TIMEZONE" in line


def test_a_command_that_does_not_exist_is_status_two() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dance"])
    assert ended.value.code == 2
