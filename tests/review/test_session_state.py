"""Check the whole state of a session after each press, its texts, and what undo restores."""

from dataclasses import replace

import pytest
from fake_session import TODAY, ScriptedSession

from decks import basic_card as card
from studykit.cards.card import CardId, Kind, Task
from studykit.review.keymap import Action, Stage
from studykit.review.session import GUARD_MS, SessionOptions, SessionState
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade

AGAIN, HARD, GOOD, EASY = Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY
EXERCISE = card("e", kind=Kind.EXERCISE, task=Task("flops.train_total"))


def test_new_card_starts_from_a_clean_state() -> None:
    scripted = ScriptedSession(card("a", typed=True), "b")
    scripted.press(Action.FLAG)
    scripted.typed("wrong")
    scripted.press(AGAIN)

    state = scripted.session.state
    assert state == replace(
        SessionState(Stage.QUESTION, (CardId("a"), CardId("b")), drawn=2),
        card=card("b"),
        drill=state.drill,
        turn=1,
        answers=state.answers,
        shown_ms=scripted.now_ms,
        revealed_ms=state.revealed_ms,
        flash="again, back today, then 21 Nov (1 d)",
    )


def test_card_comes_with_memory_and_flag() -> None:
    scripted = ScriptedSession("a", "b")
    scripted.store.earlier("b", GOOD, days_ago=3)
    scripted.store.record(EventKind.FLAG, CardId("b"))

    state = scripted.answer(GOOD).session.state

    assert (state.memory, state.flagged) == (scripted.store.memory(CardId("b")), True)
    assert state.memory is not None


@pytest.mark.parametrize(("after_ms", "graded"), [(GUARD_MS - 1, False), (GUARD_MS, True)])
def test_guard_ends_after_a_quarter_second(after_ms: int, *, graded: bool) -> None:
    scripted = ScriptedSession("a", "b").press(Action.REVEAL).press(Action.ACCEPT, after_ms=after_ms)

    assert (scripted.store.answers() != []) is graded


def test_space_held_since_typing_does_not_grade() -> None:
    scripted = ScriptedSession(card("a", typed=True))
    scripted.now_ms += 1000
    scripted.typed("answer a")

    scripted.press(Action.ACCEPT, after_ms=40)

    assert (scripted.shown, scripted.store.answers()) == ("answer a", [])


def test_answer_time_starts_when_its_card_comes() -> None:
    scripted = ScriptedSession("a", "b").answer(GOOD)
    scripted.press(Action.REVEAL, EASY, after_ms=0)

    assert [event.took_ms for event in scripted.store.events] == [2000, 0]


@pytest.mark.parametrize(("minutes", "over"), [(1, True), (1.001, False)])
def test_a_limit_on_minutes_counts_from_the_start(minutes: float, *, over: bool) -> None:
    scripted = ScriptedSession("a", "b", options=SessionOptions(minutes=minutes))

    scripted.press(Action.REVEAL, after_ms=59_000).press(GOOD)

    assert scripted.session.over is over


@pytest.mark.parametrize(
    ("grades", "flash"),
    [
        ([GOOD], "good, next 21 Nov (1 d)"),
        ([HARD], "hard, back today, then 21 Nov (1 d)"),
        ([AGAIN, HARD], "hard, back today; the schedule stays"),
        ([AGAIN, GOOD], "good, done for today; the schedule stays"),
    ],
)
def test_a_grade_says_what_it_did(grades: list[Grade], flash: str) -> None:
    assert ScriptedSession("a").answer(*grades).session.state.flash == flash


@pytest.mark.parametrize(
    ("action", "kind", "flash"),
    [
        (Action.BURY, EventKind.BURY, "buried until tomorrow"),
        (Action.SUSPEND, EventKind.SUSPEND, "suspended until you unsuspend it"),
    ],
)
def test_putting_a_card_aside_is_recorded(action: Action, kind: EventKind, flash: str) -> None:
    scripted = ScriptedSession("a", "b").press(action)

    event = scripted.store.events[-1]
    assert (event.kind, event.card, scripted.session.state.flash) == (kind, "a", flash)


def test_flags_are_recorded_and_undone() -> None:
    scripted = ScriptedSession("a")
    states = []
    for press in (Action.FLAG, Action.FLAG, Action.UNDO, Action.UNDO):
        state = scripted.press(press).session.state
        states.append((state.flagged, state.flash))

    kinds = [(event.kind, event.card) for event in scripted.store.events]
    assert states == [(True, "flagged"), (False, "flag taken off"), (True, "undone"), (False, "undone")]
    assert kinds[:2] == [(EventKind.FLAG, "a"), (EventKind.UNFLAG, "a")]


def test_undo_restores_the_state_and_restarts_time() -> None:
    scripted = ScriptedSession("a", "b").press(Action.REVEAL)
    before = scripted.session.state

    scripted.press(GOOD, Action.UNDO)

    now = scripted.now_ms
    assert scripted.session.state == replace(before, flash="undone", shown_ms=now, revealed_ms=now)


def test_earlier_answer_comes_before_the_drill() -> None:
    scripted = ScriptedSession("b", drill=("x", "y"))
    scripted.store.texts[CardId("z")] = card("z")
    scripted.store.earlier("z", GOOD, days_ago=1)

    scripted.press(Action.UNDO)

    state = scripted.session.state
    assert (scripted.shown, state.flash) == ("answer z", "undone, from before")
    assert state.revealed_ms == scripted.now_ms
    assert [each.card for each in state.drill] == ["y"]


def test_undone_mark_shows_the_question() -> None:
    scripted = ScriptedSession("a")
    scripted.store.texts[CardId("z")] = card("z")
    scripted.store.record(EventKind.BURY, CardId("z"))

    assert scripted.press(Action.UNDO).shown == "question z"


def test_drill_cards_come_one_after_the_other() -> None:
    assert ScriptedSession("a", drill=("x", "y")).answer(GOOD).shown == "question y"


def test_edited_card_is_drilled_by_its_new_id() -> None:
    scripted = ScriptedSession("a").answer(AGAIN)
    scripted.store.texts = {CardId("new"): card("new")}
    scripted.store.earlier("new", GOOD, days_ago=0)

    scripted.session.reread(card("new"), "edited")
    memory = scripted.session.state.memory
    scripted.press(Action.REVEAL, AGAIN)

    assert memory == Memory(1, 1, 250, 0, TODAY)
    assert scripted.shown == "question new"


def test_waiting_card_is_found_by_its_new_id() -> None:
    scripted = ScriptedSession("a", "b").answer(GOOD)
    scripted.store.texts = {CardId("new"): card("new")}
    scripted.session.reread(card("new"), "edited")

    scripted.press(Action.UNDO, GOOD)

    assert scripted.shown == "question new"


def test_the_log_of_the_card_that_is_shown() -> None:
    scripted = ScriptedSession("a")
    scripted.store.earlier("a", GOOD, days_ago=3)
    scripted.store.earlier("b", GOOD, days_ago=3)

    history = scripted.session.history()
    scripted.answer(GOOD)

    assert [event.card for event in history] == ["a"]
    assert (scripted.session.over, scripted.session.history()) == (True, ())
