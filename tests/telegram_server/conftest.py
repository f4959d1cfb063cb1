"""A server and a real python-telegram-bot client of it."""

from collections.abc import AsyncIterator

import pytest
from telegram import Bot
from telegram.request import HTTPXRequest

from tests.telegram_server import TelegramServer


class HandClock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.seconds = 1_700_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def server(clock: HandClock) -> AsyncIterator[TelegramServer]:
    async with TelegramServer(now=clock, monotonic=clock) as running:
        yield running


def client_of(server: TelegramServer) -> Bot:
    """Give a client that can poll and send at once."""
    # No certificates on the loopback: loading them would cost each test a tenth of a second.
    plain = {"verify": False}
    polls, sends = (HTTPXRequest(connection_pool_size=4, read_timeout=2.0, httpx_kwargs=plain) for _ in range(2))
    files = f"{server.url}/file/bot"
    return Bot(
        server.token, base_url=f"{server.url}/bot", base_file_url=files, request=sends, get_updates_request=polls
    )


@pytest.fixture
async def bot(server: TelegramServer) -> AsyncIterator[Bot]:
    async with client_of(server) as client:
        server.world.calls.clear()  # the client's own getMe
        yield client
