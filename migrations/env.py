"""Runs revisions on the connection that the caller opened, inside the caller's transaction."""

from typing import Any

from alembic import context
from sqlalchemy import Connection, MetaData

FULL_TEXT = "memories_fts"
"""FTS5 keeps shadow tables of this prefix, which no metadata knows."""


def _is_compared(name: str | None, kind: str, _parents: Any) -> bool:
    return not (kind == "table" and name is not None and name.startswith(FULL_TEXT))


def _run(connection: Connection, metadata: MetaData | None) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        transactional_ddl=True,  # SQLite's is; all or nothing
        render_as_batch=True,  # SQLite changes a column by copying its table
        include_name=_is_compared,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


_run(context.config.attributes["connection"], context.config.attributes.get("metadata"))
