"""Add the learner to every row, so that cards, deck files and ceilings belong to one learner."""

from alembic import op

revision = "0006"
down_revision = "0005"

OWN = ("card", "card_text", "deckfile", "ceiling")

CARD = """CREATE TABLE new_card (
    learner TEXT DEFAULT 'me' NOT NULL, id TEXT NOT NULL, note TEXT DEFAULT '' NOT NULL,
    deck TEXT DEFAULT '' NOT NULL, rank INTEGER DEFAULT 0 NOT NULL, position INTEGER DEFAULT 0 NOT NULL,
    kind TEXT DEFAULT '' NOT NULL, prompt TEXT DEFAULT '' NOT NULL, answer TEXT DEFAULT '' NOT NULL,
    whole TEXT DEFAULT '' NOT NULL, path TEXT DEFAULT '' NOT NULL, line INTEGER DEFAULT 0 NOT NULL,
    content_hash TEXT DEFAULT '' NOT NULL, named INTEGER DEFAULT 0 NOT NULL, tags TEXT DEFAULT '' NOT NULL,
    objectives TEXT DEFAULT '' NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, task TEXT,
    pinned TEXT DEFAULT '' NOT NULL, url TEXT, present INTEGER DEFAULT 0 NOT NULL,
    fresh INTEGER DEFAULT 0 NOT NULL, source TEXT DEFAULT '' NOT NULL, PRIMARY KEY (learner, id)
) STRICT"""
CARD_TEXT = """CREATE TABLE new_card_text (
    number INTEGER NOT NULL PRIMARY KEY, learner TEXT DEFAULT 'me' NOT NULL, card TEXT NOT NULL,
    text TEXT DEFAULT '' NOT NULL, UNIQUE (learner, card)
) STRICT"""
DECKFILE = """CREATE TABLE new_deckfile (
    learner TEXT DEFAULT 'me' NOT NULL, path TEXT NOT NULL, mtime_ns INTEGER DEFAULT 0 NOT NULL,
    size INTEGER DEFAULT 0 NOT NULL, digest TEXT DEFAULT '' NOT NULL, deck TEXT DEFAULT '' NOT NULL,
    name TEXT DEFAULT '' NOT NULL, header TEXT DEFAULT '' NOT NULL, PRIMARY KEY (learner, path)
) STRICT"""
CEILING = """CREATE TABLE new_ceiling (
    learner TEXT DEFAULT 'me' NOT NULL, device TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL,
    measured INTEGER DEFAULT 0 NOT NULL, PRIMARY KEY (learner, device, name)
) STRICT"""
INDEXES = (
    "CREATE INDEX card_path ON card (learner, path)",
    "CREATE INDEX card_deck ON card (learner, deck, present, position)",
    "CREATE INDEX card_order ON card (learner, rank, deck, position) WHERE present = 1",
    "CREATE INDEX card_new ON card (learner, rank, deck, position) WHERE fresh = 1 AND present = 1",
)


def upgrade() -> None:
    """Copy each table into a new one, because SQLite cannot change a primary key. Drop the index of trigrams."""
    for name in ("card_text_added", "card_text_removed", "card_text_changed"):
        op.execute(f"DROP TRIGGER IF EXISTS {name}")
    op.execute("DROP TABLE IF EXISTS card_trigram")
    for name, new in zip(OWN, (CARD, CARD_TEXT, DECKFILE, CEILING), strict=True):
        columns = ", ".join(row[1] for row in op.get_bind().exec_driver_sql(f"PRAGMA table_info({name})"))
        op.execute(new)
        op.execute(f"INSERT INTO new_{name} ({columns}) SELECT {columns} FROM {name}")
        op.execute(f"DROP TABLE {name}")
        op.execute(f"ALTER TABLE new_{name} RENAME TO {name}")
    for index in INDEXES:
        op.execute(index)
