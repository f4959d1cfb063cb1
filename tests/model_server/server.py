"""A language model on loopback that does what a test tells it: OpenAI's chat completions, streamed and not."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.model_server.behaviours import BEHAVIOURS, Behaviour, Kind, Recorded, distinct, echo, keep_nothing
from tests.model_server.replies import Fail, Refuse, Reply, Say, from_json

KINDS: Mapping[Kind, Behaviour] = {"turn": echo, "reflection": keep_nothing, "comparison": distinct}


class ModelServer:
    """Serve while the ``async with`` lasts. ``url`` is the base URL to configure.

    Requests take the next scripted reply of their kind (a turn, a reflection, a comparison of two notes); when none is
    left, the behaviour of that kind answers: turns are echoed, reflections keep nothing, notes are distinct.
    """

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Recorded] = []
        self.disconnects = 0  # clients that left before their answer was complete
        self.models = ["scripted"]
        self._scripts: dict[Kind, deque[Reply | Behaviour]] = {kind: deque() for kind in KINDS}
        self._behaviours: dict[Kind, Behaviour] = dict(KINDS)
        self._port = port
        self._runner: web.AppRunner | None = None
        self._changed = asyncio.Event()

    @property
    def url(self) -> str:
        """The base URL, ending in /v1."""
        return f"{self.root}/v1"

    @property
    def root(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def prompts(self) -> list[str]:
        """The whole text of every prompt so far."""
        return [request.prompt for request in self.requests]

    def script(self, *replies: Reply | Behaviour | str, kind: Kind = "turn") -> None:
        """Queue replies for requests of a kind; each is used once."""
        self._scripts[kind].extend(Say(reply) if isinstance(reply, str) else reply for reply in replies)

    def behave(self, behaviour: Behaviour | str, *, kind: Kind = "turn") -> None:
        """Set what answers when the script is empty: a function or one of `BEHAVIOURS` by name."""
        self._behaviours[kind] = BEHAVIOURS[behaviour] if isinstance(behaviour, str) else behaviour

    async def until(self, count: int, timeout_s: float = 10.0) -> None:
        """Wait until ``count`` requests have arrived. Raises `TimeoutError`."""
        await self._wait(lambda: len(self.requests) >= count, timeout_s)

    async def until_disconnected(self, count: int = 1, timeout_s: float = 10.0) -> None:
        """Wait until ``count`` clients have left early. Raises `TimeoutError`."""
        await self._wait(lambda: self.disconnects >= count, timeout_s)

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._list)
        app.router.add_get("/control/requests", self._show_requests)
        app.router.add_post("/control/script", self._take_script)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _wait(self, met: Callable[[], bool], timeout_s: float) -> None:
        async with asyncio.timeout(timeout_s):
            while not met():
                self._changed.clear()
                await self._changed.wait()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        recorded = Recorded(request.path, {k.lower(): v for k, v in request.headers.items()}, json.loads(raw), raw)
        self.requests.append(recorded)
        self._changed.set()
        reply = self._choose(recorded)
        try:
            return await self._answer(request, recorded, reply)
        except (asyncio.CancelledError, ConnectionResetError):
            self.disconnects += 1
            self._changed.set()
            raise

    def _choose(self, recorded: Recorded) -> Say | Fail:
        queue = self._scripts[recorded.kind]
        chosen = queue.popleft() if queue else self._behaviours[recorded.kind]
        reply = chosen if isinstance(chosen, Say | Fail | Refuse) else chosen(recorded)
        if not isinstance(reply, Refuse):
            return reply
        offending = [name for name in reply.fields if recorded.body.get(name)]
        if not offending:
            return reply.then
        queue.appendleft(reply)  # it keeps refusing until the field is left out
        return Fail(reply.status, {"message": f"Unsupported parameter: '{offending[0]}'", "param": offending[0]})

    async def _answer(self, request: web.Request, recorded: Recorded, reply: Say | Fail) -> web.StreamResponse:
        if isinstance(reply, Fail):
            body = reply.error if isinstance(reply.error, str) else json.dumps({"error": dict(reply.error)})
            return web.Response(status=reply.status, text=body, headers=reply.headers, content_type="application/json")
        await asyncio.sleep(reply.delay_s)
        if reply.hang == "before_headers":
            await asyncio.Event().wait()
        if recorded.body.get("stream"):
            return await _stream(request, recorded, reply)
        return await _whole(request, recorded, reply)

    async def _list(self, request: web.Request) -> web.Response:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self.models]
        return web.json_response({"object": "list", "data": data})

    async def _show_requests(self, request: web.Request) -> web.Response:
        return web.json_response([recorded.as_json() for recorded in self.requests])

    async def _take_script(self, request: web.Request) -> web.Response:
        try:
            self.load(await request.json())
        except (ValueError, KeyError) as error:
            return web.json_response({"error": str(error)}, status=400)
        return web.json_response({"ok": True})

    def load(self, script: dict[str, Any]) -> None:
        """Take a script in JSON: ``turn``, ``reflection`` and ``comparison`` are lists of replies or the name of a behaviour.

        ``"clear": true`` drops what is still queued and the requests recorded so far. Raises `ValueError`, `KeyError`.
        """
        if script.get("clear"):
            self.requests.clear()
            for queue in self._scripts.values():
                queue.clear()
        for kind in KINDS:
            wanted = script.get(kind)
            if isinstance(wanted, str):
                self.behave(wanted, kind=kind)
            elif wanted is not None:
                self.script(*(from_json(reply) for reply in wanted), kind=kind)


async def _whole(request: web.Request, recorded: Recorded, reply: Say) -> web.StreamResponse:
    if reply.hang != "never":
        await asyncio.Event().wait()
    body = reply.raw_body if reply.raw_body is not None else json.dumps(_completion(recorded, reply))
    if not reply.cut:
        return web.Response(text=body, content_type="application/json")
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body) + 64)})
    await response.prepare(request)
    await response.write(body[: len(body) // 2].encode())
    _reset(request)
    return response


async def _stream(request: web.Request, recorded: Recorded, reply: Say) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    await response.prepare(request)
    if reply.hang == "before_first":
        await asyncio.Event().wait()
    if reply.raw_body is not None:
        await response.write(reply.raw_body.encode("utf-8", "surrogatepass"))
    for delta in _deltas(reply):
        await response.write(_event(_chunk(recorded, delta, None)))
        await asyncio.sleep(0)
    if reply.hang == "within":
        await asyncio.Event().wait()
    if reply.cut:
        _reset(request)
        return response
    await response.write(_event(_chunk(recorded, {}, reply.finish)))
    if reply.usage and (recorded.body.get("stream_options") or {}).get("include_usage"):
        await response.write(_event({**_chunk(recorded, {}, None), "choices": [], "usage": _usage(reply.usage)}))
    await response.write(b"data: [DONE]\n\n")
    return response


def _reset(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def _deltas(reply: Say) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    if reply.reasoning:
        deltas.append({"reasoning_content": reply.reasoning})
    return deltas + [{"content": piece} for piece in reply.streamed]


def _event(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def _chunk(recorded: Recorded, delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**_envelope(recorded, "chat.completion.chunk"), "choices": [choice]}


def _completion(recorded: Recorded, reply: Say) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.whole}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    body = {**_envelope(recorded, "chat.completion"), "choices": [choice]}
    return {**body, "usage": _usage(reply.usage)} if reply.usage else body


def _envelope(recorded: Recorded, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": recorded.body.get("model", "scripted")}


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    prompt, completion = usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
