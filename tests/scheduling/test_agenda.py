"""Today's agenda: what is due, in which order, and what waits."""

from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from studykit.cards.card import Card, CardId, DeckId, Kind, NoteId
from studykit.scheduling import today as study_day
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.events import EventKind
from studykit.scheduling.sm2 import Grade
from studykit.store.due_count import count_due
from studykit.store.opening import open_store
from studykit.store.readonly import connect
from studykit.store.rows import DeckFile, rank
from studykit.store.snapshot import glance

MONDAY = date(2026, 11, 23)
TUESDAY = MONDAY + timedelta(days=1)
WEEK = MONDAY + timedelta(days=7)


class Desk:
    """A store with a clock, and short words for what a learner does on a day."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.day = MONDAY
        self.store = open_store(path, clock=self.now, zone_name="UTC", zone=ZoneInfo("UTC"), origin="here")

    def now(self) -> datetime:
        return datetime(self.day.year, self.day.month, self.day.day, 9, tzinfo=UTC)

    def shelve(self, *names: str, deck: str = "flops", objectives: tuple[str, ...] = ()) -> None:
        """Cards of one deck; `a.1` and `a.2` are siblings."""
        cards = [
            Card(
                id=CardId(name),
                note=NoteId(name.partition(".")[0]),
                deck=DeckId(deck),
                kind=Kind.BASIC,
                prompt=name,
                answer="",
                path=f"{deck}.md",
                line=1,
                position=position,
                content_hash="0" * 32,
                named=True,
            )
            for position, name in enumerate(names)
        ]
        file = DeckFile(f"{deck}.md", 1, 1, "", DeckId(deck), deck)
        self.store.replace_cards([file], cards, places={deck: rank(objectives)})

    def answer(self, grade: int, *names: str, on: date = MONDAY) -> None:
        self.day = on
        for name in names:
            self.store.record(EventKind.ANSWER, CardId(name), grade=Grade(grade))

    def agenda(self, on: date, *, new: int = 10, decks: Collection[str] = ()) -> Agenda:
        self.day = on
        return self.store.agenda(on, new=new, decks=decks)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "study.db")
    yield desk
    desk.store.close()


def test_new_cards_come_in_the_order_of_their_deck(desk: Desk) -> None:
    desk.shelve("c", "a", "b")

    assert desk.agenda(MONDAY).new == ("c", "a", "b")


def test_decks_bring_their_new_cards_in_the_order_of_the_lesson(desk: Desk) -> None:
    desk.shelve("own", deck="a-deck-of-mine")
    desk.shelve("third", deck="bits", objectives=("intensity",))
    desk.shelve("first", deck="work", objectives=("flops", "training"))

    assert desk.agenda(MONDAY).new == ("first", "third", "own")


def test_a_day_brings_no_more_new_cards_than_the_limit(desk: Desk) -> None:
    desk.shelve("a", "b", "c")

    assert desk.agenda(MONDAY, new=2).new == ("a", "b")


def test_cards_introduced_today_count_against_the_limit(desk: Desk) -> None:
    desk.shelve("a", "b", "c", "d")

    desk.answer(4, "a")

    assert desk.agenda(MONDAY, new=2).new == ("b",)


def test_an_undone_introduction_does_not_count_against_the_limit(desk: Desk) -> None:
    desk.shelve("a", "b", "c")
    desk.answer(4, "a")

    desk.store.undo()

    assert desk.agenda(MONDAY, new=2).new == ("a", "b")


def test_the_longest_overdue_card_comes_first(desk: Desk) -> None:
    desk.shelve("a", "b", "c")
    desk.answer(4, "b", on=MONDAY)
    desk.answer(4, "a", on=TUESDAY)

    assert desk.agenda(WEEK).due == ("b", "a")


def test_cards_due_on_one_day_come_in_an_order_that_stays_all_day(desk: Desk) -> None:
    names = [f"card-{number}" for number in range(10)]
    desk.shelve(*names)
    desk.answer(4, *names)
    order = desk.agenda(TUESDAY).due

    desk.answer(4, order[0], on=TUESDAY)

    assert desk.agenda(TUESDAY).due == order[1:]
    assert order != tuple(names)


def test_one_sibling_is_asked_and_the_others_wait(desk: Desk) -> None:
    desk.shelve("six.1", "six.2", "seven.1")

    assert desk.agenda(MONDAY).new == ("six.1", "seven.1")


def test_a_sibling_of_a_card_answered_today_waits(desk: Desk) -> None:
    desk.shelve("six.1", "six.2", "seven.1")

    desk.answer(4, "six.1")

    assert desk.agenda(MONDAY).new == ("seven.1",)
    assert desk.agenda(TUESDAY).due == ("six.1",)


def test_a_new_sibling_of_a_due_card_waits(desk: Desk) -> None:
    desk.shelve("six.1", "six.2")

    desk.answer(4, "six.1")

    assert desk.agenda(TUESDAY).new == ()


def test_a_card_below_four_is_drilled_until_it_scores_four(desk: Desk) -> None:
    desk.shelve("a", "b")
    desk.answer(3, "a")
    desk.answer(1, "b")
    first = desk.agenda(MONDAY).drill
    desk.answer(2, "a")
    second = desk.agenda(MONDAY).drill

    desk.answer(4, "b")

    assert (first, second, desk.agenda(MONDAY).drill) == (("a", "b"), ("b", "a"), ("a",))


def test_an_unfinished_drill_is_dropped_overnight(desk: Desk) -> None:
    desk.shelve("a")

    desk.answer(1, "a")

    assert desk.agenda(TUESDAY).drill == ()
    assert desk.agenda(TUESDAY).due == ("a",)


def test_a_failed_cram_is_not_drilled(desk: Desk) -> None:
    desk.shelve("a")
    desk.answer(4, "a")
    desk.answer(4, "a", on=TUESDAY)

    desk.answer(1, "a", on=TUESDAY + timedelta(days=2))

    assert desk.agenda(TUESDAY + timedelta(days=2)).drill == ()


def test_an_undone_failure_is_not_drilled(desk: Desk) -> None:
    desk.shelve("a")
    desk.answer(1, "a")

    desk.store.undo()

    assert desk.agenda(MONDAY).drill == ()


def test_a_suspended_card_is_out_until_it_is_taken_back(desk: Desk) -> None:
    desk.shelve("old", "new")
    desk.answer(4, "old")
    for name in ("old", "new"):
        desk.store.record(EventKind.SUSPEND, CardId(name))
    without = desk.agenda(TUESDAY)

    for name in ("old", "new"):
        desk.store.record(EventKind.UNSUSPEND, CardId(name))

    again = desk.agenda(TUESDAY)
    assert (without.due, without.new) == ((), ())
    assert (again.due, again.new) == (("old",), ("new",))


def test_a_buried_card_is_back_tomorrow(desk: Desk) -> None:
    desk.shelve("old", "new")
    desk.answer(4, "old")
    desk.day = TUESDAY
    for name in ("old", "new"):
        desk.store.record(EventKind.BURY, CardId(name))

    today, tomorrow = desk.agenda(TUESDAY), desk.agenda(TUESDAY + timedelta(days=1))

    assert (today.due, today.new) == ((), ())
    assert (tomorrow.due, tomorrow.new) == (("old",), ("new",))


def test_an_agenda_of_one_deck_leaves_the_others_out(desk: Desk) -> None:
    desk.shelve("a")
    desk.shelve("b", deck="memory")

    assert desk.store.agenda(MONDAY, decks=["memory"]).new == ("b",)


def test_an_agenda_counts_what_is_due_in_each_deck(desk: Desk) -> None:
    desk.shelve("a", "b")
    desk.shelve("c", deck="memory")
    desk.answer(4, "a", "b", "c")

    assert desk.agenda(TUESDAY).decks == {"flops": 2, "memory": 1}


def test_a_card_that_was_relinked_today_stays_in_the_drill(desk: Desk) -> None:
    desk.shelve("old")
    desk.answer(1, "old")
    desk.shelve("new")

    desk.store.record(EventKind.RELINK, CardId("new"), target="old")

    assert desk.agenda(MONDAY).drill == ("new",)


def test_learners_of_one_database_have_their_own_new_cards(desk: Desk) -> None:
    desk.shelve("a", "b")
    desk.answer(4, "a")

    with open_store(
        desk.path, learner="other", clock=desk.now, zone_name="UTC", zone=ZoneInfo("UTC"), origin="here"
    ) as other:
        assert other.agenda(MONDAY).new == ("a", "b")


def full(desk: Desk) -> None:
    desk.shelve(*(f"note-{number}.{part}" for number in range(30) for part in (1, 2)))
    desk.shelve(*(f"memory-{number}" for number in range(30)), deck="memory", objectives=("memory",))
    for back in range(6):
        on = TUESDAY - timedelta(days=back)
        desk.answer(back % 6, *(f"memory-{number}" for number in range(back, 30, 5)), on=on)
    desk.store.record(EventKind.SUSPEND, CardId("memory-3"))


@pytest.mark.parametrize(("new", "decks"), [(10, ()), (3, ("memory",))], ids=["all", "some"])
def test_a_glance_and_the_store_answer_alike(desk: Desk, new: int, decks: Collection[str]) -> None:
    full(desk)

    with glance(desk.path) as seen:
        assert seen is not None
        assert seen.agenda(TUESDAY, new=new, decks=decks) == desk.agenda(TUESDAY, new=new, decks=decks)


@pytest.mark.parametrize("on", [MONDAY, TUESDAY, WEEK])
def test_a_prompt_counts_what_the_agenda_lists(desk: Desk, on: date) -> None:
    full(desk)
    desk.answer(4, "note-1.1", "note-2.1", "note-3.1", "note-3.2", "note-4.1", "note-4.2")
    desk.answer(1, "note-2.2", on=WEEK)
    desk.day = on
    desk.store.record(EventKind.BURY, CardId("note-1.1"))
    desk.store.record(EventKind.BURY, CardId("note-3.1"))
    listed = desk.agenda(on)

    connection = connect(desk.path)
    assert connection is not None
    with closing(connection):
        counted = count_due(connection.execute, "me", on)

    assert (counted, counted > 0) == (len(listed.due) + len(listed.drill), True)


def test_the_day_book_reads_the_words_of_the_log() -> None:
    words = (study_day.ANSWER, study_day.RELINK, study_day.RESET, study_day.UNDO, study_day.GOOD)

    assert words == (EventKind.ANSWER, EventKind.RELINK, EventKind.RESET, EventKind.UNDO, Grade.GOOD)


def test_a_glance_shows_a_card_and_its_memory_as_the_store_does(desk: Desk) -> None:
    full(desk)
    name = CardId("memory-1")

    with glance(desk.path) as seen:
        assert seen is not None
        assert (seen.card(name), seen.memory(name)) == (desk.store.card(name), desk.store.memories()[name])


def test_a_glance_leaves_what_it_does_not_know_to_the_store(tmp_path: Path) -> None:
    (tmp_path / "torn.db").write_text("this is no database")

    for database in (tmp_path / "none.db", tmp_path / "torn.db", "postgresql://host/db"):
        with glance(database) as seen:
            assert seen is None


def test_a_glance_never_makes_a_file(tmp_path: Path) -> None:
    with glance(tmp_path / "none.db"):
        pass

    assert list(tmp_path.iterdir()) == []


def test_a_path_may_hold_any_characters(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "what? #1 %20.db")
    desk.shelve("a")
    desk.store.close()

    with glance(desk.path) as seen:
        assert seen is not None
        assert seen.agenda(MONDAY).new == ("a",)
