"""`tidemark doctor`: what is well, what is not, and what to do about it."""

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from bot.cli import doctor as module
from bot.cli.doctor import Finding, Level, _report, doctor
from bot.errors import ModelKeyRefused
from config.schema import Settings
from config.settings import load_settings
from memory import transcript
from memory.database import Database
from memory.migrating import HEAD, prepare
from tests.fakes import HashingEmbedder
from tests.memory.samples import said
from tests.scripted_model import ScriptedModel
from tests.telegram_server import TelegramServer

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def settings_in(folder: Path, **environ: str) -> Settings:
    return load_settings(environ={"TIDEMARK_HOME": str(folder / "data"), **environ}, files=[], cwd=folder)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real embedder has tests of its own and takes a second to load."""
    monkeypatch.setattr(module, "load", lambda *_: HashingEmbedder(digest="0123456789abcdef"))


@pytest_asyncio.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as running:
        yield running


def with_token(folder: Path, server: TelegramServer, **environ: str) -> Settings:
    return settings_in(folder, TELEGRAM_BOT_TOKEN=server.token, TELEGRAM_API_URL=server.url, **environ)


def parts(printed: str) -> dict[str, str]:
    """Give level by part."""
    lines = [line.split() for line in printed.splitlines() if not line.startswith(" ")]
    return {line[1]: line[0] for line in lines}


def test_a_fresh_set_up_is_explained_and_no_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(settings_in(tmp_path)) == 0
    printed = capsys.readouterr().out
    assert parts(printed) == {
        "settings": "ok", "database": "ok", "embedder": "ok", "model": "warning", "telegram": "warning", "clock": "ok",
    }  # fmt: skip
    assert f"created, schema {HEAD}" in printed
    assert "hashing" not in printed
    assert "64 dimensions, digest 0123456789ab" in printed
    assert "TIDEMARK_MODEL=" in printed
    assert "@BotFather" in printed


def test_a_database_that_is_there_is_looked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = settings_in(tmp_path)
    prepare(settings.home / "tidemark.db", NOW)
    assert doctor(settings) == 0
    assert "intact" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_file_that_is_no_database_is_a_problem_and_untouched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    settings = settings_in(tmp_path)
    settings.home.mkdir()
    (settings.home / "tidemark.db").write_bytes(content)
    assert doctor(settings) == 1
    assert parts(capsys.readouterr().out)["database"] == "problem"
    assert (settings.home / "tidemark.db").read_bytes() == content


def test_a_damaged_database_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Damage inside, not in the first page: the file still looks like ours."""
    settings = settings_in(tmp_path)
    path = settings.home / "tidemark.db"
    prepare(path, NOW)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("CREATE INDEX broken ON messages (text)")
        connection.executemany(
            "INSERT INTO messages (agent_slug, chat_id, role, speaker, origin, text, sent_at, turn_key)"
            " VALUES ('t', 1, 'user', 'A', 'own', ?, '2026-11-30', ?)",
            [("word " * 200 + str(n), f"k{n}") for n in range(200)],
        )
        connection.commit()
    with path.open("r+b") as file:
        file.seek(-20 * 4096, os.SEEK_END)
        file.write(b"\x17" * 4096 * 10)
    assert doctor(settings) == 1
    printed = capsys.readouterr().out
    assert parts(printed)["database"] == "problem"
    assert "backup" in printed
    assert parts(printed)["clock"] == "ok"  # the rest is looked at all the same


def test_a_folder_that_cannot_be_made_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").write_text("a file stands here")
    assert doctor(settings_in(tmp_path)) == 1
    assert "TIDEMARK_HOME" in capsys.readouterr().out


async def test_telegram_that_answers_is_told_with_privacy_and_webhook(
    tmp_path: Path, server: TelegramServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.set_privacy(on=True)
    assert await _report(with_token(tmp_path, server)) == 0
    printed = capsys.readouterr().out
    assert f"@{server.bot.username}" in printed
    assert (parts(printed)["telegram"], parts(printed)["groups"], parts(printed)["webhook"]) == ("ok", "warning", "ok")
    assert "/setprivacy" in printed
    server.set_privacy(on=False)
    await _report(with_token(tmp_path, server))
    assert parts(capsys.readouterr().out)["groups"] == "ok"


async def test_a_refused_token_is_a_problem_and_is_not_shown(
    tmp_path: Path, server: TelegramServer, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
    settings = settings_in(tmp_path, TELEGRAM_BOT_TOKEN=wrong, TELEGRAM_API_URL=server.url)
    assert await _report(settings) == 1
    printed = capsys.readouterr().out
    assert parts(printed)["telegram"] == "problem"
    assert "TELEGRAM_BOT_TOKEN" in printed
    assert wrong.partition(":")[2] not in printed


async def test_a_server_that_is_not_there_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    token = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
    settings = settings_in(tmp_path, TELEGRAM_BOT_TOKEN=token, TELEGRAM_API_URL="http://127.0.0.1:9")
    assert await _report(settings) == 1
    printed = capsys.readouterr().out
    assert parts(printed)["telegram"] == "problem"
    assert token not in printed


def model_that(monkeypatch: pytest.MonkeyPatch, *lines: object) -> ScriptedModel:
    model = ScriptedModel(*lines, name="openai/gpt-4o-mini")  # type: ignore[arg-type]
    monkeypatch.setattr(module, "model_of", lambda _: model)
    return model


def test_a_model_that_answers_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = model_that(monkeypatch, "ready")
    assert doctor(settings_in(tmp_path, TIDEMARK_MODEL="openai/gpt-4o-mini")) == 0
    assert "gpt-4o-mini answered" in capsys.readouterr().out
    assert len(model.requests) == 1


def test_a_model_that_fails_is_a_problem_without_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Providers repeat the key they refuse."""
    model_that(monkeypatch, ModelKeyRefused("Incorrect API key provided: whatever-form-77"))
    settings = settings_in(tmp_path, TIDEMARK_MODEL="openai/gpt-4o-mini", TIDEMARK_MODEL_API_KEY="whatever-form-77")
    assert doctor(settings) == 1
    printed = capsys.readouterr().out
    assert parts(printed)["model"] == "problem"
    assert "OPENAI_API_KEY" in printed
    assert "whatever-form-77" not in printed


def test_an_embedder_that_cannot_be_had_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object) -> None:
        raise module.EmbedderUnavailable("The weights are not there.")

    monkeypatch.setattr(module, "load", missing)
    assert doctor(settings_in(tmp_path)) == 0
    printed = capsys.readouterr().out
    assert parts(printed)["embedder"] == "warning"
    assert "keywords" in printed


def heard(settings: Settings, *texts: str) -> None:
    """Let a person have said ``texts``."""
    path = settings.home / "tidemark.db"
    prepare(path, NOW)
    database = Database(path)
    with database.write() as uow:
        for number, text in enumerate(texts):
            transcript.add(uow, **said(text, f"turn {number}"))
        uow.commit()
    database.close()


def test_languages_that_the_embedder_does_not_know_are_a_warning_with_the_line_to_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    heard(settings, *["Где лежит запасной ключ?"] * 12, "Where is it?")
    assert doctor(settings) == 0
    printed = capsys.readouterr().out
    assert parts(printed)["languages"] == "warning"
    assert 'model = "multilingual"' in printed
    assert "ключ" not in printed


def test_the_multilingual_model_knows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = settings_in(tmp_path, TIDEMARK_EMBEDDING_MODEL="multilingual")
    heard(settings, *["Где лежит запасной ключ?"] * 12)
    assert doctor(settings) == 0
    assert "languages" not in parts(capsys.readouterr().out)


def test_a_finding_says_what_to_do_below_what_is_wrong() -> None:
    assert Finding(Level.PROBLEM, "clock", "far behind", "Set it.").line().splitlines() == [
        "problem  clock      far behind",
        "                    → Set it.",
    ]
