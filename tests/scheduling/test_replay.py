"""Check that every way of replaying a log agrees, for random histories in any order."""

import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st
from plain_replay import caches_of, plain_replay
from stores import NOW, Clock, opened

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.replay import TALLY_COUNTS, row_of, steps, tally_changes
from studykit.scheduling.review_rule import EventRow
from studykit.store.store import Store

CARDS = ("a", "b", "c")
KINDS = (
    *[EventKind.ANSWER] * 12,
    EventKind.RESET,
    EventKind.SUSPEND,
    EventKind.UNSUSPEND,
    EventKind.BURY,
    EventKind.FLAG,
    EventKind.UNFLAG,
    EventKind.PRACTICE,
    *[EventKind.ADOPT] * 2,
)


def an_event(number: int, kind: EventKind, card: str, days: int, grade: int, *, target: str = "") -> Event:
    moment = NOW + timedelta(days=days, minutes=number)
    return Event(
        id=UUID(int=(7 << 76) + (0b10 << 62) + number),
        learner="me",
        origin="here",
        kind=kind,
        card=CardId(card),
        moment=int(moment.timestamp() * 1_000_000),
        day=moment.date(),
        zone="UTC",
        grade=Grade(grade) if kind is EventKind.ANSWER else None,
        target=target or ("" if kind is not EventKind.ADOPT else f"{grade} {number} {140 + days} 1"),
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Return a few dozen events of three cards over some weeks, with undos and relinks."""
    steps = draw(
        st.lists(
            st.tuples(st.sampled_from(KINDS), st.sampled_from(CARDS), st.integers(0, 9), st.integers(0, 5)),
            max_size=40,
        )
    )
    events: list[Event] = []
    day = 0
    for number, (kind, card, gap, grade) in enumerate(steps):
        day += max(0, gap - 4)
        events.append(an_event(number, kind, card, day, grade))
        if events and gap == 0:
            target = draw(st.sampled_from(events))
            events.append(an_event(1000 + number, EventKind.UNDO, target.card, day, 0, target=str(target.id)))
    if draw(st.booleans()):
        events.append(an_event(2000, EventKind.RELINK, "d", day, 0, target="a"))
    return events


def rows_of(events: Sequence[Event]) -> list[EventRow]:
    ordered = sorted(events, key=lambda event: (event.moment, event.id))
    return [row_of(event) for event in ordered]


def replayed(events: Sequence[Event]) -> dict[CardId, Memory]:
    undone = {UUID(event.target).bytes for event in events if event.kind is EventKind.UNDO}
    memories = caches_of(rows_of(events), undone).memories
    return {CardId(card): memory_of(memory) for card, memory in memories.items()}


@given(histories())
def test_replay_follows_the_rule(events: list[Event]) -> None:
    assert replayed(events) == plain_replay(events)


@given(histories())
def test_steps_lead_from_memory_to_memory(events: list[Event]) -> None:
    after: dict[CardId, Memory | None] = {}
    for step in steps(events):
        if step.event.kind is not EventKind.RELINK:
            assert step.before == after.get(step.event.card)
        after[step.event.card] = step.after

    memories = plain_replay(events)
    assert {card: after[card] for card in memories} == memories


@given(histories(), st.randoms(use_true_random=False))
def test_order_of_arrival_does_not_matter(events: list[Event], random: Random) -> None:
    shuffled = list(events)
    random.shuffle(shuffled)

    assert list(steps(shuffled)) == list(steps(events))


@given(histories())
def test_an_undone_event_never_happened(events: list[Event]) -> None:
    gone = {event.target for event in events if event.kind is EventKind.UNDO}
    without = [event for event in events if str(event.id) not in gone and event.kind is not EventKind.UNDO]

    assert replayed(events) == replayed(without)


@given(histories())
def test_tally_changes_lead_to_the_new_tallies(events: list[Event]) -> None:
    before, after = caches_of(rows_of(events[: len(events) // 2])), caches_of(rows_of(events))

    changes = tally_changes(before.tallies, after.tallies)

    for day, tally in after.tallies.items():
        start = before.tallies.get(day)
        reached = {name: getattr(start, name, 0) + changes.get(day, {}).get(name, 0) for name in TALLY_COUNTS}
        assert reached == {name: getattr(tally, name) for name in TALLY_COUNTS}


@given(histories())
@settings(max_examples=25)
def test_store_holds_what_its_log_gives(empty: Path, events: list[Event]) -> None:
    clock = Clock()
    path = shutil.copy(empty, empty.with_name("study.db"))

    with opened(path, clock, origin="here") as store:
        feed(store, clock, events)

        assert store.schedule.disagreements() == ()
        assert store.schedule.memories() == plain_replay(store.log.events())


def feed(store: Store, clock: Clock, events: Sequence[Event]) -> None:
    """Record each event at its moment, but every third one as if it had happened a day earlier."""
    written: dict[str, UUID] = {}
    for number, event in enumerate(events):
        clock.now = NOW + timedelta(microseconds=event.moment - int(NOW.timestamp() * 1_000_000))
        if event.kind is EventKind.UNDO:
            if (target := written.pop(event.target, None)) is not None:
                store.log.undo(target)
            continue
        at = clock.now - timedelta(days=1) if number % 3 == 2 else None
        done = store.log.record(event.kind, event.card, grade=event.grade, at=at, target=event.target)
        written[str(event.id)] = done.event.id


@given(histories())
@settings(max_examples=15)
def test_merged_logs_agree_either_way(empty: Path, events: list[Event]) -> None:
    paths = {name: shutil.copy(empty, empty.with_name(f"{name}.db")) for name in ("one", "two")}
    stores = [opened(path, origin=name) for name, path in paths.items()]
    one, two = stores
    one.log.merge(events[::2])
    two.log.merge(events[1::2])

    one.log.merge(list(two.log.events()))
    two.log.merge(list(one.log.events()))

    assert one.schedule.memories() == two.schedule.memories() == plain_replay(events)
    for store in stores:
        store.close()


CACHES = ("memory", "mark", "tally")


def test_rebuild_equals_a_fresh_cache(tmp_path: Path) -> None:
    breaks = (
        "UPDATE memory SET due = due + 1 WHERE card_id = 'a'",
        "UPDATE memory SET live = 1 - live WHERE card_id = 'b'",
        "UPDATE memory SET deck = 'elsewhere' WHERE card_id = 'c'",
        "DELETE FROM memory WHERE card_id = 'd'",
        "UPDATE memory SET card_id = 'gone' WHERE card_id = 'e'",
        "UPDATE memory SET stability = 2.5 WHERE card_id = 'f'",
        "UPDATE mark SET suspended = 0",
    )
    with opened(tmp_path / "study.db") as store:
        for card in "abcdefg":
            store.log.record(EventKind.ANSWER, CardId(card), grade=Grade.GOOD)
        store.log.record(EventKind.SUSPEND, CardId("g"))

        def rebuilt(*before: str) -> list[list[tuple[object, ...]]]:
            with store._database.writing() as connection:
                for statement in before:
                    connection.execute(statement)
            store.schedule.rebuild()
            with store._database.reading() as connection:
                return [list(map(tuple, connection.execute(f"SELECT * FROM {table}"))) for table in CACHES]

        filled = rebuilt(*(f"DELETE FROM {table}" for table in CACHES))

        assert len(filled[0]) == 7
        assert rebuilt(*breaks) == filled
        assert rebuilt() == filled
