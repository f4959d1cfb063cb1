"""The one place where concrete things meet: from settings to an assistant that can run."""

import random
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from bot import commands, delivery
from bot.app import TelegramApp, TerminalApp
from bot.console import CONSOLE_BOT_ID, Console, ConsoleSender
from bot.executors import Executors
from bot.lanes import Lanes
from bot.maintenance_task import MaintenanceKit, Retention
from bot.model import ModelClient
from bot.model_client import ModelSettings, connect
from bot.offline_model import OfflineModel
from bot.ownership import Ownership
from bot.reflection_run import ReflectionKit, ReflectionRunner
from bot.storage import directory
from bot.storage.inbox import InboxRow
from bot.telegram import handlers
from bot.telegram.addressing import BotIdentity
from bot.telegram.formatting import render
from bot.telegram.gateway import Gateway, PollTimings
from bot.telegram.handlers import HandlerKit
from bot.telegram.messenger import Messenger
from bot.telegram.outbox_sender import OutboxSender
from bot.telegram.outcomes import GoneReason
from bot.telegram.splitting import split
from bot.telegram.updates import lane_of
from bot.turn import TurnKit, TurnLimits
from config.schema import Settings
from memory.clock import Clock, SystemClock
from memory.database import Database
from memory.domain import AgentSlug, Conversation
from memory.embedding import Embedder, load
from memory.engine import MemoryEngine
from memory.errors import EmbedderUnavailable

log = structlog.get_logger(__name__)

OFFLINE = "offline"


def database_path(settings: Settings) -> Path:
    """Give the path of the one file that everything lives in."""
    return settings.home / "tidemark.db"


def compose_telegram(markdown: str) -> list[delivery.Chunk]:
    """Turn a model's Markdown into messages that Telegram can show."""
    return [(piece.text, [_entity(entity) for entity in piece.entities]) for piece in split(render(markdown))]


def _entity(entity: Any) -> dict[str, Any]:
    return {key: value for key, value in asdict(entity).items() if value is not None}


def model_of(settings: Settings, *, reflection: bool = False) -> ModelClient:
    """Give the configured model; for reflection the cheaper one, where one is named."""
    wanted = settings.model
    name = (wanted.reflection_name if reflection else None) or wanted.name
    if name == OFFLINE:
        return OfflineModel()
    main = ModelSettings(
        model=wanted.name,
        api_base=wanted.api_base,
        api_key=wanted.api_key.get_secret_value() if wanted.api_key else None,
        first_token_timeout_s=wanted.first_token_timeout_s,
        idle_timeout_s=wanted.idle_timeout_s,
        total_timeout_s=wanted.total_timeout_s,
        max_output_tokens=wanted.max_output_tokens,
        temperature=wanted.temperature,
    )
    chosen = main if name == wanted.name else main.for_model(name)  # another provider never gets this one's key
    return connect(replace(chosen, fallbacks=tuple(other for other in wanted.fallbacks if other != name)))


class Foundation:
    """What both channels stand on."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock = clock or SystemClock()
        self.executors = Executors(Database(database_path(settings)))
        self.engine = MemoryEngine(AgentSlug(settings.agent), self.clock, self._load_embedder)
        self.ownership = Ownership(settings.owner_id)
        self.model = model_of(settings)
        self.reflection_model = model_of(settings, reflection=True) if settings.model.reflection_name else self.model
        self._wakeable: list[Any] = []

    def _load_embedder(self) -> Embedder:
        try:
            return load(self.settings.embedding.model, self.settings.home)
        except EmbedderUnavailable as error:
            log.warning("memories are found by keywords only", problem=str(error))
            raise

    def wake(self) -> None:
        """Tell the sender and the reflection runner that there may be work."""
        for one in self._wakeable:
            one.notify()

    def turn(self, bot_id: int, compose: delivery.Compose) -> TurnKit:
        """Give what a turn works with on a channel."""
        settings = self.settings
        return TurnKit(
            executors=self.executors,
            engine=self.engine,
            model=self.model,
            clock=self.clock,
            limits=TurnLimits(
                context_tokens=settings.model.context_tokens,
                history_tokens=settings.memory.history_tokens,
                recall_tokens=settings.memory.recall_tokens,
                recall_limit=settings.memory.recall_limit,
                max_output_tokens=settings.model.max_output_tokens,
            ),
            persona=settings.persona(),
            timezone=settings.timezone,
            compose=compose,
            bot_id=bot_id,
            wake=self.wake,
        )

    def runner(
        self, turn: TurnKit, sender: OutboxSender | ConsoleSender, *, owner: Callable[[], int | None]
    ) -> ReflectionRunner:
        """Give the reflection runner of a channel."""
        runner = ReflectionRunner(
            ReflectionKit(
                executors=self.executors,
                engine=self.engine,
                model=self.reflection_model,
                clock=self.clock,
                owner=owner,
                timezone=self.settings.timezone,
                bot_id=turn.bot_id,
                wake_sender=sender.notify,
                embedding_model=self.settings.embedding.model,
            )
        )
        self._wakeable[:] = [sender, runner]
        return runner

    def maintenance(self, wake: Callable[[], None] = lambda: None) -> MaintenanceKit:
        """Give what a pass works with; ``wake`` tells the reflection runner that there may be work."""
        keep = self.settings.retention
        return MaintenanceKit(
            executors=self.executors,
            engine=self.engine,
            clock=self.clock,
            retention=Retention(
                transcript=timedelta(days=keep.transcript_days),
                inbox=timedelta(days=keep.inbox_days),
                outbox=timedelta(days=keep.outbox_days),
                journal=timedelta(days=keep.journal_days),
            ),
            interval=timedelta(minutes=self.settings.maintenance.interval_minutes),
            wake_reflection=wake,
            embedding_model=self.settings.embedding.model,
            model=self.reflection_model,
            daily_tokens=self.settings.maintenance.daily_tokens,
            timezone=self.settings.timezone,
        )

    async def warm_up(self) -> None:
        """Import what is slow to import, off the event loop."""
        for model in {id(model): model for model in (self.model, self.reflection_model)}.values():
            prepare = getattr(model, "warm_up", None)
            if prepare is not None:
                await prepare()

    async def close(self) -> None:
        """Close connections and threads."""
        for model in {id(model): model for model in (self.model, self.reflection_model)}.values():
            end = getattr(model, "close", None)
            if end is not None:
                await end()
        self.executors.close()


async def terminal_app(base: Foundation, *, interactive: bool) -> TerminalApp:
    """Put the terminal assistant together."""
    turn = base.turn(CONSOLE_BOT_ID, delivery.compose_plain)
    sender = ConsoleSender(base.executors, base.clock, sys.stdout)
    runner = base.runner(turn, sender, owner=lambda: base.ownership.terminal_id)
    await base.executors.read(base.ownership.load)
    console = Console(turn, base.ownership, sender, runner, interactive=interactive, out=sys.stdout)
    return TerminalApp(
        turn=turn,
        console=console,
        ownership=base.ownership,
        sender=sender,
        runner=runner,
        maintenance=base.maintenance(runner.notify),
        interactive=interactive,
    )


async def telegram_app(base: Foundation, messenger: Messenger) -> TelegramApp:
    """Put the Telegram assistant together; who the bot is, is asked once polling runs."""
    turn = base.turn(messenger.bot_id, compose_telegram)
    app: TelegramApp

    async def unreachable(chat_id: int, reason: GoneReason) -> None:
        if reason is GoneReason.NO_RIGHTS:  # still there, only silenced
            return
        await base.executors.write(lambda uow: directory.set_reachable(uow, chat_id, False, base.clock.now()))

    async def migrated(old: int, new: int) -> None:
        await base.executors.write(lambda uow: handlers.migrate(app.handler, uow, old, new))

    def dispatch(rows: list[InboxRow]) -> None:
        app.dispatch(rows)

    def stop_turn(conversation: Conversation) -> bool:
        return app.stop_turn(conversation)

    sender = OutboxSender(
        messenger, base.executors, base.clock, messenger.bot_id, on_unreachable=unreachable, on_migrated=migrated
    )
    runner = base.runner(turn, sender, owner=lambda: base.ownership.owner_id)
    await base.executors.read(base.ownership.load)
    gateway = Gateway(
        messenger,
        base.executors,
        base.clock,
        messenger.bot_id,
        lane_of=lane_of,
        on_rows=dispatch,
        on_reachable=sender.reachable,
        on_unstorable=lambda batch, error: app.explain(batch, error),  # noqa: PLW0108 - the app is made below
        timings=PollTimings(poll_s=int(base.settings.telegram.poll_timeout_s)),
        rng=random.Random(),  # noqa: S311 - spreads pauses
    )
    handler = HandlerKit(
        turn=turn,
        ownership=base.ownership,
        messenger=messenger,
        identity=BotIdentity(messenger.bot_id, "", "", frozenset(known_commands())),
        stop=stop_turn,
    )
    app = TelegramApp(
        turn=turn,
        handler=handler,
        ownership=base.ownership,
        gateway=gateway,
        sender=sender,
        runner=runner,
        maintenance=base.maintenance(runner.notify),
        warm_up=base.warm_up,
        announce=lambda line: print(line, flush=True),  # noqa: T201 - for the one at the console
        lanes=Lanes[InboxRow](
            lambda row: handlers.handle(app.handler, row), lambda row: handlers.finish_stopped(app.handler, row)
        ),
    )
    return app


def known_commands() -> set[str]:
    """Give the names of all commands on Telegram."""
    from bot import access_commands  # noqa: PLC0415 - it imports this module's neighbours

    return {*commands.COMMANDS, *access_commands.COMMANDS, "stop"}
