"""``tidemark run``: prepare the database, say what is in use, and serve until told to stop."""

import asyncio
import signal
import sys

import structlog

from bot import logs
from bot.wiring import OFFLINE, Foundation, database_path, telegram_app, terminal_app
from config.schema import Settings
from memory.clock import SystemClock
from memory.migrating import prepare

log = structlog.get_logger(__name__)


def run(settings: Settings) -> int:
    """Serve on Telegram when there is a token, else in the terminal; give the exit status."""
    _configure_logs(settings)
    prepared = prepare(database_path(settings), SystemClock().now())
    if prepared.copy is not None:
        print(f"The database was upgraded; the former one is kept as {prepared.copy}.")
    print("\n".join(banner(settings)), flush=True)
    serve = _serve_telegram if settings.telegram.token else _serve_terminal
    return asyncio.run(serve(settings))


def banner(settings: Settings) -> list[str]:
    """Say in at most five lines what is in use and how to get more."""
    lines = [
        f"Tidemark · database {database_path(settings)} · embedder {settings.embedding.model} · model {settings.model.name}"
    ]
    if settings.model.name == OFFLINE:
        lines.append(
            "A real model: set TIDEMARK_MODEL and its key, e.g. TIDEMARK_MODEL=openai/gpt-4o-mini OPENAI_API_KEY=…"
        )
    if settings.telegram.token is None:
        lines.append("On Telegram: get a token from @BotFather and set TELEGRAM_BOT_TOKEN. Until then, we talk here.")
        lines.append("Type a message, /help for commands, /quit or Ctrl-D to leave.")
    return lines


async def _serve_telegram(settings: Settings) -> int:
    from bot.telegram.errors import PollConflict, TokenRefused  # noqa: PLC0415 - the terminal needs no Telegram
    from bot.telegram.messenger import Messenger  # noqa: PLC0415

    assert settings.telegram.token is not None
    base = Foundation(settings)
    try:
        messenger = Messenger(settings.telegram.token.get_secret_value(), settings.telegram.api_url)
        try:
            app = await telegram_app(base, messenger)
            await app.run(_stop_on_signals())
        finally:
            await messenger.close()
    except (PollConflict, TokenRefused) as error:
        print(f"tidemark: {error.sentence}", file=sys.stderr)
        return 1
    finally:
        await base.close()
    return 0


async def _serve_terminal(settings: Settings) -> int:
    base = Foundation(settings)
    try:
        app = await terminal_app(base, interactive=sys.stdin.isatty())
        await app.run(_stop_on_signals())
    finally:
        await base.close()
    return 0


def _stop_on_signals() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop


def secrets_of(settings: Settings) -> list[str]:
    """Give what must never be shown."""
    return [s.get_secret_value() for s in (settings.telegram.token, settings.model.api_key) if s is not None]


def _configure_logs(settings: Settings) -> None:
    """Keep the terminal for the conversation: there only warnings are shown, unless more is asked for."""
    quiet = settings.telegram.token is None and settings.log.level == "INFO"
    logs.configure("WARNING" if quiet else settings.log.level, secrets_of(settings))
