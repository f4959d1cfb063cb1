"""The terminal as a channel: the owner's private chat, through the same turn, outbox and reflection.

Typed lines are turns or commands. With piped input every line waits for the answer and the reflection of the one
before it, so that a script sees what a person would.
"""

import asyncio
import getpass
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, TextIO

import structlog
from ulid import ULID

from bot import commands, delivery
from bot.errors import TidemarkError
from bot.executors import Executors
from bot.incoming import ChatKind, Incoming, Speaker
from bot.ownership import Ownership
from bot.reflection_run import ReflectionRunner
from bot.storage import outbox
from bot.storage.outbox import OutboxRow
from bot.turn import TurnKit, take_turn
from memory.cleaning import clean
from memory.clock import Clock
from memory.domain import Conversation
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

log = structlog.get_logger(__name__)

MAX_LINE_BYTES = 64 * 1024
"""A line longer than this is refused: about twenty Telegram messages, and more than a small model reads."""
PROMPT = "> "
CONSOLE_BOT_ID = 0
ON_TELEGRAM = frozenset({"stop", "pair", "allow", "deny"})
"""Commands that make no sense at a keyboard."""


class ConsoleSender:
    """Prints what is in the outbox: the terminal cannot fail, so a row is sent once it is printed."""

    def __init__(self, executors: Executors, clock: Clock, out: TextIO) -> None:
        self._executors = executors
        self._clock = clock
        self._out = out
        self._printing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def notify(self) -> None:
        """Print soon."""
        task = asyncio.create_task(self.flush())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def flush(self) -> None:
        """Print everything that waits."""
        async with self._printing:
            while rows := await self._executors.read(self._due):
                for row in rows:
                    await self._print(row)

    def _due(self, uow: UnitOfWork) -> list[OutboxRow]:
        return outbox.next_due(uow, CONSOLE_BOT_ID, self._clock.now())

    async def _print(self, row: OutboxRow) -> None:
        self._out.write(row.text + "\n")
        self._out.flush()
        await self._executors.write(lambda uow: outbox.mark_sent(uow, row.id, None, self._clock.now()))


class Console:
    """Reads lines and waits for what follows from each."""

    def __init__(
        self,
        kit: TurnKit,
        ownership: Ownership,
        sender: ConsoleSender,
        runner: ReflectionRunner,
        *,
        interactive: bool,
        out: TextIO,
    ) -> None:
        self._kit = kit
        self._ownership = ownership
        self._sender = sender
        self._runner = runner
        self._interactive = interactive
        self._out = out
        self._name = _login_name()

    async def run(self, source: BinaryIO) -> None:
        """Talk until the input ends or the person leaves with /quit."""
        while True:
            if self._interactive:
                self._out.write(PROMPT)
                self._out.flush()
            raw = await _in_background(lambda: source.readline(MAX_LINE_BYTES + 1))
            if not raw:
                return
            if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
                await _in_background(lambda: _skip_line(source))
                self._say(f"That line is too long: at most {MAX_LINE_BYTES // 1024} kB. Nothing of it was kept.")
                continue
            line = clean(raw.decode("utf-8", "replace")).strip()
            if line in {"/quit", "/exit"}:
                return
            if line:
                await self._answer(line)

    async def _answer(self, line: str) -> None:
        incoming = self._incoming(line)
        try:
            if line.startswith("/") and not line.startswith("//"):
                await self._command(incoming, line)
            else:
                await take_turn(self._kit, incoming)
            await self._sender.flush()
            if not self._interactive:
                await self._runner.work_off()
                await self._sender.flush()
        except TidemarkDatabaseError as error:
            self._say(str(error))
        except Exception:
            log.exception("a line could not be handled")
            self._say(TidemarkError.sentence)

    async def _command(self, incoming: Incoming, line: str) -> None:
        name, argument = [*line[1:].split(maxsplit=1), "", ""][:2]

        def run(uow: UnitOfWork) -> None:
            asked = commands.Asked(
                incoming=incoming,
                argument=argument,
                engine=self._kit.engine,
                owner_id=self._ownership.terminal_id,
                timezone=self._kit.timezone,
                now=self._kit.clock.now(),
            )
            answer = commands.elsewhere if name.casefold() in ON_TELEGRAM else commands.unknown
            reply = commands.COMMANDS.get(name.casefold(), answer)(uow, asked)
            letter = delivery.Letter(incoming.key, incoming.conversation, delivery.compose_plain(reply))
            delivery.put(uow, self._kit.bot_id, letter, self._kit.clock.now())

        await self._kit.executors.write(run)
        self._kit.wake()

    def _incoming(self, line: str) -> Incoming:
        chat_id = self._ownership.terminal_id
        return Incoming(
            key=f"tty:{ULID()}",
            conversation=Conversation(chat_id),
            chat_kind=ChatKind.PRIVATE,
            speaker=Speaker(chat_id, self._name),
            text=line,
            sent_at=self._kit.clock.now(),
        )

    def _say(self, sentence: str) -> None:
        self._out.write(sentence + "\n")
        self._out.flush()


async def _in_background(read: Callable[[], bytes]) -> bytes:
    """Run a blocking read in a thread that the process need not wait for: Ctrl-C must work at the prompt."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[bytes] = loop.create_future()

    def work() -> None:
        line = read()
        with suppress(RuntimeError):  # the loop is gone: nobody waits for the line
            loop.call_soon_threadsafe(_give, result, line)

    threading.Thread(target=work, daemon=True, name="console").start()
    return await result


def _give(result: asyncio.Future[bytes], line: bytes) -> None:
    if not result.done():
        result.set_result(line)


def _skip_line(source: BinaryIO) -> bytes:
    more = source.readline(MAX_LINE_BYTES)
    while more and not more.endswith(b"\n"):
        more = source.readline(MAX_LINE_BYTES)
    return more


def _login_name() -> str:
    """Give a name for the one at the keyboard; a machine's root is nobody's name."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        return "you"
    return "you" if name in {"root", "tidemark", "nobody"} else name


def standard_input() -> BinaryIO:
    """Give the terminal's input as bytes: invalid UTF-8 must not end the conversation."""
    return sys.stdin.buffer
