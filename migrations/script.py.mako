"""${message[:1].upper() + message[1:]}."""

from alembic import op
import sqlalchemy as sa

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Make the change."""
    ${upgrades if upgrades else "op.execute(...)"}


def downgrade() -> None:
    """Take it back, keeping every row."""
    ${downgrades if downgrades else "op.execute(...)"}
