"""A pass that dies at any statement goes on the next time, to the very same end."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.maintenance_task import run_once
from tests.bot.assistant import Assistant, assistant
from tests.bot.upkeep import prepared

SAMPLE = (3, 40, 90, 140, 200, 260, 330)


class Killed(BaseException):
    """Takes the pass down like the end of its process: nothing in it may catch this."""


class Dying:
    """Counts the writer's statements, and kills at one of them."""

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.count = 0

    def __call__(self, *_: Any) -> None:
        self.count += 1
        if self.count == self.at:
            raise Killed


async def killed_at(folder: Path, at: int | None) -> tuple[int, list[Any], list[str]]:
    """Kill a pass at the writer's statement number ``at`` and make another; give how many there were, and the end."""
    async with assistant(folder) as here:
        await here.write(prepared.fill)
        dying = Dying(at)
        writer: Engine = here.executors.database._writer
        event.listen(writer, "before_cursor_execute", dying)
        await _attempt(here, killed=at is not None)
        event.remove(writer, "before_cursor_execute", dying)
        await run_once(here.maintenance(model=prepared.sensible(), daily_tokens=10**6))
        found = await here.executors.read(lambda uow: (prepared.standing(uow), prepared.soundness(uow)))
        return dying.count, *found


async def _attempt(here: Assistant, *, killed: bool) -> None:
    try:
        await run_once(here.maintenance(model=prepared.sensible(), daily_tokens=10**6))
    except Killed:
        assert killed


@pytest.mark.parametrize("at", [None, *SAMPLE])
async def test_a_pass_killed_at_any_statement_ends_the_same_the_next_time(tmp_path: Path, at: int | None) -> None:
    count, standing, wrong = await killed_at(tmp_path, at)
    assert standing == prepared.AFTER
    assert wrong == []
    assert at is None or count >= at, "the sample lies within the pass"
