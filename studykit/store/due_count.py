"""Count the cards due on a study day. A shell prompt imports this file, so it imports nothing slow."""

from datetime import date

from studykit.scheduling.event_kinds import EventKind, undone_id
from studykit.scheduling.study_day import ROLLOVER_HOURS
from studykit.scheduling.today import Today, today, whole_note
from studykit.store import sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

_DAY_US = 86_400_000_000
_EPOCH = date(1970, 1, 1).toordinal()
_FIRST_ZONE_US = (14 - ROLLOVER_HOURS) * 3_600_000_000  # no zone is further than 14 hours ahead of UTC


def read_today(connection: "Connection", learner: str, on: int) -> Today:
    """Return what the learner did so far on a study day, and which cards are buried. `on` is its ordinal."""
    who = {"learner": learner, "day": on}
    since = (on - _EPOCH) * _DAY_US - _FIRST_ZONE_US
    rows = list(connection.execute(sql.TODAY, {**who, "since": since}))
    undone = {undone_id(row[5]) for row in rows if row[1] == EventKind.UNDO}
    return today(rows, undone, on, [row[0] for row in connection.execute(sql.BURIED, who)])


def count_due(connection: "Connection", learner: str, day: date) -> tuple[int, int]:
    """Return how many cards are due on a day, siblings counted once, and how many to drill again."""
    on = day.toordinal()
    until_now = read_today(connection, learner, on)
    waiting = {whole_note(row[0]) for row in connection.execute(sql.DUE_NOTES, {"learner": learner, "day": on})}
    return len(waiting - until_now.notes), len(until_now.drilled())
