"""``tidemark doctor``: check each part of the set-up, say how it is and what to do."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from bot import hints
from bot.cli.run import secrets_of
from bot.errors import ModelError
from bot.logs import Mask
from bot.model import ModelRequest, PromptMessage, Purpose
from bot.wiring import OFFLINE, database_path, model_of
from config.schema import Settings
from memory.clock import SystemClock
from memory.database import Database
from memory.domain import AgentSlug
from memory.embedding import load
from memory.errors import EmbedderUnavailable, TidemarkDatabaseError
from memory.faults import faults_of
from memory.migrating import HEAD, prepare, revision_of


class Level(StrEnum):
    """How a part is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; ``advice`` says what to do."""

    level: Level
    part: str
    text: str
    advice: str = ""

    def line(self) -> str:
        """Give it as it is printed."""
        advice = f"\n{'':>20}→ {self.advice}" if self.advice else ""
        return f"{self.level:<8} {self.part:<10} {self.text}{advice}"


def doctor(settings: Settings) -> int:
    """Print the findings as they come; 1 when one of them is a problem."""
    return asyncio.run(_report(settings))


async def _report(settings: Settings) -> int:
    worst = 0
    mask = Mask(secrets_of(settings))  # libraries put keys into what they complain about
    async for finding in _findings(settings):
        print(mask(None, "", finding.line()), flush=True)
        worst = max(worst, int(finding.level is Level.PROBLEM))
    return worst


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    yield Finding(Level.OK, "settings", f"read; data in {settings.home}")
    yield _database(settings)
    yield await asyncio.to_thread(_embedder, settings)
    better = await asyncio.to_thread(_languages, settings)
    if better is not None:
        yield better
    yield await _model(settings)
    async for finding in _telegram(settings):
        yield finding
    yield _clock(settings)


def _database(settings: Settings) -> Finding:
    path = database_path(settings)
    try:
        before = revision_of(path)
        prepare(path, SystemClock().now())
        with faults_of(path), closing(sqlite3.connect(path)) as connection:
            verdict = connection.execute("PRAGMA quick_check").fetchone()[0]
    except TidemarkDatabaseError as error:
        return Finding(
            Level.PROBLEM, "database", str(error), "Restore a backup, or set TIDEMARK_HOME to another folder."
        )
    if verdict != "ok":
        return Finding(
            Level.PROBLEM, "database", f"{path} is damaged: {verdict}", "Restore a backup (deploy/README.md)."
        )
    done = "created" if before is None else "intact"
    return Finding(Level.OK, "database", f"{path} {done}, schema {HEAD}")


def _embedder(settings: Settings) -> Finding:
    try:
        embedder = load(settings.embedding.model, settings.home)
        embedder.embed_query("The tide turns at noon.")
    except EmbedderUnavailable as error:
        return Finding(Level.WARNING, "embedder", str(error), "Until then memories are found by keywords only.")
    text = f"{settings.embedding.model}, {embedder.dimensions} dimensions, digest {embedder.digest[:12]}"
    return Finding(Level.OK, "embedder", text)


def _languages(settings: Settings) -> Finding | None:
    """Give a warning when most of what people write is in languages the embedder does not know."""
    path, used = database_path(settings), settings.embedding.model
    try:
        if revision_of(path) != HEAD:
            return None
        with closing(Database(path)) as database, database.read() as uow:
            better = hints.better_model(hints.recent_texts(uow, AgentSlug(settings.agent)), used)
    except TidemarkDatabaseError:  # told already
        return None
    if better is None:
        return None
    return Finding(
        Level.WARNING, "languages", f"most messages are in languages that {used!r} does not know", hints.line(better)
    )


async def _model(settings: Settings) -> Finding:
    if settings.model.name == OFFLINE:
        advice = "Set TIDEMARK_MODEL and the provider's key, e.g. TIDEMARK_MODEL=openai/gpt-4o-mini OPENAI_API_KEY=…"
        return Finding(
            Level.WARNING, "model", "the built-in offline model: it can store and quote, not converse", advice
        )
    model = model_of(settings)
    request = ModelRequest(Purpose.DOCTOR, (PromptMessage("user", "Answer with the word: ready"),), max_tokens=200)
    try:
        reply = await model.complete(request)
    except ModelError as error:
        return Finding(
            Level.PROBLEM, "model", f"{model.name}: {type(error).__name__}: {str(error)[:200]}", error.sentence
        )
    finally:
        close = getattr(model, "close", None)
        if close is not None:
            await close()
    return Finding(
        Level.OK, "model", f"{model.name} answered ({reply.prompt_tokens} + {reply.completion_tokens} tokens)"
    )


async def _telegram(settings: Settings) -> AsyncIterator[Finding]:
    if settings.telegram.token is None:
        advice = "Get one from @BotFather and set TELEGRAM_BOT_TOKEN; without it Tidemark talks in the terminal."
        yield Finding(Level.WARNING, "telegram", "no token", advice)
        return
    from telegram.error import TelegramError  # noqa: PLC0415 - only with a token

    from bot.errors import TidemarkError  # noqa: PLC0415
    from bot.telegram.messenger import Messenger  # noqa: PLC0415

    messenger = None
    try:
        messenger = Messenger(settings.telegram.token.get_secret_value(), settings.telegram.api_url)
        user = await messenger.get_me()
        yield Finding(Level.OK, "telegram", f"@{user.username} (id {user.id}) at {settings.telegram.api_url}")
        yield _privacy(reads_all=bool(user.can_read_all_group_messages))
        info = await messenger.webhook_info()
        yield _webhook(set_to=info.url, waiting=info.pending_update_count)
    except TelegramError as error:
        advice = "Check TELEGRAM_BOT_TOKEN, TELEGRAM_API_URL and the network."
        yield Finding(Level.PROBLEM, "telegram", f"{type(error).__name__}: {error}", advice)
    except TidemarkError as error:
        yield Finding(Level.PROBLEM, "telegram", str(error), error.sentence)
    finally:
        if messenger is not None:
            await messenger.close()


def _privacy(*, reads_all: bool) -> Finding:
    if reads_all:
        return Finding(Level.OK, "groups", "privacy mode is off: mentions and replies always reach the bot")
    advice = (
        "Replies to the bot and /commands@it reach it; plain mentions may not. To change that: @BotFather, /setprivacy, "
        "Disable, then remove the bot from each group and add it again."
    )
    return Finding(Level.WARNING, "groups", "privacy mode is on", advice)


def _webhook(*, set_to: str, waiting: int) -> Finding:
    if set_to:
        return Finding(Level.WARNING, "webhook", "a webhook is set", "`tidemark run` removes it and keeps what waits.")
    return Finding(Level.OK, "webhook", f"none; {waiting} updates waiting")


def _clock(settings: Settings) -> Finding:
    now = datetime.now(ZoneInfo(settings.timezone))
    text = f"{now:%Y-%m-%d %H:%M} in {settings.timezone}"
    if now.year < 2026:
        return Finding(Level.PROBLEM, "clock", text, "The clock is far behind: set it, or dates will be wrong.")
    return Finding(Level.OK, "clock", text)
