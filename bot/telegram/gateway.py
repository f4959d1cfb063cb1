"""Fetches updates and lets none go: Telegram is told to forget a batch only after it is stored.

python-telegram-bot's own polling confirms updates before they are handled, and a kill loses them. Here a batch and
the offset behind it are stored in one transaction; the next poll then confirms it.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import structlog
from telegram import User, WebhookInfo
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.executors import Executors
from bot.storage import inbox
from bot.storage.inbox import InboxRow, LaneOf
from bot.telegram.backoff import Backoff
from bot.telegram.errors import PollConflict, TokenRefused
from bot.telegram.outcomes import seconds_of
from bot.telegram.watchdog import LIMIT_S, Watchdog
from memory.clock import Clock
from memory.errors import TidemarkDatabaseError

log = structlog.get_logger(__name__)

T = TypeVar("T")

CONFLICT_WAITS_S = (15.0, 25.0, 35.0, 45.0, 55.0)
"""After another poller was seen. A connection of our own that died ends within the first two."""

POLL_RECORDED_EVERY_S = 10.0
"""Often enough for a health check, seldom enough for a disk."""

STOP_S = 3.0
"""How long a stop waits for a batch that is being stored; a batch that takes longer comes again at the next start."""

_WATCH_EVERY_S = 5.0
_HASTY_S = 0.2  # an empty answer sooner than this means that the server does not do long polls


class Polling(Protocol):
    """What fetching needs of the messenger; all may raise `telegram.error.TelegramError`."""

    async def updates(self, offset: int | None, timeout_s: int) -> list[dict[str, Any]]:
        """Wait for updates."""
        ...

    async def rebuild_polling(self) -> None:
        """Use new connections."""
        ...

    async def get_me(self) -> User:
        """Tell who we are."""
        ...

    async def webhook_info(self) -> WebhookInfo:
        """Tell whether a webhook is set."""
        ...

    async def delete_webhook(self) -> None:
        """Switch to polling and keep what waits."""
        ...


class _Stalled(Exception):
    """A call hung past the watchdog's patience."""


@dataclass(frozen=True, slots=True)
class PollTimings:
    """Seconds of the loop, apart from those with a reason of their own above."""

    poll_s: int = 30
    stalled_after_s: float = LIMIT_S
    watch_every_s: float = _WATCH_EVERY_S


class Gateway:
    """Run `run` as a task and call `stop` to end it. ``on_rows`` gets what is new, and must not block.

    ``on_reachable`` is told when Telegram answers again after it did not, ``on_unstorable`` of a batch that the
    database does not take; Telegram keeps it, and it is tried again.
    """

    def __init__(
        self,
        messenger: Polling,
        executors: Executors,
        clock: Clock,
        bot_id: int,
        *,
        lane_of: LaneOf,
        on_rows: Callable[[list[InboxRow]], None],
        on_reachable: Callable[[], None] = lambda: None,
        on_unstorable: Callable[[list[dict[str, Any]], TidemarkDatabaseError], None] = lambda _batch, _error: None,
        timings: PollTimings = PollTimings(),
        rng: random.Random | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._messenger = messenger
        self._executors = executors
        self._clock = clock
        self._bot_id = bot_id
        self._lane_of = lane_of
        self._on_rows = on_rows
        self._on_reachable = on_reachable
        self._on_unstorable = on_unstorable
        self._timings = timings
        self._sleep = sleep
        self._monotonic = monotonic
        self._watchdog = Watchdog(timings.stalled_after_s, monotonic)
        self._backoff = Backoff(first_s=1.0, longest_s=30.0, rng=rng)
        self._conflicts = 0
        self._recorded_at: float | None = None
        self._webhook_is_off = False
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._ended.set()
        self.first_poll = asyncio.Event()
        """Set once the first attempt to poll is over, well or badly: what can wait may be loaded now."""

    async def stop(self) -> None:
        """End the poll that is under way; a batch that has arrived is still stored and handed over first."""
        self._stopping.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), STOP_S)

    async def connect(self) -> User | None:
        """Ask Telegram who we are, for as long as it takes; None when stopped meanwhile.

        Raises:
            TokenRefused: Telegram does not know the token.
        """
        while not self._stopping.is_set():
            try:
                return await self._watched(self._messenger.get_me())
            except (TelegramError, _Stalled) as error:
                await self._bear(error)
        return None

    async def run(self) -> None:
        """Fetch until `stop`. What a crash left unfinished is the caller's to take up (`inbox.unfinished`).

        Raises:
            TokenRefused: Telegram does not know the token.
            PollConflict: another program polls with the same token and does not stop.
        """
        self._ended.clear()
        try:
            while not self._stopping.is_set():
                await self._try_round()
        finally:
            self._ended.set()

    async def _try_round(self) -> None:
        try:
            await self._round()
        except (TelegramError, _Stalled) as error:
            await self._bear(error)
        except TidemarkDatabaseError as error:
            log.warning("fetching waits for the database", error=type(error).__name__)
            await self._pause(self._backoff.fail())
        except Exception:  # the outermost loop: an assistant that stops fetching is deaf
            log.exception("fetching broke")
            await self._pause(self._backoff.fail())

    async def _round(self) -> None:
        """Fetch one batch and store it."""
        if not self._webhook_is_off:
            await self._switch_webhook_off()
        now = self._clock.now()
        offset = await self._executors.read(lambda uow: inbox.offset(uow, self._bot_id, now))
        began = self._monotonic()
        # the first poll, and the first after trouble, does not wait: it tells that we are connected
        is_first = self._recorded_at is None or self._backoff.failures > 0
        try:
            batch = await self._watched(self._messenger.updates(offset, 0 if is_first else self._timings.poll_s))
        finally:
            self.first_poll.set()
        if batch is None:
            return
        await self._answered()
        if batch:
            await self._accept(batch)
        elif not is_first and self._monotonic() - began < _HASTY_S:
            await self._pause(1.0)

    async def _switch_webhook_off(self) -> None:
        info = await self._watched(self._messenger.webhook_info())
        if info is not None and info.url:
            log.warning(
                "a webhook was set; switching to polling, keeping what waits", waiting=info.pending_update_count
            )
            await self._messenger.delete_webhook()
        self._webhook_is_off = info is not None

    async def _accept(self, batch: list[dict[str, Any]]) -> None:
        """Store the batch and hand it over. While that fails the offset stays, so that Telegram keeps the batch."""
        now = self._clock.now()
        while True:
            try:
                rows = await self._executors.write(
                    lambda uow: inbox.accept(uow, self._bot_id, batch, self._lane_of, now)
                )
                break
            except TidemarkDatabaseError as error:
                log.warning("a batch cannot be stored yet", error=type(error).__name__, updates=len(batch))
                self._on_unstorable(batch, error)
                if self._stopping.is_set():
                    return
                await self._pause(self._backoff.fail())
        self._backoff.succeed()
        if rows:
            self._on_rows(rows)

    async def _answered(self) -> None:
        """Note a completed poll: for the watchdog, the ladders and the health check."""
        self._watchdog.beat()
        self._conflicts = 0
        if self._backoff.failures:
            self._backoff.succeed()
            self._on_reachable()
        now = self._monotonic()
        if self._recorded_at is None or now - self._recorded_at >= POLL_RECORDED_EVERY_S:
            self._recorded_at = now
            await self._record_poll()

    async def _record_poll(self) -> None:
        try:
            await self._executors.write(lambda uow: inbox.record_poll(uow, self._clock.now()))
        except TidemarkDatabaseError as error:
            log.warning("the time of the poll is not recorded", error=type(error).__name__)

    async def _bear(self, error: TelegramError | _Stalled) -> None:
        """Wait as long as the error asks for, or end where waiting does not help."""
        match error:
            case InvalidToken():
                raise TokenRefused(f"Telegram answers: {error.message}") from error
            case Conflict():
                await self._climb(error)
            case RetryAfter():
                self._watchdog.beat()
                await self._pause(seconds_of(error))
            case _:
                await self._recover(error)

    async def _climb(self, error: Conflict) -> None:
        """Wait longer at every conflict, on new connections, and in the end give up."""
        self._watchdog.beat()
        if self._conflicts >= len(CONFLICT_WAITS_S):
            raise PollConflict(f"Telegram answers: {error.message}") from error
        wait_s = CONFLICT_WAITS_S[self._conflicts]
        self._conflicts += 1
        self._webhook_is_off = False  # a webhook set meanwhile conflicts as well
        log.warning("another program fetches with our token", conflicts=self._conflicts, wait_s=wait_s)
        await self._messenger.rebuild_polling()
        await self._pause(wait_s)

    async def _recover(self, error: TelegramError | _Stalled) -> None:
        wait_s = self._backoff.fail()
        log.warning("Telegram is not reached", error=type(error).__name__, cause=_cause(error), wait_s=round(wait_s, 1))
        if self._watchdog.has_run_out:
            self._watchdog.beat()
            await self._messenger.rebuild_polling()
        await self._pause(wait_s)

    async def _watched(self, call: Coroutine[Any, Any, T]) -> T | None:
        """Give the call's result; None when stopped meanwhile.

        Raises:
            _Stalled: nothing completed for too long; the call is cancelled.
        """
        watchdog = Watchdog(self._timings.stalled_after_s, self._monotonic)
        task = asyncio.ensure_future(call)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while not (task.done() or stopping.done() or watchdog.has_run_out):
                await asyncio.wait({task, stopping}, timeout=self._timings.watch_every_s, return_when="FIRST_COMPLETED")
            if task.done():
                return task.result()
            if stopping.done():
                return None
            raise _Stalled
        finally:
            await _end(task, stopping)

    async def _pause(self, seconds: float) -> None:
        """Sleep, but not past `stop`."""
        sleeping = asyncio.ensure_future(self._sleep(seconds))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({sleeping, stopping}, return_when="FIRST_COMPLETED")
        finally:
            await _end(sleeping, stopping)


async def _end(*tasks: asyncio.Future[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _cause(error: BaseException) -> str | None:
    return None if error.__cause__ is None else type(error.__cause__).__name__
