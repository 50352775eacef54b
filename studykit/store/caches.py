"""Keep the caches equal to the log: replay some cards or all. `studykit.scheduling` says what events mean."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, date, tzinfo
from operator import itemgetter
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, TypeVar

from studykit.scheduling import fsrs as schedulers
from studykit.scheduling.event_kinds import EventKind, undone_id
from studykit.scheduling.events import Event
from studykit.scheduling.replay import Caches, Tally, replay, tally_changes
from studykit.scheduling.review_rule import LAST_DAY, TallyKey
from studykit.store import sql
from studykit.store.database import Advance, counted_rows
from studykit.store.rows import event_values, mark_of, mark_values, memory_values, tally_key_values, undone

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs
    from studykit.scheduling.review_rule import MemoryRow

Key = TypeVar("Key", str, TallyKey)
_MAX_CARDS_REPLAYED = 5000  # for more, replaying the whole log is quicker


def merge(connection: Connection, learner: str, events: Sequence[Event], fsrs: "Fsrs | None") -> None:
    """Append events of any age that the log lacks, and update the caches to match it."""
    rows = [event_values(event) for event in events]
    cards: set[str] = {event.card for event in events}
    cards.update(event.target for event in events if event.kind is EventKind.RELINK)
    for event in events:
        if event.kind is EventKind.UNDO:
            target = connection.execute(sql.EVENT, {"learner": learner, "id": undone_id(event.target)}).fetchone()
            cards.update(() if target is None else (target[4],))
    if len(cards) > _MAX_CARDS_REPLAYED:
        connection.executemany(sql.INSERT_EVENT, rows)
        rebuild(connection, learner, fsrs)
        return
    family = _family(connection, learner, cards)
    # Tallies sum over cards, so only the change can be applied: replay the cards both before and after the write.
    before = _replay_cards(connection, learner, family, fsrs)
    connection.executemany(sql.INSERT_EVENT, rows)
    after = _replay_cards(connection, learner, family, fsrs)
    for card in sorted(family):
        _write(connection, learner, card, after)
    for key, change in sorted(tally_changes(before.tallies, after.tallies).items()):
        connection.execute(sql.ADD_TALLY, {**tally_key_values(learner, key), **change})


def replay_all(connection: Connection, learner: str, fsrs: "Fsrs | None", advance: Advance = None) -> Caches:
    """Replay the learner's whole log, and return the caches. `advance` receives counts of events."""
    rows = counted_rows(connection.execute(sql.TIMED_REPLAY, {"learner": learner}), advance)
    return replay(rows, undone(connection, learner), fsrs, zone_of)


def rebuild(connection: Connection, learner: str, fsrs: "Fsrs | None", advance: Advance = None) -> None:
    """Rebuild the learner's caches by replaying the log under this scheduler."""
    replayed = replay_all(connection, learner, fsrs, advance)
    for forget in sql.FORGET:
        connection.execute(forget, {"learner": learner})
    marks = (mark_values(learner, card, mark) for card, mark in replayed.marks.items())
    connection.executemany(sql.PUT_MARK, marks)
    tallies = sorted(replayed.tallies.items(), key=itemgetter(0))
    connection.executemany(
        sql.ADD_TALLY, ({**tally_key_values(learner, key), **asdict(tally)} for key, tally in tallies)
    )
    # In the order of the table's primary key, which halves the time to insert them.
    memories = sorted(replayed.memories.items())
    connection.executemany(sql.INSERT_MEMORY, (memory_values(learner, *each) for each in memories))
    connection.execute(sql.MAKE_ALL_FRESH, {"learner": learner})
    which = {"learner": learner, "name": sql.SCHEDULER}
    connection.execute(sql.PUT_SETTING, {**which, "value": "" if fsrs is None else fsrs.name})


def rebuild_all(connection: Connection) -> None:
    """Rebuild every learner's caches under the scheduler that each learner used last."""
    for (learner,) in list(connection.execute(sql.LEARNERS)):
        scheduler = connection.execute(sql.SETTING, {"learner": learner, "name": sql.SCHEDULER}).fetchone()
        rebuild(connection, learner, schedulers.named(scheduler[0] if scheduler else ""))


def disagreements(
    connection: Connection, learner: str, fsrs: "Fsrs | None", advance: Advance = None
) -> Iterator[str]:
    """Yield the name of each cached value that differs from a replay of the log, such as `memory of six`."""
    replayed = replay_all(connection, learner, fsrs, advance)
    who = {"learner": learner}
    memories = ((row[0], tuple(row[1:])) for row in connection.execute(sql.MEMORIES, who))
    yield from (f"memory of {card}" for card in _differences(memories, replayed.memories))
    marks = ((row[0], mark_of(row)) for row in connection.execute(sql.MARKS, who))
    yield from (f"marks of {card}" for card in _differences(marks, replayed.marks))
    expected = {key: tally for key, tally in replayed.tallies.items() if tally != Tally()}
    tallies = (((row[0], row[1], row[2]), Tally(*row[3:])) for row in connection.execute(sql.ALL_TALLIES, who))
    wrong = _differences((each for each in tallies if each[1] != Tally()), expected)
    for day in sorted({day for day, _, _ in wrong}):
        yield f"tally of {date.fromordinal(day) if 0 < day <= LAST_DAY else day}"


def _differences(cached: Iterable[tuple[Key, object]], replayed: dict[Key, Any]) -> list[Key]:
    """Return the keys whose two values differ. Empty `replayed` on the way, to save memory."""
    wrong = {key for key, value in cached if replayed.pop(key, None) != value}
    return sorted(wrong | replayed.keys())


def _family(connection: Connection, learner: str, cards: set[str]) -> set[str]:
    """Return the ids of these cards and every id that a relink connects to them."""
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
        rows = [row for row in rows if row[:2] < before]
    rows.sort(key=itemgetter(0, 1))  # by moment and id
    return replay((row[1:] for row in rows), undone(connection, learner), fsrs, zone_of)


def zone_of(name: str) -> tzinfo:
    """Return the time zone of this name, or UTC if this machine does not know it."""
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
