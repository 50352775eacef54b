-- Made from alembic/versions by `python tests/support/schema.py`: change the migrations, not this file.

CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE event (
    id BLOB NOT NULL PRIMARY KEY,
    learner TEXT DEFAULT '' NOT NULL,
    origin TEXT DEFAULT '' NOT NULL,
    kind TEXT DEFAULT '' NOT NULL,
    card_id TEXT DEFAULT '' NOT NULL,
    moment INTEGER DEFAULT 0 NOT NULL,
    day INTEGER DEFAULT 0 NOT NULL,
    zone TEXT DEFAULT '' NOT NULL,
    grade INTEGER,
    took_ms INTEGER DEFAULT 0 NOT NULL,
    profile TEXT DEFAULT '' NOT NULL,
    target TEXT DEFAULT '' NOT NULL,
    template TEXT,
    version INTEGER,
    seed INTEGER,
    parameters TEXT,
    answer TEXT,
    verdict TEXT,
    slips TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE memory (
    card_id TEXT NOT NULL,
    learner TEXT NOT NULL,
    repetition INTEGER DEFAULT 0 NOT NULL,
    interval INTEGER DEFAULT 0 NOT NULL,
    ease INTEGER DEFAULT 0 NOT NULL,
    lapses INTEGER DEFAULT 0 NOT NULL,
    reviewed INTEGER DEFAULT 0 NOT NULL,
    due INTEGER DEFAULT 0 NOT NULL,
    reviews INTEGER DEFAULT 0 NOT NULL,
    passed INTEGER DEFAULT 0 NOT NULL,
    live INTEGER DEFAULT 0 NOT NULL,
    deck TEXT DEFAULT '' NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    objectives TEXT DEFAULT '' NOT NULL,
    stability REAL,
    difficulty REAL,
    sm2_interval INTEGER,
    PRIMARY KEY (card_id, learner)
) STRICT, WITHOUT ROWID;

CREATE TABLE mark (
    learner TEXT NOT NULL,
    card_id TEXT NOT NULL,
    suspended INTEGER DEFAULT 0 NOT NULL,
    buried INTEGER DEFAULT 0 NOT NULL,
    flagged INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (learner, card_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    learner TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (learner, name)
) STRICT;

CREATE INDEX event_moment ON event (learner, moment);

CREATE INDEX event_card ON event (learner, card_id, moment);

CREATE INDEX event_target ON event (learner, target) WHERE target <> '';

CREATE INDEX event_template ON event (learner, template, verdict, slips) WHERE template IS NOT NULL;

CREATE INDEX memory_due ON memory (learner, live, due, deck, note);

CREATE TRIGGER event_refuses_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the log is append-only: UPDATE refused'); END;

CREATE TRIGGER event_refuses_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the log is append-only: DELETE refused'); END;

CREATE TABLE card (
    learner TEXT DEFAULT 'me' NOT NULL,
    id TEXT NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    deck TEXT DEFAULT '' NOT NULL,
    rank INTEGER DEFAULT 0 NOT NULL,
    position INTEGER DEFAULT 0 NOT NULL,
    kind TEXT DEFAULT '' NOT NULL,
    prompt TEXT DEFAULT '' NOT NULL,
    answer TEXT DEFAULT '' NOT NULL,
    whole TEXT DEFAULT '' NOT NULL,
    path TEXT DEFAULT '' NOT NULL,
    line INTEGER DEFAULT 0 NOT NULL,
    content_hash TEXT DEFAULT '' NOT NULL,
    named INTEGER DEFAULT 0 NOT NULL,
    tags TEXT DEFAULT '' NOT NULL,
    objectives TEXT DEFAULT '' NOT NULL,
    typed INTEGER DEFAULT 0 NOT NULL,
    task TEXT,
    pinned TEXT DEFAULT '' NOT NULL,
    url TEXT,
    present INTEGER DEFAULT 0 NOT NULL,
    fresh INTEGER DEFAULT 0 NOT NULL,
    source TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (learner, id)
) STRICT;

CREATE TABLE card_text (
    number INTEGER NOT NULL PRIMARY KEY,
    learner TEXT DEFAULT 'me' NOT NULL,
    card TEXT NOT NULL,
    text TEXT DEFAULT '' NOT NULL,
    UNIQUE (learner, card)
) STRICT;

CREATE TABLE deckfile (
    learner TEXT DEFAULT 'me' NOT NULL,
    path TEXT NOT NULL,
    mtime_ns INTEGER DEFAULT 0 NOT NULL,
    size INTEGER DEFAULT 0 NOT NULL,
    digest TEXT DEFAULT '' NOT NULL,
    deck TEXT DEFAULT '' NOT NULL,
    name TEXT DEFAULT '' NOT NULL,
    header TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (learner, path)
) STRICT;

CREATE TABLE ceiling (
    learner TEXT DEFAULT 'me' NOT NULL,
    device TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL,
    measured INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (learner, device, name)
) STRICT;

CREATE INDEX card_path ON card (learner, path);

CREATE INDEX card_deck ON card (learner, deck, present, position);

CREATE INDEX card_order ON card (learner, rank, deck, position) WHERE present = 1;

CREATE INDEX card_new ON card (learner, rank, deck, position) WHERE fresh = 1 AND present = 1;

CREATE INDEX memory_parts ON memory (learner, deck, objectives, card_id, reviews, passed, lapses, interval, ease, stability, live);

CREATE TABLE tally (
    learner TEXT NOT NULL,
    day INTEGER NOT NULL,
    hour INTEGER DEFAULT -1 NOT NULL,
    grade INTEGER DEFAULT -1 NOT NULL,
    introduced INTEGER DEFAULT 0 NOT NULL,
    young INTEGER DEFAULT 0 NOT NULL,
    young_passed INTEGER DEFAULT 0 NOT NULL,
    mature INTEGER DEFAULT 0 NOT NULL,
    mature_passed INTEGER DEFAULT 0 NOT NULL,
    drills INTEGER DEFAULT 0 NOT NULL,
    crams INTEGER DEFAULT 0 NOT NULL,
    practised INTEGER DEFAULT 0 NOT NULL,
    took_ms INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (learner, day, hour, grade)
) STRICT, WITHOUT ROWID;

INSERT INTO alembic_version VALUES ('0009');
