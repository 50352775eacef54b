"""Add a column for the source of a card: where its author found the fact."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute("ALTER TABLE card ADD COLUMN source TEXT DEFAULT '' NOT NULL")
