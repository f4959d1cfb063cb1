"""When a cue last brought its lesson up in a conversation, and which lessons stand before a tool."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

import regex
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from memory import policy
from memory.changes import as_array
from memory.domain import AgentSlug, Conversation, Memory, MemoryId, Scope, Status, visible_scopes
from memory.rows import COLUMNS, instant, memory_from_row
from memory.tables import memories, memory_firings, memory_triggers
from memory.unit_of_work import UnitOfWork

COOLDOWN = timedelta(minutes=policy.CUE_COOLDOWN_MINUTES)

_FIRED = """
SELECT m.pk, f.fired_at FROM json_each(?) AS wanted
CROSS JOIN memories AS m ON m.pk = wanted.value
JOIN memory_firings AS f ON f.memory_id = m.id AND f.chat_id = ? AND f.thread_id = ?
"""
_NAMESPACES = regex.compile(r"[./:]|__")


def rests(fired_at: datetime | None, now: datetime) -> bool:
    """Say whether a cue that fired then forces nothing now. A clock that was set back lets it rest no longer than usual."""
    return fired_at is not None and abs(now - fired_at) < COOLDOWN


def last_fired(connection: Connection, conversation: Conversation, pks: Collection[int]) -> dict[int, datetime]:
    """Give when the rows ``pks`` last came up by a cue in a conversation; those that never did are missing."""
    if not pks:
        return {}
    bound = (as_array(pks), conversation.chat_id, conversation.thread_id)
    found = ((pk, instant(at)) for pk, at in connection.exec_driver_sql(_FIRED, bound))
    return {pk: at for pk, at in found if at is not None}


def note(uow: UnitOfWork, conversation: Conversation, ids: Iterable[MemoryId], *, now: datetime) -> None:
    """Note that the cues of these memories brought them up here; part of the transaction that keeps the answer."""
    for memory_id in ids:
        values = {
            "memory_id": memory_id,
            "chat_id": conversation.chat_id,
            "thread_id": conversation.thread_id,
            "fired_at": now,
        }
        keep = insert(memory_firings).values(values)
        again = keep.on_conflict_do_update(index_elements=["memory_id", "chat_id", "thread_id"], set_={"fired_at": now})
        uow.connection.execute(again)


def forget_firings(uow: UnitOfWork, *, now: datetime) -> int:
    """Take out what rests no longer: it says nothing any more. Give how many."""
    over = memory_firings.c.fired_at < now - COOLDOWN
    return uow.connection.execute(delete(memory_firings).where(over)).rowcount


def names(lesson: str, tool: str) -> bool:
    """Say whether a lesson about the tool ``lesson`` stands before ``tool``: case-blind the same name, or the part after a namespace.

    Who says "send_mail" means ``post.send_mail``, ``post__send_mail`` and ``mcp:post/send_mail`` as well; who names one of
    these means that one.
    """
    wanted, called = _folded(lesson), _folded(tool)
    return wanted == called or wanted == _NAMESPACES.split(called)[-1]


def lessons_before_tool(
    uow: UnitOfWork,
    agent: AgentSlug,
    scope: Scope,
    conversation: Conversation,
    tool: str,
    *,
    now: datetime,
    shown: Collection[MemoryId] = (),
) -> tuple[Memory, ...]:
    """Give the lessons to heed before ``tool`` runs, those that name it most exactly first, then the weightiest.

    Only active ones that are visible in ``scope``, at most `policy.LESSONS_A_TURN`; not those ``shown`` in this turn
    already, and not those that came up in this conversation a moment ago.
    """
    standing = [
        (name, memory)
        for name, memory in _with_tools(uow, agent, scope)
        if memory.id not in shown and names(name, tool)
    ]
    fired = _fired_by_id(uow, conversation, [memory.id for _, memory in standing])
    awake = [(name, memory) for name, memory in standing if not rests(fired.get(memory.id), now)]
    awake.sort(key=lambda one: one[1].id, reverse=True)
    awake.sort(key=lambda one: (-len(_folded(one[0])), -one[1].importance))
    chosen = {memory.id: memory for _, memory in awake}
    return tuple(chosen.values())[: policy.LESSONS_A_TURN]


def _with_tools(uow: UnitOfWork, agent: AgentSlug, scope: Scope) -> list[tuple[str, Memory]]:
    m, t = memories.c, memory_triggers.c
    here = (m.agent_slug == agent, m.scope.in_(visible_scopes(scope)), m.status == Status.ACTIVE, t.what == "tool")
    query = select(t.phrase, *COLUMNS).join_from(memory_triggers, memories, m.id == t.memory_id).where(*here)
    return [(row.phrase, memory_from_row(row)) for row in uow.connection.execute(query)]


def _fired_by_id(uow: UnitOfWork, conversation: Conversation, ids: Collection[MemoryId]) -> Mapping[MemoryId, datetime]:
    f = memory_firings.c
    here = (f.chat_id == conversation.chat_id, f.thread_id == conversation.thread_id, f.memory_id.in_(ids))
    rows = uow.connection.execute(select(f.memory_id, f.fired_at).where(*here))
    return {MemoryId(row.memory_id): row.fired_at for row in rows}


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()
