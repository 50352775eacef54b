"""Keeping the caches equal to the log: one card after an event out of order, or all of them."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from uuid import UUID

from studykit.scheduling.events import Event, EventKind
from studykit.scheduling.replay import TALLY_COUNTS, Caches, CardMarks, Tally, replay, tally_changes
from studykit.scheduling.review_rule import EventRow, MemoryRow
from studykit.store import sql
from studykit.store.connection import Handle, one, rows, run, streamed
from studykit.store.rows import event_values

Write = Callable[[], object]

_COLUMNS = sql.MEMORY_COLUMNS.split(", ")  # in the order of a `MemoryRow`
_ONE_BY_ONE = 5000  # cards; with more of them the whole log is read again


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A place where the cache says something else than the log."""

    what: str  # `memory of CARD`, `marks of CARD`, `tally of DAY`
    cached: str
    replayed: str


def refold(connection: Handle, learner: str, cards: Iterable[str], write: Write) -> None:
    """Do `write`, which appends events of `cards`, and bring their caches to what the log then says."""
    family = _family(connection, learner, set(cards))
    before = _replay_cards(connection, learner, family)
    write()
    after = _replay_cards(connection, learner, family)
    for card in sorted(family):
        _put(connection, learner, card, after)
    for day, change in sorted(tally_changes(before.tallies, after.tallies).items()):
        run(connection, sql.ADD_TALLY, {"learner": learner, "day": day, **change})


def unite(connection: Handle, learner: str, events: Sequence[Event]) -> None:
    """Append events of another log, whatever their moments, and bring the caches along."""

    def write() -> None:
        run(connection, sql.ADD_EVENT, [event_values(event) for event in events])

    cards: set[str] = {event.card for event in events}
    cards.update(event.target for event in events if event.kind is EventKind.RELINK)
    for event in events:
        if event.kind is EventKind.UNDO and (row := one(connection, sql.EVENT, id=UUID(event.target).bytes)):
            cards.add(row[4])
    if len(cards) <= _ONE_BY_ONE:
        refold(connection, learner, cards, write)
        return
    write()
    rebuild(connection, learner)


def replay_all(connection: Handle, learner: str) -> Caches:
    """The caches as the learner's whole log makes them."""
    return replay(_rows(connection, learner), undone(connection, learner))


def rebuild(connection: Handle, learner: str) -> None:
    """Throw the learner's caches away and make them again from the log."""
    replayed = replay_all(connection, learner)
    for forget in sql.FORGET:
        run(connection, forget, {"learner": learner})
    marks = [mark_values(learner, card, mark) for card, mark in replayed.marks.items()]
    ordered = sorted(replayed.memories.items(), key=itemgetter(0))  # as the table is: written in half the time
    memories = [memory_values(learner, card, memory) for card, memory in ordered]
    tallies = [{"learner": learner, "day": day, **tally_values(tally)} for day, tally in replayed.tallies.items()]
    for text, values in ((sql.PUT_MARK, marks), (sql.INSERT_MEMORY, memories), (sql.ADD_TALLY, tallies)):
        if values:
            run(connection, text, values)
    run(connection, sql.MAKE_ALL_FRESH)


def disagreements(connection: Handle, learner: str) -> Iterator[Disagreement]:
    """Where the caches differ from a replay of the log."""
    replayed = replay_all(connection, learner)
    memories = {row[0]: tuple(row[1:]) for row in rows(connection, sql.MEMORIES, learner=learner)}
    yield from _differences("memory of", memories, replayed.memories)
    marks = {card: mark for card, mark in replayed.marks.items() if mark != CardMarks()}
    yield from _differences("marks of", read_marks(connection, learner), marks)
    cached = {row[0]: Tally(*row[1:]) for row in rows(connection, sql.TALLIES, learner=learner)}
    yield from _differences("tally of", _by_date(cached), _by_date(replayed.tallies))


def _by_date(tallies: Mapping[int, Tally]) -> dict[str, Tally]:
    nothing = Tally()
    return {str(date.fromordinal(day)): tally for day, tally in tallies.items() if tally != nothing}


def _differences(
    what: str, cached: Mapping[str, object], replayed: Mapping[str, object]
) -> Iterator[Disagreement]:
    if cached == replayed:  # the usual case, and quick
        return
    for key in sorted(cached.keys() | replayed.keys()):
        if (old := cached.get(key)) != (new := replayed.get(key)):
            yield Disagreement(f"{what} {key}", _named(old), _named(new))


def _named(cached: object) -> str:
    """A cached value with the names of its parts."""
    if not isinstance(cached, tuple):
        return repr(cached)
    return ", ".join(f"{name} {number}" for name, number in zip(_COLUMNS, cached, strict=True))


def undone(connection: Handle, learner: str) -> set[bytes]:
    """Ids of the events that were taken back."""
    return {UUID(row[0]).bytes for row in rows(connection, sql.UNDONE, learner=learner)}


def outcomes(connection: Handle, learner: str) -> Iterator[tuple[str, str, str, int]]:
    """How exercises came out: template, verdict, slips and how often, the undone ones taken off again."""
    for row in rows(connection, sql.OUTCOMES, learner=learner):
        yield row[0], row[1], row[2], row[3]
    for id_ in undone(connection, learner):
        if (found := one(connection, sql.OUTCOME, id=id_)) is not None:
            yield found[0], found[1], found[2], -1


def read_marks(connection: Handle, learner: str) -> dict[str, CardMarks]:
    """What is set by hand on each card that has something set."""
    found = rows(connection, sql.MARKS, learner=learner)
    return {row[0]: CardMarks(bool(row[1]), row[2], bool(row[3])) for row in found}


def memory_values(learner: str, card: str, memory: MemoryRow) -> dict[str, object]:
    """The columns of a memory."""
    return {"learner": learner, "card": card, **dict(zip(_COLUMNS, memory, strict=True))}


def tally_values(tally: Tally) -> dict[str, int]:
    """The counts of a tally by name."""
    return {name: getattr(tally, name) for name in TALLY_COUNTS}


def mark_values(learner: str, card: str, mark: CardMarks) -> dict[str, object]:
    """The columns of a mark."""
    return {
        "learner": learner,
        "card": card,
        "suspended": int(mark.suspended),
        "buried": mark.buried,
        "flagged": int(mark.flagged),
    }


def _rows(connection: Handle, learner: str) -> Iterator[EventRow]:
    if isinstance(connection, sqlite3.Connection):
        return rows(connection, sql.ROWS, learner=learner)  # as they come
    found = streamed(connection, sql.ROWS, learner=learner)
    return ((bytes(id_), *rest) for id_, *rest in found)


def _family(connection: Handle, learner: str, cards: set[str]) -> set[str]:
    """The cards and every id they had before or came to have."""
    pairs = [tuple(row) for row in rows(connection, sql.RELINKS, learner=learner)]
    family, size = set(cards), 0
    while len(family) != size:
        size = len(family)
        for pair in pairs:
            if not family.isdisjoint(pair):
                family.update(pair)
    return family


def _replay_cards(connection: Handle, learner: str, cards: set[str]) -> Caches:
    found = [row for card in cards for row in rows(connection, sql.CARD_ROWS, learner=learner, card=card)]
    found.sort(key=lambda row: (row[0], bytes(row[1])))
    return replay(((bytes(row[1]), *row[2:]) for row in found), undone(connection, learner))


def _put(connection: Handle, learner: str, card: str, caches: Caches) -> None:
    which = {"learner": learner, "card": card}
    if (mark := caches.marks.get(card)) is not None and mark != CardMarks():
        run(connection, sql.PUT_MARK, mark_values(learner, card, mark))
    else:
        run(connection, sql.DELETE_MARK, which)
    if (memory := caches.memories.get(card)) is None:
        run(connection, sql.DELETE_MEMORY, which)
        run(connection, sql.MAKE_FRESH, which)
        return
    values = memory_values(learner, card, memory)
    if run(connection, sql.UPDATE_MEMORY, values) == 0:
        run(connection, sql.INSERT_MEMORY, values)
        run(connection, sql.MAKE_STALE, which)
    run(connection, sql.PLACE_ONE_MEMORY, which)
