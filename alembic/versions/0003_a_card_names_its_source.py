"""A card names its source: where its author has a fact of the world from."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE card ADD COLUMN source TEXT DEFAULT '' NOT NULL")
