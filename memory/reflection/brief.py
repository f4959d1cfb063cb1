"""What the model is shown: numbered messages and aliased memories, each a line of JSON that nobody's text can break out of."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import regex

from memory.cleaning import clean
from memory.dates import zone
from memory.domain import GLOBAL, Memory, Role
from memory.reflection.operations import Brief, BriefMessage, Shown

MAX_SHOWN: Final = 20
"""So many memories a small model can still tell apart."""
MAX_MESSAGE_CHARS: Final = 6000
"""A longer message is shown by its beginning and its end; it is judged whole all the same."""
_BREAKS: Final = regex.compile("[\u0085\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x7f-\x9f]")


def alias_memories(
    recalled: Sequence[Memory], neighbours: Sequence[Memory], limit: int = MAX_SHOWN
) -> tuple[Shown, ...]:
    """Give up to ``limit`` memories under the aliases m1, m2…: those of the turn's prompt first, then its neighbours, each once."""
    chosen: dict[str, Shown] = {}
    for memory in recalled:
        chosen.setdefault(memory.id, Shown("", memory, recalled=True))
    for memory in neighbours:
        chosen.setdefault(memory.id, Shown("", memory, recalled=False))
    return tuple(
        replace(shown, alias=f"m{n}") for n, shown in enumerate(list(chosen.values())[: max(limit, 0)], start=1)
    )


def render(brief: Brief) -> str:
    """Give the brief as the model reads it: where and when, the memories, the messages; one JSON object a line.

    Line breaks, controls and direction marks inside a text are escaped, so no text can pass for another line, speaker or number.
    """
    parts = (
        "CHAT",
        _line(_chat(brief)),
        "MEMORIES",
        *(_line(_memory(brief, shown)) for shown in brief.memories),
        "MESSAGES",
        *(_line(_message(brief, message)) for message in brief.messages),
    )
    return "\n".join(parts)


def _chat(brief: Brief) -> dict[str, Any]:
    kind = "the owner's private chat" if brief.private else "a chat with others"
    names = _speakers(brief.messages)
    return {
        "where": kind,
        "owner": brief.owner_name,
        "people": names,
        "now": _local(brief.now, brief.timezone),
        "timezone": brief.timezone,
    }


def _speakers(messages: Iterable[BriefMessage]) -> list[str]:
    return list(
        dict.fromkeys(m.message.speaker for m in messages if m.message.role is Role.USER and m.message.origin.is_own)
    )


def _memory(brief: Brief, shown: Shown) -> dict[str, Any]:
    memory = shown.memory
    return {
        "id": shown.alias,
        "text": memory.text,
        "about": memory.subject,
        "said_by": memory.speaker,
        "scope": "global" if memory.scope == GLOBAL else "chat",
        "since": _local(memory.created_at, brief.timezone)[:14],
    }


def _message(brief: Brief, item: BriefMessage) -> dict[str, Any]:
    message = item.message
    by_assistant = message.role is Role.ASSISTANT
    return {
        "n": item.n,
        "role": "assistant" if by_assistant else "person",
        "speaker": None if by_assistant else message.speaker,
        "words": None if by_assistant else message.origin.value,
        "at": _local(message.sent_at, brief.timezone),
        "seen_before": None if item.is_new else True,
        "answers": message.reply_text and _shortened(message.reply_text, 300),
        "text": _shortened(message.text, MAX_MESSAGE_CHARS),
    }


def _local(instant: datetime, timezone: str) -> str:
    return f"{instant.astimezone(zone(timezone)):%a %Y-%m-%d %H:%M}"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most * 2 // 3]} […] {text[-most // 3 :]}"


def _line(fields: Mapping[str, Any]) -> str:
    """Give one line of JSON; what is not known is left out."""
    known = {
        name: clean(value) if isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None and value != ""
    }
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", clean(json.dumps(known, ensure_ascii=False)))
