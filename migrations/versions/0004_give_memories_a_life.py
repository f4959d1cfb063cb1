"""Keep what a memory's life needs: its first rating, what maintenance asked a model, when a cue last fired."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns, empty, and the tables."""
    op.add_column("memories", sa.Column("rated", sa.Integer()))
    op.add_column("memories", sa.Column("weighed_at", sa.DateTime()))
    op.create_index(
        "ix_memories_superseded_by", "memories", ["superseded_by"], sqlite_where=sa.text("superseded_by IS NOT NULL")
    )
    op.create_index("ix_memories_rated", "memories", ["agent_slug", "scope"], sqlite_where=sa.text("rated IS NOT NULL"))
    op.add_column("memory_triggers", sa.Column("embedding", sa.LargeBinary()))
    op.add_column("memory_triggers", sa.Column("embedding_model", sa.String(64)))
    op.create_table(
        "memory_firings",
        sa.Column("memory_id", sa.String(26), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=False),
        sa.Column("fired_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name="fk_memory_firings_memory_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("memory_id", "chat_id", "thread_id", name="pk_memory_firings"),
    )
    op.create_table(
        "memory_verdicts",
        sa.Column("question", sa.String(8), nullable=False),
        sa.Column("one", sa.String(26), nullable=False),
        sa.Column("other", sa.String(26), nullable=False),
        sa.Column("one_stamp", sa.Integer(), nullable=False),
        sa.Column("other_stamp", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["one"], ["memories.id"], name="fk_memory_verdicts_one", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other"], ["memories.id"], name="fk_memory_verdicts_other", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("question", "one", "other", name="pk_memory_verdicts"),
    )
    op.create_index("ix_memory_verdicts_other", "memory_verdicts", ["other"])


def downgrade() -> None:
    """Drop them: maintenance asks again, and importance falls from when it was last used."""
    op.drop_table("memory_verdicts")
    op.drop_table("memory_firings")
    op.drop_column("memory_triggers", "embedding_model")
    op.drop_column("memory_triggers", "embedding")
    op.drop_index("ix_memories_rated", "memories")
    op.drop_index("ix_memories_superseded_by", "memories")
    op.drop_column("memories", "weighed_at")
    op.drop_column("memories", "rated")
