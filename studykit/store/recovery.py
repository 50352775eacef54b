"""Recover the log from a damaged database into a new file, and report what is missing.

SQLite reads a copy, so that the damaged file stays as it is. Only the log is recovered: caches are rebuilt from
it, and the decks are read again.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory

from studykit.errors import BadDataError, StudyError
from studykit.ordinary_file import explaining
from studykit.scheduling.replay import TALLY_COUNTS
from studykit.scheduling.review_rule import WHOLE_DAY
from studykit.scheduling.study_day import LATEST, microseconds
from studykit.store import sql
from studykit.store.caches import rebuild, replay_all
from studykit.store.database import Row
from studykit.store.readonly import SQLITE_ERRORS, VIEWS, WAITING_SECONDS, open_existing
from studykit.store.rows import NUMBERS, OPTIONAL
from studykit.store.sqlite import SqliteDatabase, create_private, make_tables

_ID_BYTES = 16
# Zero bytes at the end of an id mean a wiped page. Only one genuine id in 65,536 ends like that.
_WIPED_BYTES = 2
_EVENT_TYPES = {
    column: (*((type(None),) if column in OPTIONAL else ()), int if column in {*NUMBERS, "day"} else str)
    for column in sql.EVENT_COLUMNS.split(", ")
} | {"id": (bytes,)}
_LATEST_US = microseconds(datetime.combine(LATEST, time(), UTC))
_ANSWERS = [name for name in TALLY_COUNTS if name not in {"took_ms", "young_passed", "mature_passed"}]
_EVENTS = f"SELECT {sql.EVENT_COLUMNS} FROM event"  # noqa: S608 - our names
_BY_CARD = "SELECT id, moment, card_id FROM event INDEXED BY event_card"
_BY_MOMENT = "SELECT id, moment FROM event INDEXED BY event_moment"
_DAYS = f"SELECT learner, day, {', '.join(_ANSWERS)} FROM tally WHERE hour = -1"  # noqa: S608 - our names


@dataclass(frozen=True, slots=True)
class MissingEvent:
    """Describe an event that is lost but that an index still names."""

    id: bytes
    moment: int  # microseconds UTC
    card: str | None = None  # None if the index by card is damaged too


@dataclass(frozen=True, slots=True)
class Recovery:
    """Report how many events a recovery saved, and which are missing."""

    file: Path
    events: int
    missing: tuple[MissingEvent, ...]
    missing_answers: int
    """How many answers the daily counts have and the saved events lack, whether or not an index names them."""


def recover(file: Path) -> Recovery:
    """Copy what SQLite can read of a damaged file into a new file. Raise BadDataError if no event is found."""
    with (
        explaining(f"{file} cannot be recovered (", "). Make room or allow writing there.", StudyError),
        TemporaryDirectory(dir=file.parent, prefix=f"{file.name}.") as folder,
    ):
        copy, new = Path(folder, "copy.db"), Path(folder, "new.db")
        copy_with_log(file, copy)
        with closing(sqlite3.connect(copy)) as damaged:
            with suppress(*SQLITE_ERRORS):
                # Without this SQLite refuses a file whose schema looks wrong or that was cut short.
                damaged.execute("PRAGMA writable_schema=ON")
                for (view,) in damaged.execute(VIEWS).fetchall():
                    damaged.execute(f'DROP VIEW "{view}"')
            events, missing, missing_answers = _save(damaged, new)
        if not events and not missing:
            raise BadDataError(f"No event can be read from {file}. Restore a backup", "study backup restore")
        return Recovery(new.rename(_new_name(file)), events, missing, missing_answers)


def copy_with_log(file: Path, copy: Path) -> None:
    """Copy a database's file and its write-ahead log byte by byte."""
    shutil.copyfile(file, copy)
    if (log := file.with_name(f"{file.name}-wal")).is_file():
        shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))


def _save(damaged: sqlite3.Connection, new: Path) -> tuple[int, tuple[MissingEvent, ...], int]:
    """Fill the new file. Return its number of events, the missing events, and the number of missing answers."""
    indexed = {event.id: event for event in _named_events(damaged)}
    create_private(new)
    make_tables(new)
    database = SqliteDatabase(new, open_existing(new, WAITING_SECONDS))
    with closing(database), database.writing() as connection:
        connection.executemany(sql.ADD_EVENT, _events(damaged, indexed))
        saved = {row[0] for row in connection.execute("SELECT id FROM event")}
        learners = [row[0] for row in list(connection.execute(sql.LEARNERS))]
        for learner in learners:
            rebuild(connection, learner, None)
        missing = [event for id_, event in indexed.items() if id_ not in saved]
        missing.sort(key=lambda event: (event.moment, event.id))
        days = _rows(damaged, _DAYS, "learner, day")
        return len(saved), tuple(missing), _missing_answers(connection, learners, days)


def _rows(damaged: sqlite3.Connection, select: str, order: str) -> Iterator[Row]:
    """Yield rows from both ends of a table up to the first unreadable page. Some rows may come twice."""
    for direction in ("ASC", "DESC"):
        ordered = ", ".join(f"{column} {direction}" for column in order.split(", "))
        with suppress(*SQLITE_ERRORS):
            yield from damaged.execute(f"{select} ORDER BY {ordered}")


def _events(damaged: sqlite3.Connection, indexed: Iterable[bytes]) -> Iterator[dict[str, object]]:
    """Yield every readable event, including those between damaged pages whose ids an index names."""
    ids: set[object] = set()
    for row in _rows(damaged, _EVENTS, "id"):
        ids.add(row[0])
        yield from _validated(row)
    for id_ in indexed:
        if id_ not in ids:
            with suppress(*SQLITE_ERRORS):
                row = damaged.execute(f"{_EVENTS} WHERE id = ?", (id_,)).fetchone()
                yield from () if row is None else _validated(row)


def _validated(row: Row) -> Iterator[dict[str, object]]:
    """Yield the row as a dict, unless its page was wiped or belongs to another table."""
    values = dict(zip(_EVENT_TYPES, row, strict=True))
    has_types = all(isinstance(values[column], types) for column, types in _EVENT_TYPES.items())
    texts = (value for value in row if isinstance(value, str))
    if has_types and len(row[0]) == _ID_BYTES and not any("\0" in text for text in texts):
        yield values


def _named_events(damaged: sqlite3.Connection) -> Iterator[MissingEvent]:
    """Yield the events that the two indexes name, as far as they are readable."""
    # The index by card comes last, so that its entry, which names the card, replaces the other one.
    by_moment = _rows(damaged, _BY_MOMENT, "learner, moment")
    for id_, moment, *card in (*by_moment, *_rows(damaged, _BY_CARD, "learner, card_id, moment")):
        is_id = isinstance(id_, bytes) and len(id_) == _ID_BYTES and id_[-_WIPED_BYTES:].strip(b"\0")
        if (
            is_id
            and isinstance(moment, int)
            and 0 <= moment < _LATEST_US
            and all(isinstance(name, str) for name in card)
        ):
            yield MissingEvent(id_, moment, *card)


def _new_name(file: Path) -> Path:
    names = (file.with_name(f"{file.stem}.recovered{number}{file.suffix}") for number in ("", *range(2, 10_000)))
    return next(name for name in names if not name.exists())


def _missing_answers(connection: Connection, learners: Iterable[str], days: Iterable[Row]) -> int:
    """Count the answers that stored tallies have and a replay lacks, day by day."""
    missing_answers: Counter[object] = Counter()
    for _, day, *counts in set(days):
        missing_answers[day] += sum(count for count in counts if isinstance(count, int))
    for learner in learners:
        for (day, *of), tally in replay_all(connection, learner, None).tallies.items():
            if tuple(of) == WHOLE_DAY:
                missing_answers[day] -= sum(getattr(tally, name) for name in _ANSWERS)
    return sum(count for count in missing_answers.values() if count > 0)
