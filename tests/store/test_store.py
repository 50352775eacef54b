"""Test that the caches follow the log when events are recorded and undone."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from uuid import UUID

import pytest
from plain_replay import plain_replay
from stores import NOW, Clock, fill, opened

from decks import basic_card
from studykit.cards.card import Card, CardId, DeckId, Kind, NoteId, Task
from studykit.errors import StudyError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import MAX_TEXT_CHARACTERS, Showing
from studykit.scheduling.recall_grade import Grade
from studykit.store.card_table import DeckUpdate
from studykit.store.ceiling_table import Ceiling
from studykit.store.rows import DeckFile
from studykit.store.store import Store

SIX_ND = CardId("six-nd.1")


def a_card(name: str, *, deck: str = "flops", position: int = 0, path: str = "flops.md") -> Card:
    return basic_card(name, deck=DeckId(deck), path=path, line=position + 1, position=position)


def a_file(path: str = "flops.md", deck: str = "flops") -> DeckFile:
    return DeckFile(path, 1, 2, "digest", DeckId(deck), deck.title())


def test_relinked_card_keeps_memory_and_history(store: Store, clock: Clock) -> None:
    old = store.log.record(EventKind.ANSWER, CardId("old"), grade=Grade.GOOD)
    store.log.record(EventKind.FLAG, CardId("old"))

    store.log.record(EventKind.RELINK, CardId("new"), target="old")

    assert store.schedule.memories() == {CardId("new"): old.after}
    assert [event.card for event in store.log.history(CardId("new"))] == ["old", "old", "new"]
    assert store.schedule.marks()[CardId("new")].flagged
    assert store.schedule.disagreements() == ()


@pytest.mark.parametrize("state", ["", "4 30 129 2", "4 36501 250 0", "4 30 250", "4 30 250 -1", "4 30 250 ²"])
def test_a_state_that_cannot_be_is_not_recorded(store: Store, state: str) -> None:
    with pytest.raises(UsageError, match="is not a valid state"):
        store.log.record(EventKind.ADOPT, SIX_ND, target=state)

    assert list(store.log.events()) == []


def test_exercise_comes_back_as_asked(store: Store) -> None:
    showing = Showing("flops.train_total", 2, 7, '{"n": "7e9"}', "3e21", "incorrect", ("forward-only", "factor-2"))

    store.log.record(EventKind.ANSWER, CardId("scope"), grade=Grade.AGAIN, showing=showing)

    assert store.log.showings("flops.train_total")[0].showing == showing


def test_an_undone_exercise_is_not_among_the_showings(store: Store) -> None:
    store.log.record(EventKind.PRACTICE, CardId(""), showing=Showing("flops.x", 1, 7, "{}"))

    store.log.undo()

    assert store.log.showings() == ()


def test_long_or_forbidden_text_is_cleaned_and_cut(store: Store) -> None:
    showing = Showing("flops.x", 1, 7, "{}", "3e\0 \ud800" + "x" * MAX_TEXT_CHARACTERS)

    store.log.record(EventKind.PRACTICE, CardId(""), showing=showing)

    assert store.log.showings()[0].showing == Showing(
        "flops.x", 1, 7, "{}", "3e ?".ljust(MAX_TEXT_CHARACTERS - 1, "x")
    )


def test_an_event_is_undone_once(store: Store) -> None:
    event = store.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.GOOD).event
    store.log.undo(event.id)

    with pytest.raises(StudyError, match="is already undone"):
        store.log.undo(event.id)


def test_bookkeeping_cannot_be_undone(store: Store) -> None:
    event = store.log.record(EventKind.RELINK, CardId("new"), target="old").event

    with pytest.raises(StudyError, match="cannot be undone"):
        store.log.undo(event.id)
    assert store.log.undo() is None


def test_an_answer_without_a_grade_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="needs a grade"):
        store.log.record(EventKind.ANSWER, SIX_ND)


def test_merging_twice_changes_nothing(tmp_path: Path, store: Store, clock: Clock) -> None:
    with opened(tmp_path / "other.db", clock, origin="here") as other:
        other.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.GOOD)
        clock.days(1)
        other.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.EASY)
        events = tuple(other.log.events())
        expected = other.schedule.memories()

    first, second = store.log.merge(events), store.log.merge(events)

    assert ((first.added, first.known), (second.added, second.known)) == ((2, 0), (0, 2))
    assert store.schedule.memories() == expected


def test_merged_log_of_many_cards_agrees(
    tmp_path: Path, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studykit.store.caches._MAX_CARDS_REPLAYED", 20)
    with opened(tmp_path / "other.db", clock, origin="here") as other:
        for number in range(25):
            other.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade(number % 6))
        events = tuple(other.log.events())

    store.log.merge(events)

    assert store.schedule.memories() == plain_replay(events)
    assert store.schedule.disagreements() == ()


def test_foreign_undo_reaches_its_target(store: Store) -> None:
    done = store.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.GOOD).event
    undo = replace(
        done, id=UUID(int=done.id.int + 1), kind=EventKind.UNDO, card=CardId("other"), target=str(done.id)
    )

    store.log.merge([replace(undo, grade=None)])

    assert store.schedule.memories() == {}
    assert store.schedule.disagreements() == ()


def test_card_comes_back_unchanged(store: Store) -> None:
    card = Card(
        id=CardId("scope"),
        note=NoteId("scope"),
        deck=DeckId("flops"),
        kind=Kind.EXERCISE,
        prompt="",
        answer="",
        path="flops.md",
        line=3,
        position=0,
        content_hash="f" * 32,
        named=False,
        tags=("flops", "hard"),
        objectives=("flops",),
        typed=True,
        task=Task("time.train_days", (("n", "1024"), ("hw", "H100 SXM"))),
        url="https://example.org/2",
    )

    fill(store, card)

    assert store.cards.card(CardId("scope")) == card


def test_a_card_without_history_leaves_with_its_text(store: Store) -> None:
    fill(store, a_card("a"), a_card("b"))

    store.update_decks(DeckUpdate([a_file()], [a_card("b")]))

    assert (store.cards.card(CardId("a")), store.cards.orphans()) == (None, ())


def test_card_with_history_stays_as_an_orphan(store: Store) -> None:
    fill(store, a_card("a"))
    store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)

    store.update_decks(DeckUpdate([], [], gone=["flops.md"]))

    assert [card.id for card in store.cards.orphans()] == ["a"]
    assert store.schedule.agenda(date(2026, 11, 30)).due == ()


def test_a_deck_added_again_finds_its_progress(store: Store) -> None:
    fill(store, a_card("a"))
    store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
    store.update_decks(DeckUpdate([], [], gone=["flops.md"]))

    fill(store, a_card("a"))

    assert store.schedule.agenda(date(2026, 11, 24)).due == ("a",)


def test_moved_card_keeps_its_progress(store: Store) -> None:
    fill(store, a_card("a"))
    store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)

    moved = a_card("a", deck="memory", path="memory.md")
    store.update_decks(DeckUpdate([a_file(), a_file("memory.md", "memory")], [moved]))

    agenda = store.schedule.agenda(date(2026, 11, 24))
    assert (agenda.due, dict(agenda.decks)) == (("a",), {"memory": 1})


def test_ceilings_are_kept_by_device_and_replaced(store: Store) -> None:
    store.ceilings.put("cpu", {"flops": Ceiling(1e11, 1), "bytes": Ceiling(2e10, 1)})
    store.ceilings.put("cpu", {"flops": Ceiling(1.5e11, 2)})

    assert store.ceilings.of("cpu") == {"bytes": Ceiling(2e10, 1), "flops": Ceiling(1.5e11, 2)}
    assert store.ceilings.of("cuda") == {}


@pytest.mark.parametrize(
    ("showing", "reason"),
    [
        (Showing("flops.x", 1, 2**63, "{}"), "64 bits"),
        (Showing("flops.x", -1, 1, "{}"), "not a valid version"),
        (Showing("flops.\n", 1, 1, "{}"), "cannot be saved"),
    ],
)
def test_showing_that_no_column_holds_is_refused(store: Store, showing: Showing, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        store.log.record(EventKind.PRACTICE, CardId(""), showing=showing)


def test_early_cards_come_soonest_first(store: Store, clock: Clock) -> None:
    fill(store, a_card("a"), a_card("b", position=1), a_card("c", position=2, deck="memory", path="memory.md"))
    for name, days in (("b", 0), ("a", 1), ("c", 0)):
        clock.days(days)
        store.log.record(EventKind.ANSWER, CardId(name), grade=Grade.GOOD)

    today = NOW.date()
    assert (store.schedule.ahead(today), store.schedule.ahead(today, {"c"})) == (("b", "a", "c"), ("c",))


def test_log_is_readable_while_answers_are_written(store: Store, clock: Clock) -> None:
    store.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.GOOD)
    events = iter(store.log.events())
    first = next(events)

    clock.days(1)
    store.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.AGAIN)

    assert [first.grade, *(event.grade for event in events)] == [Grade.GOOD]


def test_answer_of_another_process_is_seen(tmp_path: Path, clock: Clock) -> None:
    with (
        opened(tmp_path / "study.db", clock, origin="here") as store,
        opened(tmp_path / "study.db", clock, origin="here") as other,
    ):
        store.log.record(EventKind.ANSWER, SIX_ND, grade=Grade.GOOD)
        other.log.record(EventKind.ANSWER, CardId("roofline.1"), grade=Grade.GOOD)

        assert store.schedule.memories().keys() == {SIX_ND, "roofline.1"}
