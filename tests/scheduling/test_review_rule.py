"""Check every caller of the review rule against the vectors that the pages' script also passes."""

from dataclasses import asdict
from datetime import timedelta
from uuid import UUID

import pytest
from plain_replay import caches_of
from review_vectors import CARDS, FIRST_DAY, NEW_A_DAY, VECTORS, ReviewVector, ordinal

from decks import basic_card
from studykit.cards.card import DeckId
from studykit.scheduling import review_rule
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Memory
from studykit.scheduling.replay import TALLY_COUNTS, CardMarks, Tally, row_of, steps
from studykit.scheduling.review_rule import WHOLE_DAY, MemoryRow, answer, apply_today
from studykit.store.card_table import DeckUpdate
from studykit.store.rows import DeckFile
from studykit.store.store import Store

DAY = 739_580
every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


def expected(vector: ReviewVector) -> dict[str, tuple[int, ...]]:
    """Return the first six numbers of each memory, days as ordinals."""
    return {card: (*row[:4], ordinal(row[4]), ordinal(row[5])) for card, row in vector.memories.items()}


@every_vector
def test_replay_gives_the_memories_of_the_vector(vector: ReviewVector) -> None:
    ordered = sorted(vector.events, key=lambda event: event.moment)
    undone = {UUID(event.target).bytes for event in ordered if event.kind is EventKind.UNDO}

    memories = caches_of(map(row_of, ordered), undone).memories

    assert {card: row[:6] for card, row in memories.items()} == expected(vector)


@every_vector
def test_steps_say_what_each_answer_was(vector: ReviewVector) -> None:
    kinds = {step.event.id: None if step.undone else step.answer_kind for step in steps(vector.events)}

    assert tuple(kinds[event.id] for event in vector.events) == vector.answers


@every_vector
def test_store_follows_the_vector(store: Store, vector: ReviewVector) -> None:
    cards = [basic_card(name, position=position) for position, name in enumerate(CARDS)]
    store.update_decks(DeckUpdate([DeckFile("flops.md", 1, 1, "", DeckId("flops"), "flops")], cards))
    for event in vector.events:
        store.log.merge([event])

    memories = store.schedule.memories()
    agenda = store.schedule.agenda(FIRST_DAY + timedelta(days=vector.today), new=NEW_A_DAY)

    assert {card: numbers(memory) for card, memory in memories.items()} == expected(vector)
    assert counts(store) == vector.counts
    assert (*agenda.due, *agenda.new, *agenda.drill) == vector.asked
    assert store.schedule.disagreements() == ()


def numbers(memory: Memory) -> tuple[int, ...]:
    days = memory.reviewed.toordinal(), memory.due.toordinal()
    return memory.repetition, memory.interval, memory.ease, memory.lapses, *days


def counts(store: Store) -> dict[str, int]:
    """Return the store's counts of answers over all days, without zeros."""
    total = asdict(store.schedule.stats(FIRST_DAY).total)
    return {name: count for name, count in total.items() if count}


@pytest.mark.parametrize(
    ("ended", "grade", "counted"),
    [
        (20, 3, review_rule.YOUNG_PASSED),
        (20, 2, review_rule.YOUNG_FAILED),
        (21, 3, review_rule.MATURE_PASSED),
        (21, 2, review_rule.MATURE_FAILED),
    ],
)
def test_review_is_mature_from_three_weeks(ended: int, grade: int, counted: int) -> None:
    memory: MemoryRow = (3, ended, 250, 0, DAY - ended, DAY, 5, 2, None, None, None)

    assert answer(memory, grade, DAY)[0] == counted


def test_an_interval_ends_with_the_calendar() -> None:
    last = review_rule.LAST_DAY
    memory: MemoryRow = (9, 300, 250, 0, last - 400, last - 100, 0, 0, None, None, None)

    assert answer(memory, 4, last - 50)[1][:6] == (10, 50, 250, 0, last - 50, last)
    assert answer(None, 4, last)[1] == (1, 0, 250, 0, last, last, 0, 0, None, None, None)


def test_practice_counts_and_leaves_memories() -> None:
    kinds = [("practice", 4, 10), ("quiz", 1, 20), ("bet", None, 300), ("practice", None, 4000)]
    rows = [(b"", kind, "a", DAY, grade, took_ms, "", "sm2-text") for kind, grade, took_ms in kinds]

    caches = caches_of(rows)

    assert (caches.memories, caches.tallies) == ({}, {(DAY, -1, -1): Tally(practised=3, took_ms=4330)})
    assert [review_rule.apply({}, row) for row in rows] == [None] * 4


def test_last_mark_counts_and_survives_a_relink() -> None:
    set_by_hand = "flag a, suspend a, bury a, suspend b, flag b, unsuspend b"
    changes = map(str.split, set_by_hand.split(", "))
    rows = [(b"", kind, card, DAY, None, 0, "", "sm2-text") for kind, card in changes]

    marks = caches_of([*rows, (b"", "relink", "new", DAY, None, 0, "a", "sm2-text")]).marks

    assert marks == {"new": CardMarks(suspended=True, buried=DAY, flagged=True), "b": CardMarks(flagged=True)}


def test_day_keeps_last_grades_in_order() -> None:
    grades: dict[str, int] = {}
    for kind, card, grade, target in (
        (EventKind.ANSWER, "a", 1, ""),
        (EventKind.ANSWER, "b", 2, ""),
        (EventKind.ANSWER, "a", 3, ""),
        (EventKind.ANSWER, "c", 4, ""),
        (EventKind.PRACTICE, "d", 1, ""),
        (EventKind.RELINK, "new", None, "b"),
        (EventKind.RESET, "c", None, ""),
    ):
        apply_today(grades, kind, card, grade, target)

    assert list(grades.items()) == [("a", 3), ("new", 2)]


def test_a_tally_adds_failed_and_passed_reviews_up() -> None:
    reviews = [(4, 0), (1, 1), (4, 2), (4, 3), (4, 9), (5, 24), (0, 60), (4, 60), (4, 61), (4, 64), (1, 64)]
    rows = [(b"", "answer", "a", DAY + day, grade, 10, "", "sm2-text") for grade, day in reviews]

    tallies = {key: tally for key, tally in caches_of(rows).tallies.items() if key[1:] == WHOLE_DAY}

    total = {name: sum(getattr(tally, name) for tally in tallies.values()) for name in TALLY_COUNTS}
    assert Tally(**total) == Tally(1, 5, 4, 1, 1, drills=1, crams=3, took_ms=110)
    assert tallies[DAY + 64, -1, -1] == Tally(mature=1, mature_passed=1, drills=1, took_ms=20)
