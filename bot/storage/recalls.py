"""Which memories stood in the prompt of a turn, and why those: ids and score parts, for /why and for reflection."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from bot.storage.tables import recalls
from memory.domain import Conversation, MemoryId
from memory.recall.values import Recall, parts_as_json, parts_from_json
from memory.unit_of_work import UnitOfWork


def save(uow: UnitOfWork, turn_key: str, conversation: Conversation, recall: Recall, now: datetime) -> None:
    """Keep what a turn recalled; a turn that is taken again replaces it."""
    uow.connection.execute(delete(recalls).where(recalls.c.turn_key == turn_key))
    values = {
        "turn_key": turn_key,
        "chat_id": conversation.chat_id,
        "thread_id": conversation.thread_id,
        "parts": parts_as_json(recall),
        "at": now,
    }
    uow.connection.execute(insert(recalls), values)


def last(uow: UnitOfWork, conversation: Conversation) -> dict[str, Any] | None:
    """Give the parts of the latest turn of a conversation, as `parts_from_json` reads them."""
    here = (recalls.c.chat_id == conversation.chat_id, recalls.c.thread_id == conversation.thread_id)
    query = select(recalls.c.parts).where(*here).order_by(recalls.c.at.desc()).limit(1)
    return uow.connection.scalar(query)


def memory_ids(uow: UnitOfWork, turn_keys: Sequence[str]) -> tuple[MemoryId, ...]:
    """Give the memories that stood in the prompts of these turns, each once, those of the latest turn first."""
    query = select(recalls.c.parts).where(recalls.c.turn_key.in_(turn_keys)).order_by(recalls.c.at.desc())
    found = (memory_id for parts in uow.connection.scalars(query) for memory_id in parts_from_json(parts))
    return tuple(dict.fromkeys(found))


def trim(uow: UnitOfWork, before: datetime, limit: int = 500) -> int:
    """Take out what was recalled before ``before``, at most ``limit`` turns at a time; give how many."""
    over = select(recalls.c.turn_key).where(_over(before)).limit(limit)
    return uow.connection.execute(delete(recalls).where(recalls.c.turn_key.in_(over))).rowcount


def old(uow: UnitOfWork, before: datetime) -> int:
    """Count the turns that `trim` would take out in the end; only reads."""
    return uow.connection.execute(select(func.count()).select_from(recalls).where(_over(before))).scalar_one()


def move_chat(uow: UnitOfWork, old_chat: int, new_chat: int) -> None:
    """Take what was recalled in a chat along to its new number."""
    uow.connection.execute(update(recalls).where(recalls.c.chat_id == old_chat).values(chat_id=new_chat))


def _over(before: datetime) -> ColumnElement[bool]:
    return recalls.c.at < before
