"""Assembling the prompt of a turn: pure functions from values to messages.

The stable part stands first, so that a provider's prompt cache can keep it: persona and rules, then the history,
then what changes every turn: recalled memories, the time, the message. Our tags are ours alone: a ``<`` that would
open or close one of them in anybody's text is written ``&lt;``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.resources import files
from zoneinfo import ZoneInfo

import regex

from bot.incoming import ChatKind, Incoming
from bot.model import Known, PromptMessage
from memory.domain import Memory, MemoryId, Message, Role
from memory.recall.values import Former, Overtaken

TAGS = ("memories", "memory", "now", "message", "reply_to", "passed_on", "notice")
_OUR_TAG = regex.compile(r"<(?=[\s\p{Cf}/]*(?:" + "|".join(TAGS) + r")\b)", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What a prompt is made of. ``history`` is oldest first and holds nothing of the present message."""

    persona: str
    incoming: Incoming
    history: tuple[Message, ...]
    memories: tuple[Memory, ...]
    now: datetime
    timezone: str
    notices: tuple[str, ...] = ()  # things the model must know about this message, from code, not from people
    former: Mapping[MemoryId, tuple[Former, ...]] = field(default_factory=dict)
    """What a memory replaced, where asked for."""
    overtaken: Mapping[MemoryId, Overtaken] = field(default_factory=dict)  # what may have made a memory outdated


def assemble(parts: Ingredients) -> tuple[PromptMessage, ...]:
    """Give the messages of one model call, stable part first."""
    group = parts.incoming.chat_kind is ChatKind.GROUP
    return (
        PromptMessage("system", f"{parts.persona.strip()}\n\n{_rules()}"),
        *(_history_message(message, tagged=group) for message in parts.history),
        PromptMessage("user", _present(parts)),
    )


def fit(parts: Ingredients, *, budget_tokens: int, history_tokens: int, count: Callable[[str], int]) -> Ingredients:
    """Cut the history to its own budget and to what the whole prompt leaves for it, oldest first.

    Memories are cut, lowest ranked first, only where even an empty history is too much.
    """
    bare = replace(parts, history=())
    spent = sum(count(message.content) for message in assemble(bare))
    while bare.memories and spent > budget_tokens:
        bare = replace(bare, memories=bare.memories[:-1])
        spent = sum(count(message.content) for message in assemble(bare))
    room = min(history_tokens, budget_tokens - spent)
    return replace(bare, history=_newest_within(parts.history, room, count))


def shorter(parts: Ingredients) -> Ingredients | None:
    """Give the next smaller prompt when a model says this one is too long: no history, then no memories, then None."""
    if parts.history:
        return replace(parts, history=(), memories=parts.memories[: max(1, len(parts.memories) // 2)])
    if parts.memories:
        return replace(parts, memories=())
    return None


def known(memories: Sequence[Memory], timezone: str) -> tuple[Known, ...]:
    """Give the memories as a prompt shows them, for a model that reads values."""
    zone = ZoneInfo(timezone)
    return tuple(Known(m.text, m.speaker, m.created_at.astimezone(zone).date().isoformat()) for m in memories)


def before_call(tool: str, memories: Sequence[Memory], timezone: str) -> tuple[PromptMessage, ...]:
    """Give what stands in front of a call of ``tool``: the lessons to heed, as data; nothing without any."""
    if not memories:
        return ()
    zone = ZoneInfo(timezone)
    said = {m: f' said_by="{_attribute(m.speaker)}"' if m.speaker else "" for m in memories}
    lines = (f"<memory{_day('noted', m.created_at, zone)}{said[m]}>{_one_line(m.text)}</memory>" for m in memories)
    return (PromptMessage("user", "\n".join([f'<memories before="{_attribute(tool)}">', *lines, "</memories>"])),)


def escape(text: str) -> str:
    """Take from a text the power to open or close one of our tags."""
    return _OUR_TAG.sub("&lt;", text)


def _attribute(text: str) -> str:
    return escape(text).replace('"', "'").replace("\n", " ")[:120]


def _rules() -> str:
    return (files("bot.prompts") / "turn.md").read_text(encoding="utf-8").strip()


def _newest_within(history: tuple[Message, ...], room: int, count: Callable[[str], int]) -> tuple[Message, ...]:
    kept: list[Message] = []
    for message in reversed(history):
        room -= count(_body(message)) + 8  # the tags and the role around it
        if room < 0:
            break
        kept.append(message)
    return tuple(reversed(kept))


def _history_message(message: Message, *, tagged: bool) -> PromptMessage:
    if message.role is Role.ASSISTANT:
        return PromptMessage("assistant", message.text)
    passed_on = not message.origin.is_own
    body = _tagged(message) if tagged or passed_on or message.reply_text else escape(message.text)
    return PromptMessage("user", body)


def _tagged(message: Message) -> str:
    return f'<message from="{_attribute(message.speaker)}">\n{_body(message)}\n</message>'


def _body(message: Message) -> str:
    quoted = _reply(message.reply_author, message.reply_text)
    if message.origin.is_own:
        return quoted + escape(message.text)
    return f'{quoted}<passed_on words_of="{_attribute(message.speaker)}">\n{escape(message.text)}\n</passed_on>'


def _reply(author: str | None, text: str | None) -> str:
    if not text:
        return ""
    return f'<reply_to from="{_attribute(author or "someone")}">\n{escape(text)}\n</reply_to>\n'


def _present(parts: Ingredients) -> str:
    blocks = [_memories(parts), _now(parts.now, parts.timezone)]
    blocks += [f"<notice>{escape(notice)}</notice>" for notice in parts.notices]
    blocks.append(_incoming(parts.incoming))
    return "\n".join(block for block in blocks if block)


def _memories(parts: Ingredients) -> str:
    if not parts.memories:
        return ""
    zone = ZoneInfo(parts.timezone)
    lines = (
        line for memory in parts.memories for line in (*_former(parts, memory, zone), _memory(parts, memory, zone))
    )
    return "<memories>\n" + "\n".join(lines) + "\n</memories>"


def _former(parts: Ingredients, memory: Memory, zone: ZoneInfo) -> Iterator[str]:
    """Give the lines of the statements that a memory replaced, oldest first."""
    for past in parts.former.get(memory.id, ()):
        days = _day("from", past.valid_from, zone) + _day("until", past.valid_to, zone)
        yield f'<memory former="yes"{days}>{_one_line(past.text)}</memory>'


def _memory(parts: Ingredients, memory: Memory, zone: ZoneInfo) -> str:
    said = f' said_by="{_attribute(memory.speaker)}"' if memory.speaker else ""
    doubt = _doubt(parts.overtaken.get(memory.id), zone)
    return f"<memory{_day('noted', memory.created_at, zone)}{said}{doubt}>{_one_line(memory.text)}</memory>"


def _doubt(since: Overtaken | None, zone: ZoneInfo) -> str:
    """Give the attributes of a memory that may be outdated, with what has changed."""
    if since is None:
        return ""
    day = f"since {since.since.astimezone(zone).date().isoformat()}: " if since.since else ""
    return f' possibly_outdated="yes" because="{day}{_attribute(" ".join(since.text.split()))}"'


def _day(name: str, instant: datetime | None, zone: ZoneInfo) -> str:
    return "" if instant is None else f' {name}="{instant.astimezone(zone).date().isoformat()}"'


def _one_line(text: str) -> str:
    return escape(" ".join(text.split()))


def _now(now: datetime, timezone: str) -> str:
    local = now.astimezone(ZoneInfo(timezone))
    return f"<now>{local:%A} {local.day} {local:%B %Y, %H:%M} ({timezone})</now>"


def _incoming(incoming: Incoming) -> str:
    reply = incoming.reply_to
    quoted = _reply(
        "you" if reply and reply.is_ours else reply.author if reply else None, reply.text if reply else None
    )
    body = escape(incoming.text)
    if not incoming.origin.is_own:
        body = f'<passed_on words_of="{_attribute(incoming.passed_on_from or "someone else")}">\n{body}\n</passed_on>'
    return f'<message from="{_attribute(incoming.speaker.name)}">\n{quoted}{body}\n</message>'
