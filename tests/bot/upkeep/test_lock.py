"""One process at a time makes a pass over a file; a holder that is killed lets go."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.cli.maintain import maintain
from bot.maintenance_task import ELSEWHERE
from bot.upkeep.lock import the_only_pass
from config.settings import load_settings
from memory.errors import DatabaseUnwritable
from memory.migrating import prepare
from tests.bot.assistant import NOW

ROOT = Path(__file__).parents[3]
HOLD = """
import sys
from pathlib import Path
from bot.upkeep.lock import the_only_pass
with the_only_pass(Path(sys.argv[1])) as alone:
    print(alone, flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(database: Path) -> Iterator[subprocess.Popen[str]]:
    """Give another process that makes a pass over the file until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(database)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "True"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_the_second_process_is_told_at_once_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with holder(path) as process:
        with the_only_pass(path) as alone:
            assert not alone
        process.kill()
        process.wait()
        with the_only_pass(path) as alone:
            assert alone


def test_a_lock_that_cannot_be_made_is_told_in_the_words_of_the_database(tmp_path: Path) -> None:
    (tmp_path / "t.db.maintenance").mkdir()
    with pytest.raises(DatabaseUnwritable, match=r"t\.db\.maintenance cannot be"), the_only_pass(tmp_path / "t.db"):
        pass


def test_a_pass_by_hand_beside_another_says_so_and_is_status_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = load_settings(environ={"TIDEMARK_HOME": str(tmp_path / "data")}, files=[], cwd=tmp_path)
    path = settings.home / "tidemark.db"
    prepare(path, NOW)
    with holder(path):
        assert maintain(settings, dry_run=False, vacuum=False) == 1
    printed = capsys.readouterr()
    assert ELSEWHERE in printed.err
