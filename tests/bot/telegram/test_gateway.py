"""Fetching: what Telegram delivers is stored before it is confirmed, and nothing ends the loop but its end."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from telegram import User, WebhookInfo
from telegram.error import BadRequest, Conflict, InvalidToken, NetworkError, RetryAfter, TimedOut

from bot.executors import Executors
from bot.storage import inbox
from bot.storage.inbox import InboxRow
from bot.storage.tables import settings
from bot.telegram.errors import PollConflict, TokenRefused
from bot.telegram.gateway import CONFLICT_WAITS_S, Gateway, PollTimings
from bot.telegram.messenger import Messenger
from memory.clock import ManualClock
from memory.errors import DatabaseBusy, DiskFull
from tests.databases import new_database
from tests.telegram_server import TelegramServer

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOT = 42
Answer = list[dict[str, Any]] | Exception | Callable[[], Awaitable[list[dict[str, Any]]]]


def update(number: int) -> dict[str, Any]:
    return {"update_id": number, "message": {"chat": {"id": 7}, "text": "hi"}}


def lane_of(payload: dict[str, Any]) -> tuple[int | None, int]:
    return payload["message"]["chat"]["id"], 0


@dataclass
class Line:
    """A connection that answers as told and then hangs; ``polls`` is every call."""

    script: list[Answer] = field(default_factory=list)
    polls: list[tuple[int | None, int]] = field(default_factory=list)
    rebuilt: int = 0
    webhook: str = ""
    me: list[User | Exception] = field(default_factory=list)
    cancelled: int = 0

    async def updates(self, offset: int | None, timeout_s: int) -> list[dict[str, Any]]:
        self.polls.append((offset, timeout_s))
        answer: Answer = self.script.pop(0) if self.script else self.hang
        if isinstance(answer, Exception):
            raise answer
        return await answer() if callable(answer) else answer

    async def hang(self) -> list[dict[str, Any]]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return []

    async def rebuild_polling(self) -> None:
        self.rebuilt += 1

    async def get_me(self) -> User:
        answer = self.me.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def webhook_info(self) -> WebhookInfo:
        return WebhookInfo(self.webhook, has_custom_certificate=False, pending_update_count=3)

    async def delete_webhook(self) -> None:
        self.webhook = ""


@dataclass
class Bench:
    """A gateway with everything around it; ``pauses`` is every wait it asked for."""

    executors: Executors
    line: Any
    clock: ManualClock
    steady: list[float]
    pauses: list[float]
    rows: list[InboxRow]
    reachable: list[float]
    gateway: Gateway

    async def run_until(self, holds: Callable[[], bool]) -> None:
        """Run the gateway until ``holds``, then stop it."""
        task = asyncio.create_task(self.gateway.run())
        try:
            async with asyncio.timeout(10):
                while not holds() and not task.done():  # noqa: ASYNC110  # looks at plain values of the fakes
                    await asyncio.sleep(0)
                await self.gateway.stop()
                await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def offset(self) -> int | None:
        return await self.executors.read(lambda uow: inbox.offset(uow, self.gateway._bot_id, self.clock.now()))

    async def polled_at(self) -> str | None:
        query = select(settings.c.value).where(settings.c.key == inbox.POLL_KEY)
        return await self.executors.read(lambda uow: uow.connection.execute(query).scalar())


@asynccontextmanager
async def bench(
    folder: Path,
    *script: Answer,
    line: Any = None,
    bot_id: int = BOT,
    executors: type[Executors] = Executors,
    timings: PollTimings | None = None,
) -> AsyncIterator[Bench]:
    clock, steady = ManualClock(START), [1000.0]
    pauses: list[float] = []
    rows: list[InboxRow] = []
    reachable: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        steady[0] += seconds
        clock.set(clock.now() + timedelta(seconds=seconds))
        await asyncio.sleep(0)

    path = folder / "t.db"
    threads = executors(new_database(path))
    line = line or Line(list(script))
    gateway = Gateway(
        line,
        threads,
        clock,
        bot_id,
        lane_of=lane_of,
        on_rows=rows.extend,
        on_reachable=lambda: reachable.append(steady[0]),
        timings=timings or PollTimings(watch_every_s=0.01),
        rng=random.Random(1),
        sleep=sleep,
        monotonic=lambda: steady[0],
    )
    try:
        yield Bench(threads, line, clock, steady, pauses, rows, reachable, gateway)
    finally:
        threads.close()


async def test_a_batch_is_stored_handed_over_and_then_confirmed(tmp_path: Path) -> None:
    async with bench(tmp_path, [update(5), update(6)], [update(7)]) as b:
        await b.run_until(lambda: len(b.line.polls) == 3)
        assert [row.update_id for row in b.rows] == [5, 6, 7]
        assert [offset for offset, _ in b.line.polls] == [None, 7, 8]
        assert await b.offset() == 8


async def test_the_first_poll_does_not_wait_and_the_later_ones_do(tmp_path: Path) -> None:
    async with bench(tmp_path, [], []) as b:
        await b.run_until(lambda: len(b.line.polls) == 3)
        assert [timeout for _, timeout in b.line.polls] == [0, 30, 30]
        assert b.gateway.first_poll.is_set()


async def test_the_first_poll_is_over_even_when_it_failed(tmp_path: Path) -> None:
    """What waits for it, such as loading libraries, must not wait for the network."""
    async with bench(tmp_path, NetworkError("down")) as b:
        assert not b.gateway.first_poll.is_set()
        await b.run_until(lambda: len(b.pauses) == 1)
        assert b.gateway.first_poll.is_set()


async def test_a_duplicate_is_not_handed_over_twice(tmp_path: Path) -> None:
    async with bench(tmp_path, [update(5)], [update(5), update(6)]) as b:
        await b.run_until(lambda: len(b.line.polls) == 3)
        assert [row.update_id for row in b.rows] == [5, 6]


async def test_after_an_idle_week_the_offset_is_left_out(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:

        async def idle() -> list[dict[str, Any]]:
            b.clock.set(b.clock.now() + timedelta(days=7))
            return []

        b.line.script = [[update(500)], idle, [update(3)]]
        await b.run_until(lambda: len(b.line.polls) == 4)
        assert [offset for offset, _ in b.line.polls] == [None, 501, None, 4]
        assert [row.update_id for row in b.rows] == [500, 3]


@pytest.mark.parametrize("error", [NetworkError, TimedOut, BadRequest, RuntimeError])
async def test_trouble_never_ends_the_loop_and_waits_at_most_thirty_seconds(
    tmp_path: Path, error: type[Exception]
) -> None:
    async with bench(tmp_path, *[error("x") for _ in range(14)], [update(5)]) as b:
        await b.run_until(lambda: bool(b.rows))
        assert len(b.pauses) == 14
        assert b.pauses[0] <= 1.0
        assert max(b.pauses) <= 30.0
        assert min(b.pauses[10:]) >= 15.0


async def test_reaching_telegram_again_is_told_once(tmp_path: Path) -> None:
    async with bench(tmp_path, [], NetworkError("x"), NetworkError("x"), [update(5)], []) as b:
        await b.run_until(lambda: len(b.line.polls) == 6)
        assert len(b.reachable) == 1
        assert [timeout for _, timeout in b.line.polls] == [0, 30, 0, 0, 30, 30]


async def test_a_flood_of_polls_waits_as_long_as_asked(tmp_path: Path) -> None:
    async with bench(tmp_path, RetryAfter(223), [update(5)]) as b:
        await b.run_until(lambda: bool(b.rows))
        assert b.pauses == [223.0]


async def test_a_refused_token_ends_with_a_clear_error(tmp_path: Path) -> None:
    async with bench(tmp_path, InvalidToken("Unauthorized")) as b:
        with pytest.raises(TokenRefused, match="Unauthorized"):
            await b.run_until(lambda: False)
        assert "TELEGRAM_BOT_TOKEN" in TokenRefused.sentence


async def test_another_poller_is_borne_for_a_while_and_then_ends_with_a_clear_error(tmp_path: Path) -> None:
    async with bench(tmp_path, *[Conflict("terminated by other getUpdates request")] * 9) as b:
        with pytest.raises(PollConflict, match="terminated"):
            await b.run_until(lambda: False)
        assert b.pauses == list(CONFLICT_WAITS_S) == [15, 25, 35, 45, 55]
        assert b.line.rebuilt == 5


async def test_only_a_successful_poll_forgives_conflicts(tmp_path: Path) -> None:
    trouble: list[Answer] = [Conflict("x"), NetworkError("x"), Conflict("x")]
    async with bench(tmp_path, *trouble, [], Conflict("x"), [update(1)]) as b:
        await b.run_until(lambda: bool(b.rows))
        assert [pause for pause in b.pauses if pause >= 15] == [15, 25, 15]


async def test_a_webhook_is_taken_off_before_and_after_a_conflict(tmp_path: Path) -> None:
    async with bench(tmp_path, [], Conflict("can't use getUpdates method while webhook is active")) as b:
        b.line.webhook = "https://example.org"

        async def set_again() -> list[dict[str, Any]]:
            b.line.webhook = "https://example.org"
            return []

        b.line.script[0] = set_again
        await b.run_until(lambda: len(b.line.polls) == 3)
        assert b.line.webhook == ""


async def test_a_poll_that_hangs_is_cut_off_and_the_connections_rebuilt(tmp_path: Path) -> None:
    async with bench(tmp_path, [], Line().hang, [update(5)]) as b:

        async def dead() -> list[dict[str, Any]]:
            b.steady[0] += 120
            return await b.line.hang()

        b.line.script[1] = dead
        await b.run_until(lambda: bool(b.rows))
        assert b.line.rebuilt == 1
        assert b.line.cancelled == 2  # the dead one, and the one that the end of the test cut off


async def test_a_long_pause_is_no_stall(tmp_path: Path) -> None:
    async with bench(tmp_path, RetryAfter(500), [], [update(5)]) as b:
        await b.run_until(lambda: bool(b.rows))
        assert b.line.rebuilt == 0


async def test_a_network_down_for_long_gets_new_connections(tmp_path: Path) -> None:
    async with bench(tmp_path, *[NetworkError("x")] * 30, [update(5)]) as b:
        await b.run_until(lambda: bool(b.rows))
        assert 1 <= b.line.rebuilt <= sum(b.pauses) / 120


class Balky(Executors):
    """Fails the writes whose turn comes."""

    def __init__(self, database: Any) -> None:
        super().__init__(database)
        self.fails: list[Exception] = []

    async def write(self, use_case: Any) -> Any:
        if self.fails:
            raise self.fails.pop(0)
        return await super().write(use_case)


@pytest.mark.parametrize("error", [DatabaseBusy("x"), DiskFull("x")])
async def test_a_batch_that_cannot_be_stored_is_neither_lost_nor_confirmed(tmp_path: Path, error: Exception) -> None:
    async with bench(tmp_path, executors=Balky) as b:
        assert isinstance(b.executors, Balky)

        async def refuse() -> list[dict[str, Any]]:
            b.executors.fails = [error] * 4  # type: ignore[attr-defined]  # the record of the poll is one of them
            return [update(5)]

        b.line.script = [refuse]
        await b.run_until(lambda: len(b.line.polls) == 2)
        assert [row.update_id for row in b.rows] == [5]
        assert len(b.pauses) == 3
        assert [offset for offset, _ in b.line.polls] == [None, 6]


async def test_stopping_while_a_batch_cannot_be_stored_leaves_it_with_telegram(tmp_path: Path) -> None:
    async with bench(tmp_path, executors=Balky) as b:
        assert isinstance(b.executors, Balky)

        async def refuse() -> list[dict[str, Any]]:
            b.executors.fails = [DiskFull("x")] * 1000  # type: ignore[attr-defined]
            return [update(5)]

        b.line.script = [refuse]
        await b.run_until(lambda: len(b.pauses) > 3)
        assert b.rows == []
        assert await b.offset() is None


async def test_stopping_ends_the_long_poll_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path, []) as b:
        await b.run_until(lambda: len(b.line.polls) == 2)
        assert b.line.cancelled == 1
        await b.gateway.stop()


async def test_stopping_while_a_batch_is_there_stores_it_first(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:

        async def last() -> list[dict[str, Any]]:
            b.gateway._stopping.set()
            return [update(5)]

        b.line.script = [last]
        await b.run_until(lambda: bool(b.rows))
        assert [row.update_id for row in b.rows] == [5]
        assert await b.offset() == 6


async def test_stopping_ends_a_pause_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path, NetworkError("x")) as b:
        pausing = asyncio.Event()

        async def forever(seconds: float) -> None:
            pausing.set()
            await asyncio.Event().wait()

        b.gateway._sleep = forever
        await b.run_until(pausing.is_set)


async def test_the_last_poll_is_recorded_at_most_every_ten_seconds(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:

        async def after(seconds: float) -> list[dict[str, Any]]:
            b.steady[0] += seconds
            b.clock.set(b.clock.now() + timedelta(seconds=seconds))
            return []

        b.line.script = [[], lambda: after(4), lambda: after(5)]
        await b.run_until(lambda: len(b.line.polls) == 4)
        assert await b.polled_at() == START.isoformat()

    async with bench(tmp_path / "..", lambda: after(0), lambda: after(9.5), lambda: after(0.6)) as b:
        await b.run_until(lambda: len(b.line.polls) == 4)
        assert await b.polled_at() == (START + timedelta(seconds=10.1)).isoformat()


async def test_a_server_without_long_polls_is_not_asked_without_end(tmp_path: Path) -> None:
    async with bench(tmp_path, *[[] for _ in range(10)]) as b:
        await b.run_until(lambda: len(b.line.polls) == 11)
        assert b.pauses == [1.0] * 9


async def test_who_we_are_is_asked_for_as_long_as_it_takes(tmp_path: Path) -> None:
    me = User(BOT, "Tide", is_bot=True, username="tide_bot")
    async with bench(tmp_path) as b:
        b.line.me = [NetworkError("x"), TimedOut(), RetryAfter(3), me]
        assert await b.gateway.connect() == me
        assert len(b.pauses) == 3
        b.line.me = [InvalidToken("Unauthorized")]
        with pytest.raises(TokenRefused):
            await b.gateway.connect()
        await b.gateway.stop()
        assert await b.gateway.connect() is None


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[TelegramServer, Bench]]:
    async with TelegramServer() as server:
        messenger = Messenger(server.token, server.url)
        async with bench(folder, line=messenger, bot_id=server.bot.id) as b:
            yield server, b
        await messenger.close()


async def test_over_http_every_message_arrives_once(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        ann = server.add_person("Ann")
        for number in range(250):
            server.say(ann, f"message {number}")
        await b.run_until(lambda: len(b.rows) == 250)
        assert [row.payload["message"]["text"] for row in b.rows] == [f"message {number}" for number in range(250)]


async def test_over_http_a_start_again_confirms_what_is_stored_and_repeats_nothing(tmp_path: Path) -> None:
    async with TelegramServer() as server:
        ann = server.add_person("Ann")
        server.say(ann, "one")
        messenger = Messenger(server.token, server.url)
        async with bench(tmp_path, line=messenger, bot_id=server.bot.id) as b:
            await b.run_until(lambda: len(b.rows) == 1)
            server.say(ann, "two")
            server.repeat_update(b.rows[0].update_id)
            again = Gateway(messenger, b.executors, b.clock, server.bot.id, lane_of=lane_of, on_rows=b.rows.extend)
            b.gateway = again
            await b.run_until(lambda: len(b.rows) == 2)
            assert [row.payload["message"]["text"] for row in b.rows] == ["one", "two"]
        await messenger.close()


async def test_over_http_a_server_that_goes_away_and_comes_back_is_found_again(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        ann = server.add_person("Ann")
        server.say(ann, "before")
        task = asyncio.create_task(b.gateway.run())
        await server.wait_for(lambda s: len(s.calls("getUpdates")) >= 2)
        await server.stop()
        server.say(ann, "meanwhile")
        await server.start()
        async with asyncio.timeout(10):
            while len(b.rows) < 2:  # noqa: ASYNC110  # a list of the gateway's, without an event
                await asyncio.sleep(0)
        await b.gateway.stop()
        await task
        assert [row.payload["message"]["text"] for row in b.rows] == ["before", "meanwhile"]


async def test_over_http_a_webhook_is_taken_off_and_what_waits_is_kept(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        server.say(server.add_person("Ann"), "waiting")
        await b.line.bot.set_webhook("https://example.org/hook")
        await b.run_until(lambda: len(b.rows) == 1)
        assert [call.params.get("drop_pending_updates") for call in server.calls("deleteWebhook")] in (
            [None],
            ["false"],
            ["False"],
        )


async def test_over_http_stopping_while_a_poll_is_open_takes_no_time(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        task = asyncio.create_task(b.gateway.run())
        await server.wait_for(lambda s: len(s.calls("getUpdates")) >= 2)
        async with asyncio.timeout(2):
            await b.gateway.stop()
            await task
