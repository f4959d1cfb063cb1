"""A world for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conversations.world import World, world


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A world whose process is not started yet."""
    async with world(tmp_path) as made:
        yield made
