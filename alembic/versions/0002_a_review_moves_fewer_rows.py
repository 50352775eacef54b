"""Change the index for statistics so that a review moves fewer rows.

With the counts before the card's id, every review moved an index row from one page to another.
"""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("DROP INDEX IF EXISTS memory_parts")
    op.execute(
        "CREATE INDEX memory_parts ON memory "
        "(learner, deck, objectives, card_id, reviews, passed, lapses, interval)"
    )
