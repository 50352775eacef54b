"""Keep the caches equal to the log, by replaying the events of some cards or of all.

`studykit.scheduling` decides what an event means.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from operator import itemgetter
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, TypeVar, cast

from studykit.scheduling import fsrs as schedulers
from studykit.scheduling.event_kinds import EventKind, undone_id
from studykit.scheduling.events import Event
from studykit.scheduling.replay import Caches, CardMarks, Tally, replay, tally_changes
from studykit.scheduling.review_rule import LAST_DAY, WHOLE_DAY, TallyKey
from studykit.store import sql
from studykit.store.database import Advance, counted_rows
from studykit.store.rows import (
    MEMORY_COLUMNS,
    event_values,
    mark_of,
    mark_values,
    memory_values,
    tally_key_values,
    tally_values,
    undone,
)

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs
    from studykit.scheduling.replay import ReplayRow
    from studykit.scheduling.review_rule import MemoryRow

Write = Callable[[], object]
Key = TypeVar("Key", str, TallyKey)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Report a difference between the cache and the replayed log."""

    what: str  # `memory of CARD`, `marks of CARD` or `tally of DAY`
    cached: str
    replayed: str


def refold(connection: Connection, learner: str, cards: Iterable[str], write: Write, fsrs: "Fsrs | None") -> None:
    """Call `write`, which appends events of `cards`, and update the caches to match the log."""
    family = _family(connection, learner, set(cards))
    # Tallies sum over cards, so only the change can be applied: replay the cards both before and after the write.
    before = _replay_cards(connection, learner, family, fsrs)
    write()
    after = _replay_cards(connection, learner, family, fsrs)
    for card in sorted(family):
        _write(connection, learner, card, after)
    for key, change in sorted(tally_changes(before.tallies, after.tallies).items()):
        connection.execute(sql.ADD_TALLY, {**tally_key_values(learner, key), **change})


def merge(
    connection: Connection,
    learner: str,
    events: Sequence[Event],
    fsrs: "Fsrs | None",
    one_by_one: int,
) -> None:
    """Append events of another log, whatever their moments, and update the caches.

    For more than `one_by_one` cards, replay the whole log instead of single cards.
    """

    def write() -> None:
        connection.executemany(sql.INSERT_EVENT, [event_values(event) for event in events])

    cards: set[str] = {event.card for event in events}
    cards.update(event.target for event in events if event.kind is EventKind.RELINK)
    for event in events:
        if event.kind is EventKind.UNDO:
            target = connection.execute(sql.EVENT, {"learner": learner, "id": undone_id(event.target)}).fetchone()
            cards.update(() if target is None else (target[4],))
    if len(cards) <= one_by_one:
        refold(connection, learner, cards, write, fsrs)
        return
    write()
    rebuild(connection, learner, fsrs)


def replay_all(connection: Connection, learner: str, fsrs: "Fsrs | None", advance: Advance = None) -> Caches:
    """Return the caches from replaying the learner's whole log. `advance` receives counts of events."""
    rows = counted_rows(connection.execute(sql.TIMED_REPLAY, {"learner": learner}), advance)
    return replay(cast("Iterable[ReplayRow]", rows), undone(connection, learner), fsrs, zone_of)


def rebuild(connection: Connection, learner: str, fsrs: "Fsrs | None", advance: Advance = None) -> None:
    """Replace the learner's caches by a replay of the log under this scheduler."""
    replayed = replay_all(connection, learner, fsrs, advance)
    for forget in sql.FORGET:
        connection.execute(forget, {"learner": learner})
    if replayed.marks:
        marks = (mark_values(learner, card, mark) for card, mark in replayed.marks.items())
        connection.executemany(sql.PUT_MARK, marks)
    if replayed.tallies:
        ordered = sorted(replayed.tallies.items(), key=itemgetter(0))
        connection.executemany(sql.ADD_TALLY, (tally_values(learner, key, tally) for key, tally in ordered))
    if replayed.memories:
        # In the order of the table's primary key, which halves the time to insert them.
        memories = sorted(replayed.memories.items())
        connection.executemany(sql.INSERT_MEMORY, (memory_values(learner, *each) for each in memories))
    connection.execute(sql.MAKE_ALL_FRESH, {"learner": learner})
    which = {"learner": learner, "name": sql.SCHEDULER}
    connection.execute(sql.PUT_SETTING, {**which, "value": "" if fsrs is None else fsrs.name})


def rebuild_all(connection: Connection) -> None:
    """Replace every learner's caches by a replay of the log under the scheduler that made them last."""
    for (learner,) in list(connection.execute(sql.LEARNERS)):
        scheduler = connection.execute(sql.SETTING, {"learner": learner, "name": sql.SCHEDULER}).fetchone()
        rebuild(connection, learner, schedulers.named(scheduler[0] if scheduler else ""))


def disagreements(
    connection: Connection, learner: str, fsrs: "Fsrs | None", advance: Advance = None
) -> Iterator[Disagreement]:
    """Yield each difference between the caches and a replay of the log."""
    replayed = replay_all(connection, learner, fsrs, advance)
    who = {"learner": learner}
    memories = ((row[0], tuple(row[1:])) for row in connection.execute(sql.MEMORIES, who))
    yield from _differences("memory of", memories, replayed.memories, str)
    known_marks = ((row[0], mark_of(row)) for row in connection.execute(sql.MARKS, who))
    yield from _differences("marks of", known_marks, replayed.marks, str)
    tallies = {key: tally for key, tally in replayed.tallies.items() if tally != Tally()}
    cached = (((row[0], row[1], row[2]), Tally(*row[3:])) for row in connection.execute(sql.ALL_TALLIES, who))
    yield from _differences("tally of", (each for each in cached if each[1] != Tally()), tallies, _in_words)


def _in_words(key: TallyKey) -> str:
    day, *of = key
    date_ = str(date.fromordinal(day)) if 0 < day <= LAST_DAY else str(day)
    return date_ if tuple(of) == WHOLE_DAY else f"the month from {date_}, grade {of[1]} from {of[0]}:00"


def _differences(
    what: str, cached: Iterable[tuple[Key, object]], replayed: dict[Key, Any], in_words: Callable[[Key], str]
) -> Iterator[Disagreement]:
    """Yield each difference. Empty `replayed` on the way, to save memory."""
    wrong: dict[str, tuple[object, object]] = {}
    for key, old in cached:
        if (new := replayed.pop(key, None)) != old:
            wrong[in_words(key)] = old, new
    wrong.update((in_words(key), (None, new)) for key, new in replayed.items())
    for name, (old, new) in sorted(wrong.items(), key=itemgetter(0)):
        yield Disagreement(f"{what} {name}", _parts_of(old), _parts_of(new))


def _parts_of(cached: object) -> str:
    """Format a cached value with the names of its parts."""
    if not isinstance(cached, tuple) or isinstance(cached, CardMarks | Tally):  # their repr names the parts
        return repr(cached)
    return ", ".join(f"{name} {number}" for name, number in zip(MEMORY_COLUMNS, cached, strict=True))


def _family(connection: Connection, learner: str, cards: set[str]) -> set[str]:
    """Return the cards with every id that they had earlier or were given later by a relink."""
    pairs = [tuple(row) for row in connection.execute(sql.RELINKS, {"learner": learner})]
    family, size = set(cards), 0
    while len(family) != size:
        size = len(family)
        for pair in pairs:
            if not family.isdisjoint(pair):
                family.update(pair)
    return family


def _replay_cards(
    connection: Connection,
    learner: str,
    cards: set[str],
    fsrs: "Fsrs | None",
    *,
    before: tuple[int, bytes] | None = None,
) -> Caches:
    keys = ({"learner": learner, "card": card} for card in cards)
    rows = [row for key in keys for row in connection.execute(sql.CARD_REPLAY, key)]
    if before is not None:
        rows = [row for row in rows if (row[0], bytes(row[1])) < before]
    rows.sort(key=lambda row: (row[0], bytes(row[1])))
    timed = ((bytes(row[1]), *row[2:]) for row in rows)
    return replay(cast("Iterable[ReplayRow]", timed), undone(connection, learner), fsrs, zone_of)


def zone_of(name: str) -> tzinfo:
    """Return the time zone of an event, or UTC if this machine does not know it."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return UTC


def memory_before(connection: Connection, learner: str, event: Event, fsrs: "Fsrs | None") -> "MemoryRow | None":
    """Return the card's memory at the moment of an event that is not logged yet."""
    family = _family(connection, learner, {event.card})
    replayed = _replay_cards(connection, learner, family, fsrs, before=(event.moment, event.id.bytes))
    return replayed.memories.get(event.card)


def _write(connection: Connection, learner: str, card: str, caches: Caches) -> None:
    which = {"learner": learner, "card": card}
    if (mark := caches.marks.get(card)) is not None:
        connection.execute(sql.PUT_MARK, mark_values(learner, card, mark))
    else:
        connection.execute(sql.DELETE_MARK, which)
    if (memory := caches.memories.get(card)) is None:
        connection.execute(sql.DELETE_MEMORY, which)
        connection.execute(sql.MAKE_FRESH, which)
        return
    values = memory_values(learner, card, memory)
    if connection.execute(sql.UPDATE_MEMORY, values).rowcount == 0:
        connection.execute(sql.INSERT_MEMORY, values)
        connection.execute(sql.MAKE_KNOWN, which)
    connection.execute(sql.PLACE_MEMORY, which)
