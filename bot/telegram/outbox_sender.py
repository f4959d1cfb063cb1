"""Sends the outbox: chats in parallel, each in its own order; never losing a row, never silently repeating one.

Every attempt is one row and one step: mark it "sending" and commit, call Telegram, store what became of it. What to
do next is read from the database again, so that a crash between any two steps continues where it stopped.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

import structlog

from bot.executors import Executors
from bot.storage import outbox
from bot.storage.outbox import OutboxRow
from bot.telegram.backoff import Backoff
from bot.telegram.outcomes import Ambiguous, Gone, GoneReason, Migrated, NotSent, Outcome, Sent, TopicGone
from bot.telegram.pace import Pace
from bot.telegram.repeats import mark
from bot.telegram.settlement import settle
from memory.clock import Clock
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

log = structlog.get_logger(__name__)

CHATS_AT_ONCE = 8
IDLE_S = 30.0
"""How long to sleep at most without looking again."""

LAST_CALLS_S = 2.0
"""The end of a drain belongs to calls that are under way: nothing new begins."""

CLOCK_SLACK_S = 5.0
"""A wall clock that falls behind the steady one by more than this was set back."""


class Outgoing(Protocol):
    """What sending needs of the messenger."""

    async def send(
        self,
        chat_id: int,
        thread_id: int,
        text: str,
        entities: Sequence[Mapping[str, Any]],
        reply_to: int | None = None,
    ) -> Outcome:
        """Send one message and tell what became of it."""
        ...

    async def is_reachable(self) -> bool:
        """Say whether Telegram answers right now."""
        ...

    async def is_member(self, chat_id: int) -> bool:
        """Say whether we are in the chat."""
        ...


async def wait_for_event(event: asyncio.Event, timeout_s: float) -> None:
    """Wait until ``event`` is set, or ``timeout_s`` has passed."""
    try:
        async with asyncio.timeout(timeout_s):
            await event.wait()
    except TimeoutError:
        pass


class OutboxSender:
    """Run `run` as a task, call `notify` after adding rows, and `drain` before the process ends.

    ``on_unreachable(chat_id, reason)`` is told of a chat that cannot be written to, ``on_migrated(old, new)`` of a
    group with a new id; both once the outbox knows.
    """

    def __init__(
        self,
        messenger: Outgoing,
        executors: Executors,
        clock: Clock,
        bot_id: int,
        *,
        on_unreachable: Callable[[int, GoneReason], Awaitable[None]],
        on_migrated: Callable[[int, int], Awaitable[None]],
        rng: random.Random | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        wait: Callable[[asyncio.Event, float], Awaitable[None]] = wait_for_event,
    ) -> None:
        self._messenger = messenger
        self._executors = executors
        self._clock = clock
        self._bot_id = bot_id
        self._on_unreachable = on_unreachable
        self._on_migrated = on_migrated
        self._monotonic = monotonic
        self._wait = wait
        self._pace = Pace(monotonic)
        self._network = Backoff(first_s=1.0, longest_s=300.0, rng=rng)
        self._database = Backoff(first_s=1.0, longest_s=30.0, rng=rng)
        self._network_until = self._database_until = monotonic()
        self._clock_offset_s = self._measure_clock()
        self._sending: dict[int, asyncio.Task[None]] = {}
        self._wake = asyncio.Event()
        self._drained = asyncio.Event()
        self._closed = False

    @property
    def is_sending(self) -> bool:
        """Whether a call is under way."""
        return bool(self._sending)

    def notify(self) -> None:
        """Say that there are new rows."""
        self._wake.set()

    def reachable(self) -> None:
        """Say that Telegram answers again: what waits for the network need not wait any longer."""
        self._network.succeed()
        self._network_until = self._monotonic()
        self._wake.set()

    async def run(self) -> None:
        """Send until `drain` ends; first take up what a crash left in mid-air."""
        try:
            again = await self._insist(lambda uow: outbox.recover(uow, self._clock.now()))
            if again:
                log.warning("some messages may arrive twice after a crash; they say so", rows=again)
            while not self._closed:
                self._wake.clear()
                await self._wait(self._wake, await self._step())
            await self._last_calls()
        finally:
            await self._let_go()

    async def drain(self, timeout_s: float) -> bool:
        """Let what is due leave, then stop for good; say whether nothing due stayed for the next start."""
        self._drained.clear()
        self._wake.set()
        await wait_for_event(self._drained, max(0.0, timeout_s - LAST_CALLS_S))
        self._closed = True
        self._wake.set()
        await self._last_calls()
        now = self._clock.now()
        return not await self._executors.read(lambda uow: outbox.next_due(uow, self._bot_id, now))

    async def _step(self) -> float:
        """Start every send that may start now; give the seconds until there may be another."""
        held_s = max(self._network_until, self._database_until) - self._monotonic()
        if held_s > 0:
            self._rest()
            return held_s
        try:
            paced_s, wake_s = await self._start_due()
        except TidemarkDatabaseError as error:
            return self._hold_for_database(error)
        if paced_s is None:
            self._rest()
        return min([IDLE_S, *(seconds for seconds in (paced_s, wake_s) if seconds is not None)])

    def _rest(self) -> None:
        """Note that nothing can leave at this moment, unless there was news while we looked."""
        if not self._sending and not self._wake.is_set():
            self._drained.set()

    async def _start_due(self) -> tuple[float | None, float | None]:
        """Start what may leave; give how long pace holds back the next row, and how long until another is due."""
        now = self._clock.now()
        if self._clock_was_set_back():
            await self._executors.write(lambda uow: outbox.hasten(uow, self._bot_id, now))
        due, wake_at = await self._executors.read(lambda uow: _look(uow, self._bot_id, now))
        self._database.succeed()
        paced = [wait_s for row in due if (wait_s := self._start(row)) > 0]
        wake_s = None if wake_at is None else (wake_at - now).total_seconds()
        return min(paced, default=None), wake_s

    def _start(self, row: OutboxRow) -> float:
        """Start sending ``row`` if its chat and the limits allow; else give the seconds that pace wants."""
        if self._closed or row.chat_id in self._sending or len(self._sending) >= CHATS_AT_ONCE:
            return 0.0  # a send that ends wakes us
        if (wait_s := self._pace.wait_s(row.chat_id)) > 0:
            return wait_s
        self._pace.take(row.chat_id)
        task = asyncio.create_task(self._deliver(row.id), name=f"outbox {row.id}")
        self._sending[row.chat_id] = task
        task.add_done_callback(lambda _: self._end(row.chat_id))
        return 0.0

    def _end(self, chat_id: int) -> None:
        self._sending.pop(chat_id, None)
        self._wake.set()

    async def _deliver(self, row_id: int) -> None:
        try:
            row = await self._executors.write(lambda uow: outbox.mark_sending(uow, row_id))
            if row is not None:
                await self._attempt_and_settle(row)
        except TidemarkDatabaseError as error:
            self._hold_for_database(error)
        except Exception:  # the outermost loop of a row: one that breaks must not take the others along
            log.exception("sending broke", row=row_id)
            self._database_until = self._monotonic() + self._database.fail()

    async def _attempt_and_settle(self, row: OutboxRow) -> None:
        outcome = await self._attempt(row)
        self._note(row, outcome)
        await self._insist(lambda uow: settle(uow, row, outcome, self._clock.now()))
        if isinstance(outcome, Gone):
            await self._on_unreachable(row.chat_id, outcome.reason)
        elif isinstance(outcome, Migrated):
            await self._on_migrated(row.chat_id, outcome.new_chat_id)

    async def _attempt(self, row: OutboxRow) -> Outcome:
        if not row.repeat:
            return await self._send(row, row.text, row.entities, row.reply_to)
        if not await self._messenger.is_reachable():  # the one repeat is not spent on an outage
            return NotSent("unreachable")
        *marker, (text, entities) = mark(row.text, row.entities)
        for line, _ in marker:
            told = await self._send(row, line, (), row.reply_to)
            if not isinstance(told, Sent | Ambiguous):
                return told
        return await self._send(row, text, entities, None if marker else row.reply_to)

    async def _send(
        self, row: OutboxRow, text: str, entities: Sequence[Mapping[str, Any]], reply_to: int | None
    ) -> Outcome:
        try:
            outcome = await self._messenger.send(row.chat_id, row.thread_id, text, entities, reply_to)
        except Exception as error:  # a fault of ours, perhaps after it was sent: ask nobody, assume the worst
            log.exception("the messenger broke", row=row.id)
            return Ambiguous(type(error).__name__)
        if outcome == Gone(GoneReason.KICKED) and row.thread_id and await self._messenger.is_member(row.chat_id):
            return TopicGone()  # Telegram says "kicked" of a closed topic as well
        return outcome

    def _note(self, row: OutboxRow, outcome: Outcome) -> None:
        facts = {"row": row.id, "chat": row.chat_id, "attempts": row.attempts, "outcome": type(outcome).__name__}
        if isinstance(outcome, Sent):
            log.debug("sent", **facts)
        else:
            log.warning("not sent as it is", **facts, detail=_detail(outcome))
        if not isinstance(outcome, NotSent):
            self._network.succeed()
        elif self._monotonic() >= self._network_until:  # sends that fail together count as one failure
            self._network_until = self._monotonic() + self._network.fail()

    async def _insist(self, change: Callable[[UnitOfWork], Any]) -> Any:
        """Write until it is written: what is known about a message must not be lost to a busy database."""
        backoff = Backoff(first_s=0.5, longest_s=30.0)
        while True:
            try:
                return await self._executors.write(change)
            except TidemarkDatabaseError as error:
                log.warning("the outbox cannot be written", error=type(error).__name__)
                await self._wait(asyncio.Event(), backoff.fail())

    def _hold_for_database(self, error: TidemarkDatabaseError) -> float:
        log.warning("sending waits for the database", error=type(error).__name__)
        wait_s = self._database.fail()
        self._database_until = self._monotonic() + wait_s
        return wait_s

    def _clock_was_set_back(self) -> bool:
        before, self._clock_offset_s = self._clock_offset_s, self._measure_clock()
        return self._clock_offset_s < before - CLOCK_SLACK_S

    def _measure_clock(self) -> float:
        return self._clock.now().timestamp() - self._monotonic()

    async def _last_calls(self) -> None:
        if self._sending:
            await asyncio.wait(set(self._sending.values()), timeout=LAST_CALLS_S)

    async def _let_go(self) -> None:
        """Cut off what still runs; its rows stay "sending" and are taken up at the next start."""
        tasks = list(self._sending.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _look(uow: UnitOfWork, bot_id: int, now: datetime) -> tuple[list[OutboxRow], datetime | None]:
    return outbox.next_due(uow, bot_id, now), outbox.next_wake(uow, bot_id, now)


def _detail(outcome: Outcome) -> str:
    return str(getattr(outcome, "reason", None) or getattr(outcome, "text", ""))[:200]
