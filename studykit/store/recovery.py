"""A damaged database file: the log that can still be read of it, in a new file, and what is missing there.

The damaged file is only read. Caches are made again from the log, cards are read again from their decks.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from studykit.errors import BadDataError, StudyError
from studykit.scheduling.replay import TALLY_COUNTS, WHOLE_DAY
from studykit.store import sql
from studykit.store.caches import rebuild, replay_all
from studykit.store.database import Connection
from studykit.store.engine import sqlite_url
from studykit.store.migrate import open_migrated
from studykit.store.privacy import create_private
from studykit.store.sqlite_pages import Cell, DatabasePages, Record, read_pages

_EVENT_COLUMNS = sql.EVENT_COLUMNS.split(", ")
_TEXT, _WHOLE, _PERHAPS_TEXT, _PERHAPS_WHOLE = (str,), (int,), (str, type(None)), (int, type(None))
_EVENT_TYPES: tuple[tuple[type, ...], ...] = (
    (bytes,),
    *(_TEXT,) * 4,
    *(_WHOLE,) * 2,
    _TEXT,
    _PERHAPS_WHOLE,
    _WHOLE,
    *(_TEXT,) * 2,
    _PERHAPS_TEXT,
    *(_PERHAPS_WHOLE,) * 2,
    *(_PERHAPS_TEXT,) * 4,
)
_SETTING_TYPES = (_TEXT,) * 3
_CEILING_TYPES = (_TEXT, _TEXT, _TEXT, (float,), _WHOLE)
_FORMER_CEILING_TYPES = _CEILING_TYPES[1:]
_TALLY_TYPES = (_TEXT, *(_WHOLE,) * 10)
_BY_MOMENT, _BY_CARD = 3, 4  # columns of the two indexes that every event stands in
_NOT_COPIED = ("origin", "sync ")  # settings: a new file gets an origin of its own, and reads each place anew
_ID_BYTES = 16
_WIPED = 2  # bytes of nothing at the end of an id: one id in 65,536 has them, and every one on a wiped page
_ANSWERS = [name for name in TALLY_COUNTS if name not in {"took_ms", "young_passed", "mature_passed"}]


@dataclass(frozen=True, slots=True)
class MissingEvent:
    """An event that an index still names."""

    id: bytes
    card: str | None  # None: the index that says so is gone too
    moment: int | None  # microseconds UTC


@dataclass(frozen=True, slots=True)
class Recovery:
    """What came of a recovery."""

    file: Path
    events: int
    missing: tuple[MissingEvent, ...]
    short: dict[date, int]
    """Study days on which more was counted than is left, and by how much: of events that nothing names."""
    pages: int
    damaged: int  # pages that nothing can be read from, or that are not there


@dataclass(slots=True)
class _Remains:
    """What was found on the pages."""

    events: dict[bytes, Record] = field(default_factory=dict)
    named: dict[bytes, MissingEvent] = field(default_factory=dict)
    settings: dict[tuple[Cell, Cell], Cell] = field(default_factory=dict)
    ceilings: dict[tuple[Cell, ...], Record] = field(default_factory=dict)
    tallies: dict[tuple[Cell, Cell], Record] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Keep a record that is known by its columns; a later state of a row takes the place of an earlier."""
        if _is(record, _EVENT_TYPES) and len(bytes(record[0] or b"")) == _ID_BYTES:  # type: ignore[arg-type]
            self.events[record[0]] = record[: len(_EVENT_COLUMNS)]  # type: ignore[index]
        elif isinstance(record[-1], bytes) and len(record[-1]) == _ID_BYTES and record[-1][-_WIPED:].strip(b"\0"):
            self._name(record, record[-1])
        elif len(record) == len(_SETTING_TYPES) and _is(record, _SETTING_TYPES):
            self.settings[record[0], record[1]] = record[2]
        elif len(record) == len(_CEILING_TYPES) and _is(record, _CEILING_TYPES):
            self.ceilings[record[:3]] = record
        elif len(record) == len(_FORMER_CEILING_TYPES) and _is(record, _FORMER_CEILING_TYPES):
            self.ceilings["me", *record[:2]] = ("me", *record)
        elif len(record) == len(_TALLY_TYPES) and _is(record, _TALLY_TYPES):
            self.tallies[record[0], record[1]] = record
        elif len(record) == len(_TALLY_TYPES) + len(WHOLE_DAY) and record[2:4] == WHOLE_DAY:
            self.add((*record[:2], *record[4:]))

    def _name(self, record: Record, id_: bytes) -> None:
        known = self.named.get(id_, MissingEvent(id_, None, None))
        card, moment = known.card, known.moment
        if len(record) == _BY_MOMENT and isinstance(record[1], int):
            moment = record[1]
        if len(record) == _BY_CARD and isinstance(record[1], str) and isinstance(record[2], int):
            card, moment = record[1], record[2]
        self.named[id_] = MissingEvent(id_, card, moment)


def recover(file: Path) -> Recovery:
    """Put what can be read of a damaged file into a new one beside it; BadDataError where there is nothing."""
    try:
        pages = read_pages(file)
    except OSError as error:
        raise StudyError(f"{file} cannot be read ({error.strerror}).") from error
    remains = _Remains()
    for record in pages.records():
        if record:
            remains.add(record)
    if not remains.events and not remains.named:
        raise BadDataError(f"no event of a studykit is left in {file}: put back a copy.")
    new = _new_name(file)
    short = _write(new, remains)
    missing = [event for id_, event in remains.named.items() if id_ not in remains.events]
    missing.sort(key=lambda event: (event.moment or 0, event.id))
    return Recovery(
        file=new,
        events=len(remains.events),
        missing=tuple(missing),
        short=short,
        pages=max(pages.promised, len(pages.images)),
        damaged=len(pages.damaged) + pages.torn + _lost(pages),
    )


def _lost(pages: DatabasePages) -> int:
    """DatabasePages that the file ends before."""
    return max(0, pages.promised - max(pages.images, default=0))


def _is(record: Record, types: tuple[tuple[type, ...], ...]) -> bool:
    return len(record) >= len(types) and all(map(isinstance, record, types))


def _new_name(file: Path) -> Path:
    names = (file.with_name(f"{file.stem}.recovered{number}{file.suffix}") for number in ("", *range(2, 10_000)))
    return next(name for name in names if not name.exists())


def _write(new: Path, remains: _Remains) -> dict[date, int]:
    """Make the new file; gives on which study days fewer answers are left than were counted."""
    create_private(new)
    database = open_migrated(sqlite_url(new), str(new), None)
    try:
        with database.writing("recovery") as connection:
            rows = [dict(zip(_EVENT_COLUMNS, row, strict=True)) for row in remains.events.values()]
            if rows:
                connection.executemany(sql.ADD_EVENT, rows)
            for (learner, name), value in remains.settings.items():
                if str(name).startswith(_NOT_COPIED):
                    continue
                connection.execute(sql.PUT_SETTING, {"learner": learner, "name": name, "value": value})
            for row in remains.ceilings.values():
                values = dict(zip(("learner", "device", "name", "value", "measured"), row, strict=True))
                connection.execute(sql.PUT_CEILING, values)
            learners = sorted({str(row[1]) for row in remains.events.values()})
            for learner in learners:
                rebuild(connection, learner, None)
            return _short(connection, learners, remains.tallies.values())
    finally:
        database.close()


def _short(connection: Connection, learners: Iterable[str], tallies: Iterable[Record]) -> dict[date, int]:
    counted: Counter[int] = Counter()
    for _, day, *counts in tallies:
        if isinstance(day, int) and 0 < day < date.max.toordinal():
            named = dict(zip(TALLY_COUNTS, counts, strict=True))
            counted[day] += sum(int(named[name] or 0) for name in _ANSWERS)
    for learner in learners:
        for (day, *of), tally in replay_all(connection, learner, None).tallies.items():
            if tuple(of) == WHOLE_DAY:
                counted[day] -= sum(getattr(tally, name) for name in _ANSWERS)
    return {date.fromordinal(day): count for day, count in sorted(counted.items()) if count > 0}
