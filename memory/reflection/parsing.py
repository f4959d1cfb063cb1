"""A model's reply, read leniently in form and strictly in substance: what is cut off inside a statement is not read at all."""

import json
from collections.abc import Iterator
from typing import Any, Final

import json_repair
import regex

from memory import policy
from memory.cleaning import clean
from memory.folding import is_blank
from memory.reflection.operations import Malformed, OpName, Proposed, Reply, Unreadable

MAX_CHARS: Final = 200_000
"""A reply longer than this is no list of operations."""
_LONGEST_STRING: Final = policy.CUE_CHARS + 1
"""A cue that is cut here is too long to be one."""
_MAX_CANDIDATES: Final = 20

_THOUGHT: Final = regex.compile(r"^.*?</(?:think|thinking|thought|reasoning)>", regex.DOTALL | regex.IGNORECASE)
_THINKING: Final = regex.compile(r"^\s*<(?:think|thinking|thought|reasoning)>", regex.IGNORECASE)
_BEGINNING: Final = regex.compile(
    r"\{\s*(?:\"[\w ]{1,40}\"|'[\w ]{1,40}'|“[\w ]{1,40}”|[A-Za-z_]{1,40})\s*:|\[\s*(?:\{|[\"'][^\n]|\])|\{\s*\}"
)
_OURS: Final = regex.compile(r"[\"'“]?\b(?:operations|operation|ops?)\b[\"'”]?\s*:", regex.IGNORECASE)
_CLOSED: Final = regex.compile(r"[}\]]\s*$")
_FENCE_END: Final = regex.compile(r"\s*`{3,}.*$", regex.DOTALL)
_NO_OP: Final = frozenset({"NO_OP", "NO-OP", "NO OP", "NONE", "NOTHING"})
_NEEDS_TEXT: Final = frozenset({OpName.ADD, OpName.UPDATE})
_NEEDS_ID: Final = frozenset({OpName.UPDATE, OpName.DELETE, OpName.REINFORCE})


def parse(raw: str) -> Reply | Unreadable:
    """Give the operations in a model's reply, or say in a sentence for the model why there are none to read.

    Fences, prose and reasoning around the JSON, a bare list, a single operation, one operation a line, a trailing comma, a missing
    last bracket and missing optional fields are accepted. Never raises.
    """
    if len(raw) > MAX_CHARS:
        return Unreadable("The reply is too long.")
    if _THINKING.match(raw) and not _THOUGHT.match(raw):
        return Unreadable("The reply ended before any JSON was written.")
    found = _containers(_answer(raw))
    if isinstance(found, Unreadable):
        return found
    return _reply(found) if found else Unreadable('No JSON object with a list "operations" was found in the reply.')


def _answer(raw: str) -> str:
    """Leave out reasoning before the answer, unless nothing but reasoning would be read."""
    first = _BEGINNING.search(raw)
    thought = _THOUGHT.match(raw)
    if thought and (_THINKING.match(raw) or first is None or first.start() < thought.end()):
        return raw[thought.end() :]
    return raw


def _containers(text: str) -> list[Any] | Unreadable:
    """Give every outermost piece of JSON that holds operations, in order."""
    found: list[Any] = []
    at = 0
    for _ in range(_MAX_CANDIDATES):
        begin = _BEGINNING.search(text, at)
        if begin is None:
            break
        end, open_ends = _extent(text, begin.start())
        if open_ends and _OURS.search(text, begin.start()):
            closed = _close(text[begin.start() :], open_ends)
            return [*found, closed] if closed is not None else Unreadable("The JSON was cut off before its end.")
        at = begin.end() if open_ends else end
        value = None if open_ends else _load(text[begin.start() : end])
        found.extend(
            [value]
            if _holds_operations(value, alone=text.strip("` \n\tjson") == text[begin.start() : end].strip())
            else []
        )
    return found


def _extent(text: str, start: int) -> tuple[int, str]:
    """Give where the JSON that begins at ``start`` ends, and the closing brackets it still lacks at the end of the text."""
    missing: list[str] = []
    quoted = escaped = False
    for at in range(start, len(text)):
        sign = text[at]
        if quoted:
            quoted, escaped = (sign != '"' or escaped, sign == "\\" and not escaped)
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            missing.append("}" if sign == "{" else "]")
        elif sign in "}]":
            if missing:
                missing.pop()
            if not missing:
                return at + 1, ""
    return len(text), '"' if quoted else "".join(reversed(missing))


def _close(piece: str, missing: str) -> Any:
    """Close an object that lacks only its last bracket, behind a finished list; give None where the reply was cut off."""
    body = _FENCE_END.sub("", piece).rstrip()
    if '"' in missing or not _CLOSED.search(body) or missing != "}":
        return None
    value = _load(body + missing)
    inside = isinstance(value, dict) and "op" in {str(key).lower() for key in value}
    return None if inside else value


def _load(piece: str) -> Any:
    try:
        return json.loads(piece, strict=False)
    except (ValueError, RecursionError):
        pass
    try:
        return json_repair.loads(piece, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError, AttributeError, KeyError):
        return None


def _holds_operations(value: Any, *, alone: bool) -> bool:
    if isinstance(value, dict):
        return _listed(value) is not None or _op_of(value) is not None or (alone and not value)
    if isinstance(value, list):
        return (alone and not value) or any(isinstance(v, dict) and _op_of(v) is not None for v in value)
    return False


def _field(value: dict[Any, Any], *names: str) -> Any:
    """Give the field of any of these names, in any letter case."""
    by_name = {str(key).strip().lower(): item for key, item in value.items()}
    return next((by_name[name] for name in names if name in by_name), None)


def _op_of(value: dict[Any, Any]) -> Any:
    return _field(value, "op", "operation", "action")


def _listed(value: dict[Any, Any]) -> list[Any] | None:
    """Give the list of operations of a container; one operation in place of a list, and one wrapper around it, are accepted."""
    inside = _field(value, "operations", "ops")
    if isinstance(inside, dict):
        return [inside]
    if isinstance(inside, list):
        return inside
    wrapped = list(value.values())
    if len(wrapped) == 1 and isinstance(wrapped[0], dict) and _field(wrapped[0], "operations") is not None:
        return _listed(wrapped[0])
    return None


def _reply(found: list[Any]) -> Reply | Unreadable:
    """Make the reply of the last container that holds any; single operations, one after the other, are one list."""
    containers = [
        v for v in found if isinstance(v, list) or (isinstance(v, dict) and (_listed(v) is not None or not v))
    ]
    if not containers:
        return Reply(tuple(_entry(v) for v in found))
    last = next((c for c in reversed(containers) if (c if isinstance(c, list) else _listed(c))), containers[-1])
    if isinstance(last, list):
        return Reply(tuple(_entry(v) for v in last))
    listed = _listed(last)
    used = _field(last, "used")
    return Reply(tuple(_entry(v) for v in listed or ()), tuple(_strings(used)))


def _entry(value: Any) -> Proposed | Malformed:
    if not isinstance(value, dict):
        return Malformed(None, "an operation must be an object")
    written = _op_of(value)
    op = _op_name(written)
    if op is None:
        return Malformed(written[:20] if isinstance(written, str) else None, "unknown operation")
    problem = _problem(op, value)
    return Malformed(op.value, problem) if problem else _proposed(op, value)


def _op_name(written: Any) -> OpName | None:
    name = written.strip().upper() if isinstance(written, str) else ""
    if name in _NO_OP:
        return OpName.NOOP
    return OpName(name) if name in OpName.__members__ else None


def _problem(op: OpName, value: dict[Any, Any]) -> str | None:
    """Give what makes an entry unusable."""
    text, target = _field(value, "text"), _field(value, "id")
    if op in _NEEDS_ID and not _alias(target):
        return "the id is missing"
    if op in _NEEDS_TEXT and (not isinstance(text, str) or is_blank(text)):
        return "the text is missing"
    if op is not OpName.NOOP and isinstance(_numbers(_field(value, "evidence")), str):
        return "evidence must be a list of message numbers"
    return None


def _alias(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"m{value}"
    return clean(value).strip().strip("[]() ") or None if isinstance(value, str) else None


def _numbers(value: Any) -> tuple[int, ...] | str | None:
    """Read message numbers, also as text ("3", "[3]", "#3"); give a string where that is impossible."""
    if value is None:
        return None
    read = [_number(item) for item in (value if isinstance(value, list) else [value])]
    return "unreadable" if any(n is None for n in read) else tuple(dict.fromkeys(n for n in read if n is not None))


def _number(item: Any) -> int | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, float):
        return int(item) if item.is_integer() and abs(item) < 1e15 else None
    if isinstance(item, int):
        return item
    found = (
        regex.fullmatch(r"\s*[\[(#]?\s*(?:n|message|msg)?\s*(\d{1,9})\s*[\])]?\s*", item, regex.IGNORECASE)
        if isinstance(item, str)
        else None
    )
    return int(found[1]) if found else None


def _proposed(op: OpName, value: dict[Any, Any]) -> Proposed:
    numbers = _numbers(_field(value, "evidence"))
    text = _field(value, "text")
    return Proposed(
        op=op,
        id=_alias(_field(value, "id")),
        text=clean(text).strip() if isinstance(text, str) else None,
        importance=_field(value, "importance"),
        kind=_string(_field(value, "kind")),
        subject=_string(_field(value, "subject")),
        scope=_string(_field(value, "scope")),
        evidence=numbers if isinstance(numbers, tuple) else None,
        expires_at=_string(_field(value, "expires_at")),
        triggers=tuple(_strings(_field(value, "triggers")))[: policy.CUES_A_LESSON],
        tools=tuple(_strings(_field(value, "tools")))[: policy.CUES_A_LESSON],
    )


def _string(value: Any) -> str | None:
    return clean(value).strip() or None if isinstance(value, str) else None


def _strings(value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        text = _string(item)
        if text:
            yield text[:_LONGEST_STRING]
