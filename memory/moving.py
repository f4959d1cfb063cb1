"""A chat gets another number: everything memory keeps of it moves along, and only that.

A group that becomes a supergroup changes its id; the terminal's talk moves to the owner's private chat on pairing.
"""

from datetime import datetime

from sqlalchemy import delete, select, update

from memory import store, tombstones, transcript
from memory.domain import Actor, AgentSlug, chat_scope
from memory.entries import MOVE, Cause
from memory.tables import lived_days, memories, memory_firings, messages, operations
from memory.unit_of_work import UnitOfWork


def move_chat(
    uow: UnitOfWork,
    agent: AgentSlug,
    old_chat: int,
    new_chat: int,
    *,
    now: datetime,
    reason: str,
    index: store.VectorSink | None = None,
) -> int:
    """Move memories, journal, tombstones, lived days and transcript; give how many memories moved.

    Telegram tells of a migration twice; the second time there is nothing left to do.
    """
    if old_chat == new_chat:
        return 0
    old, new = chat_scope(old_chat), chat_scope(new_chat)
    cause = Cause(MOVE, Actor.MAINTENANCE, reason)
    moved = store.move_scope(uow, agent, old, new, now=now, cause=cause, index=index)
    tombstones.move_scope(uow, agent, old, new)
    transcript.move_chat(uow, agent, old_chat, new_chat)
    o, days = operations.c, lived_days.c
    uow.connection.execute(delete(memory_firings).where(memory_firings.c.chat_id == old_chat))  # they rest for minutes
    uow.connection.execute(update(operations).where(o.agent_slug == agent, o.scope == old).values(scope=new))
    both = select(days.day).where(days.agent_slug == agent, days.scope == new)
    gone = (days.agent_slug == agent, days.scope == old)
    uow.connection.execute(delete(lived_days).where(*gone, days.day.in_(both)))
    uow.connection.execute(update(lived_days).where(*gone).values(scope=new))
    return moved


def rename_speaker(uow: UnitOfWork, agent: AgentSlug, old_id: int, new_id: int) -> None:
    """Give what one account said to another: who spoke at the terminal turns out to be the owner.

    Journaled states keep the old account; an undo brings it back with them.
    """
    for table, account in (
        (memories, memories.c.speaker_id),
        (messages, messages.c.speaker_id),
        (operations, operations.c.actor_id),
    ):
        here = update(table).where(table.c.agent_slug == agent, account == old_id)
        uow.connection.execute(here.values({account.name: new_id}))
