"""What lies between the pieces a provider sends and the text of an answer: pure, without a provider.

Two things are mended. Reasoning that a model puts before its answer as one ``<think>`` block is no part of the answer.
And a character outside the basic plane may arrive as two halves in two pieces.
"""

import re
from collections.abc import Callable

_OPEN, _CLOSE = "<think>", "</think>"
_HIGH_HALF = re.compile("[\ud800-\udbff]\\Z")
_THINK_BLOCK = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


def scalar_text(text: str) -> str:
    """Join surrogate halves that belong together and replace lone ones, so that the text has a UTF-8 form."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def sendable(text: str) -> str:
    """Give a text that JSON over UTF-8 and a server written in C both take: no lone surrogate, no NUL."""
    return scalar_text(text).replace("\x00", "\ufffd")


def answer_text(raw: str) -> str:
    """Give the answer in what a model wrote: without a reasoning block at its very start, finished or not."""
    return scalar_text(_THINK_BLOCK.sub("", raw, count=1) if raw.lstrip().startswith(_OPEN) else raw)


class Relay:
    """Collects pieces and passes the answer on as it grows: what was passed on, joined, is the start of ``text``."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self._raw = ""
        self._thinking = True  # nothing seen yet that rules out a reasoning block
        self._held = ""
        self.delivered = False  # somebody has seen a part of the answer

    @property
    def text(self) -> str:
        """The answer so far."""
        return answer_text(self._raw)

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        self._raw += piece
        if self._on_text is None:
            return
        if self._thinking:
            piece = self._after_thinking()
        self._pass_on(self._held + piece)

    def finish(self) -> None:
        """Pass on what was held back for a second half that never came."""
        if self._held and self._on_text is not None:
            self._emit(self._held)

    def _after_thinking(self) -> str:
        """Give what is certain to be answer, once that is certain."""
        start = self._raw.lstrip()
        if len(start) < len(_OPEN) and _OPEN.startswith(start):
            return ""
        if not start.startswith(_OPEN):
            self._thinking = False
            return self._raw
        body = start.partition(_CLOSE)[2].lstrip()
        self._thinking = not body
        return body

    def _pass_on(self, text: str) -> None:
        half = _HIGH_HALF.search(text)
        self._held = half.group() if half else ""
        whole = text[: len(text) - len(self._held)]
        if whole:
            self._emit(whole)

    def _emit(self, text: str) -> None:
        self.delivered = True
        if self._on_text is not None:
            self._on_text(scalar_text(text))
