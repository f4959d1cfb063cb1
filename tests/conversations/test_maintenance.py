"""`tidemark maintain` as a process of its own: beside another pass, and killed on its way."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.maintenance_task import ELSEWHERE
from bot.upkeep.lock import the_only_pass
from memory.database import Database
from memory.migrating import prepare
from tests.bot.assistant import NOW
from tests.bot.upkeep import prepared
from tests.conversations.maintaining import maintained, maintaining
from tests.conversations.world import World

NOTHING = "There was nothing to do.\n"


def filled(here: World) -> Path:
    """Make a file in which every rule finds something to do, and many copies besides."""
    path = here.home / "data" / "tidemark.db"
    path.parent.mkdir(exist_ok=True)
    prepare(path, NOW)
    with closing(Database(path)) as database, database.write() as uow:
        prepared.fill(uow)
        uow.commit()
    return path


async def test_a_pass_that_is_killed_again_and_again_is_made_in_the_end_and_told(here: World) -> None:
    """What it prints is for people: no line of the log stands between what it did."""
    path = filled(here)
    for delay_s in (0.0, 0.1):
        async with maintaining(here) as process:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                await _begun(connection, process)
            await asyncio.sleep(delay_s)
    status, printed, err = await maintained(here)
    assert (status, err) == (0, "")
    assert printed == NOTHING or all(line.lstrip()[0].isdigit() for line in printed.splitlines())
    assert await maintained(here) == (0, NOTHING, "")
    with closing(Database(path)) as database, database.read() as uow:
        assert prepared.soundness(uow) == []
        found = prepared.standing(uow)
    ruled = {prepared.EXPIRED, prepared.ARCHIVABLE, prepared.COPY, prepared.UNUSED}  # whatever else needs a model
    assert [row for row in found if row[0] in ruled] == [row for row in prepared.AFTER if row[0] in ruled]


async def _begun(connection: sqlite3.Connection, process: asyncio.subprocess.Process) -> None:
    """Wait until the process has noted that its pass began."""
    count = "SELECT count(*) FROM maintenance_runs"
    before = connection.execute(count).fetchone()
    while connection.execute(count).fetchone() == before and process.returncode is None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)  # another process's database has no event to wait for


async def test_of_two_processes_one_makes_the_pass_and_the_other_says_so(here: World) -> None:
    """A dry run is no pass: it is made beside one and, like what was refused, changes nothing."""
    path = filled(here)
    with the_only_pass(path) as alone:
        assert alone
        refused, dry = await asyncio.gather(maintained(here), maintained(here, "--dry-run"))
    assert refused[:2] == (1, "")
    assert ELSEWHERE in refused[2]
    assert (dry[0], dry[2]) == (0, "")
    assert dry[1].startswith("A pass now would do this; nothing was changed:\n")
    with closing(Database(path)) as database, database.read() as uow:
        assert uow.connection.exec_driver_sql("SELECT count(*) FROM maintenance_runs").scalar() == 0
        assert {row[1] for row in prepared.standing(uow)} == {"active", "quarantined"}
