"""Define every SQL query of the store.

Parameters are named, except for `?` in the rows of a deck's cards, which SQLite binds a quarter faster.

A unary plus, as in `+moment`, changes no value. It keeps SQLite's planner from using an index on that column.
"""

import os

from studykit.scheduling.event_kinds import UNDOABLE as UNDOABLE_KINDS
from studykit.scheduling.event_kinds import EventKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEMA = os.path.join(os.path.dirname(__file__), "schema.sql")
"""Creates the tables of a new database. Generated from the migrations."""
with open(SCHEMA, "rb") as _opened:
    _schema = _opened.read().decode()
REVISION = _schema.rpartition("VALUES ('")[2][:4]
"""The newest revision in `alembic/versions`, which stands in the last statement of `SCHEMA`."""

TABLES = tuple(part.partition(" ")[0] for part in _schema.split("CREATE TABLE ")[1:])
"""Names of all tables."""

VERSION = "SELECT version_num FROM alembic_version"

EVENT_COLUMNS = (
    "id, learner, origin, kind, card_id, moment, day, zone, grade, took_ms, profile, target, "
    "template, version, seed, parameters, answer, verdict, slips"
)
REPLAY_COLUMNS = "id, kind, card_id, day, grade, took_ms, target, profile"
MEMORY_COLUMNS = (
    "repetition, interval, ease, lapses, reviewed, due, reviews, passed, stability, difficulty, sm2_interval"
)
CARD_COLUMNS = (
    "id, note, deck, kind, prompt, answer, path, line, position, content_hash, named, whole, "
    "tags, objectives, typed, task, pinned, url, source"
)


def _named(columns: str) -> str:
    return ", ".join(f":{column}" for column in columns.split(", "))


def _list(kinds: "Iterable[EventKind]") -> str:
    return f"({', '.join(repr(kind.value) for kind in sorted(kinds))})"


# The log

LAST_MOMENT, MAX_TOOK_MS = 221_845_392_000_000_000, 10**12
"""Largest valid moment and duration of an event."""
_SOUND = (
    "length(id) = 16 AND (grade IS NULL OR grade BETWEEN 0 AND 5) AND day BETWEEN 719163 AND 3286818 "
    f"AND +moment BETWEEN 0 AND {LAST_MOMENT} AND took_ms BETWEEN 0 AND {MAX_TOOK_MS}"
)
"""Without the plus, SQLite may use this bound on `moment` instead of a query's own, and read the whole log."""
KNOWN = f"{_SOUND} AND kind IN {_list(EventKind)}"
"""Rows that this version understands. All queries skip others, and the doctor reports them."""

INSERT_EVENT = f"INSERT INTO event ({EVENT_COLUMNS}) VALUES ({_named(EVENT_COLUMNS)})"
ADD_EVENT = INSERT_EVENT + " ON CONFLICT DO NOTHING"
ANY_INDEX = "learner || '' = :learner"
"""The learner's rows, written as an expression so that SQLite uses no index but that of the ids."""
_OWN_BY_ID = f"{ANY_INDEX} AND origin = :origin"
"""Events recorded by one installation. Their ids ascend in the order of recording."""
CARD_STATE = f"""
SELECT {", ".join("m." + column for column in MEMORY_COLUMNS.split(", "))},
    (SELECT max(moment) FROM (
        SELECT max(moment) AS moment FROM event WHERE learner = :learner AND card_id = :card
        UNION ALL SELECT max(+moment) FROM event
            WHERE learner = :learner AND target = :card AND target <> '' AND kind = 'relink'
    ) AS either),
    (SELECT id FROM event WHERE {_OWN_BY_ID} ORDER BY id DESC LIMIT 1),
    (SELECT value FROM setting WHERE learner = :learner AND name = 'scheduler')
FROM (SELECT 1 AS one) AS always LEFT JOIN memory AS m ON m.card_id = :card AND m.learner = :learner
"""
"""Without the plus, each answer in a review would read the whole log by the index of moments."""
EVENT = f"SELECT {EVENT_COLUMNS} FROM event WHERE id = :id AND {ANY_INDEX} AND {KNOWN}"
LOGGED = f"SELECT id FROM event WHERE id >= :low AND id <= :high AND {ANY_INDEX}"
LOG = f"SELECT {EVENT_COLUMNS} FROM event WHERE learner = :learner AND {KNOWN} ORDER BY moment, id"
UNREADABLE = (
    f"SELECT id, kind, card_id, day, grade FROM event WHERE learner = :learner AND NOT ({KNOWN}) ORDER BY id"
)
REPLAY = f"SELECT {REPLAY_COLUMNS} FROM event WHERE learner = :learner AND {_SOUND} ORDER BY moment, id"
TIMED_REPLAY = f"""
SELECT {REPLAY_COLUMNS}, moment, zone FROM event WHERE learner = :learner AND {_SOUND} ORDER BY moment, id
"""
UNDONE = "SELECT target FROM event WHERE learner = :learner AND target <> '' AND kind = 'undo'"
RELINKS = """
SELECT card_id, target FROM event WHERE learner = :learner AND target <> '' AND kind = 'relink'
ORDER BY +moment, id
"""
"""The plus here and below makes SQLite find the few rows by their own index, and sort them."""
CARD_REPLAY = f"""
SELECT moment, {REPLAY_COLUMNS}, moment, zone FROM event WHERE learner = :learner AND card_id = :card AND {_SOUND}
ORDER BY moment, id
"""
CARD_EVENTS = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE learner = :learner AND card_id = :card AND {KNOWN}
ORDER BY moment, id
"""
UNDOABLE = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE {_OWN_BY_ID} AND kind IN {_list(UNDOABLE_KINDS)} AND {_SOUND}
ORDER BY id DESC
"""
AFTER = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE learner = :learner AND moment > :moment
    AND kind IN {_list(UNDOABLE_KINDS)} AND {_SOUND}
ORDER BY moment DESC, id DESC
"""
SHOWINGS = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE id IN (
    SELECT id FROM event WHERE learner = :learner AND template IS NOT NULL
    ORDER BY id DESC LIMIT :limit
) AND {KNOWN}
ORDER BY +moment DESC, id DESC
"""
"""Newest by id, which the index of exercises contains. By moment, a log without exercises would be read whole."""
SHOWINGS_OF = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE learner = :learner AND template = :template AND template IS NOT NULL
    AND {KNOWN}
ORDER BY +moment DESC, id DESC
"""
SHOWINGS_OF_FAMILY = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE learner = :learner AND template >= :first AND template < :last
AND template IS NOT NULL AND {KNOWN} ORDER BY moment, id
"""
QUICK_CHECK = "PRAGMA quick_check"
IDS = "SELECT id FROM event WHERE learner = :learner"
COUNT_EVENTS = "SELECT count(*) FROM event WHERE learner = :learner"

# The caches, computed from the log

_PLACED = """CASE WHEN c.present = 1 AND NOT EXISTS (
        SELECT 1 FROM mark AS k WHERE k.learner = :learner AND k.card_id = {card} AND k.suspended = 1
    ) THEN 1 ELSE 0 END,
    coalesce(c.deck, ''), coalesce(c.note, ''), coalesce(c.objectives, '')"""
INSERT_MEMORY = f"""
INSERT INTO memory (card_id, learner, {MEMORY_COLUMNS}, live, deck, note, objectives)
SELECT :card, :learner, {_named(MEMORY_COLUMNS)}, {_PLACED.format(card=":card")}
FROM (SELECT 1 AS one) AS always LEFT JOIN card AS c ON c.learner = :learner AND c.id = :card
"""
_OF_CARD = "WHERE card_id = :card AND learner = :learner"
UPDATE_MEMORY = f"""
UPDATE memory SET {", ".join(f"{column} = :{column}" for column in MEMORY_COLUMNS.split(", "))} {_OF_CARD}
"""
DELETE_MEMORY = f"DELETE FROM memory {_OF_CARD}"
MEMORIES = f"SELECT card_id, {MEMORY_COLUMNS} FROM memory WHERE learner = :learner"
MEMORY = MEMORIES + " AND card_id = :card"
PLACE_MEMORY = """
UPDATE memory SET (live, deck, note, objectives) = (
    SELECT coalesce(max(c.present), 0) AND NOT EXISTS (SELECT 1 FROM mark AS k
            WHERE k.learner = :learner AND k.card_id = :card AND k.suspended = 1),
        coalesce(max(c.deck), memory.deck), coalesce(max(c.note), memory.note),
        coalesce(max(c.objectives), memory.objectives)
    FROM card AS c WHERE c.learner = :learner AND c.id = :card
) WHERE card_id = :card AND learner = :learner
"""
"""Of the one card at most, `max` also makes a row where there is none."""
PUT_MARK = """
INSERT INTO mark (learner, card_id, suspended, buried, flagged)
VALUES (:learner, :card, :suspended, :buried, :flagged)
ON CONFLICT (learner, card_id) DO UPDATE SET suspended = excluded.suspended, buried = excluded.buried,
    flagged = excluded.flagged
"""
DELETE_MARK = "DELETE FROM mark WHERE learner = :learner AND card_id = :card"
MARKS = "SELECT card_id, suspended, buried, flagged FROM mark WHERE learner = :learner"
MARK = MARKS + " AND card_id = :card"
TALLY_COUNTS = "introduced, young, young_passed, mature, mature_passed, drills, crams, practised, took_ms"


def _add_tallies(*keys: str) -> str:
    rows = (f"(:learner, {key}, {_named(TALLY_COUNTS)})" for key in keys)
    return f"""
INSERT INTO tally (learner, day, hour, grade, {TALLY_COUNTS}) VALUES {", ".join(rows)}
ON CONFLICT (learner, day, hour, grade) DO UPDATE SET
    {", ".join(f"{count} = tally.{count} + excluded.{count}" for count in TALLY_COUNTS.split(", "))}
"""


ADD_TALLY = _add_tallies(":day, :hour, :grade")
ADD_ANSWER = _add_tallies(":day, -1, -1", ":month, :hour, :grade")
"""Adds the same counts to the whole day and to the month's answers by hour and grade."""
_COUNTED = f"{TALLY_COUNTS.replace(',', ' +')} > 0"
TALLIES = f"""
SELECT day, {TALLY_COUNTS} FROM tally WHERE learner = :learner AND hour = -1 AND {_COUNTED} ORDER BY day
"""
ALL_TALLIES = f"SELECT day, hour, grade, {TALLY_COUNTS} FROM tally WHERE learner = :learner AND {_COUNTED}"
ANSWERS = f"""
SELECT hour, grade, {", ".join(f"sum({count})" for count in TALLY_COUNTS.split(", "))}
FROM tally WHERE learner = :learner AND hour BETWEEN 0 AND 23 AND grade BETWEEN 0 AND 5 GROUP BY hour, grade
"""
FORGET = tuple(f"DELETE FROM {table} WHERE learner = :learner" for table in ("memory", "mark", "tally"))

# Today

DUE = """
SELECT card_id, note, deck, due FROM memory WHERE learner = :learner AND live = 1 AND due <= :day ORDER BY due
"""
LIVE = "SELECT card_id FROM memory WHERE learner = :learner AND live = 1"
DUE_NOTES = """
SELECT note FROM memory WHERE learner = :learner AND live = 1 AND due <= :day
    AND card_id NOT IN (SELECT card_id FROM mark WHERE learner = :learner AND buried = :day)
"""
AHEAD = """
SELECT card_id, note, deck, due FROM memory WHERE learner = :learner AND live = 1 AND due > :day
ORDER BY due, card_id
"""
TODAY = """
SELECT e.id, e.kind, e.card_id, e.day, e.grade, e.target, m.note, m.live
FROM event AS e LEFT JOIN memory AS m ON m.card_id = e.card_id AND m.learner = e.learner
WHERE e.learner = :learner AND e.moment >= :since AND (e.day = :day OR e.kind = 'undo')
    AND length(e.id) = 16 AND (e.grade IS NULL OR e.grade BETWEEN 0 AND 5)
ORDER BY e.moment, e.id
"""
TALLY = f"SELECT day, {TALLY_COUNTS} FROM tally WHERE learner = :learner AND day = :day AND hour = -1"
INTRODUCED = "SELECT introduced FROM tally WHERE learner = :learner AND day = :day AND hour = -1"
INTRODUCED_OF_DECKS = """
SELECT deck, count(*) FROM memory WHERE learner = :learner AND reviews = 0 AND reviewed = :day GROUP BY deck
"""
"""Cards first answered on this day. A first answer does not count as a review, so `reviews` is 0."""
BURIED = "SELECT card_id FROM mark WHERE learner = :learner AND buried = :day"
_UNMARKED = """NOT EXISTS (SELECT 1 FROM mark AS k
    WHERE k.learner = :learner AND k.card_id = c.id AND (k.suspended = 1 OR k.buried = :day))"""
NEW = f"""
SELECT c.id, c.note, c.deck FROM card AS c
WHERE c.learner = :learner AND c.fresh = 1 AND c.present = 1 AND {_UNMARKED}
ORDER BY c.rank, c.deck, c.position
"""
UNSEEN = """
SELECT c.id FROM card AS c WHERE c.learner = :learner AND c.fresh = 1 AND c.present = 1
    AND NOT EXISTS (SELECT 1 FROM mark AS k WHERE k.learner = :learner AND k.card_id = c.id AND k.suspended = 1)
"""

# The collection

CARD = f"SELECT {CARD_COLUMNS} FROM card WHERE learner = :learner AND id = :card"
PRESENT_CARD = CARD + " AND present = 1"
CARDS = f"SELECT {CARD_COLUMNS} FROM card WHERE learner = :learner AND present = 1 ORDER BY rank, deck, position"
CARDS_OF_DECK = f"""
SELECT {CARD_COLUMNS} FROM card WHERE learner = :learner AND present = 1 AND deck = :deck ORDER BY position
"""
CARDS_OF_PATH = f"""
SELECT {CARD_COLUMNS} FROM card WHERE learner = :learner AND present = 1 AND path = :path ORDER BY position
"""
ORPHANS = f"SELECT {CARD_COLUMNS} FROM card WHERE learner = :learner AND present = 0 ORDER BY deck, position"
IDS_OF_PATH = "SELECT id FROM card WHERE learner = :learner AND path = :path"
CARD_IDS = "SELECT id FROM card WHERE learner = :learner AND present = 1 ORDER BY id"
CARD_TASKS = """
SELECT id, deck, task, objectives FROM card WHERE learner = :learner AND present = 1 AND task <> '' ORDER BY rank
"""
TAGS = "SELECT DISTINCT tags FROM card WHERE learner = :learner AND present = 1 AND tags <> ''"
IDS_STARTING = """
SELECT id FROM card WHERE learner = :learner AND present = 1 AND id >= :low AND id < :high ORDER BY id LIMIT 20
"""
IDS_FOUND = """
SELECT c.id FROM card AS c WHERE c.learner = :learner AND c.present = 1 AND ({condition})
ORDER BY {plus}c.rank, c.deck, c.position LIMIT :limit
"""
"""With the plus, SQLite looks up the cards of the condition and sorts them, else it reads all cards in order."""
FOUND_CARD = f"""
SELECT {", ".join("c." + column for column in CARD_COLUMNS.split(", "))},
    {", ".join("m." + column for column in MEMORY_COLUMNS.split(", "))}, k.suspended, k.buried, k.flagged
FROM card AS c LEFT JOIN memory AS m ON m.card_id = c.id AND m.learner = :learner
    LEFT JOIN mark AS k ON k.card_id = c.id AND k.learner = :learner
WHERE c.learner = :learner AND c.id = :card
"""
PUT_CARD = f"""
INSERT INTO card (learner, {CARD_COLUMNS}, rank, present, fresh)
VALUES ({", ".join("?" * (1 + len(CARD_COLUMNS.split(", ")) + 3))})
ON CONFLICT (learner, id) DO UPDATE SET
    {", ".join(f"{column} = excluded.{column}" for column in CARD_COLUMNS.split(", ")[1:])},
    rank = excluded.rank, present = 1
"""
PLACE_DECK = "UPDATE card SET rank = :rank WHERE learner = :learner AND deck = :deck AND rank <> :rank"
KNOWN_AMONG = """
SELECT card_id FROM json_each(:cards) CROSS JOIN memory ON card_id = value AND learner = :learner
"""
HIDE_CARD = "UPDATE card SET present = 0 WHERE learner = :learner AND id = :card"
DROP_CARD = "DELETE FROM card WHERE learner = :learner AND id = :card"
MAKE_KNOWN = "UPDATE card SET fresh = 0 WHERE learner = :learner AND id = :card"
MAKE_FRESH = """
UPDATE card SET fresh = 1 WHERE learner = :learner AND id = :card
    AND NOT EXISTS (SELECT 1 FROM memory WHERE card_id = :card AND learner = :learner)
"""
MAKE_ALL_FRESH = f"""
UPDATE card SET fresh = 1 - fresh WHERE {ANY_INDEX} AND fresh = CASE WHEN EXISTS (
    SELECT 1 FROM memory WHERE card_id = card.id AND learner = :learner
) THEN 1 ELSE 0 END
"""
PUT_FILE = """
INSERT INTO deckfile (learner, path, mtime_ns, size, digest, deck, name, header) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (learner, path) DO UPDATE SET mtime_ns = excluded.mtime_ns, size = excluded.size,
    digest = excluded.digest, deck = excluded.deck, name = excluded.name, header = excluded.header
"""
DROP_FILE = "DELETE FROM deckfile WHERE learner = :learner AND path = :path"
FILES = """
SELECT path, mtime_ns, size, digest, deck, name, header FROM deckfile WHERE learner = :learner ORDER BY path
"""
DECK_NAMES = "SELECT deck, min(name) FROM deckfile WHERE learner = :learner GROUP BY deck ORDER BY deck"
DECK_SIZES = """
SELECT deck, number FROM (
    SELECT deck, count(*) AS number FROM card WHERE learner = :learner AND present = 1 GROUP BY deck
) AS sizes
ORDER BY (
    SELECT c.rank FROM card AS c WHERE c.learner = :learner AND c.deck = sizes.deck AND c.present = 1
    ORDER BY c.position LIMIT 1
), deck
"""

PUT_TEXT = """
INSERT INTO card_text (learner, card, text) VALUES (?, ?, ?)
ON CONFLICT (learner, card) DO UPDATE SET text = excluded.text WHERE card_text.text <> excluded.text
"""
DROP_TEXT = "DELETE FROM card_text WHERE learner = :learner AND card = :card"

# Statistics

STANDINGS = """
SELECT deck, objectives, count(*), sum(reviews), sum(passed), sum(lapses),
    sum(CASE WHEN interval >= :mature THEN 1 ELSE 0 END)
FROM memory WHERE learner = :learner GROUP BY deck, objectives
"""
GONE = """
SELECT m.deck, m.objectives, count(*), sum(CASE WHEN m.interval >= :mature THEN 1 ELSE 0 END)
FROM memory AS m WHERE m.learner = :learner AND m.live = 0 AND m.due >= 0
    AND NOT EXISTS (SELECT 1 FROM card AS c WHERE c.learner = :learner AND c.id = m.card_id AND c.present = 1)
GROUP BY m.deck, m.objectives
"""
"""`due >= 0` is always true. It makes SQLite use the index by `live`, and few cards are not live."""
MET_DECKS = "SELECT DISTINCT deck FROM memory WHERE learner = :learner AND live = 1"
SET_ASIDE = """
SELECT c.deck, count(*) FROM mark AS k CROSS JOIN card AS c
WHERE k.learner = :learner AND k.suspended = 1 AND c.learner = k.learner AND c.id = k.card_id AND c.present = 1
    AND NOT EXISTS (SELECT 1 FROM memory AS m WHERE m.card_id = k.card_id AND m.learner = :learner)
GROUP BY c.deck
"""
"""SQLite reads the tables of a CROSS JOIN in this order. Marks come first, because few cards are suspended."""
HARDEST = """
SELECT card_id, deck, lapses, ease, reviews, passed FROM memory
WHERE learner = :learner AND +live = 1 AND lapses > 0 ORDER BY lapses DESC, ease, card_id LIMIT 10
"""
"""The plus here and below makes SQLite read only the covering index, which has every column of the query."""
DUE_DAYS = "SELECT due, count(*) FROM memory WHERE learner = :learner AND live = 1 GROUP BY due ORDER BY due"
OUTCOMES = """
SELECT template, verdict, slips, count(*) FROM event WHERE learner = :learner AND template IS NOT NULL
GROUP BY template, verdict, slips
"""
OUTCOME = f"SELECT template, verdict, slips FROM event WHERE id = :id AND {ANY_INDEX} AND template IS NOT NULL"

SPREAD = """
SELECT interval, ease, stability, count(*) FROM memory WHERE learner = :learner AND +live = 1
GROUP BY interval, ease, stability
"""
TRIES = f"""
SELECT id, kind, card_id, day, template, grade, verdict FROM event
WHERE learner = :learner AND template IS NOT NULL AND grade IS NOT NULL
    AND kind IN ('answer', 'practice', 'quiz') AND {_SOUND.replace("moment", "+moment")}
ORDER BY +moment, id
"""
"""The pluses keep SQLite from the index of moments: few events are exercises, and these have an index."""
OBJECTIVE_CARDS = (
    "SELECT id, objectives, kind FROM card WHERE learner = :learner AND present = 1 AND objectives <> ''"
)

# Settings and ceilings

SCHEDULER = "scheduler"
"""Name of the setting with the scheduler that made the memories, which is empty for SM-2."""
SETTING = "SELECT value FROM setting WHERE learner = :learner AND name = :name"
ORIGIN = """
SELECT value FROM setting WHERE learner IN (:learner, '') AND name = 'origin' ORDER BY learner DESC LIMIT 1
"""
"""The learner's own origin, else the one that earlier versions stored for all learners of a file."""
PUT_SETTING = """
INSERT INTO setting (learner, name, value) VALUES (:learner, :name, :value)
ON CONFLICT (learner, name) DO UPDATE SET value = excluded.value
"""
DROP_SETTING = "DELETE FROM setting WHERE learner = :learner AND name = :name"
CEILINGS = "SELECT name, value, measured FROM ceiling WHERE learner = :learner AND device = :device ORDER BY name"
NEWEST_CEILING = "SELECT device FROM ceiling WHERE learner = :learner ORDER BY measured DESC LIMIT 1"
PUT_CEILING = """
INSERT INTO ceiling (learner, device, name, value, measured)
VALUES (:learner, :device, :name, :value, :measured)
ON CONFLICT (learner, device, name) DO UPDATE SET value = excluded.value, measured = excluded.measured
"""

# Exchange with other machines

OWN_EVENTS_AFTER = f"""
SELECT {EVENT_COLUMNS} FROM event WHERE {_OWN_BY_ID} AND id > :last AND {KNOWN} ORDER BY id
"""
LEARNERS = "SELECT DISTINCT learner FROM event ORDER BY learner"
SETTINGS_STARTING = """
SELECT name, value FROM setting WHERE learner = :learner AND name >= :low AND name < :high ORDER BY name
"""


def starting(prefix: str) -> dict[str, str]:
    """Return the query parameters for names with this prefix."""
    return {"low": prefix, "high": f"{prefix}\U0010ffff"}
