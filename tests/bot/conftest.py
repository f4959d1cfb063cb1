"""An assistant with an empty database, for the tests of the skin; none of them leaves its logging to the next."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
import structlog

from bot.logs import QUIET
from tests.bot.assistant import Assistant, assistant


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Assistant]:
    async with assistant(tmp_path) as made:
        yield made


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Logging belongs to the whole process, and a command that a test runs sets it up: put it back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    configured = structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, former in levels.items():
        logging.getLogger(name).setLevel(former)
    structlog.configure(**configured)
