"""Check the state machine of a review session with a fake store and clock, without a terminal."""

from collections.abc import Sequence

import pytest
from fake_session import ScriptedSession, closed
from hypothesis import given
from hypothesis import strategies as st

from decks import basic_card as card
from studykit.cards.card import Card, CardId, Kind, Task
from studykit.review.keymap import Action, Press, Stage
from studykit.review.progress import minutes_left
from studykit.review.session import PAUSE_MS, SessionOptions
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade

AGAIN, HARD, GOOD, EASY = Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY


def graded(*grades: Grade) -> list[Press]:
    return [press for grade in grades for press in (Action.REVEAL, grade)]


@pytest.mark.parametrize(
    ("names", "presses", "shown", "answers"),
    [
        pytest.param("ab", [], "question a", [], id="first"),
        pytest.param("a", [Action.REVEAL], "answer a", [], id="revealed"),
        pytest.param("a", [GOOD], "question a", [], id="grade before the answer"),
        pytest.param("ab", graded(GOOD), "question b", [("a", GOOD)], id="graded"),
        pytest.param("ab", [Action.REVEAL, Action.ACCEPT], "question b", [("a", GOOD)], id="accepted"),
        pytest.param("ab", [*graded(AGAIN), Action.UNDO], "answer a", [], id="undone"),
        pytest.param("ab", [*graded(AGAIN), Action.UNDO, EASY], "question b", [("a", EASY)], id="graded again"),
        pytest.param("ab", [Action.SUSPEND, Action.UNDO], "question a", [], id="suspend undone"),
        pytest.param("a", [Action.TYPE], "exercise a", [], id="typed on request"),
        pytest.param([card("a", typed=True)], [], "exercise a", [], id="typed"),
        pytest.param([card("e", kind=Kind.EXERCISE)], [], "exercise e", [], id="exercise"),
        pytest.param("ab", [*graded(GOOD), Action.QUIT], "over b", [("a", GOOD)], id="quit"),
    ],
)
def test_presses_lead_to_a_card(
    names: Sequence[str | Card], presses: list[Press], shown: str, answers: list[tuple[str, Grade]]
) -> None:
    scripted = ScriptedSession(*names).press(*presses)

    assert (scripted.shown, scripted.store.answers()) == (shown, answers)


@pytest.mark.parametrize(
    ("names", "grades", "shown"),
    [
        ("abcde", [AGAIN, GOOD, GOOD, GOOD], "question a"),
        ("ab", [AGAIN, GOOD], "question a"),
        ("a", [HARD], "question a"),
        ("a", [AGAIN, HARD, GOOD], None),
        ("", [], None),
    ],
    ids=["after three others", "sooner when alone", "hard", "until a four", "no cards"],
)
def test_a_failed_card_comes_again(names: str, grades: list[Grade], shown: str | None) -> None:
    scripted = ScriptedSession(*names).answer(*grades)

    assert scripted.session.over if shown is None else scripted.shown == shown


def test_card_limit_leaves_the_rest() -> None:
    assert ScriptedSession("a", "b", "c", options=SessionOptions(cards=2)).answer(GOOD, GOOD).session.over


@pytest.mark.parametrize(
    ("before", "presses", "after_ms", "answers"),
    [
        ([], [Action.REVEAL, *[Action.ACCEPT] * 20], 40, []),
        ([], [Action.REVEAL, HARD], 1, [("a", HARD)]),
        ([*graded(GOOD), Action.UNDO], [Action.ACCEPT], 100, []),
    ],
    ids=["held space", "digit", "held space after an undo"],
)
def test_held_space_bar_grades_nothing(
    before: list[Press], presses: list[Press], after_ms: int, answers: list[tuple[str, Grade]]
) -> None:
    scripted = ScriptedSession("a", "b").press(*before).press(*presses, after_ms=after_ms)

    assert scripted.store.answers() == answers


def test_space_does_not_grade_if_switched_off() -> None:
    scripted = ScriptedSession("a", options=SessionOptions(space_grades=False)).press(Action.REVEAL, Action.ACCEPT)

    assert scripted.shown == "answer a"


def test_a_failed_card_is_counted_as_left_again() -> None:
    scripted = ScriptedSession("a", "b")

    lefts = [scripted.session.remaining]
    scripted.answer(AGAIN)
    lefts.append(scripted.session.remaining)
    scripted.answer(GOOD)
    lefts.append(scripted.session.remaining)

    assert lefts == [2, 2, 1]


def test_undone_card_is_not_asked_twice() -> None:
    scripted = ScriptedSession("b", drill=("z",))
    scripted.store.earlier("z", AGAIN, days_ago=0)

    scripted.press(Action.UNDO)

    assert scripted.shown == "answer z"
    assert scripted.session.remaining == 2


def test_with_nothing_to_undo_the_session_says_so() -> None:
    scripted = ScriptedSession("a").press(Action.UNDO)

    assert scripted.session.state.flash == "nothing to undo"
    assert scripted.shown == "question a"


def test_answer_undone_elsewhere_gets_a_message() -> None:
    scripted = ScriptedSession("a", "b").answer(GOOD)
    scripted.store.undo(None)

    scripted.press(Action.UNDO)

    assert scripted.session.state.flash == "That was undone before."


def test_a_card_that_is_gone_is_passed_over() -> None:
    scripted = ScriptedSession("a", "b", "c")
    del scripted.store.texts[CardId("b")]

    assert scripted.answer(GOOD).shown == "question c"


def test_edited_card_is_shown() -> None:
    scripted = ScriptedSession("a").press(Action.REVEAL)
    scripted.session.reread(card("a", answer="better"), "edited")

    state = scripted.session.state
    assert state.card is not None
    assert (state.card.answer, state.stage, state.flash) == ("better", Stage.ANSWER, "edited")


def test_deleted_card_makes_room() -> None:
    scripted = ScriptedSession("a", "b")
    scripted.session.reread(None, "the card is gone")

    assert scripted.shown == "question b"
    assert scripted.session.state.flash == "the card is gone"


@pytest.mark.parametrize(("text", "grade"), [("answer a", GOOD), ("something", AGAIN)])
@pytest.mark.parametrize("confirm_right", [True, False])
def test_typed_answer_suggests_a_grade(text: str, grade: Grade, *, confirm_right: bool) -> None:
    scripted = ScriptedSession(card("a", typed=True), "b", options=SessionOptions(confirm_right=confirm_right))
    scripted.typed(text)

    goes_on = grade is GOOD and not confirm_right
    assert scripted.shown == ("question b" if goes_on else "answer a")
    assert scripted.store.answers() == ([("a", GOOD)] if goes_on else [])
    assert goes_on or scripted.session.suggested is grade


SHOWING = Showing("flops.train_total", 1, 42, "{}", "2*70e9*15e12", "incorrect", ("forward-only",))
EXERCISE = card("e", kind=Kind.EXERCISE, task=Task("flops.train_total"))


@pytest.mark.parametrize(("press", "grade"), [(Action.ACCEPT, HARD), (EASY, EASY)])
def test_exercise_grade_waits_for_acceptance(press: Press, grade: Grade) -> None:
    scripted = ScriptedSession(EXERCISE)
    scripted.session.take_closed(closed("close", HARD, SHOWING), "close", goes_on=False)
    assert (scripted.shown, scripted.session.suggested, scripted.store.events) == ("answer e", HARD, [])

    scripted.press(press)

    assert (scripted.store.events[0].grade, scripted.store.events[0].showing) == (grade, SHOWING)


def test_unanswered_exercise_records_nothing_and_keeps_message() -> None:
    scripted = ScriptedSession(EXERCISE, "b")
    scripted.session.take_closed(closed("not_scored"), "left", goes_on=False)
    scripted.now_ms += 1000
    scripted.press(GOOD, Action.ACCEPT)

    assert scripted.store.answers() == []
    assert (scripted.shown, scripted.session.state.flash) == ("question b", "left")


def test_recall_counts_due_cards_at_their_first_try() -> None:
    scripted = ScriptedSession("a", "b", "c")
    scripted.store.earlier("a", GOOD, days_ago=1)
    scripted.store.earlier("b", GOOD, days_ago=1)

    summary = scripted.answer(GOOD, AGAIN, GOOD, GOOD).session.summary()

    assert (summary.recalled, summary.asked, summary.cards, summary.answers) == (1, 2, 3, 4)


def test_summary_names_missed_cards() -> None:
    summary = ScriptedSession("a").answer(AGAIN, AGAIN, GOOD).session.summary()

    assert [(each.card.id, times) for each, times in summary.missed] == [("a", 2)]


def test_the_summary_counts_grades_and_time() -> None:
    scripted = ScriptedSession("a", "b").answer(GOOD)

    summary = scripted.press(Action.REVEAL, after_ms=58_000).press(EASY).session.summary()

    assert (summary.grades, summary.seconds, summary.remaining) == (((GOOD, 1), (EASY, 1)), 61, 0)


def test_the_time_left_is_told_after_five_answers() -> None:
    scripted = ScriptedSession(*"abcdefghij")

    early = scripted.answer(GOOD, GOOD, GOOD, GOOD).session.state.answers
    later = scripted.press(Action.REVEAL, after_ms=45_000).press(GOOD).session.state.answers

    assert (minutes_left(early, 6), minutes_left(later, 5)) == (None, 1)


PRESSES = [*Action, *Grade]


@given(st.lists(st.sampled_from(PRESSES), max_size=60), st.integers(0, 600))
def test_any_presses_keep_session_and_log_equal(presses: list[Press], pause_ms: int) -> None:
    scripted = ScriptedSession("a", "b", card("c", typed=True), "d", drill=("x",))

    for press in presses:
        if scripted.session.over:
            break
        if scripted.session.state.stage is Stage.EXERCISE and press is Action.REVEAL:
            scripted.typed("answer")
        scripted.press(press, after_ms=pause_ms)

    answers = [(given.card.id, given.grade) for given in scripted.session.state.answers]
    assert answers == scripted.store.answers()


@given(st.lists(st.sampled_from([AGAIN, HARD, GOOD, EASY]), min_size=1, max_size=12))
def test_undoing_everything_leaves_a_session_as_it_began(grades: list[Grade]) -> None:
    scripted = ScriptedSession("a", "b", "c", "d", "e", "f")
    for grade in grades:
        scripted.answer(grade)
    given_grades = len(scripted.session.state.answers)

    scripted.press(*[Action.UNDO] * given_grades)

    state = scripted.session.state
    assert (scripted.shown, scripted.session.remaining, state.answers, state.drill) == ("answer a", 6, (), ())
    assert scripted.store.answers() == []


def going_on(*names: str | Card) -> ScriptedSession:
    """Start a session that grades right answers by itself."""
    return ScriptedSession(*names, options=SessionOptions(confirm_right=False))


@pytest.mark.parametrize(("goes_on", "shown"), [(True, "question b"), (False, "answer a")])
def test_exercise_continues_only_with_nothing_to_read(goes_on: bool, shown: str) -> None:  # noqa: FBT001
    scripted = going_on(card("a", kind=Kind.EXERCISE), "b")

    scripted.session.take_closed(closed("correct"), "right", goes_on=goes_on)

    assert scripted.shown == shown


def test_enter_for_the_last_card_reveals_nothing() -> None:
    scripted = going_on(card("a", typed=True), "b")
    scripted.typed("answer a")

    scripted.press(Action.REVEAL, after_ms=PAUSE_MS - 1)
    assert scripted.shown == "question b"
    scripted.press(Action.REVEAL, after_ms=1)

    assert scripted.shown == "answer b"


def test_undo_returns_a_judged_answer_first() -> None:
    scripted = ScriptedSession("a", card("b", kind=Kind.EXERCISE))
    scripted.answer(GOOD)
    showing = Showing("choice", 1, 77, "{}", "Aare", "incorrect", ())
    scripted.session.take_closed(closed("incorrect", AGAIN, showing), "not right: 1", goes_on=False)

    scripted.press(Action.UNDO)

    state = scripted.session.state
    assert (scripted.shown, state.flash) == ("exercise b", "answer taken back")
    assert state.asked is not None
    assert state.asked.answer_seen
    assert scripted.store.answers() == [("a", GOOD)]
    scripted.press(Action.UNDO)
    assert scripted.shown == "answer a"
    assert scripted.store.answers() == []


def test_undone_typed_answer_is_editable() -> None:
    scripted = ScriptedSession(card("a", typed=True), "b")
    scripted.typed("answer b")

    scripted.press(Action.UNDO)

    state = scripted.session.state
    assert (scripted.shown, state.asked is not None) == ("exercise a", True)
    scripted.typed("answer a")
    scripted.press(GOOD)
    assert scripted.session.state.asked is None


def test_undo_chain_goes_from_grade_to_grade() -> None:
    scripted = ScriptedSession(card("a", typed=True), card("b", typed=True), "c")
    for name in "ab":
        scripted.typed(f"answer {name}x")
        scripted.press(GOOD)

    shown_cards = [scripted.press(Action.UNDO).shown for _ in range(2)]

    assert shown_cards == ["answer b", "answer a"]
    assert scripted.store.answers() == []


def test_undo_returns_a_skipped_exercise() -> None:
    scripted = ScriptedSession(card("a", kind=Kind.EXERCISE), "b")
    scripted.session.take_closed(closed("not_scored"), "not answered", goes_on=False)
    scripted.press(Action.ACCEPT)

    assert scripted.press(Action.UNDO).shown == "exercise a"


@pytest.mark.parametrize(("text", "grade", "recalled"), [("answer a", AGAIN, True), ("other", EASY, False)])
def test_recall_goes_by_the_verdict(text: str, grade: Grade, recalled: bool) -> None:  # noqa: FBT001
    scripted = ScriptedSession(card("a", typed=True), "b")
    scripted.typed(text)
    scripted.press(grade)

    done = scripted.session.summary()

    assert scripted.store.recalled is recalled
    assert (done.signs, [each.card.id for each, _ in done.missed]) == (("✓", []) if recalled else ("✗", ["a"]))
