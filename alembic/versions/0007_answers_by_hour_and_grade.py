"""Answers are counted by the hour and the grade too, a month at a time.

The rows of a month stand beside those of its days, in one table: so a review, which counts in both, mostly
writes one page for them. A row with -1 for hour and grade is a whole day, any other one is of the month that
begins on its day. The log has what older answers were: whoever migrates makes the caches again.

The index that statistics add up gets the columns by which cards are spread and the hardest are found.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

COUNTS = (
    "introduced", "young", "young_passed", "mature", "mature_passed", "drills", "crams", "practised", "took_ms"
)  # fmt: skip
TABLE = f"""CREATE TABLE new_tally (
    learner TEXT NOT NULL, day INTEGER NOT NULL,
    hour INTEGER DEFAULT -1 NOT NULL, grade INTEGER DEFAULT -1 NOT NULL,
    {", ".join(f"{count} INTEGER DEFAULT 0 NOT NULL" for count in COUNTS)},
    PRIMARY KEY (learner, day, hour, grade)
) STRICT, WITHOUT ROWID"""


def upgrade() -> None:
    op.execute("DROP INDEX IF EXISTS memory_parts")
    op.execute(
        "CREATE INDEX memory_parts ON memory "
        "(learner, deck, objectives, card_id, reviews, passed, lapses, interval, ease, stability, live)"
    )
    kept = f"learner, day, {', '.join(COUNTS)}"
    op.execute(TABLE)
    op.execute(f"INSERT INTO new_tally ({kept}) SELECT {kept} FROM tally")
    op.execute("DROP TABLE tally")
    op.execute("ALTER TABLE new_tally RENAME TO tally")
