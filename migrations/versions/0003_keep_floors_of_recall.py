"""Keep what recall was calibrated to, and find the subjects of a chat without reading its memories."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables, empty until maintenance measures, and the index."""
    op.create_table(
        "recall_floors",
        sa.Column("agent_slug", sa.String(64), nullable=False),
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("floor", sa.Float(), nullable=False),
        sa.Column("memories", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("agent_slug", "scope", "digest", name="pk_recall_floors"),
    )
    op.create_table(
        "recall_centres",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("centre", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_recall_centres"),
    )
    op.create_index("ix_memories_subject", "memories", ["agent_slug", "scope", "subject"])


def downgrade() -> None:
    """Drop them; recall then judges by the size of the store, and maintenance measures again."""
    op.drop_index("ix_memories_subject", "memories")
    op.drop_table("recall_centres")
    op.drop_table("recall_floors")
