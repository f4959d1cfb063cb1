"""One line an event, to standard error, and nothing in it that must not be seen."""

import logging
from pathlib import Path

import pytest
import sqlalchemy as sa
import structlog

from bot import logs
from bot.logs import QUIET, Mask
from memory.tables import messages
from tests.databases import new_database

TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"


@pytest.mark.parametrize(
    "secret",
    [
        TOKEN,
        f"https://api.telegram.org/bot{TOKEN}/sendMessage",
        f"https://api.telegram.org/file/bot{TOKEN.replace(':', '%3A')}/a.jpg",
        "sk-proj-abcdefghijklmnop1234", "sk-ant-api03-abcdefghijklmnop", "xai-abcdefghijklmnop1234",
        "gsk_abcdefghijklmnop1234", "hf_abcdefghijklmnop1234", "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "Authorization: Bearer abc.def-ghi", "authorization: bearer abc.def-ghi",
    ],
)  # fmt: skip
def test_what_looks_like_a_key_is_masked_wherever_it_stands(secret: str) -> None:
    line = Mask([])(None, "", f"before {secret} after")
    hidden = secret.rsplit("bot", 1)[-1].split("/", maxsplit=1)[0].removeprefix("Authorization: Bearer ")
    assert hidden.removeprefix("authorization: bearer ") not in line
    assert "***" in line
    assert line.startswith("before ")


@pytest.mark.parametrize(
    "line",
    [
        "12:34:56 all is well",
        "chat 123456789: 17 messages",
        "pk_maintenance_runs",
        "a task-based risk-assessment-form",
        "bot/turn.py:120",
    ],
)
def test_ordinary_lines_stay_as_they_are(line: str) -> None:
    assert Mask([])(None, "", line) == line


def test_known_secrets_are_masked_whatever_their_form() -> None:
    """An address with a password in it looks like nothing in particular; too short ones would blank half the log."""
    mask = Mask(["s3cr.t+(", "ab"])
    assert mask(None, "", "key s3cr.t+( and s3crXt+( about") == "key *** and s3crXt+( about"


def test_an_event_is_a_line_on_standard_error_with_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", [])
    structlog.get_logger("bot.x").info("ignored", inbox=5, reason="service")
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert "ignored" in line
    assert "inbox=5" in line


def test_what_libraries_say_goes_the_same_way_and_is_masked(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", ["hush-hush"])
    logging.getLogger("some.library").warning("failed for %s", f"https://x/bot{TOKEN}/getMe with hush-hush")
    line = capsys.readouterr().err
    assert "some" in line or "failed for" in line
    assert TOKEN.partition(":")[2] not in line
    assert "hush-hush" not in line


@pytest.mark.parametrize("name", QUIET)
def test_chatty_libraries_are_kept_to_warnings(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Httpx tells every URL, and a URL of the Bot API holds the token."""
    logs.configure("DEBUG", [])
    logging.getLogger(name).info("HTTP Request: POST somewhere")
    assert capsys.readouterr().err == ""


PRIVATE = "-".join(("my", "diagnosis"))
"""Put together here, so that no line of code a traceback shows can hold it."""


def fail(words: str, url: str) -> None:
    raise ValueError(f"{len(words)} words, no answer from {url}")


def test_tracebacks_are_masked_and_show_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    """Local variables hold what people wrote."""
    logs.configure("INFO", [])
    try:
        fail(PRIVATE, f"https://x/bot{TOKEN}/send")
    except ValueError:
        structlog.get_logger("bot.x").exception("update failed")
        logging.getLogger("library").exception("and again")
    text = capsys.readouterr().err
    assert text.count("ValueError: 12 words, no answer from https://x/bot***/send") == 2
    assert TOKEN.partition(":")[2] not in text
    assert PRIVATE not in text


def test_an_error_of_the_database_does_not_repeat_what_was_to_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("INFO", [])
    database = new_database(tmp_path / "t.db")
    try:
        with database.write() as uow:
            uow.connection.execute(sa.insert(messages).values(agent_slug="a", text=PRIVATE))
    except sa.exc.IntegrityError:
        structlog.get_logger("bot.x").exception("update failed")
    finally:
        database.close()
    text = capsys.readouterr().err
    assert "IntegrityError" in text
    assert PRIVATE not in text


def test_the_level_decides_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("WARNING", [])
    structlog.get_logger("bot.x").info("quiet")
    structlog.get_logger("bot.x").warning("loud")
    text = capsys.readouterr().err
    assert "loud" in text
    assert "quiet" not in text
