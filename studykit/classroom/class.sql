-- Create the table of a class, or upgrade it from any earlier version with all its events: `study class create`.

CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
CREATE TABLE IF NOT EXISTS event (
    id BYTEA NOT NULL,
    learner TEXT COLLATE "C" DEFAULT '' NOT NULL,
    origin TEXT COLLATE "C" DEFAULT '' NOT NULL,
    kind TEXT COLLATE "C" DEFAULT '' NOT NULL,
    card_id TEXT COLLATE "C" DEFAULT '' NOT NULL,
    moment BIGINT DEFAULT 0 NOT NULL,
    day BIGINT DEFAULT 0 NOT NULL,
    zone TEXT COLLATE "C" DEFAULT '' NOT NULL,
    grade BIGINT,
    took_ms BIGINT DEFAULT 0 NOT NULL,
    profile TEXT COLLATE "C" DEFAULT '' NOT NULL,
    target TEXT COLLATE "C" DEFAULT '' NOT NULL,
    template TEXT COLLATE "C",
    version BIGINT,
    seed BIGINT,
    parameters TEXT COLLATE "C",
    answer TEXT COLLATE "C",
    verdict TEXT COLLATE "C",
    slips TEXT COLLATE "C"
);
-- The owner's name for the machine that recorded the event, or '' if another machine sent it.
ALTER TABLE event ADD COLUMN IF NOT EXISTS machine TEXT COLLATE "C" DEFAULT '' NOT NULL;

-- Two students may have the same event, for example after an import. Until version 0006 the id was the primary key.
ALTER TABLE event DROP CONSTRAINT IF EXISTS event_pkey;
CREATE UNIQUE INDEX IF NOT EXISTS event_of_learner ON event (learner, id);
CREATE INDEX IF NOT EXISTS event_moment ON event (learner, moment);
DROP INDEX IF EXISTS event_card, event_target, event_template;

-- Until version 1001 students could study on the server. These tables follow from the log, except for machines' names.
DROP TRIGGER IF EXISTS event_refuses_change ON event;
DO $$ BEGIN
    IF to_regclass('setting') IS NOT NULL THEN
        UPDATE event SET machine = s.value FROM setting AS s
        WHERE s.name LIKE 'machine %' AND s.learner = event.learner AND event.id = (
            SELECT e.id FROM event AS e WHERE e.learner = s.learner AND e.origin = substr(s.name, 9)
            ORDER BY e.id DESC LIMIT 1
        );
    END IF;
END $$;
DROP TABLE IF EXISTS memory, mark, tally, setting, card, card_text, deckfile, ceiling;

CREATE OR REPLACE FUNCTION event_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the log is append-only: % refused', TG_OP; END $$;
CREATE TRIGGER event_refuses_change BEFORE UPDATE OR DELETE ON event
    FOR EACH ROW EXECUTE FUNCTION event_refuses();
DROP TRIGGER IF EXISTS event_refuses_truncate ON event;
CREATE TRIGGER event_refuses_truncate BEFORE TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_refuses();

-- Each role but the owner sees and adds rows of its own name alone, and staff read all. A policy for a role would go
-- with DROP OWNED BY that role, which every member may run: so this one is for everybody and asks who reads.
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_rows ON event;
CREATE POLICY own_rows ON event USING (learner = CURRENT_USER::text) WITH CHECK (learner = CURRENT_USER::text);
DROP POLICY IF EXISTS staff_read ON event;
CREATE POLICY staff_read ON event FOR SELECT
    USING ((SELECT pg_has_role(to_regrole(quote_ident(current_database() || '_staff')), 'MEMBER')));

-- Everybody who has recorded something, whatever the policies show, so that a report can tell whom it misses.
CREATE OR REPLACE VIEW class_learner WITH (security_barrier) AS SELECT DISTINCT learner FROM event
    WHERE (SELECT pg_has_role(to_regrole(quote_ident(current_database() || '_staff')), 'MEMBER'));

TRUNCATE alembic_version;
INSERT INTO alembic_version VALUES ('1001');
