"""The assistant in one process: the real turn, handlers, reflection and database; a scripted model, a fake messenger.

Nothing is sent: what would leave stands in the outbox, and `Assistant.said` reads it there.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import select

from bot import delivery
from bot.commands import COMMANDS
from bot.executors import Executors
from bot.incoming import ChatKind, Incoming, Speaker
from bot.maintenance_task import MaintenanceKit, Retention
from bot.model import ModelReply, ModelRequest
from bot.ownership import Ownership
from bot.reflection_run import ReflectionKit, ReflectionRunner
from bot.storage import directory, inbox
from bot.storage.inbox import InboxRow
from bot.storage.tables import inbox as inbox_table
from bot.storage.tables import outbox as outbox_table
from bot.telegram.addressing import BotIdentity
from bot.telegram.handlers import HandlerKit, handle
from bot.telegram.outcomes import Sent
from bot.telegram.updates import lane_of
from bot.turn import TurnKit, TurnLimits
from memory.clock import ManualClock
from memory.database import Database
from memory.domain import AgentSlug, Conversation, Memory, Role, Status, chat_scope
from memory.embedding import Embedder
from memory.engine import MemoryEngine
from memory.reflection.operations import Brief
from memory.transcript import FORGOTTEN
from memory.unit_of_work import UnitOfWork
from tests.bot.telegram import payloads
from tests.databases import new_database
from tests.fakes import HashingEmbedder
from tests.scripted_model import ScriptedModel

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
OWNER = 31
BOT_ID = int(payloads.BOT["id"])
IDENTITY = BotIdentity(
    BOT_ID, payloads.BOT["username"], "Pebble", frozenset({*COMMANDS, "pair", "allow", "deny", "stop"})
)
T = TypeVar("T")


class FakeMessenger:
    """Takes what is sent past the outbox, and typing."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, str]] = []
        self.typed: list[tuple[int, int]] = []
        self.fails: Exception | None = None

    async def send(self, chat_id: int, thread_id: int, text: str, entities: Any, reply_to: int | None = None) -> Sent:
        if self.fails is not None:
            raise self.fails
        self.sent.append((chat_id, text))
        return Sent(len(self.sent))

    async def typing(self, chat_id: int, thread_id: int) -> bool:
        self.typed.append((chat_id, thread_id))
        return True


def keep_statements(request: ModelRequest) -> str:
    """Propose every new own statement word for word; let neighbours stand side by side."""
    if not isinstance(request.material, Brief):
        return '{"relation": "distinct"}'
    operations = [
        {"op": "ADD", "text": entry.message.text, "importance": 6, "evidence": [entry.n]}
        for entry in request.material.messages
        if entry.is_new and entry.message.role is Role.USER and entry.message.origin.is_own
        if entry.message.text != FORGOTTEN
    ]
    return json.dumps({"operations": operations[:8] or [{"op": "NOOP"}], "used": []})


class Thinking(ScriptedModel):
    """Thinks for ever; ``began`` is set once it does."""

    def __init__(self) -> None:
        super().__init__()
        self.pause()
        self.began = asyncio.Event()

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        self.began.set()
        return await super().complete(request, on_text)


@dataclass
class Assistant:
    """Everything wired; ``pauses`` notes how long handlers would have waited, ``stopped`` what /stop was asked for."""

    executors: Executors
    engine: MemoryEngine
    clock: ManualClock
    model: ScriptedModel
    thinker: ScriptedModel
    ownership: Ownership
    messenger: FakeMessenger
    turn: TurnKit
    handler: HandlerKit
    reflection: ReflectionKit
    runner: ReflectionRunner
    pauses: list[float] = field(default_factory=list)
    stopped: list[Conversation] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)
    next_update: int = 100

    # --- what comes in

    async def arrives(self, body: dict[str, Any], kind: str = "message", update_id: int | None = None) -> InboxRow:
        """Store an update as the gateway does."""
        self.next_update += 1
        number = self.next_update if update_id is None else update_id
        raw = payloads.update(body, kind, number)
        (row,) = await self.write(lambda uow: inbox.accept(uow, BOT_ID, [raw], lane_of, self.clock.now()))
        return row

    async def update(self, body: dict[str, Any], kind: str = "message") -> InboxRow:
        """Store an update and handle it to its end."""
        row = await self.arrives(body, kind)
        await handle(self.handler, row)
        return row

    async def says(
        self,
        text: str,
        sender: dict[str, Any] | None = None,
        chat: dict[str, Any] | None = None,
        **more: Any,
    ) -> InboxRow:
        """Let a person say something; a leading command or a mention of the bot gets its entity."""
        self.next_update += 1
        entities = more.pop("entities", None) or _entities(text)
        body = payloads.message(
            chat,
            sender,
            text,
            **{"message_id": self.next_update * 10, "date": int(self.clock.now().timestamp()), "entities": entities}
            | more,
        )
        return await self.update(body)

    async def settle(self) -> None:
        """Let reflection work off its queue."""
        await self.runner.work_off()

    # --- what came of it

    async def said(self, chat_id: int = OWNER) -> list[str]:
        """Give the texts waiting in the outbox for a chat, oldest first."""
        return [row.text for row in await self.letters(chat_id)]

    async def letters(self, chat_id: int = OWNER) -> list[Any]:
        """Give the outbox's rows for a chat."""
        o = outbox_table.c
        return await self.rows(select(outbox_table).where(o.chat_id == chat_id).order_by(o.id))

    async def last(self, chat_id: int = OWNER) -> str:
        """Give what was said last in a chat."""
        return (await self.said(chat_id))[-1]

    async def state(self, row: InboxRow) -> str:
        """Give the state of an inbox row."""
        (found,) = await self.rows(select(inbox_table.c.state).where(inbox_table.c.id == row.id))
        return str(found.state)

    async def held(self, chat_id: int = OWNER, *statuses: Status) -> list[str]:
        """Give the texts remembered in a chat."""
        return [memory.text for memory in await self.memories(chat_id, *statuses)]

    async def memories(self, chat_id: int = OWNER, *statuses: Status) -> tuple[Memory, ...]:
        """Give the memories visible in a chat."""
        wanted = statuses or (Status.ACTIVE,)
        return await self.read(lambda uow: self.engine.memories(uow, chat_scope(chat_id), wanted, limit=100))

    def prompt(self, n: int = -1) -> str:
        """Give everything that was sent to the model for its ``n``-th answer."""
        return "\n".join(message.content for message in self.model.requests[n].messages)

    async def rows(self, query: Any) -> list[Any]:
        """Read any table."""
        return await self.read(lambda uow: list(uow.connection.execute(query)))

    async def read(self, use_case: Callable[[UnitOfWork], T]) -> T:
        """Read."""
        return await self.executors.read(use_case)

    async def write(self, use_case: Callable[[UnitOfWork], T]) -> T:
        """Write and commit."""
        return await self.executors.write(use_case)

    # --- the world around

    async def allow(self, person: int) -> None:
        """Let a person in."""
        await self.write(lambda uow: directory.allow_person(uow, person, self.clock.now()))

    async def allow_group(self, chat_id: int, listen: str = "addressed") -> None:
        """Let a group in."""

        def work(uow: UnitOfWork) -> None:
            directory.set_chat_access(uow, chat_id, allowed=True, now=self.clock.now())
            directory.set_listen(uow, chat_id, listen, self.clock.now())

        await self.write(work)

    def later(self, **delta: float) -> None:
        """Move the clock."""
        self.clock.set(self.clock.now() + timedelta(**delta))

    def maintenance(self, **changes: Any) -> MaintenanceKit:
        """Give a maintenance kit with a retention of a month."""
        month = timedelta(days=30)
        given: dict[str, Any] = {
            "executors": self.executors,
            "engine": self.engine,
            "clock": self.clock,
            "retention": Retention(month, timedelta(days=2), timedelta(days=7), month),
            "interval": timedelta(minutes=30),
            "wake_reflection": lambda: self.woken.append("reflection"),
        }
        return MaintenanceKit(**given | changes)


def incoming(text: str = "Where do I live?", key: str = "k1", chat: int = OWNER, **changes: Any) -> Incoming:
    """Give a private message of the owner's, as channels hand it to the turn."""
    given: dict[str, Any] = {
        "key": key,
        "conversation": Conversation(chat),
        "chat_kind": ChatKind.PRIVATE,
        "speaker": Speaker(OWNER, "Nadia"),
        "text": text,
        "sent_at": NOW,
    }
    return Incoming(**given | changes)


@asynccontextmanager
async def assistant(
    folder: Path,
    *,
    owner: int | None = OWNER,
    limits: TurnLimits | None = None,
    load: Callable[[], Embedder] = HashingEmbedder,
    bot_id: int = BOT_ID,
) -> AsyncIterator[Assistant]:
    """Give an assistant with the database in ``folder``, an empty one the first time."""
    path = folder / "t.db"
    executors = Executors(Database(path) if path.exists() else new_database(path))
    clock = ManualClock(NOW)
    engine = MemoryEngine(AgentSlug("tidemark"), clock, load)
    model, thinker = ScriptedModel(), ScriptedModel(otherwise=keep_statements, name="thinker")
    ownership, messenger = Ownership(owner), FakeMessenger()
    pauses: list[float] = []
    stopped: list[Conversation] = []
    woken: list[str] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    def stop(conversation: Conversation) -> bool:
        stopped.append(conversation)
        return len(stopped) == 1

    turn = TurnKit(
        executors=executors,
        engine=engine,
        model=model,
        clock=clock,
        limits=limits or TurnLimits(),
        persona="You are Pebble.",
        timezone="Europe/Berlin",
        compose=delivery.compose_plain,
        bot_id=bot_id,
        wake=lambda: woken.append("turn"),
    )
    handler = HandlerKit(turn, ownership, messenger, IDENTITY, stop, pause)  # type: ignore[arg-type]
    reflection = ReflectionKit(
        executors=executors,
        engine=engine,
        model=thinker,
        clock=clock,
        owner=lambda: ownership.owner_id,
        timezone="Europe/Berlin",
        bot_id=bot_id,
        wake_sender=lambda: woken.append("sender"),
    )
    made = Assistant(
        executors, engine, clock, model, thinker, ownership, messenger, turn, handler, reflection,
        ReflectionRunner(reflection), pauses, stopped, woken,
    )  # fmt: skip
    try:
        yield made
    finally:
        executors.close()


def _entities(text: str) -> list[dict[str, Any]]:
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    if first.startswith("/"):
        return [payloads.entity(text, "bot_command", first)]
    handle_of_bot = f"@{payloads.BOT['username']}"
    return [payloads.entity(text, "mention", handle_of_bot)] if text.count(handle_of_bot) == 1 else []
