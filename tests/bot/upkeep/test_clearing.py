"""In the small hours the file is rewritten, once, after something was forgotten; trouble waits for the next night."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.maintenance_task import Report, run_once
from bot.upkeep.clearing import vacuum_at_night
from memory import forgetting, maintenance
from tests.bot.assistant import Assistant
from tests.bot.upkeep.prepared import SCOPE
from tests.memory.samples import AGENT, keep

ZONE = "Asia/Tokyo"  # nine hours ahead of UTC: no hour of the one is the same hour of the other
NIGHT = datetime(2026, 12, 5, 3, 0, tzinfo=ZoneInfo(ZONE))
SECRET = "Her maiden name is Quillfeather"


async def forget_something(here: Assistant) -> None:
    """Remember something and purge it, now."""
    now = here.clock.now()
    memory = await here.write(lambda uow: keep(uow, SECRET, SCOPE, now=now))
    await here.write(lambda uow: forgetting.purge(uow, AGENT, memory, about="Quillfeather", now=now))


async def rewritten(here: Assistant, at: datetime) -> int:
    """Let the step run at an instant; give how often it rewrote the file."""
    here.clock.set(at.astimezone(UTC))
    report = Report()
    await vacuum_at_night(here.maintenance(timezone=ZONE), report)
    assert report.problems == []
    return report.counts["vacuumed"]


@pytest.mark.parametrize(
    ("hour", "minute", "times"), [(2, 59, 0), (3, 0, 1), (4, 59, 1), (5, 0, 0), (12, 0, 0), (18, 0, 0)]
)
async def test_only_the_small_hours_of_the_configured_zone_will_do(
    here: Assistant, hour: int, minute: int, times: int
) -> None:
    """18:00 in Tokyo is 9:00 UTC, and 3:00 UTC is noon there."""
    here.clock.set(NIGHT - timedelta(days=1))
    await forget_something(here)
    assert await rewritten(here, NIGHT.replace(hour=hour, minute=minute)) == times


async def test_where_nothing_was_forgotten_the_file_is_left_as_it_is(here: Assistant) -> None:
    await here.write(lambda uow: keep(uow, "Nadia keeps bees", SCOPE))
    assert await rewritten(here, NIGHT) == 0


async def test_it_happens_once_until_something_else_is_forgotten(here: Assistant) -> None:
    here.clock.set(NIGHT - timedelta(hours=5))
    await forget_something(here)
    nights = [NIGHT, NIGHT + timedelta(minutes=30), NIGHT + timedelta(days=1)]
    assert [await rewritten(here, night) for night in nights] == [1, 0, 0]
    here.later(hours=8)
    await forget_something(here)
    assert await rewritten(here, NIGHT + timedelta(days=2)) == 1


def bytes_of(here: Assistant) -> bytes:
    """Give every byte of the file, its log and its shared memory, in lower case."""
    path = here.executors.database.path
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    return b"".join(file.read_bytes() for file in files).lower()


async def test_words_that_never_became_a_memory_count_as_well(here: Assistant) -> None:
    here.clock.set(NIGHT - timedelta(hours=5))
    await here.says("My neighbour was rude again today.")
    await here.says("/forget rude again")
    assert "erased the words" in (await here.said())[-1]
    assert [await rewritten(here, NIGHT + timedelta(days=day)) for day in (0, 1)] == [1, 0]


async def test_afterwards_no_byte_of_file_and_log_holds_the_words(here: Assistant) -> None:
    here.clock.set(NIGHT - timedelta(hours=5))
    await forget_something(here)
    assert b"quillfeath" in bytes_of(here), "the log still tells, before"
    await rewritten(here, NIGHT)
    assert b"quillfeath" not in bytes_of(here)


async def test_a_secret_that_was_taken_out_leaves_the_file_the_next_night(here: Assistant) -> None:
    """Transcript, inbox and outbox hold it no longer at once; the free pages of the file do."""
    here.clock.set(NIGHT - timedelta(hours=5))
    await here.says("Hello there.")
    await here.says("My mail password is Quartz!Lamp77, a nice one.")
    await here.settle()
    assert b"quartz!lamp77" in bytes_of(here)
    assert [await rewritten(here, NIGHT + timedelta(days=day)) for day in (0, 1)] == [1, 0]
    assert b"quartz!lamp77" not in bytes_of(here)


async def test_a_busy_file_is_reported_and_tried_again_the_next_night(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the pass is done all the same."""
    monkeypatch.setattr(maintenance, "VACUUM_PATIENCE_S", 0.05)
    here.clock.set(NIGHT - timedelta(hours=5))
    await forget_something(here)
    here.clock.set(NIGHT)
    report = Report()
    with closing(sqlite3.connect(here.executors.database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await vacuum_at_night(here.maintenance(timezone=ZONE), report)
        other.execute("ROLLBACK")
    (problem,) = report.problems
    assert problem.startswith("the file could not be rewritten: ")
    assert SECRET not in problem
    assert report.counts["vacuumed"] == 0
    assert await rewritten(here, NIGHT + timedelta(days=1)) == 1


async def test_the_pass_rewrites_the_file_at_night(here: Assistant) -> None:
    here.clock.set(NIGHT - timedelta(hours=5))
    await forget_something(here)
    here.clock.set(NIGHT)
    report = await run_once(here.maintenance(timezone=ZONE))
    assert report is not None
    assert report.counts["vacuumed"] == 1
    assert report.problems == []
