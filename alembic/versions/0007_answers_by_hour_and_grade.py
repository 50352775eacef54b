"""Count answers by hour and grade too, for each month.

A row with -1 for hour and grade is a whole day. Any other row is of the month that begins on its day. Both are in
one table, so that an answer, which counts in both, mostly writes one page. Older answers are in the log, so
migrating rebuilds the caches.

The index for statistics gets the columns for distributions and the hardest cards.
"""

from alembic import op

revision = "0007"
down_revision = "0006"

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
    columns = f"learner, day, {', '.join(COUNTS)}"
    op.execute(TABLE)
    op.execute(f"INSERT INTO new_tally ({columns}) SELECT {columns} FROM tally")
    op.execute("DROP TABLE tally")
    op.execute("ALTER TABLE new_tally RENAME TO tally")
