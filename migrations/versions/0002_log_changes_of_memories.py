"""Log which memories change, so that what processes hold of them in memory keeps step."""

from alembic import op

revision = "0002"
down_revision = "0001"

TABLE = """
    CREATE TABLE memory_changes (
        agent_slug VARCHAR(64) NOT NULL,
        scope VARCHAR(64) NOT NULL,
        pk INTEGER NOT NULL,
        number INTEGER NOT NULL,
        CONSTRAINT pk_memory_changes PRIMARY KEY (agent_slug, scope, pk)
    ) WITHOUT ROWID
"""

INDEX = "CREATE INDEX ix_memory_changes_number ON memory_changes (agent_slug, scope, number)"

HELD = "INSERT INTO memory_changes (agent_slug, scope, pk, number) SELECT agent_slug, scope, pk, 1 FROM memories"


def _noted(row: str) -> str:
    """Give what notes the next change of a row that is at hand in a trigger."""
    return f"""
        INSERT INTO memory_changes (agent_slug, scope, pk, number)
        VALUES ({row}.agent_slug, {row}.scope, {row}.pk, 1 + coalesce((
            SELECT max(number) FROM memory_changes WHERE agent_slug = {row}.agent_slug AND scope = {row}.scope
        ), 0))
        ON CONFLICT (agent_slug, scope, pk) DO UPDATE SET number = excluded.number;
    """  # noqa: S608


def _noted_where(condition: str) -> str:
    """Give what notes the next change of the memories that meet a condition."""
    return f"""
        INSERT INTO memory_changes (agent_slug, scope, pk, number)
        SELECT m.agent_slug, m.scope, m.pk, 1 + coalesce((
            SELECT max(number) FROM memory_changes WHERE agent_slug = m.agent_slug AND scope = m.scope
        ), 0)
        FROM memories AS m WHERE {condition}
        ON CONFLICT (agent_slug, scope, pk) DO UPDATE SET number = excluded.number;
    """  # noqa: S608


SEEN = "agent_slug, scope, text, status, embedding, embedding_model"

TRIGGERS = {
    "memories_added": f"AFTER INSERT ON memories BEGIN {_noted('new')} END",
    "memories_changed": f"AFTER UPDATE OF {SEEN} ON memories BEGIN {_noted('old')} {_noted('new')} END",
    "memories_removed": f"AFTER DELETE ON memories BEGIN {_noted('old')} END",
    "cues_added": f"AFTER INSERT ON memory_triggers BEGIN {_noted_where('m.id = new.memory_id')} END",
    "cues_changed": "AFTER UPDATE ON memory_triggers "
    f"BEGIN {_noted_where('m.id IN (old.memory_id, new.memory_id)')} END",
    "cues_removed": f"AFTER DELETE ON memory_triggers BEGIN {_noted_where('m.id = old.memory_id')} END",
}


def upgrade() -> None:
    """Create the log with every memory in it, and the triggers that keep it."""
    op.execute(TABLE)
    op.execute(INDEX)
    op.execute(HELD)
    for name, body in TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {body}")


def downgrade() -> None:
    """Drop triggers and log; nothing else reads it."""
    for name in TRIGGERS:
        op.execute(f"DROP TRIGGER {name}")
    op.execute("DROP TABLE memory_changes")
