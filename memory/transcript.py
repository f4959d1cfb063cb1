"""What was said, word for word, conversation by conversation: the history of prompts and the evidence of memories."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from memory import lived
from memory.cleaning import clean, clean_or_none
from memory.domain import AgentSlug, Conversation, Message, Origin, Role, Scope
from memory.tables import conversations, messages
from memory.unit_of_work import UnitOfWork

FORGOTTEN = "[forgotten]"
"""What stands where a person wished words to be gone. No later edit brings them back."""


def add(
    uow: UnitOfWork,
    *,
    agent: AgentSlug,
    turn_key: str,
    conversation: Conversation,
    role: Role,
    speaker: str,
    text: str,
    sent_at: datetime,
    speaker_id: int | None = None,
    origin: Origin = Origin.OWN,
    telegram_id: int | None = None,
    reply_author: str | None = None,
    reply_text: str | None = None,
) -> Message:
    """Keep a message; the same turn's words of the same role are kept once, and the kept ones are given back."""
    kept = _of_turn(uow, agent, turn_key, role)
    if kept is not None:
        return kept
    values = {
        "agent_slug": agent,
        "turn_key": turn_key,
        "chat_id": conversation.chat_id,
        "thread_id": conversation.thread_id,
        "role": role,
        "speaker": clean(speaker),
        "speaker_id": speaker_id,
        "origin": origin,
        "text": clean(text),
        "reply_author": clean_or_none(reply_author),
        "reply_text": clean_or_none(reply_text),
        "telegram_id": telegram_id,
        "sent_at": sent_at,
    }
    return message_from_row(uow.connection.execute(insert(messages).returning(messages), values).one())


def get(uow: UnitOfWork, agent: AgentSlug, message_id: int) -> Message | None:
    """Give one message, or None when it was never kept or is trimmed."""
    row = uow.connection.execute(select(messages).where(messages.c.agent_slug == agent, messages.c.id == message_id))
    found = row.first()
    return None if found is None else message_from_row(found)


def said_as(uow: UnitOfWork, chat_id: int, telegram_id: int) -> Message | None:
    """Give what a person said under Telegram's number, or None when it was never kept or is trimmed."""
    here = and_(messages.c.chat_id == chat_id, messages.c.telegram_id == telegram_id, messages.c.role == Role.USER)
    found = uow.connection.execute(select(messages).where(here)).first()
    return None if found is None else message_from_row(found)


def has_answer(uow: UnitOfWork, agent: AgentSlug, turn_key: str) -> bool:
    """Say whether this turn was answered already."""
    return _of_turn(uow, agent, turn_key, Role.ASSISTANT) is not None


def recent(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, limit: int) -> tuple[Message, ...]:
    """Give the latest messages, newest last, not reaching back past the last /new."""
    after = _state(uow, agent, conversation, "history_after")
    return _latest(uow, and_(_in(agent, conversation), messages.c.id > after), limit)


def preceding(
    uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, message_id: int, limit: int
) -> tuple[Message, ...]:
    """Give the latest messages up to ``message_id``, that one included, newest last, not reaching past the last /new."""
    after = _state(uow, agent, conversation, "history_after")
    here = and_(_in(agent, conversation), messages.c.id > after, messages.c.id <= message_id)
    return _latest(uow, here, limit)


def since(
    uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, after_id: int, up_to: int
) -> tuple[Message, ...]:
    """Give the messages after ``after_id`` up to ``up_to``, that one included, oldest first."""
    here = and_(_in(agent, conversation), messages.c.id > after_id, messages.c.id <= up_to)
    return tuple(
        message_from_row(row) for row in uow.connection.execute(select(messages).where(here).order_by(messages.c.id))
    )


def cut(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation) -> None:
    """Begin a new conversation: what was said so far stays out of prompts, and stays evidence."""
    newest = uow.connection.scalar(select(func.max(messages.c.id)).where(_in(agent, conversation))) or 0
    _set_state(uow, agent, conversation, "history_after", newest)


def cursor(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation) -> int:
    """Give the id of the last message that was reflected on; 0 before the first."""
    return _state(uow, agent, conversation, "reflected_to")


def set_cursor(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, message_id: int) -> None:
    """Remember that everything up to ``message_id`` was reflected on; it never goes back."""
    _set_state(uow, agent, conversation, "reflected_to", message_id)


def amend(uow: UnitOfWork, chat_id: int, telegram_id: int, text: str) -> int:
    """Follow an edit of a person's message; give how many kept messages changed.

    Words that were to be forgotten do not come back: Telegram tells of invisible edits too.
    """
    here = and_(messages.c.chat_id == chat_id, messages.c.telegram_id == telegram_id, messages.c.role == Role.USER)
    kept = and_(here, messages.c.text.not_like(f"%{FORGOTTEN}%"), messages.c.text != clean(text))
    return uow.connection.execute(update(messages).where(kept).values(text=clean(text))).rowcount


def redact_message(uow: UnitOfWork, message_id: int, redacted_text: str) -> None:
    """Put ``redacted_text`` in the place of a message's words."""
    uow.connection.execute(update(messages).where(messages.c.id == message_id).values(text=clean(redacted_text)))


def rewrite(uow: UnitOfWork, chat_id: int, rewrite_text: Callable[[str], str]) -> int:
    """Let ``rewrite_text`` look at every word that was said in a chat; give how many messages it changed."""
    m = messages.c
    rows = uow.connection.execute(select(m.id, m.text, m.reply_text).where(m.chat_id == chat_id)).all()
    changed = 0
    for row in rows:
        values = {"text": rewrite_text(row.text), "reply_text": row.reply_text and rewrite_text(row.reply_text)}
        if values != {"text": row.text, "reply_text": row.reply_text}:
            uow.connection.execute(update(messages).where(m.id == row.id).values(values))
            changed += 1
    return changed


def mark_lived(uow: UnitOfWork, agent: AgentSlug, scope: Scope, day: date) -> None:
    """Note that somebody spoke in ``scope`` on a day (UTC); a second note changes nothing."""
    lived.mark(uow, agent, scope, day)


def move_chat(uow: UnitOfWork, agent: AgentSlug, old_chat: int, new_chat: int) -> int:
    """Move the transcript of a chat, topics and cursors included, to its new number; give how many messages moved."""
    c = conversations.c
    for row in uow.connection.execute(select(conversations).where(c.agent_slug == agent, c.chat_id == old_chat)).all():
        target = Conversation(new_chat, row.thread_id)
        _set_state(uow, agent, target, "history_after", row.history_after)
        _set_state(uow, agent, target, "reflected_to", row.reflected_to)
    uow.connection.execute(delete(conversations).where(c.agent_slug == agent, c.chat_id == old_chat))
    here = and_(messages.c.agent_slug == agent, messages.c.chat_id == old_chat)
    return uow.connection.execute(update(messages).where(here).values(chat_id=new_chat)).rowcount


def trim(uow: UnitOfWork, agent: AgentSlug, before: datetime, limit: int = 500) -> int:
    """Take out messages sent before ``before``, at most ``limit`` at a time; give how many. Memories keep."""
    over = select(messages.c.id).where(_over(agent, before)).limit(limit)
    return uow.connection.execute(delete(messages).where(messages.c.id.in_(over))).rowcount


def old(uow: UnitOfWork, agent: AgentSlug, before: datetime) -> int:
    """Count the messages that `trim` would take out in the end; only reads."""
    return uow.connection.execute(select(func.count()).select_from(messages).where(_over(agent, before))).scalar_one()


def message_from_row(row: Row[Any]) -> Message:
    """Give the message of a row of the transcript."""
    return Message(
        id=row.id,
        conversation=Conversation(row.chat_id, row.thread_id),
        role=Role(row.role),
        speaker=row.speaker,
        speaker_id=row.speaker_id,
        origin=Origin(row.origin),
        text=row.text,
        sent_at=row.sent_at,
        telegram_id=row.telegram_id,
        reply_author=row.reply_author,
        reply_text=row.reply_text,
    )


def _over(agent: AgentSlug, before: datetime) -> Any:
    return and_(messages.c.agent_slug == agent, messages.c.sent_at < before)


def _in(agent: AgentSlug, conversation: Conversation) -> Any:
    return and_(
        messages.c.agent_slug == agent,
        messages.c.chat_id == conversation.chat_id,
        messages.c.thread_id == conversation.thread_id,
    )


def _latest(uow: UnitOfWork, here: Any, limit: int) -> tuple[Message, ...]:
    rows = uow.connection.execute(select(messages).where(here).order_by(messages.c.id.desc()).limit(limit)).all()
    return tuple(message_from_row(row) for row in reversed(rows))


def _of_turn(uow: UnitOfWork, agent: AgentSlug, turn_key: str, role: Role) -> Message | None:
    row = uow.connection.execute(_OF_TURN, {"agent": agent, "turn_key": turn_key, "said_by": role}).first()
    return None if row is None else message_from_row(row)


def _state(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, name: str) -> int:
    return uow.connection.scalar(_STATE[name], _key_of(agent, conversation)) or 0


def _set_state(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, name: str, message_id: int) -> None:
    """Move a mark forward; both marks only ever do."""
    key = _key_of(agent, conversation)
    uow.connection.execute(_BEGIN, key)
    uow.connection.execute(_FORWARD[name], key | {"number": message_id})


def _key_of(agent: AgentSlug, conversation: Conversation) -> dict[str, Any]:
    return {"agent": agent, "chat": conversation.chat_id, "thread": conversation.thread_id}


# Every turn asks these, so they are made once.
_OF_TURN = select(messages).where(
    messages.c.agent_slug == bindparam("agent"),
    messages.c.turn_key == bindparam("turn_key"),
    messages.c.role == bindparam("said_by"),
)
_THERE = and_(
    conversations.c.agent_slug == bindparam("agent"),
    conversations.c.chat_id == bindparam("chat"),
    conversations.c.thread_id == bindparam("thread"),
)
_MARKS = ("history_after", "reflected_to")
_STATE = {name: select(conversations.c[name]).where(_THERE) for name in _MARKS}
_BEGIN = (
    insert(conversations)
    .values(agent_slug=bindparam("agent"), chat_id=bindparam("chat"), thread_id=bindparam("thread"))
    .on_conflict_do_nothing()
)
_FORWARD = {
    name: update(conversations)
    .where(_THERE, conversations.c[name] < bindparam("number"))
    .values({name: bindparam("number")})
    for name in _MARKS
}
