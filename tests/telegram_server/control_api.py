"""The control methods over HTTP: ``POST /control/NAME`` with keyword arguments as JSON."""

import base64
import dataclasses
import json
from typing import Any

from aiohttp import web

from tests.telegram_server.people import People
from tests.telegram_server.reading import Reading
from tests.telegram_server.talking import Talking
from tests.telegram_server.trouble import Trouble

ROOMS = (People, Talking, Reading, Trouble)
NAMES = frozenset(
    name for room in ROOMS for name in vars(room) if not name.startswith("_") and callable(vars(room)[name])
)
ONLY_PYTHON = frozenset({"wait_for"})  # takes a function; ``wait_until`` is its way over HTTP


def control_routes(server: Any) -> list[web.RouteDef]:
    """Give the routes that drive ``server``, a TelegramServer."""

    async def about(request: web.Request) -> web.Response:
        bot = dataclasses.asdict(server.bot)
        return web.json_response({"ok": True, "result": {"url": server.url, "token": server.token, "bot": bot}})

    async def control(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in NAMES - ONLY_PYTHON:
            return web.json_response({"ok": False, "error": f"no control method {name}"}, status=404)
        try:
            result = getattr(server, name)(**_arguments(await request.text()))
            result = await result if hasattr(result, "__await__") else result
        except (TypeError, ValueError, KeyError, TimeoutError) as problem:
            error = f"{type(problem).__name__}: {problem}"
            return web.json_response({"ok": False, "error": error}, status=400)
        return web.Response(text=json.dumps({"ok": True, "result": _plain(result)}), content_type="application/json")

    return [web.get("/control", about), web.post("/control/{name}", control)]


def _arguments(body: str) -> dict[str, Any]:
    arguments: dict[str, Any] = json.loads(body) if body else {}
    if "content_base64" in arguments:
        arguments["content"] = base64.b64decode(arguments.pop("content_base64"))
    return arguments


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value
