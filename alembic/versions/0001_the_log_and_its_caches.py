"""Create the log and its caches.

The statements are written out, because a migration must not change when the program's tables do.
"""

from alembic import op

revision = "0001"
down_revision = None

TABLES = (
    """CREATE TABLE event (
        id BLOB NOT NULL PRIMARY KEY, learner TEXT DEFAULT '' NOT NULL, origin TEXT DEFAULT '' NOT NULL,
        kind TEXT DEFAULT '' NOT NULL, card_id TEXT DEFAULT '' NOT NULL, moment INTEGER DEFAULT 0 NOT NULL,
        day INTEGER DEFAULT 0 NOT NULL, zone TEXT DEFAULT '' NOT NULL, grade INTEGER,
        took_ms INTEGER DEFAULT 0 NOT NULL, profile TEXT DEFAULT '' NOT NULL, target TEXT DEFAULT '' NOT NULL,
        template TEXT, version INTEGER, seed INTEGER, parameters TEXT, answer TEXT, verdict TEXT, slips TEXT
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE card (
        id TEXT NOT NULL PRIMARY KEY, note TEXT DEFAULT '' NOT NULL, deck TEXT DEFAULT '' NOT NULL,
        rank INTEGER DEFAULT 0 NOT NULL, position INTEGER DEFAULT 0 NOT NULL, kind TEXT DEFAULT '' NOT NULL,
        prompt TEXT DEFAULT '' NOT NULL, answer TEXT DEFAULT '' NOT NULL, whole TEXT DEFAULT '' NOT NULL,
        path TEXT DEFAULT '' NOT NULL, line INTEGER DEFAULT 0 NOT NULL, content_hash TEXT DEFAULT '' NOT NULL,
        named INTEGER DEFAULT 0 NOT NULL, tags TEXT DEFAULT '' NOT NULL, objectives TEXT DEFAULT '' NOT NULL,
        typed INTEGER DEFAULT 0 NOT NULL, task TEXT, pinned TEXT DEFAULT '' NOT NULL, url TEXT,
        present INTEGER DEFAULT 0 NOT NULL, fresh INTEGER DEFAULT 0 NOT NULL
    ) STRICT""",
    """CREATE TABLE memory (
        card_id TEXT NOT NULL, learner TEXT NOT NULL, repetition INTEGER DEFAULT 0 NOT NULL,
        interval INTEGER DEFAULT 0 NOT NULL, ease INTEGER DEFAULT 0 NOT NULL, lapses INTEGER DEFAULT 0 NOT NULL,
        reviewed INTEGER DEFAULT 0 NOT NULL, due INTEGER DEFAULT 0 NOT NULL, reviews INTEGER DEFAULT 0 NOT NULL,
        passed INTEGER DEFAULT 0 NOT NULL, live INTEGER DEFAULT 0 NOT NULL, deck TEXT DEFAULT '' NOT NULL,
        note TEXT DEFAULT '' NOT NULL, objectives TEXT DEFAULT '' NOT NULL, PRIMARY KEY (card_id, learner)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE mark (
        learner TEXT NOT NULL, card_id TEXT NOT NULL, suspended INTEGER DEFAULT 0 NOT NULL,
        buried INTEGER DEFAULT 0 NOT NULL, flagged INTEGER DEFAULT 0 NOT NULL, PRIMARY KEY (learner, card_id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE tally (
        learner TEXT NOT NULL, day INTEGER NOT NULL, introduced INTEGER DEFAULT 0 NOT NULL,
        young INTEGER DEFAULT 0 NOT NULL, young_passed INTEGER DEFAULT 0 NOT NULL,
        mature INTEGER DEFAULT 0 NOT NULL, mature_passed INTEGER DEFAULT 0 NOT NULL,
        drills INTEGER DEFAULT 0 NOT NULL, crams INTEGER DEFAULT 0 NOT NULL,
        practised INTEGER DEFAULT 0 NOT NULL, took_ms INTEGER DEFAULT 0 NOT NULL,
        PRIMARY KEY (learner, day)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE deckfile (
        path TEXT NOT NULL PRIMARY KEY, mtime_ns INTEGER DEFAULT 0 NOT NULL, size INTEGER DEFAULT 0 NOT NULL,
        digest TEXT DEFAULT '' NOT NULL, deck TEXT DEFAULT '' NOT NULL, name TEXT DEFAULT '' NOT NULL,
        header TEXT DEFAULT '' NOT NULL
    ) STRICT""",
    """CREATE TABLE setting (
        learner TEXT NOT NULL, name TEXT NOT NULL, value TEXT DEFAULT '' NOT NULL, PRIMARY KEY (learner, name)
    ) STRICT""",
    """CREATE TABLE ceiling (
        device TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL, measured INTEGER DEFAULT 0 NOT NULL,
        PRIMARY KEY (device, name)
    ) STRICT""",
)

INDEXES = (
    "CREATE INDEX event_moment ON event (learner, moment)",
    "CREATE INDEX event_card ON event (learner, card_id, moment)",
    "CREATE INDEX event_target ON event (learner, target) WHERE target <> ''",
    "CREATE INDEX event_template ON event (learner, template, verdict, slips) WHERE template IS NOT NULL",
    "CREATE INDEX card_path ON card (path)",
    "CREATE INDEX card_deck ON card (deck, present, position)",
    "CREATE INDEX card_new ON card (rank, deck, position) WHERE fresh = 1 AND present = 1",
    "CREATE INDEX memory_due ON memory (learner, live, due, deck, note)",
    "CREATE INDEX memory_parts ON memory (learner, deck, objectives, reviews, passed, lapses, interval)",
)

GUARDS = tuple(
    f"CREATE TRIGGER event_refuses_{verb.lower()} BEFORE {verb} ON event BEGIN "
    f"SELECT RAISE(ABORT, 'the log is append-only: {verb} refused'); END"
    for verb in ("UPDATE", "DELETE")
)


def upgrade() -> None:
    for statement in (*TABLES, *INDEXES, *GUARDS):
        op.execute(statement)
