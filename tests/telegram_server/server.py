"""The HTTP side: token, parameters, faults, answers."""

import asyncio
import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any, Self

from aiohttp import web

from tests.telegram_server.control_api import control_routes
from tests.telegram_server.faults import Fault, FaultKind
from tests.telegram_server.methods import METHODS
from tests.telegram_server.params import Params
from tests.telegram_server.people import People
from tests.telegram_server.reading import Reading
from tests.telegram_server.refusal import Json, Refusal, Unauthorized
from tests.telegram_server.state import BotAccount, Call, World
from tests.telegram_server.talking import Talking
from tests.telegram_server.trouble import Trouble

LARGEST_REQUEST = 60 * 1024 * 1024  # bytes


class TelegramServer(People, Talking, Reading, Trouble):
    """A Bot API server on 127.0.0.1 with methods that play the people. To be used in one event loop."""

    def __init__(
        self,
        *,
        port: int = 0,
        bot: BotAccount | None = None,
        token: str | None = None,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Port 0 takes a free one; ``now`` dates messages (epoch seconds), ``monotonic`` drives flood limits."""
        self.world = World(bot=bot or BotAccount(), now=now, monotonic=monotonic)
        self.bot = self.world.bot
        self.token = token or f"{self.bot.id}:test-token-of-a-bot-that-is-not-real"
        self.port = port
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Where it listens, without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen; again after ``stop``, on the same port and with everything remembered."""
        application = web.Application(client_max_size=LARGEST_REQUEST)
        application.add_routes(control_routes(self))
        application.router.add_route("*", "/bot{token}/{method}", self._answer_call)
        application.router.add_get("/file/bot{token}/{path:.+}", self._answer_download)
        # Cancelled with its connection, so that a poll whose client was killed stops waiting.
        self._runner = web.AppRunner(application, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening and cut what is open: to a client, the network is down."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _answer_call(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"].lower()
        try:
            params = Params(await read_params(request))
        except ValueError:
            return json_response(400, Refusal(400, "can't parse request body").json())
        call = Call(request.match_info["method"], params.values, self.world.now())
        self.world.calls.append(call)
        fault = self.world.faults.take(method, params.text("chat_id"))
        call.fault = fault.kind.value if fault else None
        if fault and not fault.after:
            await self._strike(request, fault, call)
        status, body = await self._call(request.match_info["token"], method, params)
        if fault and fault.after:
            await self._strike(request, fault, call)
        self._finish(call, status, body.get("description"))
        return json_response(status, body)

    async def _call(self, token: str, method: str, params: Params) -> tuple[int, Json]:
        try:
            self._check(token, method)
            return 200, {"ok": True, "result": await METHODS[method](self.world, params)}
        except Refusal as refusal:
            return refusal.status, refusal.json()

    def _check(self, token: str, method: str) -> None:
        if token != self.token:
            raise Unauthorized
        if method not in METHODS:
            raise Refusal(404, "method not found")

    def _finish(self, call: Call, status: int | None, description: str | None = None) -> None:
        call.status, call.description = status, description
        self.world.signal.notify()

    async def _strike(self, request: web.Request, fault: Fault, call: Call) -> None:
        """Let a fault happen. Returns only when the call is to go on (a delay); otherwise an HTTP answer is raised."""
        self.world.signal.notify()
        if fault.kind is FaultKind.DELAY:
            await asyncio.sleep(fault.delay_s)
            return
        if fault.kind is FaultKind.HANG:
            await asyncio.Event().wait()
        if fault.kind is FaultKind.RESET:
            self._finish(call, None)
            cut(request)
        if fault.kind is FaultKind.GARBAGE:
            self._finish(call, 200, "garbage")
            raise Answered(200, fault.body)
        answer = refusal_of(fault)
        self._finish(call, answer.status, answer.description)
        raise Answered(answer.status, json.dumps(answer.json()))

    async def _answer_download(self, request: web.Request) -> web.StreamResponse:
        call = Call("download", {"path": request.match_info["path"]}, self.world.now())
        self.world.calls.append(call)
        fault = self.world.faults.take("download", "")
        if fault:
            call.fault = fault.kind.value
            await self._strike(request, fault, call)
        by_path = {file.path: file for file in self.world.files.values()}
        file = by_path.get(request.match_info["path"]) if request.match_info["token"] == self.token else None
        self._finish(call, 200 if file else 404)
        if file is None:
            return json_response(404, Refusal(404).json())
        return web.Response(body=file.content, content_type="application/octet-stream")


class Answered(web.HTTPException):
    """Ends a request with this answer at once."""

    def __init__(self, status: int, text: str) -> None:
        self.status_code = status
        super().__init__(text=text, content_type="application/json")


def refusal_of(fault: Fault) -> Refusal:
    """Give the error answer a STATUS fault stands for."""
    if fault.retry_after is not None:
        return Refusal(429, f"retry after {fault.retry_after}", retry_after=fault.retry_after)
    refusal = Refusal(fault.status)
    refusal.description = fault.description or refusal.description
    return refusal


def cut(request: web.Request) -> None:
    """Reset the connection, so that the client sees an error instead of an answer; then let the request die."""
    transport = request.transport
    if transport is not None:
        connection: Any = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    raise asyncio.CancelledError


def json_response(status: int, body: Json) -> web.Response:
    """Give a JSON answer; lone surrogates survive as escapes."""
    return web.Response(status=status, text=json.dumps(body), content_type="application/json")


async def read_params(request: web.Request) -> Json:
    """Give the parameters of a request: the query string, overridden by a JSON, form or multipart body."""
    values: Json = dict(request.query)
    if request.content_type == "application/json":
        body = await request.text()
        return values | (json.loads(body) if body else {})
    form = await request.post()
    return values | {name: value for name, value in form.items() if isinstance(value, str)}
