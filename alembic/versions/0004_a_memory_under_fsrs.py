"""Add columns for a memory under FSRS: stability, difficulty, and the interval that SM-2 would give."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    for column, kind in (("stability", "REAL"), ("difficulty", "REAL"), ("sm2_interval", "INTEGER")):
        op.execute(f"ALTER TABLE memory ADD COLUMN {column} {kind}")
