"""An assistant with an empty database, for the tests of the skin."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.bot.assistant import Assistant, assistant


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Assistant]:
    async with assistant(tmp_path) as made:
        yield made
