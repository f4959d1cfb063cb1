"""What lies between the pieces a provider sends and an answer: pure, without a provider.

Two things are mended. Reasoning that a model puts before its answer as one ``<think>`` block is no part of the answer.
And a character outside the basic plane may arrive as two halves in two pieces.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

_OPEN, _CLOSE = "<think>", "</think>"
_HIGH_HALF = re.compile("[\ud800-\udbff]\\Z")
_THINK_BLOCK = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, and how it ended. Zero tokens mean that the provider did not count them."""

    text: str
    finish: str | None = None
    refusal: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0


def scalar_text(text: str) -> str:
    """Join surrogate halves that belong together and replace lone ones, so that the text has a UTF-8 form."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def sendable(text: str) -> str:
    """Give a text that JSON over UTF-8 and a server written in C both take: no lone surrogate, no NUL."""
    return scalar_text(text).replace("\x00", "\ufffd")


def answer_text(raw: str, *, cut_off: bool = False) -> str:
    """Give the answer in what a model wrote: without a reasoning block at its very start.

    A block that never closes is reasoning only where the answer was ``cut_off``; else somebody writes about the tag.
    """
    block = _THINK_BLOCK.match(raw)
    if block is None and cut_off and raw.lstrip().startswith(_OPEN):
        return ""
    return scalar_text(raw[block.end() :] if block else raw)


class Relay:
    """Collects pieces and passes the answer on as it grows: what was passed on, joined, is the whole text in the end."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self._raw = ""
        self._thinking = True  # nothing seen yet that rules out a reasoning block
        self._held = ""
        self.delivered = False  # somebody has seen a part of the answer

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        self._raw += piece
        if self._on_text is None:
            return
        if self._thinking:
            piece = self._after_thinking()
        self._pass_on(self._held + piece)

    def finish(self, *, cut_off: bool = False) -> str:
        """Give the answer, and pass on what was held back of it."""
        text = answer_text(self._raw, cut_off=cut_off)
        self._emit(text if self._thinking else self._held)
        return text

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
        self._emit(text[: len(text) - len(self._held)])

    def _emit(self, text: str) -> None:
        if text and self._on_text is not None:
            self.delivered = True
            self._on_text(scalar_text(text))


def read_chunk(chunk: Any, seen: Answer) -> tuple[str, bool, Answer]:
    """Give the text of one chunk of a stream, whether it shows a model at work, and what is known of the end so far."""
    seen = _with_counts(seen, getattr(chunk, "usage", None))
    if not chunk.choices:
        return "", False, seen
    delta, finish = chunk.choices[0].delta, chunk.choices[0].finish_reason
    text = _text_of(delta)
    alive = bool(text or getattr(delta, "reasoning_content", None) or getattr(delta, "tool_calls", None))
    refusal = seen.refusal or bool(getattr(delta, "refusal", None))
    return text, alive, replace(seen, finish=finish or seen.finish, refusal=refusal)


def read_whole(response: Any, relay: Relay) -> Answer:
    """Read an answer that came in one piece."""
    if not response.choices:
        return Answer("")
    choice = response.choices[0]
    relay.feed(_text_of(choice.message))
    text = relay.finish(cut_off=choice.finish_reason == "length")
    refusal = bool(getattr(choice.message, "refusal", None))
    return _with_counts(Answer(text, choice.finish_reason, refusal), getattr(response, "usage", None))


def _text_of(part: Any) -> str:
    content = getattr(part, "content", None)
    return content if isinstance(content, str) else ""


def _with_counts(answer: Answer, usage: Any) -> Answer:
    if usage is None:
        return answer
    prompt, completion = getattr(usage, "prompt_tokens", 0), getattr(usage, "completion_tokens", 0)
    return replace(answer, prompt_tokens=int(prompt or 0), completion_tokens=int(completion or 0))
