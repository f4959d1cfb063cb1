"""A real `tidemark run` process between a Bot API server and a model server, both on loopback."""

import asyncio
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.model_server import ModelServer
from tests.telegram_server import Person, TelegramServer

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0
"""For a busy machine; what is waited for usually takes a fraction of a second."""
OWNER_ID = 700_001
ANEW = {"clear": True, "turn": "echo", "reflection": "keep_nothing", "comparison": "distinct"}
"""What a model server does at first."""


class World:
    """The servers, the folder of the data, and the process while it runs."""

    def __init__(self, telegram: TelegramServer, model: ModelServer, home: Path) -> None:
        self.telegram = telegram
        self.model = model
        self.home = home
        self.process: asyncio.subprocess.Process | None = None
        telegram.set_privacy(on=False)  # mentions reach the bot
        self.owner: Person = telegram.add_person("Mirela", id=OWNER_ID)
        self.printed: list[str] = []
        self._reading: asyncio.Task[None] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """A clean environment: nothing of the developer's own settings reaches the process."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TELEGRAM_BOT_TOKEN": self.telegram.token,
            "TELEGRAM_API_URL": self.telegram.url,
            "TIDEMARK_HOME": str(self.home / "data"),
            "TIDEMARK_TIMEZONE": "Europe/Berlin",
            "TIDEMARK_OWNER_ID": str(OWNER_ID),
            "TIDEMARK_MODEL": "openai/scripted",
            "TIDEMARK_MODEL_API_BASE": self.model.url,
            "TIDEMARK_TELEGRAM_POLL_TIMEOUT_S": "5",
        }

    async def start(self, **changes: str | None) -> None:
        """Start the process; ``changes`` of the environment, None takes a variable out."""
        environment = {k: v for k, v in (self.environment | changes).items() if v is not None}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run",
            cwd=self.home, env=environment | {"PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read(self.process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            self.printed.append(line.decode("utf-8", "replace").rstrip())

    async def polled(self) -> None:
        """Wait until the bot listens."""
        await self.telegram.wait_for(lambda server: server.is_polled(), PATIENCE_S)

    async def kill(self) -> None:
        """SIGKILL: nothing is said good-bye to."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self._gone()

    async def stop(self) -> int:
        """SIGTERM, and the exit status."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await self._gone()

    async def _gone(self) -> int:
        assert self.process is not None
        assert self._reading is not None
        status = await asyncio.wait_for(self.process.wait(), PATIENCE_S)
        await self._reading
        return status

    async def replies(self, chat: Any, count: int) -> list[str]:
        """Wait for so many messages of the bot in a chat and give their texts."""
        found = await self.telegram.wait_until(chat=chat, replies=count, timeout_s=PATIENCE_S)
        return [message["text"] for message in found]

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Read the database of the process, from outside."""
        with sqlite3.connect(f"file:{self.home}/data/tidemark.db?mode=ro", uri=True, timeout=30) as connection:
            return connection.execute(sql, values).fetchall()

    def file_bytes(self) -> bytes:
        """Give every byte of the database, its log and its shared memory."""
        return b"".join(file.read_bytes() for file in (self.home / "data").glob("tidemark.db*"))

    async def settled(self, patience_s: float = PATIENCE_S) -> None:
        """Wait until every message is handled, every answer has left, and everything is reflected on."""
        pending = (
            "SELECT (SELECT count(*) FROM inbox WHERE state NOT IN ('done', 'parked'))"
            " + (SELECT count(*) FROM outbox WHERE state IN ('pending', 'sending'))"
            " + (SELECT count(*) FROM reflections WHERE state = 'pending')"
        )
        async with asyncio.timeout(patience_s):
            while self.telegram.waiting_updates() or self.rows(pending) != [(0,)]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)  # another process's database has no event to wait for

    async def said(self, pattern: str) -> re.Match[str]:
        """Wait for a line the process prints."""
        async with asyncio.timeout(PATIENCE_S):
            while not (found := next((m for line in self.printed if (m := re.search(pattern, line))), None)):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        return found

    async def begin_anew(self) -> None:
        """Leave nothing of one test to the next: all is settled, nothing is planned, no request is remembered."""
        assert self.process is not None
        assert self.process.returncode is None, "the process has ended"
        self.telegram.clear_faults()
        await self.settled()
        self.model.load(ANEW)

    async def let_in(self, name: str) -> Person:
        """Give somebody new, whom the owner allows to speak."""
        person = self.telegram.add_person(name)
        answers = len(self.telegram.replies(self.owner))
        self.telegram.say(self.owner, f"/allow {person.id}")
        await self.replies(self.owner, answers + 1)
        return person

    def prompts_for(self, kind: str) -> list[str]:
        """Give the prompts of turns, reflections or comparisons so far."""
        return [request.prompt for request in self.model.requests if request.kind == kind]


@asynccontextmanager
async def world(home: Path) -> AsyncIterator[World]:
    """Give a world whose process is not started yet; whatever runs at the end is killed."""
    async with TelegramServer() as telegram, ModelServer() as model:
        made = World(telegram, model, home)
        try:
            yield made
        except BaseException:
            print("\n".join(made.printed[-60:]))
            raise
        finally:
            if made.process is not None:
                await made.kill()
