"""Add a table with the searchable text of each card.

The next command reads all decks again and fills it. An index of trigrams is made later if there are many cards.
"""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute(
        "CREATE TABLE card_text (number INTEGER NOT NULL PRIMARY KEY, card TEXT NOT NULL UNIQUE, "
        "text TEXT DEFAULT '' NOT NULL) STRICT"
    )
    op.execute("CREATE INDEX card_order ON card (rank, deck, position) WHERE present = 1")
    op.execute("UPDATE deckfile SET mtime_ns = -1, digest = ''")
