"""A memory under FSRS: its stability and difficulty, and the interval that SM-2 would give."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    real, whole = ("REAL", "INTEGER") if sqlite else ("DOUBLE PRECISION", "BIGINT")
    for column, kind in (("stability", real), ("difficulty", real), ("sm2_interval", whole)):
        op.execute(f"ALTER TABLE memory ADD COLUMN {column} {kind}")
