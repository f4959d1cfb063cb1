"""The sender: every row leaves once, in order, whatever happens; what may have arrived says so."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.executors import Executors
from bot.storage import outbox
from bot.storage import tables as t
from bot.telegram.messenger import Messenger
from bot.telegram.outbox_sender import OutboxSender
from bot.telegram.outcomes import (
    Ambiguous,
    BadEntities,
    Gone,
    GoneReason,
    Migrated,
    NotSent,
    Outcome,
    Refused,
    RetryLater,
    Sent,
    TopicGone,
)
from bot.telegram.repeats import MARKER
from memory.clock import ManualClock
from memory.errors import DatabaseBusy, DiskFull
from tests.databases import new_database
from tests.telegram_server import TelegramServer

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOT = 42
Reply = Outcome | Exception | Callable[[], Awaitable[Outcome]]


@dataclass(frozen=True)
class Letter:
    """One message as Telegram would have seen it."""

    at: float
    chat_id: int
    thread_id: int
    text: str
    entities: list[Any]
    reply_to: int | None


@dataclass
class Post:
    """A messenger that answers as told, and then with Sent; ``seen`` is every call."""

    time: "Time"
    script: list[Reply] = field(default_factory=list)
    seen: list[Letter] = field(default_factory=list)
    reachable: list[bool] = field(default_factory=list)
    member: bool = False
    waiting: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(
        self,
        chat_id: int,
        thread_id: int,
        text: str,
        entities: Sequence[Mapping[str, Any]],
        reply_to: int | None = None,
    ) -> Outcome:
        self.seen.append(Letter(self.time.steady, chat_id, thread_id, text, list(entities), reply_to))
        reply = self.script.pop(0) if self.script else Sent(len(self.seen))
        if isinstance(reply, Exception):
            raise reply
        if callable(reply):
            self.waiting.set()
            return await reply()
        return reply

    async def is_reachable(self) -> bool:
        return self.reachable.pop(0) if self.reachable else True

    async def is_member(self, chat_id: int) -> bool:
        return self.member

    @property
    def texts(self) -> list[str]:
        return [letter.text for letter in self.seen]


class Time:
    """Time that passes only while nothing is under way, and then at once."""

    def __init__(self) -> None:
        self.clock = ManualClock(START)
        self.steady = 1000.0
        self.sender: OutboxSender | None = None
        self.waits: list[float] = []
        self.stands_still = False

    def monotonic(self) -> float:
        return self.steady

    def pass_(self, seconds: float) -> None:
        self.steady += seconds
        self.clock.set(self.clock.now() + timedelta(seconds=seconds))

    async def wait(self, event: asyncio.Event, timeout_s: float) -> None:
        await asyncio.sleep(0)
        if event.is_set():
            return
        assert self.sender is not None
        if self.stands_still or (self.sender.is_sending and event is self.sender._wake):
            await event.wait()
        else:
            self.waits.append(timeout_s)
            self.pass_(timeout_s)


@dataclass
class Bench:
    """A sender with everything around it."""

    executors: Executors
    time: Time
    post: Post
    sender: OutboxSender
    gone: list[tuple[int, GoneReason]]
    moved: list[tuple[int, int]]

    async def add(self, key: str, *texts: str, chat: int = 7, thread: int = 0, reply_to: int | None = None) -> None:
        chunks = [(text, [{"type": "bold", "offset": 0, "length": 1}]) for text in texts]
        now = self.time.clock.now()
        await self.executors.write(lambda uow: outbox.add(uow, BOT, key, chat, thread, chunks, reply_to, now))
        self.sender.notify()

    async def rows(self) -> list[Any]:
        return await self.executors.read(
            lambda uow: list(uow.connection.execute(select(t.outbox).order_by(t.outbox.c.id)))
        )

    async def states(self) -> list[str]:
        return [row.state for row in await self.rows()]

    async def until(self, holds: Callable[[list[str]], bool]) -> None:
        """Wait until the rows' states are as wanted."""
        async with asyncio.timeout(20):
            while not holds(await self.states()):  # noqa: ASYNC110  # the database has no event to wait for
                await asyncio.sleep(0)

    async def settled(self) -> list[Any]:
        """Run the sender until no row waits."""
        task = asyncio.create_task(self.sender.run())
        try:
            await self.until(lambda states: not {"pending", "sending"} & set(states))
            await self.sender.drain(10)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return await self.rows()


@asynccontextmanager
async def bench(folder: Path, *script: Reply, executors: type[Executors] = Executors) -> AsyncIterator[Bench]:
    time = Time()
    post = Post(time, list(script))
    gone: list[tuple[int, GoneReason]] = []
    moved: list[tuple[int, int]] = []

    async def on_unreachable(chat_id: int, reason: GoneReason) -> None:
        gone.append((chat_id, reason))

    async def on_migrated(old: int, new: int) -> None:
        moved.append((old, new))

    threads = executors(new_database(folder / "t.db"))
    sender = OutboxSender(
        post,
        threads,
        time.clock,
        BOT,
        on_unreachable=on_unreachable,
        on_migrated=on_migrated,
        rng=random.Random(1),
        monotonic=time.monotonic,
        wait=time.wait,
    )
    time.sender = sender
    try:
        yield Bench(threads, time, post, sender, gone, moved)
    finally:
        threads.close()


async def test_an_answer_leaves_in_order_with_everything_it_carries(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.add("t", "one", "two", "three", thread=5, reply_to=9)
        rows = await b.settled()
    assert b.post.texts == ["one", "two", "three"]
    assert [letter.reply_to for letter in b.post.seen] == [9, None, None]
    assert {letter.thread_id for letter in b.post.seen} == {5}
    assert b.post.seen[0].entities == [{"type": "bold", "offset": 0, "length": 1}]
    assert [(row.state, row.sent_id, row.attempts) for row in rows] == [("sent", 1, 1), ("sent", 2, 1), ("sent", 3, 1)]


async def test_a_row_is_marked_in_its_own_transaction_before_the_call(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        seen: list[str] = []

        async def look() -> Outcome:
            seen.extend(await b.states())
            return Sent(1)

        b.post.script.append(look)
        await b.add("t", "one", "two")
        await b.settled()
    assert seen == ["sending", "pending"]


async def test_a_slow_chat_does_not_hold_up_another(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        release = asyncio.Event()

        async def slowly() -> Outcome:
            await release.wait()
            return Sent(1)

        b.post.script.append(slowly)
        await b.add("a", "slow", chat=1)
        task = asyncio.create_task(b.sender.run())
        await b.post.waiting.wait()
        await b.add("b", "quick", chat=2)
        await b.until(lambda states: states == ["sending", "sent"])
        release.set()
        await b.sender.drain(10)
        await task
        assert await b.states() == ["sent", "sent"]


async def test_no_more_than_eight_chats_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        under_way = 0
        most = 0
        gate = asyncio.Event()

        async def count() -> Outcome:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            if most == 8 and not gate.is_set():
                b.sender.notify()
                for _ in range(5):
                    await b.states()  # a ninth would begin meanwhile
                gate.set()
            await gate.wait()
            under_way -= 1
            return Sent(1)

        b.post.script.extend([count] * 20)
        for chat in range(1, 21):
            await b.add(f"t{chat}", "hello", chat=chat)
        await b.settled()
    assert most == 8
    assert len(b.post.seen) == 20


async def test_the_pace_is_kept(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.add("t", *"abcdef")
        await b.settled()
    times = [letter.at - b.post.seen[0].at for letter in b.post.seen]
    assert [round(at, 2) for at in times] == [0, 0, 0, 1, 2, 3]


async def test_retry_after_is_honoured_for_its_chat_alone(tmp_path: Path) -> None:
    async with bench(tmp_path, RetryLater(30)) as b:
        await b.add("a", "one", "two", chat=1)
        await b.add("b", "other", chat=2)
        await b.settled()
    times = {letter.text: letter.at - 1000.0 for letter in b.post.seen}
    assert b.post.texts[:2] == ["one", "other"]
    assert b.post.texts[2:] == ["one", "two"]
    assert times["other"] < 1
    assert 30 < times["one"] < 32


async def test_a_network_that_is_down_for_long_loses_and_repeats_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path, *[NotSent("ConnectError")] * 40) as b:
        await b.add("t", "one", "two")
        rows = await b.settled()
    assert [row.state for row in rows] == ["sent", "sent"]
    assert not any(MARKER in text for text in b.post.texts)
    times = [letter.at for letter in b.post.seen]
    gaps = [later - earlier for earlier, later in pairwise(times)][:40]
    assert gaps[0] <= 1.0
    assert all(150 <= gap <= 301 for gap in gaps[12:])


async def test_when_telegram_is_reached_again_nothing_waits_on(tmp_path: Path) -> None:
    async with bench(tmp_path, *[NotSent("ConnectError")] * 8) as b:

        async def last_failure() -> Outcome:
            b.time.stands_still = True
            return NotSent("ConnectError")

        b.post.script.append(last_failure)
        await b.add("t", "one")
        task = asyncio.create_task(b.sender.run())
        await b.until(lambda states: b.post.waiting.is_set() and states == ["pending"])
        b.sender.reachable()
        await b.until(lambda states: states == ["sent"])  # though no time passes
        await b.sender.drain(10)
        await task


async def test_chats_that_fail_together_count_as_one_failure(tmp_path: Path) -> None:
    async with bench(tmp_path, *[NotSent("ConnectError")] * 8) as b:
        for chat in range(1, 9):
            await b.add(f"t{chat}", "hello", chat=chat)
        await b.settled()
    assert b.post.seen[8].at - b.post.seen[0].at <= 1.0


async def test_an_ambiguous_send_goes_once_more_and_says_so(tmp_path: Path) -> None:
    async with bench(tmp_path, Ambiguous("ReadTimeout")) as b:
        await b.add("t", "one", "two")
        rows = await b.settled()
    assert b.post.texts == ["one", MARKER + "one", "two"]
    assert b.post.seen[1].entities == [{"type": "bold", "offset": len(MARKER), "length": 1}]
    assert [row.state for row in rows] == ["sent", "sent"]


async def test_an_ambiguous_send_goes_twice_at_most_and_the_rest_still_leaves(tmp_path: Path) -> None:
    async with bench(tmp_path, Ambiguous("ReadTimeout"), Ambiguous("ReadError")) as b:
        await b.add("t", "one", "two")
        rows = await b.settled()
    assert b.post.texts == ["one", MARKER + "one", "two"]
    assert [(row.state, row.error) for row in rows] == [("failed", "ReadError"), ("sent", None)]


async def test_the_one_repeat_is_not_spent_on_an_outage(tmp_path: Path) -> None:
    """It waits until Telegram answers a harmless question."""
    async with bench(tmp_path, Ambiguous("HTTP 502")) as b:
        b.post.reachable = [False] * 10
        await b.add("t", "one")
        rows = await b.settled()
    assert b.post.texts == ["one", MARKER + "one"]
    assert rows[0].state == "sent"
    assert b.post.seen[1].at - b.post.seen[0].at > 60


async def test_a_repeat_without_room_for_the_line_gets_it_first(tmp_path: Path) -> None:
    text = "x" * 4096
    async with bench(tmp_path, Ambiguous("ReadTimeout"), Sent(1)) as b:
        await b.add("t", text, reply_to=9)
        await b.settled()
    assert b.post.texts == [text, MARKER.strip(), text]
    assert [letter.reply_to for letter in b.post.seen] == [9, 9, None]


@pytest.mark.parametrize("told", [RetryLater(5), NotSent("ConnectError")])
async def test_a_repeat_never_leaves_without_its_line(tmp_path: Path, told: Outcome) -> None:
    text = "x" * 4096
    async with bench(tmp_path, Ambiguous("ReadTimeout"), told) as b:
        await b.add("t", text)
        await b.settled()
    assert b.post.texts == [text, MARKER.strip(), MARKER.strip(), text]


async def test_a_line_that_may_have_arrived_does_not_cost_the_repeat(tmp_path: Path) -> None:
    text = "x" * 4096
    async with bench(tmp_path, Ambiguous("ReadTimeout"), Ambiguous("ReadTimeout")) as b:
        await b.add("t", text)
        rows = await b.settled()
    assert b.post.texts == [text, MARKER.strip(), text]
    assert rows[0].state == "sent"


async def test_what_a_crash_left_in_mid_air_is_sent_as_a_possible_repeat(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.add("t", "one", "two")
        await b.executors.write(lambda uow: outbox.mark_sending(uow, 1))
        rows = await b.settled()
    assert b.post.texts == [MARKER + "one", "two"]
    assert [row.state for row in rows] == ["sent", "sent"]


async def test_being_cut_off_in_the_middle_of_a_call_leaves_the_row_to_the_next_start(tmp_path: Path) -> None:
    async with bench(tmp_path, asyncio.Event().wait) as b:  # type: ignore[arg-type]
        await b.add("t", "one")
        task = asyncio.create_task(b.sender.run())
        await b.post.waiting.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await b.states() == ["sending"]
        assert not b.sender.is_sending


async def test_bad_formatting_sends_the_same_words_plain(tmp_path: Path) -> None:
    async with bench(tmp_path, BadEntities()) as b:
        await b.add("t", "one", "two")
        await b.settled()
    assert [(letter.text, bool(letter.entities)) for letter in b.post.seen] == [
        ("one", True),
        ("one", False),
        ("two", True),
    ]


async def test_a_topic_that_is_gone_sends_the_whole_answer_to_the_chat(tmp_path: Path) -> None:
    async with bench(tmp_path, TopicGone()) as b:
        await b.add("t", "one", "two", chat=-7, thread=5, reply_to=9)
        await b.settled()
    assert [(letter.text, letter.thread_id, letter.reply_to) for letter in b.post.seen] == [
        ("one", 5, 9),
        ("one", 0, None),
        ("two", 0, None),
    ]


@pytest.mark.parametrize(("thread", "member", "delivered"), [(5, True, True), (5, False, False), (0, True, False)])
async def test_kicked_from_a_topic_may_mean_a_closed_topic(
    tmp_path: Path, thread: int, member: bool, delivered: bool
) -> None:
    async with bench(tmp_path, Gone(GoneReason.KICKED)) as b:
        b.post.member = member
        await b.add("t", "one", chat=-7, thread=thread)
        rows = await b.settled()
    assert (rows[0].state == "sent") is delivered
    assert b.gone == ([] if delivered else [(-7, GoneReason.KICKED)])


async def test_a_migrated_group_gets_the_answer_at_its_new_id(tmp_path: Path) -> None:
    async with bench(tmp_path, Migrated(-100)) as b:
        await b.add("t", "one", "two", chat=-7, reply_to=9)
        await b.settled()
    assert [(letter.chat_id, letter.text, letter.reply_to) for letter in b.post.seen] == [
        (-7, "one", 9),
        (-100, "one", None),
        (-100, "two", None),
    ]
    assert b.moved == [(-7, -100)]


async def test_a_blocked_bot_gives_the_answer_up_and_says_so_once(tmp_path: Path) -> None:
    async with bench(tmp_path, Gone(GoneReason.BLOCKED)) as b:
        await b.add("t", "one", "two", "three")
        rows = await b.settled()
    assert b.post.texts == ["one"]
    assert {(row.state, row.error) for row in rows} == {("failed", "chat unreachable: blocked")}
    assert b.gone == [(7, GoneReason.BLOCKED)]


async def test_a_refused_part_is_announced_after_the_rest(tmp_path: Path) -> None:
    async with bench(tmp_path, Refused("Message is too long")) as b:
        await b.add("t", "one", "two")
        await b.settled()
    assert b.post.texts[:2] == ["one", "two"]
    assert "part 1" in b.post.texts[2]
    assert "Message is too long" in b.post.texts[2]


async def test_a_messenger_that_breaks_counts_as_ambiguous(tmp_path: Path) -> None:
    async with bench(tmp_path, KeyError("message_id")) as b:
        await b.add("t", "one")
        rows = await b.settled()
    assert b.post.texts == ["one", MARKER + "one"]
    assert rows[0].state == "sent"


async def test_a_callback_that_breaks_does_not_stop_the_others(tmp_path: Path) -> None:
    async with bench(tmp_path, Gone(GoneReason.BLOCKED)) as b:

        async def broken(chat_id: int, reason: GoneReason) -> None:
            raise RuntimeError

        b.sender._on_unreachable = broken
        await b.add("a", "one", chat=1)
        await b.add("b", "two", chat=2)
        rows = await b.settled()
    assert [row.state for row in rows] == ["failed", "sent"]


class Balky(Executors):
    """Fails the writes whose turn comes, as a busy or full database does."""

    fails: dict[int, Exception]

    def __init__(self, database: Any) -> None:
        super().__init__(database)
        self.writes = 0
        self.fails = {}

    async def write(self, use_case: Any) -> Any:
        self.writes += 1
        if error := self.fails.pop(self.writes, None):
            raise error
        return await super().write(use_case)


@pytest.mark.parametrize("error", [DatabaseBusy("x"), DiskFull("x")])
@pytest.mark.parametrize("which", range(1, 6))
async def test_a_database_that_refuses_a_write_costs_no_message_and_repeats_none(
    tmp_path: Path, error: Exception, which: int
) -> None:
    async with bench(tmp_path, executors=Balky) as b:
        await b.add("t", "one", "two")
        assert isinstance(b.executors, Balky)
        b.executors.fails = {b.executors.writes + which: error, b.executors.writes + which + 1: error}
        rows = await b.settled()
    assert b.post.texts == ["one", "two"]
    assert [row.state for row in rows] == ["sent", "sent"]


async def test_a_clock_set_back_does_not_freeze_what_waits(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:

        async def flooded() -> Outcome:
            return RetryLater(20)

        async def later() -> Outcome:
            b.time.clock.set(b.time.clock.now() - timedelta(hours=5))
            return Sent(1)

        b.post.script.extend([flooded, later])
        await b.add("a", "one", chat=1)
        await b.add("b", "two", chat=2)
        await b.settled()
    assert b.post.texts == ["one", "two", "one"]
    assert b.post.seen[-1].at - b.post.seen[0].at < 60


async def test_draining_waits_for_what_is_due_and_then_stops(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        task = asyncio.create_task(b.sender.run())
        await b.add("t", *"abcde")
        assert await b.sender.drain(20) is True
        await task
        assert b.post.texts == list("abcde")
        await b.add("u", "late")
        assert b.post.texts == list("abcde")


async def test_draining_does_not_wait_for_what_cannot_leave_now(tmp_path: Path) -> None:
    async with bench(tmp_path, RetryLater(3600)) as b:
        b.time.stands_still = True
        task = asyncio.create_task(b.sender.run())
        await b.add("t", "one")
        await b.until(lambda states: bool(b.post.seen) and states == ["pending"])
        async with asyncio.timeout(5):
            assert await b.sender.drain(60) is True
        await task
        assert await b.states() == ["pending"]


async def test_a_call_under_way_at_the_end_may_finish(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        finish = asyncio.Event()

        async def slowly() -> Outcome:
            await finish.wait()
            return Sent(1)

        b.post.script.append(slowly)
        await b.add("t", "one")
        task = asyncio.create_task(b.sender.run())
        await b.post.waiting.wait()
        draining = asyncio.create_task(b.sender.drain(0))
        await b.until(lambda _: b.sender._closed)
        finish.set()
        await draining
        await task
        assert await b.states() == ["sent"]


class Late(Executors):
    """Lets something happen right after the next read, when what was read is old already."""

    after: Callable[[], Awaitable[None]] | None = None

    async def read(self, use_case: Any) -> Any:
        result = await super().read(use_case)
        after, self.after = self.after, None
        if after is not None:
            await after()
        return result


async def test_draining_sends_a_row_that_came_while_it_looked(tmp_path: Path) -> None:
    async with bench(tmp_path, executors=Late) as b:
        assert isinstance(b.executors, Late)
        b.time.stands_still = True
        task = asyncio.create_task(b.sender.run())
        await b.until(lambda _: b.sender._drained.is_set())
        b.executors.after = lambda: b.add("t", "one")
        assert await b.sender.drain(10) is True
        await task
        assert await b.states() == ["sent"]


async def test_draining_ends_in_time_though_a_call_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.telegram.outbox_sender.LAST_CALLS_S", 0.02)
    async with bench(tmp_path, asyncio.Event().wait) as b:  # type: ignore[arg-type]
        await b.add("t", "one", "two")
        task = asyncio.create_task(b.sender.run())
        await b.post.waiting.wait()
        async with asyncio.timeout(5):
            await b.sender.drain(0.05)
            await task
        assert await b.states() == ["sending", "pending"]


async def test_an_idle_sender_leaves_the_database_alone(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        task = asyncio.create_task(b.sender.run())
        await b.until(lambda _: len(b.time.waits) >= 3)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert b.time.waits[:3] == [30.0, 30.0, 30.0]


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[TelegramServer, Bench]]:
    """A sender with the real messenger before a real server."""
    async with TelegramServer() as server, bench(folder) as b:
        messenger = Messenger(server.token, server.url)
        b.sender._messenger = messenger
        try:
            yield server, b
        finally:
            await messenger.close()


async def test_over_http_an_answer_cut_off_after_acceptance_is_repeated_with_the_line(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        ann = server.add_person("Ann")
        server.say(ann, "hello")
        server.fault("reset", "sendMessage", after=True)
        await b.add("t", "one", "two", chat=ann.id)
        await b.settled()
        assert [reply["text"] for reply in server.replies(ann)] == ["one", MARKER + "one", "two"]
        assert server.replies(ann)[1]["entities"] == [{"type": "bold", "offset": len(MARKER), "length": 1}]


async def test_over_http_a_server_that_is_away_gets_everything_once(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        ann = server.add_person("Ann")
        server.say(ann, "hello")
        await server.stop()
        await b.add("t", "one", "two", chat=ann.id)
        task = asyncio.create_task(b.sender.run())
        await b.until(lambda _: len(b.time.waits) > 3)
        await server.start()
        await b.until(lambda states: states == ["sent", "sent"])
        await b.sender.drain(10)
        await task
        assert [reply["text"] for reply in server.replies(ann)] == ["one", "two"]


async def test_over_http_migration_flood_and_a_lost_topic_lose_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, b):
        ann = server.add_person("Ann")
        group = server.add_chat("Old", kind="group", members=[ann])
        new = server.migrate(group)
        forum = server.add_chat("Forum", kind="forum", members=[ann])
        topic = server.create_topic(forum, "Plans", by=ann)
        server.delete_topic(forum, topic)
        server.fault("status", "sendMessage", retry_after=9)
        await b.add("t", "to the group", chat=group.id)
        await b.add("u", "to the topic", "and more", chat=forum.id, thread=topic)
        await b.settled()
        assert [reply["text"] for reply in server.replies(new)] == ["to the group"]
        assert [reply["text"] for reply in server.replies(forum)] == ["to the topic", "and more"]
        assert b.moved == [(group.id, new.id)]


MISHAPS: list[Outcome] = [
    RetryLater(3),
    NotSent("ConnectError"),
    Ambiguous("ReadTimeout"),
    BadEntities(),
    TopicGone(),
    Refused("no"),
    Sent(1),
]


@settings(max_examples=12, deadline=None)
@given(script=st.lists(st.sampled_from(MISHAPS), max_size=12))
async def test_whatever_happens_every_row_is_sent_or_accounted_for_and_repeats_say_so(
    tmp_path_factory: pytest.TempPathFactory, script: list[Outcome]
) -> None:
    async with bench(tmp_path_factory.mktemp("sender"), *script) as b:
        await b.add("a", "a1", "a2", chat=1, thread=4)
        await b.add("b", "b1", chat=2)
        rows = await b.settled()
        answered = [*script, *[Sent(0)] * len(b.post.seen)][: len(b.post.seen)]
    arrived: set[tuple[int, str]] = set()
    for letter, outcome in zip(b.post.seen, answered, strict=True):
        bare = letter.chat_id, letter.text.removeprefix(MARKER)
        assert bare not in arrived or letter.text.startswith(MARKER)
        if isinstance(outcome, Sent | Ambiguous):
            arrived.add(bare)
    assert all(row.state == "sent" or row.error for row in rows)
