"""The terminal channel, as a newcomer and as a script use it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def talk(home: Path, *lines: str | bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Pipe lines into `tidemark run` and give what came of it."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "TIDEMARK_HOME": str(home / "data"),
    }
    given = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    return subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input=given, capture_output=True, cwd=home, env=environment | more, timeout=100, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """What a first process leaves, and what it said."""
    home = tmp_path_factory.mktemp("first")
    done = talk(
        home, "/remember The boat is called Odile.", "Remember that my dentist is Dr Alvarez.", "Who is my dentist?"
    )
    assert done.returncode == 0, done.stderr.decode()
    return home, done.stdout.decode()


@pytest.fixture
def home(first: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of what the first process left."""
    return shutil.copytree(first[0], tmp_path / "home")


def test_it_remembers_from_one_process_to_the_next(first: tuple[Path, str], home: Path) -> None:
    assert "Alvarez" in first[1].splitlines()[-1]
    second = talk(home, "Who is my dentist?")
    assert second.returncode == 0
    assert "Alvarez" in second.stdout.decode()


def test_it_says_in_at_most_five_lines_what_is_in_use(tmp_path: Path) -> None:
    printed = talk(tmp_path).stdout.decode().splitlines()
    assert 1 <= len(printed) <= 5
    said = "\n".join(printed)
    for word in ("tidemark.db", "english", "offline", "TELEGRAM_BOT_TOKEN", "TIDEMARK_MODEL"):
        assert word in said


def test_the_data_belong_to_their_owner_alone(first: tuple[Path, str]) -> None:
    data = first[0] / "data"
    assert data.stat().st_mode & 0o777 == 0o700
    assert (data / "tidemark.db").stat().st_mode & 0o777 == 0o600


def test_bad_input_does_not_end_the_conversation(tmp_path: Path) -> None:
    """Invalid UTF-8, NUL, direction marks, search syntax, a line of 100 kB: each is answered, the last is refused."""
    done = talk(
        tmp_path,
        b"\xff\xfe broken \x80",
        b"nul \x00 here",
        "\u202etxt.exe \u200f",
        '"NEAR(compost, 3)" AND NOT -bin* : ^ OR',
        "🎉" * 4096,
        "x" * 100_000,
        "Remember that the compost bin is emptied on Mondays.",
        "When is the compost bin emptied?",
    )
    assert done.returncode == 0, done.stderr.decode()
    printed = done.stdout.decode()
    assert "too long" in printed
    assert "64 kB" in printed
    assert "Mondays" in printed.splitlines()[-1]
    assert "Traceback" not in done.stderr.decode()


def test_commands_work_in_the_terminal(tmp_path: Path) -> None:
    done = talk(tmp_path, "/remember I eat no shellfish.", "/memories", "/undo", "/memories", "/dance", "/help")
    printed = done.stdout.decode()
    assert "I will remember: I eat no shellfish." in printed
    assert "Taken back" in printed
    assert "nothing in this chat" in printed
    assert "don't know that command" in printed


def test_a_wrong_setting_is_one_line_and_exit_2(tmp_path: Path) -> None:
    done = talk(tmp_path, "hello", TIDEMARK_TIMEZONE="Mars/Olympus")
    assert done.returncode == 2
    assert len(done.stderr.decode().strip().splitlines()) == 1
    assert "TIDEMARK_TIMEZONE" in done.stderr.decode()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "tidemark.db"
    path.write_bytes(b"my holiday diary" * 100)
    done = talk(tmp_path, "hello")
    assert done.returncode == 1
    assert path.read_bytes() == b"my holiday diary" * 100
    assert "Traceback" not in done.stderr.decode()


def test_what_was_said_in_the_terminal_moves_to_the_owners_chat(home: Path) -> None:
    done = talk(home, "What is the boat called?", TIDEMARK_OWNER_ID="4711")
    assert "Odile" in done.stdout.decode().splitlines()[-1]
