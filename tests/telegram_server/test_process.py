"""The server as a process of its own, driven over HTTP."""

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from telegram import Bot

from tests.telegram_server import TelegramServer
from tests.telegram_server.control_api import NAMES

ROOT = Path(__file__).parents[2]


class Remote:
    """Calls control methods of a server elsewhere."""

    def __init__(self, url: str, client: httpx.AsyncClient) -> None:
        self.url, self.client = url, client

    async def __call__(self, name: str, /, **arguments: Any) -> Any:
        answer = (await self.client.post(f"{self.url}/control/{name}", json=arguments, timeout=30)).json()
        assert answer["ok"], answer
        return answer["result"]


@pytest.fixture
async def remote() -> AsyncIterator[tuple[Remote, str]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.telegram_server", "--port", "0", cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    about = json.loads(await asyncio.wait_for(process.stdout.readline(), 30))
    async with httpx.AsyncClient() as client:
        yield Remote(about["url"], client), about["token"]
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 10) == 0


async def test_a_conversation_can_be_played_from_another_process(remote: tuple[Remote, str]) -> None:
    control, token = remote
    ann = (await control("add_person", first_name="Ann"))["id"]
    group = (await control("add_chat", title="Club", kind="forum", members=[ann], bot="administrator"))["id"]
    topic = await control("create_topic", where=group, name="Tents")
    asked = await control("say", person=ann, text="who?", chat=group, topic=topic)
    await control("send", person=ann, kind="voice", content_base64=base64.b64encode(b"ogg").decode())
    await control("fault", kind="status", method="sendMessage", status=500)
    async with Bot(token, base_url=f"{control.url}/bot", base_file_url=f"{control.url}/file/bot") as bot:
        voice = (await bot.get_updates())[-1].message
        assert voice is not None
        assert voice.voice is not None
        assert await (await voice.voice.get_file()).download_as_bytearray() == b"ogg"
        waiting = asyncio.create_task(control("wait_until", chat=group, replies=1))
        with pytest.raises(Exception, match="Internal Server Error"):
            await bot.send_message(group, "me", message_thread_id=topic)
        await bot.send_message(group, "me", message_thread_id=topic)
    (reply,) = await waiting
    assert (reply["text"], reply["message_thread_id"]) == ("me", topic)
    assert [call["status"] for call in await control("calls", method="sendMessage")] == [500, 200]
    assert asked["message_id"] == topic + 1


async def test_mistakes_are_answered_with_their_reason(server: TelegramServer) -> None:
    async with httpx.AsyncClient() as client:
        unknown = await client.post(f"{server.url}/control/no_such")
        python_only = await client.post(f"{server.url}/control/wait_for")
        wrong = await client.post(f"{server.url}/control/say", json={"person": 5, "text": "hello"})
        about = (await client.get(f"{server.url}/control")).json()["result"]
    assert (unknown.status_code, python_only.status_code, wrong.status_code) == (404, 404, 400)
    assert wrong.json()["error"].startswith("KeyError")
    assert (about["token"], about["bot"]["id"]) == (server.token, server.bot.id)


def test_every_control_method_is_reachable_over_http() -> None:
    public = {name for name in dir(TelegramServer) if not name.startswith("_")}
    assert public - NAMES == {"start", "stop", "url"}
