"""Check today's agenda: what is due, in which order, and what waits."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from stores import opened

from decks import basic_card
from studykit.cards.card import CardId, DeckId, NoteId
from studykit.scheduling.agenda import Agenda, DueRow, arrange
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.today import Today, TodayRow, today
from studykit.store.card_table import DeckUpdate
from studykit.store.due_count import count_due
from studykit.store.readonly import connect
from studykit.store.rows import DeckFile
from studykit.store.schedule import Schedule
from studykit.store.sqlite import SqliteDatabase
from studykit.store.store import Store

MONDAY = date(2026, 11, 23)
TUESDAY = MONDAY + timedelta(days=1)
WEEK = MONDAY + timedelta(days=7)


class DailyStore:
    """Represent a store with a clock, and short methods for what a learner does on a day."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.day = MONDAY
        self.store = opened(path, self.now, origin="here")

    def now(self) -> datetime:
        return datetime(self.day.year, self.day.month, self.day.day, 9, tzinfo=UTC)

    def shelve(self, *names: str, deck: str = "flops", place: int = 0, store: Store | None = None) -> None:
        """Put cards of one deck into the store. `a.1` and `a.2` are siblings.

        `x:a.1` and `x:a.2` are two notes, with ids as imported notes have them.
        """
        cards = [
            basic_card(
                name,
                note=NoteId(name if ":" in name else name.partition(".")[0]),
                deck=DeckId(deck),
                path=f"{deck}.md",
                position=position,
            )
            for position, name in enumerate(names)
        ]
        file = DeckFile(f"{deck}.md", 1, 1, "", DeckId(deck), deck)
        (store or self.store).update_decks(DeckUpdate([file], cards, places={deck: place}))

    def answer(self, grade: int, *names: str, on: date = MONDAY) -> None:
        self.day = on
        for name in names:
            self.store.log.record(EventKind.ANSWER, CardId(name), grade=Grade(grade))

    def agenda(self, on: date, *, new: int = 10) -> Agenda:
        self.day = on
        return self.store.schedule.agenda(on, new=new)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    connection = connect(path)
    assert connection is not None
    with closing(connection):
        yield connection


@pytest.fixture
def daily(tmp_path: Path) -> Iterator[DailyStore]:
    daily = DailyStore(tmp_path / "study.db")
    yield daily
    daily.store.close()


def test_decks_introduce_cards_by_their_place(daily: DailyStore) -> None:
    daily.shelve("own", deck="a-deck-of-mine", place=3)
    daily.shelve("third", deck="bits", place=2)
    daily.shelve("c", "a", "b", deck="work", place=1)

    assert daily.agenda(MONDAY).new == ("c", "a", "b", "third", "own")


def test_order_of_due_cards_lasts_all_day(daily: DailyStore) -> None:
    names = [f"card-{number}" for number in range(10)]
    daily.shelve(*names)
    daily.answer(4, *names)
    order = daily.agenda(TUESDAY).due

    daily.answer(4, order[0], on=TUESDAY)

    assert daily.agenda(TUESDAY).due == order[1:]
    assert order != tuple(names)


def test_siblings_wait_for_another_day(daily: DailyStore) -> None:
    daily.shelve("six.1", "six.2", "seven.1")
    assert daily.agenda(MONDAY).new == ("six.1", "seven.1")

    daily.answer(4, "six.1")

    assert daily.agenda(MONDAY).new == ("seven.1",)
    assert (daily.agenda(TUESDAY).due, daily.agenda(TUESDAY).new) == (("six.1",), ("seven.1",))


def test_notes_that_were_one_elsewhere_are_siblings(daily: DailyStore) -> None:
    daily.shelve("anki:key.1", "anki:key.2", "anki:other.1", "six.1")
    assert daily.agenda(MONDAY).new == ("anki:key.1", "anki:other.1", "six.1")

    daily.answer(4, "anki:key.1", "anki:key.2")

    assert daily.agenda(MONDAY).new == ("anki:other.1", "six.1")
    assert len(daily.agenda(TUESDAY).due) == 1
    with reading(daily.path) as connection:
        assert count_due(connection, "me", TUESDAY) == (1, 0)


def test_drill_card_is_not_asked_ahead(daily: DailyStore) -> None:
    daily.shelve("a", "b")
    daily.answer(1, "a")
    daily.answer(4, "b")

    agenda = daily.agenda(MONDAY).with_more(daily.store.schedule.ahead(MONDAY))

    assert (agenda.due, agenda.drill) == (("b",), ("a",))


@pytest.mark.parametrize(
    ("away", "back"), [(EventKind.SUSPEND, [EventKind.UNSUSPEND]), (EventKind.BURY, [])], ids=["suspend", "bury"]
)
def test_card_set_aside_comes_back(daily: DailyStore, away: EventKind, back: list[EventKind]) -> None:
    daily.shelve("old", "new")
    daily.answer(4, "old")
    daily.day = TUESDAY
    for name in ("old", "new"):
        daily.store.log.record(away, CardId(name))
    without = daily.agenda(TUESDAY)

    daily.day = TUESDAY + timedelta(days=1)
    for kind, name in product(back, ("old", "new")):
        daily.store.log.record(kind, CardId(name))

    again = daily.agenda(daily.day)
    assert (without.due, without.new) == ((), ())
    assert (again.due, again.new) == (("old",), ("new",))


def test_limit_of_a_deck_holds_for_those_below(daily: DailyStore) -> None:
    daily.shelve(*(f"a-{number}" for number in range(4)), deck="Geo::Europe")
    daily.shelve(*(f"b-{number}" for number in range(4)), deck="Geo::Asia", place=1)
    daily.shelve("c", deck="Geometry", place=2)
    daily.answer(4, "a-0")
    of_decks = {"geo": 3, "geo::asia": 1}

    assert daily.store.schedule.agenda(MONDAY, of_decks=of_decks).new == ("a-1", "a-2", "c")
    assert daily.store.schedule.agenda(MONDAY, of_decks={"geo::asia": 1}).new == ("a-1", "a-2", "a-3", "b-0", "c")


def test_learners_have_their_own_new_cards(daily: DailyStore) -> None:
    daily.shelve("a", "b")
    daily.answer(4, "a")

    with opened(daily.path, daily.now, learner="other", origin="here") as other:
        before = other.schedule.agenda(MONDAY).new
        daily.shelve("a", "b", store=other)

        assert (before, other.schedule.agenda(MONDAY).new) == ((), ("a", "b"))
    assert daily.agenda(MONDAY).new == ("b",)


DUE = [(f"six.{number}", "six", "flops", MONDAY.toordinal()) for number in range(8)]
OTHERS = [(f"card-{number}", f"note-{number}", "flops", MONDAY.toordinal()) for number in range(8)]


def due_on(day: date, rows: Sequence[DueRow]) -> tuple[str, ...]:
    return arrange(day, rows, [], Today({}), limit=0).due


def test_order_of_due_cards_changes_tomorrow() -> None:
    monday, tuesday = due_on(MONDAY, OTHERS), due_on(TUESDAY, OTHERS)

    assert monday != tuesday
    assert sorted(monday) == sorted(tuesday) == [card for card, *_ in OTHERS]


def test_due_siblings_take_turns() -> None:
    orders = [due_on(MONDAY + timedelta(days=late), DUE) for late in range(30)]

    assert {len(each) for each in orders} == {1}
    assert len(set(orders)) > 4


def test_every_list_keeps_to_the_chosen_cards() -> None:
    so_far = Today({"low": ("n1", True), "weak": ("n2", True), "right": ("n3", False)})
    due = [("a", "n4", "flops", 1), ("b", "n5", "memory", 1)]
    new = [("c", "n6", "flops"), ("d", "n7", "memory")]

    agenda = arrange(MONDAY, due, new, so_far, limit=9, cards={"b", "d", "weak", "right"})

    assert agenda == Agenda(MONDAY, due=("b",), new=("d",), drill=("weak",), decks={"memory": 1})  # type: ignore[arg-type]


def test_agenda_is_extended_by_card() -> None:
    so_far = Today({"e": ("n5", True), "f": ("n6", True)})
    due = [("a", "n1", "flops", 1), ("b", "n2", "flops", 2)]
    agenda = arrange(MONDAY, due, [("c", "n3", "flops"), ("d", "n4", "flops")], so_far, limit=9)

    longer = agenda.with_more([CardId("x")])

    assert (longer.due, longer.new, longer.drill, longer.left) == (("a", "b", "x"), ("c", "d"), ("e", "f"), 7)


def test_only_an_answer_gives_a_card_its_turn() -> None:
    day = MONDAY.toordinal()
    rows: list[TodayRow] = [
        (b"1", "practice", "graded", day, 1, "", "n1", 1),
        (b"2", "reset", "unseen", day, None, "", "n2", 1),
        (b"3", "answer", "asked", day, 1, "", "n3", 1),
    ]

    assert today(rows, (), day, ()).answered == {"asked": ("n3", True)}


def full(daily: DailyStore) -> None:
    daily.shelve(*(f"note-{number}.{part}" for number in range(30) for part in (1, 2)))
    daily.shelve(*(f"memory-{number}" for number in range(30)), deck="memory", place=1)
    for back in range(6):
        on = TUESDAY - timedelta(days=back)
        daily.answer(back % 6, *(f"memory-{number}" for number in range(back, 30, 5)), on=on)
    daily.store.log.record(EventKind.SUSPEND, CardId("memory-3"))


@pytest.mark.parametrize("on", [MONDAY, TUESDAY, WEEK])
def test_a_prompt_counts_what_the_agenda_lists(daily: DailyStore, on: date) -> None:
    full(daily)
    daily.answer(4, "note-1.1", "note-2.1", "note-3.1", "note-3.2", "note-4.1", "note-4.2")
    daily.answer(1, "note-2.2", on=WEEK)
    daily.day = on
    daily.store.log.record(EventKind.BURY, CardId("note-1.1"))
    daily.store.log.record(EventKind.BURY, CardId("note-3.1"))
    listed = daily.agenda(on)

    with reading(daily.path) as connection:
        counted = count_due(connection, "me", on)

    assert (counted, sum(counted) > 0) == ((len(listed.due), len(listed.drill)), True)


@pytest.mark.parametrize("name", ["none.db", "torn.db"])
def test_missing_or_damaged_file_is_not_connected(tmp_path: Path, name: str) -> None:
    (tmp_path / "torn.db").write_text("not a database")

    assert connect(tmp_path / name) is None
    assert [path.name for path in tmp_path.iterdir()] == ["torn.db"]


def test_a_path_may_hold_any_characters(tmp_path: Path) -> None:
    daily = DailyStore(tmp_path / "what? #1 %20.db")
    daily.shelve("a")
    daily.store.close()

    with reading(daily.path) as connection:
        schedule = Schedule(SqliteDatabase(daily.path, connection), "me", None)
        assert schedule.agenda(MONDAY).new == ("a",)
