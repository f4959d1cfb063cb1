"""Ways to answer without a script: functions from the recorded request to a reply."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.model_server.replies import Reply, Say

Kind = Literal["turn", "reflection", "comparison"]
OPENINGS: Mapping[str, Kind] = {"You keep the memory of": "reflection", "You compare two notes": "comparison"}
"""What a request is for, by how its first system message begins; anything else is a turn."""

_MESSAGE = re.compile(r"<message from=\"[^\"]*\">\n(.*)\n</message>\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request as it arrived. ``headers`` have lower-case names and are unmasked: keys in tests are made up."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes = field(repr=False, default=b"")

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of the prompt."""
        return list(self.body.get("messages", []))

    @property
    def prompt(self) -> str:
        """All texts of the prompt, one after another."""
        return "\n".join(_text(message.get("content")) for message in self.messages)

    @property
    def last(self) -> str:
        """The text of the last message."""
        return _text(self.messages[-1].get("content")) if self.messages else ""

    @property
    def kind(self) -> Kind:
        """What the request is for."""
        systems = [_text(m.get("content")) for m in self.messages if m.get("role") == "system"]
        opening = systems[0].lstrip() if systems else ""
        return next((kind for words, kind in OPENINGS.items() if opening.startswith(words)), "turn")

    def as_json(self) -> dict[str, Any]:
        """Give what the control endpoint shows."""
        return {"path": self.path, "kind": self.kind, "headers": self.headers, "body": self.body}


Behaviour = Callable[[Recorded], Reply]


def echo(request: Recorded) -> Reply:
    """Repeat the message, without the blocks that a turn puts before it."""
    found = _MESSAGE.search(request.last)
    return Say(f"You said: {found.group(1) if found else request.last}")


def keep_nothing(request: Recorded) -> Reply:
    """Answer a reflection request with no change at all."""
    return Say('{"operations": [{"op": "NOOP"}], "used": []}')


def distinct(request: Recorded) -> Reply:
    """Answer a comparison of two notes: both stand."""
    return Say('{"relation": "distinct"}')


def keep_statements(request: Recorded) -> Reply:
    """Answer a reflection request by adding every new statement of a person, word for word."""
    operations = [
        {"op": "ADD", "text": line.text, "importance": 5, "evidence": [line.number]}
        for line in lines_of(request.prompt)
        if line.is_new and line.is_persons and not line.text.rstrip().endswith(("?", "？", "؟"))
    ]
    return Say(json.dumps({"operations": operations or [{"op": "NOOP"}], "used": []}, ensure_ascii=False))


BEHAVIOURS: dict[str, Behaviour] = {
    "echo": echo,
    "keep_nothing": keep_nothing,
    "keep_statements": keep_statements,
    "distinct": distinct,
}


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a reflection prompt."""

    number: int
    text: str
    is_persons: bool  # a person's own words, typed or spoken
    is_new: bool


def lines_of(prompt: str) -> Iterator[Line]:
    """Read the messages of a reflection prompt: those of its lines that are JSON objects with a number and a text."""
    for raw in prompt.splitlines():
        try:
            value = json.loads(raw)
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("n"), int) and isinstance(value.get("text"), str):
            own = value.get("role") != "assistant" and value.get("words", "own") in {"own", "voice"}
            yield Line(value["n"], value["text"], own, not value.get("seen_before"))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""
