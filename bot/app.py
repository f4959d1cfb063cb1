"""The running assistant: what is started in which order, and how it ends without losing anything.

On Telegram: poll first, so that nobody waits; load the model's library and the embedder while the first messages come
in. At the end: no new updates, the turns at work get time to finish, answers already made get time to leave. What is
cut off then is taken up at the next start.
"""

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from bot import commands, maintenance_task
from bot.console import Console, ConsoleSender, standard_input
from bot.footprint import spare_what_is_loaded, trim
from bot.lanes import Lanes
from bot.maintenance_task import MaintenanceKit
from bot.ownership import Ownership, adopt_terminal
from bot.reflection_run import ReflectionRunner
from bot.storage import inbox, pairing
from bot.storage.inbox import InboxRow
from bot.telegram import handlers
from bot.telegram.gateway import Gateway
from bot.telegram.handlers import HandlerKit
from bot.telegram.outbox_sender import OutboxSender
from bot.telegram.updates import lane_of
from bot.turn import TurnKit
from memory.domain import Conversation
from memory.errors import TidemarkDatabaseError

log = structlog.get_logger(__name__)

TURNS_S = 12.0
"""How long running turns may take to finish at shutdown."""
EXPLAIN_EVERY_S = 3600.0
"""How often a chat is told that nothing can be stored."""
LETTERS_S = 4.0
"""How long finished answers may take to leave at shutdown; with the rest this stays under 20 s."""


@dataclass(slots=True)
class Background:
    """Tasks that run beside the conversation and end with it."""

    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self, name: str, work: Callable[[], object]) -> None:
        """Run ``work`` until the end; a failure is logged, never silent."""
        self.tasks.append(asyncio.create_task(_logged(name, work), name=name))

    async def stop(self) -> None:
        """Cancel everything and wait for it."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def _logged(name: str, work: Callable[[], object]) -> None:
    try:
        await work()  # type: ignore[misc]
    except asyncio.CancelledError:
        raise
    except Exception:
        log.exception("background task ended", task=name)


@dataclass(slots=True)
class TelegramApp:
    """The assistant on Telegram."""

    turn: TurnKit
    handler: HandlerKit
    ownership: Ownership
    gateway: Gateway
    sender: OutboxSender
    runner: ReflectionRunner
    maintenance: MaintenanceKit
    warm_up: Callable[[], object]
    announce: Callable[[str], None]
    lanes: Lanes[InboxRow]
    _urgent: set[asyncio.Task[None]] = field(default_factory=set)
    _told: dict[int, float] = field(default_factory=dict)  # chats that know that nothing can be kept, and since when

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set; raises what makes polling impossible (a refused token, another poller)."""
        stopping = asyncio.create_task(self._until(stop))
        user = await self.gateway.connect()
        if user is None:
            return
        identity = replace(self.handler.identity, username=user.username or "", name=user.first_name)
        self.handler = replace(self.handler, identity=identity)
        await self._begin()
        background = Background()
        background.start("outbox", self.sender.run)
        polling = asyncio.create_task(self.gateway.run(), name="gateway")
        background.start("warm-up", self._warm_up)
        background.start("reflection", self.runner.run)
        background.start("maintenance", lambda: maintenance_task.run_forever(self.maintenance))
        await asyncio.wait({polling, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        await self._end(polling, background)

    async def _until(self, stop: asyncio.Event) -> None:
        """End fetching, or the attempts to reach Telegram at all, once ``stop`` is set."""
        await stop.wait()
        await self.gateway.stop()

    def dispatch(self, rows: list[InboxRow]) -> None:
        """Put rows on their lanes; a /stop goes past them."""
        for row in rows:
            if self._is_stop(row):
                self._urgently(handlers.handle(self.handler, row))
            else:
                self.lanes.submit((row.chat_id, row.thread_id), row)

    def explain(self, batch: list[dict[str, Any]], error: TidemarkDatabaseError) -> None:
        """Tell those who wrote that their message waits at Telegram, since it cannot be stored; once an hour a chat."""
        now = time.monotonic()
        chats = {chat_id for chat_id, _ in map(lane_of, batch) if chat_id is not None}
        for chat_id in chats:
            if now - self._told.get(chat_id, -EXPLAIN_EVERY_S) >= EXPLAIN_EVERY_S:
                self._told[chat_id] = now
                self._urgently(handlers.explain(self.handler, chat_id, str(error)))

    def _urgently(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._urgent.add(task)
        task.add_done_callback(self._urgent.discard)

    def stop_turn(self, conversation: Conversation) -> bool:
        """Interrupt what runs in a conversation."""
        return self.lanes.stop((conversation.chat_id, conversation.thread_id))

    def _is_stop(self, row: InboxRow) -> bool:
        with suppress(Exception):  # an unreadable update is its lane's business
            return handlers.is_stop(self.handler, row)
        return False

    async def _begin(self) -> None:
        """Take up what a crash left, adopt the terminal's memories, and offer pairing while nobody owns this."""
        now = self.turn.clock.now()
        owner = self.ownership.owner_id
        if owner is not None:
            await self.turn.executors.write(lambda uow: adopt_terminal(uow, self.turn.engine, owner, now))
        else:
            code = await self.turn.executors.write(lambda uow: pairing.issue(uow, now, random.SystemRandom()))
            self.announce(f"Nobody owns this assistant yet. Send it this in a private chat:  /pair {code}")
        unfinished = await self.turn.executors.read(lambda uow: inbox.unfinished(uow, self.turn.bot_id))
        if unfinished:
            log.info("taking up unfinished messages", count=len(unfinished))
        self.dispatch(unfinished)

    async def _warm_up(self) -> None:
        """Load what is slow to load, once the first poll is out."""
        await self.gateway.first_poll.wait()
        await self.handler.messenger.set_commands(commands.MENU)
        await self.warm_up()  # type: ignore[misc]
        await self.turn.executors.embed(self.turn.engine.load)
        spare_what_is_loaded()
        trim()

    async def _end(self, polling: asyncio.Task[None], background: Background) -> None:
        log.info("stopping")
        await self.gateway.stop()
        self.lanes.hold()
        await self.lanes.drain(TURNS_S)
        await self.sender.drain(LETTERS_S)
        await background.stop()
        results = await asyncio.gather(polling, return_exceptions=True)
        failure = results[0]
        if isinstance(failure, BaseException) and not isinstance(failure, asyncio.CancelledError):
            raise failure


@dataclass(slots=True)
class TerminalApp:
    """The assistant in the terminal: one conversation, the same turn."""

    turn: TurnKit
    console: Console
    ownership: Ownership
    sender: ConsoleSender
    runner: ReflectionRunner
    maintenance: MaintenanceKit
    interactive: bool

    async def run(self, stop: asyncio.Event) -> None:
        """Talk until the input ends or ``stop`` is set."""
        owner, now = self.ownership.owner_id, self.turn.clock.now()
        if owner is not None:
            await self.turn.executors.write(lambda uow: adopt_terminal(uow, self.turn.engine, owner, now))
        await self.sender.flush()  # what a killed process made and did not print
        background = Background()
        if self.interactive:
            background.start("reflection", self.runner.run)
            background.start("maintenance", lambda: maintenance_task.run_forever(self.maintenance))
        talking = asyncio.create_task(self.console.run(standard_input()))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({talking, stopping}, return_when=asyncio.FIRST_COMPLETED)
        await background.stop()
        if talking.done() and not self.interactive:
            talking.result()
            await self.runner.work_off()
        await self.sender.flush()
        for task in (talking, stopping):
            task.cancel()
