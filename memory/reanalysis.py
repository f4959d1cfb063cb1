"""Brings the keyword index up to the analyser of today, batch by batch: after an upgrade and after a restore.

How far it came is noted in the file, with the analyser's version, in the transaction of each batch: a kill costs nothing, and
a file that an older or a newer Tidemark indexed is done once more. What is written meanwhile is analysed anew in any case.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select, update
from sqlalchemy.dialects.sqlite import insert

from memory import analysis, lexical
from memory.domain import AgentSlug, Scope
from memory.tables import keys, memories, memory_triggers
from memory.unit_of_work import UnitOfWork

KEY_NAME = "analysis"
"""Under it ``keys`` holds "version" when all is done, "version row" after the row with that number."""

_INDEXED = "SELECT scope, terms FROM memories_fts WHERE rowid = ?"


def reanalyse(uow: UnitOfWork, limit: int) -> int:
    """Index the next ``limit`` memories, of any assistant, as today's analyser reads them; give how many were looked at.

    0 means that all is done. A row whose terms are what they should be is not written.
    """
    version, after = str(analysis.VERSION), _done_to(uow.connection)
    if after is None:
        return 0
    m = memories.c
    query = select(m.pk, m.id, m.agent_slug, m.scope, m.text).where(m.pk > after).order_by(m.pk).limit(limit)
    rows = uow.connection.execute(query).all()
    for row in rows:
        _index(uow.connection, row.pk, AgentSlug(row.agent_slug), Scope(row.scope), row.text)
        _cues(uow.connection, row.id)
    _note(uow.connection, f"{version} {rows[-1].pk}" if rows else version)
    return len(rows)


def left(uow: UnitOfWork, coming: int = 0) -> int:
    """Count the memories that `reanalyse` would still look at, were ``coming`` more stored before it; only reads."""
    after = _done_to(uow.connection)
    query = select(func.count()).select_from(memories).where(memories.c.pk > (after or 0))
    return 0 if after is None else uow.connection.execute(query).scalar_one() + coming


def _done_to(connection: Connection) -> int | None:
    """Give the last row that is as today's analyser reads it, 0 before the first; None once all are."""
    version, noted = str(analysis.VERSION), _noted(connection)
    if noted == [version]:
        return None
    return int(noted[1]) if len(noted) == 2 and noted[0] == version else 0


def _index(connection: Connection, pk: int, agent: AgentSlug, scope: Scope, text: str) -> None:
    held: Sequence[Any] | None = connection.exec_driver_sql(_INDEXED, (pk,)).first()
    if held is None or tuple(held) != lexical.entry(agent, scope, text):
        lexical.index(connection, pk, agent, scope, text)


def _cues(connection: Connection, memory_id: str) -> None:
    t = memory_triggers.c
    for row in connection.execute(select(t.phrase, t.terms).where(t.memory_id == memory_id)).all():
        terms = " ".join(analysis.analyse(row.phrase))
        if terms != row.terms:
            here = (t.memory_id == memory_id, t.phrase == row.phrase)
            connection.execute(update(memory_triggers).where(*here).values(terms=terms))


def _noted(connection: Connection) -> list[str]:
    value = connection.scalar(select(keys.c.value).where(keys.c.name == KEY_NAME))
    return (value or b"").decode("ascii", "replace").split()


def _note(connection: Connection, what: str) -> None:
    value = what.encode("ascii")
    note = insert(keys).values(name=KEY_NAME, value=value)
    connection.execute(note.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
