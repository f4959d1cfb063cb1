"""Which rows of memory changed, scope by scope, so that what is held in memory keeps step with the file.

Triggers in the database write the log, in the transaction of the change itself: no write path can forget it, and no other
process either. ``memory_changes`` has one line for each row and scope, with the number of its last change there; numbers
count up scope by scope. A look after somebody else's commit is one seek in an index, and finding what changed costs what
changed.
"""

import json
from collections.abc import Collection

from sqlalchemy import Connection

from memory.domain import AgentSlug, Scope, Status

STATUS_CODES = {status: number for number, status in enumerate(Status)}
"""One small number for each status, for arrays."""

_NUMBER = "1 + coalesce((SELECT max(number) FROM memory_changes WHERE agent_slug = {agent} AND scope = {scope}), 0)"
_AGAIN = "ON CONFLICT (agent_slug, scope, pk) DO UPDATE SET number = excluded.number"
_INTO = "INSERT INTO memory_changes (agent_slug, scope, pk, number)"


def _note(row: str) -> str:
    number = _NUMBER.format(agent=f"{row}.agent_slug", scope=f"{row}.scope")
    return f"{_INTO} VALUES ({row}.agent_slug, {row}.scope, {row}.pk, {number}) {_AGAIN};"


def _note_where(condition: str) -> str:
    number = _NUMBER.format(agent="m.agent_slug", scope="m.scope")
    return f"{_INTO} SELECT m.agent_slug, m.scope, m.pk, {number} FROM memories AS m WHERE {condition} {_AGAIN};"  # noqa: S608


_SEEN = "agent_slug, scope, text, status, embedding, embedding_model"  # a use in a reply changes nothing that is held

_EITHER = "m.id IN (old.memory_id, new.memory_id)"

TRIGGERS = {
    "memories": (
        f"CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN {_note('new')} END",
        f"CREATE TRIGGER memories_changed AFTER UPDATE OF {_SEEN} ON memories BEGIN {_note('old')} {_note('new')} END",
        f"CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN {_note('old')} END",
    ),
    "memory_triggers": (
        f"CREATE TRIGGER cues_added AFTER INSERT ON memory_triggers BEGIN {_note_where('m.id = new.memory_id')} END",
        f"CREATE TRIGGER cues_changed AFTER UPDATE ON memory_triggers BEGIN {_note_where(_EITHER)} END",
        f"CREATE TRIGGER cues_removed AFTER DELETE ON memory_triggers BEGIN {_note_where('m.id = old.memory_id')} END",
    ),
}
"""What the file does by itself, by table; for the tables and the migration."""

_LATEST = "SELECT number FROM memory_changes WHERE agent_slug = ? AND scope = ? ORDER BY number DESC LIMIT 1"
_SINCE = "SELECT pk FROM memory_changes WHERE agent_slug = ? AND scope = ? AND number > ?"
_TOUCH = _note_where("m.pk = ?")
_READS_ONLY = object()  # under it a connection remembers what it is


def latest(connection: Connection, agent: AgentSlug, scope: Scope) -> int:
    """Give the number of the last change in ``scope`` that the snapshot of ``connection`` knows; 0 when there is none."""
    return int(connection.exec_driver_sql(_LATEST, (agent, scope)).scalar() or 0)


def since(connection: Connection, agent: AgentSlug, scope: Scope, number: int) -> list[int]:
    """Give the rows that came to ``scope``, changed in it or left it after change ``number``."""
    return [pk for (pk,) in connection.exec_driver_sql(_SINCE, (agent, scope, number))]


def touch(connection: Connection, pk: int) -> None:
    """Note a change of row ``pk`` that no trigger sees: full-text tables have none."""
    connection.exec_driver_sql(_TOUCH, (pk,))


def reads_only(connection: Connection) -> bool:
    """Say whether everything this connection sees is committed, since it can write nothing."""
    known = connection.info.get(_READS_ONLY)
    if known is None:
        known = bool(connection.exec_driver_sql("PRAGMA query_only").scalar_one())
        connection.info[_READS_ONLY] = known
    return known


def as_array(values: Collection[int] | Collection[str]) -> str:
    """Give row numbers, ids or scopes as the one parameter that ``json_each`` takes."""
    return json.dumps(list(values))
