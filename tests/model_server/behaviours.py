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
        for line in lines_of(request.last)
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
    """One numbered message of a reflection prompt."""

    number: int
    head: str  # what stands between the number and the text: speaker, origin, whether it is new
    text: str

    @property
    def is_persons(self) -> bool:
        """Say whether these are a person's own words."""
        passed_on = re.search(r"\b(assistant|forwarded|quoted|document|passed.on)\b", self.head, re.IGNORECASE)
        return passed_on is None

    @property
    def is_new(self) -> bool:
        """Say whether it was not reflected on before."""
        return re.search(r"\b(context|earlier|old|seen)\b", self.head, re.IGNORECASE) is None


_NUMBERED = re.compile(r"^\s*[\[(#]?(\d+)[\])]?[.:)]?\s+(.*)$")


def lines_of(prompt: str) -> Iterator[Line]:
    """Read the numbered lines of a reflection prompt: ``[3] Anna (own): "text"`` and the like."""
    for raw in prompt.splitlines():
        found = _NUMBERED.match(raw)
        line = _line(int(found.group(1)), found.group(2)) if found else None
        if line is not None:
            yield line


def _line(number: int, rest: str) -> Line | None:
    """Split head and text; the text is a JSON string if there is one, else what follows the colon."""
    start = rest.find(': "')
    if start >= 0:
        try:
            text, _ = json.JSONDecoder().raw_decode(rest[start + 2 :])
        except ValueError:
            return None
        return Line(number, rest[:start], str(text))
    head, colon, text = rest.partition(": ")
    return Line(number, head, text) if colon else None


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""
