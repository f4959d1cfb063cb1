"""A world for each test; for tests that only exchange messages, one for all of a file, since a start takes seconds."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.conversations.world import World, world
from tests.telegram_server import Person


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A world whose process is not started yet."""
    async with world(tmp_path) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A world whose process runs until the last test of the file."""
    async with world(tmp_path_factory.mktemp("running")) as made:
        await made.start()
        await made.polled()
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def shared(running: World) -> World:
    """The running world without a trace of the test before, but for what stands in its chats: each test has its own."""
    await running.begin_anew()
    return running


@pytest_asyncio.fixture(loop_scope="module")
async def guest(shared: World) -> Person:
    """Somebody who has not spoken yet and may."""
    return await shared.let_in("Nadia")
