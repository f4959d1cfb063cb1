"""The terminal as a channel: the owner's private chat, through the same turn, outbox and reflection.

Typed lines are turns or commands. With piped input every line waits for the answer and the reflection of the one
before it, so that a script sees what a person would.
"""

import asyncio
import getpass
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, BinaryIO, TextIO

from ulid import ULID

from bot import commands, delivery
from bot.incoming import ChatKind, Incoming, Speaker
from bot.ownership import Ownership
from bot.telegram.outcomes import Sent
from bot.turn import TurnKit, take_turn
from memory.domain import Conversation
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

MAX_LINE_BYTES = 64 * 1024
"""A line longer than this is refused: about twenty Telegram messages, and more than a small model reads."""
PROMPT = "> "
CONSOLE_BOT_ID = 0


class ConsoleMessenger:
    """Prints what the outbox sends; the same port as Telegram's messenger."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    async def send(
        self, chat_id: int, thread_id: int, text: str, entities: list[dict[str, Any]], reply_to: int | None
    ) -> Sent:
        """Print one answer."""
        self._out.write(text + "\n")
        self._out.flush()
        return Sent(message_id=None)


class Console:
    """Reads lines and waits for what follows from each."""

    def __init__(
        self,
        kit: TurnKit,
        ownership: Ownership,
        settle: Callable[[], Awaitable[None]],
        *,
        interactive: bool,
        out: TextIO,
    ) -> None:
        self._kit = kit
        self._ownership = ownership
        self._settle = settle
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
            line = raw.decode("utf-8", "replace").strip()
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
            await self._settle()
        except TidemarkDatabaseError as error:
            self._say(str(error))

    async def _command(self, incoming: Incoming, line: str) -> None:
        name, _, argument = line[1:].partition(" ")

        def run(uow: UnitOfWork) -> None:
            asked = commands.Asked(
                incoming=incoming,
                argument=argument,
                engine=self._kit.engine,
                owner_id=self._ownership.terminal_id,
                timezone=self._kit.timezone,
                now=self._kit.clock.now(),
            )
            reply = commands.COMMANDS.get(name.casefold(), commands.unknown)(uow, asked)
            letter = delivery.Letter(incoming.key, incoming.conversation, reply)
            delivery.put(uow, self._kit.bot_id, letter, delivery.compose_plain, self._kit.clock.now())

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
            loop.call_soon_threadsafe(lambda: result.done() or result.set_result(line))

    threading.Thread(target=work, daemon=True, name="console").start()
    return await result


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
