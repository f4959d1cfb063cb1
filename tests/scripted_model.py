"""The fake of the `ModelClient` port: says what a test tells it, without a network."""

import asyncio
from collections import deque
from collections.abc import Callable

from bot.errors import ModelEmptyReply, ModelError
from bot.model import ModelReply, ModelRequest
from bot.tokens import estimate_tokens

Line = str | ModelError | Callable[[ModelRequest], str]


class ScriptedModel:
    """Answers with the ``lines`` in turn, then with ``otherwise``; keeps every request in ``requests``.

    A line is an answer, an error to raise, or a function from the request to an answer. ``pause()`` holds the answers
    back until the event it returns is set.
    """

    def __init__(self, *lines: Line, otherwise: Line = "Understood.", name: str = "scripted") -> None:
        self.requests: list[ModelRequest] = []
        self.cancelled = 0
        self._lines = deque(lines)
        self._otherwise = otherwise
        self._name = name
        self._gate = asyncio.Event()
        self._gate.set()

    @property
    def name(self) -> str:
        return self._name

    def script(self, *lines: Line) -> None:
        """Queue more lines."""
        self._lines.extend(lines)

    def pause(self) -> asyncio.Event:
        """Hold answers back; set the event to let them go."""
        self._gate.clear()
        return self._gate

    def count_tokens(self, text: str) -> int:
        return estimate_tokens(text)

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        """Give the next line. Raises it, if it is an error, and `ModelEmptyReply` for a blank one."""
        self.requests.append(request)
        try:
            await self._gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        line = self._lines.popleft() if self._lines else self._otherwise
        if isinstance(line, ModelError):
            raise line
        text = line if isinstance(line, str) else line(request)
        if not text.strip():
            raise ModelEmptyReply("scripted")
        for start in range(0, len(text), 16):
            if on_text is not None:
                on_text(text[start : start + 16])
        spent = sum(estimate_tokens(message.content) for message in request.messages)
        return ModelReply(text, self._name, spent, estimate_tokens(text), None)
