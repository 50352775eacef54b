"""The review session as a state machine: fake desk, fake clock, no terminal."""

import pytest
from fake_session import TODAY, FakeDesk, card
from hypothesis import given
from hypothesis import strategies as st

from studykit.cards.card import Card, CardId, Kind, Task
from studykit.review.keymap import Action, Press, Stage
from studykit.review.session import Session
from studykit.review.state import Options
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.events import Became, EventKind, Showing
from studykit.scheduling.sm2 import Grade
from studykit.ui import ExerciseOutcome

AGAIN, HARD, GOOD, EASY = Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY


class Sitting:
    """A session with a clock that moves a second at each press."""

    def __init__(self, *names: str | Card, options: Options | None = None, drill: tuple[str, ...] = ()) -> None:
        cards = [each if isinstance(each, Card) else card(each) for each in names]
        self.refreshed_store = FakeDesk([*cards, *map(card, drill)])
        self.agenda = Agenda(TODAY, (), tuple(each.id for each in cards), tuple(map(CardId, drill)), {})
        self.options = options or Options()
        self.now_ms = 0
        self.session = Session(self.refreshed_store, self.agenda, self.options, 0)

    def press(self, *presses: Press, after_ms: int = 1000) -> "Sitting":
        for each in presses:
            self.now_ms += after_ms
            self.session.act(each, self.now_ms)
        return self

    def answer(self, *grades: Grade) -> "Sitting":
        for grade in grades:
            self.press(Action.REVEAL, grade)
        return self

    @property
    def shown(self) -> str:
        state = self.session.state
        return f"{state.stage} {state.card.id if state.card else '-'}"


def test_a_session_begins_with_the_question_of_the_first_card() -> None:
    assert Sitting("a", "b").shown == "question a"


def test_a_session_without_cards_is_over_at_once() -> None:
    assert Sitting().session.over


def test_reveal_turns_the_card() -> None:
    assert Sitting("a").press(Action.REVEAL).shown == "answer a"


def test_a_grade_is_recorded_before_the_next_card_comes() -> None:
    sitting = Sitting("a", "b").answer(GOOD)

    assert sitting.refreshed_store.answers() == [("a", GOOD)]
    assert sitting.shown == "question b"


def test_a_grade_before_the_answer_was_seen_changes_nothing() -> None:
    sitting = Sitting("a").press(GOOD)

    assert sitting.refreshed_store.answers() == []
    assert sitting.shown == "question a"


def test_accepting_means_good() -> None:
    assert Sitting("a").press(Action.REVEAL, Action.ACCEPT).refreshed_store.answers() == [("a", GOOD)]


def test_a_held_space_bar_reveals_and_does_not_grade() -> None:
    sitting = Sitting("a").press(Action.REVEAL, *[Action.ACCEPT] * 20, after_ms=40)

    assert sitting.shown == "answer a"
    assert sitting.refreshed_store.answers() == []


def test_a_digit_right_after_the_reveal_counts() -> None:
    assert Sitting("a").press(Action.REVEAL, HARD, after_ms=1).refreshed_store.answers() == [("a", HARD)]


def test_space_does_not_grade_where_the_setting_says_so() -> None:
    sitting = Sitting("a", options=Options(space_grades=False)).press(Action.REVEAL, Action.ACCEPT)

    assert sitting.shown == "answer a"


def test_the_time_from_question_to_grade_is_recorded() -> None:
    assert Sitting("a").answer(GOOD).refreshed_store.log[0].took_ms == 2000


def test_the_last_grade_says_when_the_card_comes_back() -> None:
    assert Sitting("a", "b").answer(GOOD).session.state.flash == "good, next 21 Nov (1 d)"


def test_what_was_said_of_the_last_card_goes_when_the_next_is_revealed() -> None:
    assert Sitting("a", "b").answer(GOOD).press(Action.REVEAL).session.state.flash == ""


def test_a_failed_card_comes_again_after_three_others() -> None:
    sitting = Sitting("a", "b", "c", "d", "e").answer(AGAIN, GOOD, GOOD, GOOD)

    assert sitting.shown == "question a"


def test_a_failed_card_comes_sooner_where_there_are_no_others() -> None:
    assert Sitting("a", "b").answer(AGAIN, GOOD).shown == "question a"


def test_hard_passes_and_still_comes_again_today() -> None:
    sitting = Sitting("a").answer(HARD)

    assert sitting.shown == "question a"
    assert sitting.session.state.flash == "hard, back today, then 21 Nov (1 d)"


def test_the_drill_ends_with_a_four() -> None:
    sitting = Sitting("a").answer(AGAIN, HARD, GOOD)

    assert sitting.session.over


def test_only_the_first_answer_of_the_day_moves_the_schedule() -> None:
    sitting = Sitting("a").answer(AGAIN, EASY)

    memory = sitting.refreshed_store.memory(CardId("a"))
    assert memory is not None
    assert (memory.repetition, memory.interval) == (0, 1)


def test_the_drill_of_an_interrupted_session_goes_on() -> None:
    sitting = Sitting("a", drill=("x",))

    assert sitting.shown == "question x"


def test_a_failed_card_is_counted_as_left_again() -> None:
    sitting = Sitting("a", "b")

    lefts = [sitting.session.left]
    sitting.answer(AGAIN)
    lefts.append(sitting.session.left)
    sitting.answer(GOOD)
    lefts.append(sitting.session.left)

    assert lefts == [2, 2, 1]


def test_undo_takes_the_answer_back_and_shows_the_card_answered() -> None:
    sitting = Sitting("a", "b").answer(AGAIN).press(Action.UNDO)

    assert sitting.shown == "answer a"
    assert sitting.refreshed_store.answers() == []
    assert sitting.session.left == 2


def test_after_an_undo_another_grade_can_be_given() -> None:
    sitting = Sitting("a", "b").answer(AGAIN).press(Action.UNDO, EASY)

    assert sitting.refreshed_store.answers() == [("a", EASY)]
    assert sitting.shown == "question b"


def test_undo_goes_back_as_far_as_the_session_began() -> None:
    sitting = Sitting("a", "b", "c").answer(GOOD, AGAIN, GOOD).press(*[Action.UNDO] * 3)

    assert sitting.shown == "answer a"
    assert sitting.refreshed_store.answers() == []


def test_a_held_space_bar_does_not_grade_what_undo_brought_back() -> None:
    sitting = Sitting("a", "b").answer(GOOD).press(Action.UNDO).press(Action.ACCEPT, after_ms=100)

    assert sitting.refreshed_store.answers() == []


def test_undo_reaches_answers_of_an_earlier_session() -> None:
    sitting = Sitting("a", "b")
    sitting.refreshed_store.cards[CardId("z")] = card("z")
    sitting.refreshed_store.earlier("z", GOOD, days_ago=1)

    sitting.press(Action.UNDO)

    assert sitting.shown == "answer z"
    assert sitting.session.left == 3


def test_an_undone_card_that_was_on_the_screen_is_not_asked_twice() -> None:
    sitting = Sitting("b", drill=("z",))
    sitting.refreshed_store.earlier("z", AGAIN, days_ago=0)

    sitting.press(Action.UNDO)

    assert sitting.shown == "answer z"
    assert sitting.session.left == 2


def test_with_nothing_to_undo_the_session_says_so() -> None:
    sitting = Sitting("a").press(Action.UNDO)

    assert sitting.session.state.flash == "nothing to undo"
    assert sitting.shown == "question a"


def test_an_answer_that_another_session_took_back_is_told() -> None:
    sitting = Sitting("a", "b").answer(GOOD)
    sitting.refreshed_store.undo(None)

    sitting.press(Action.UNDO)

    assert sitting.session.state.flash == "That was undone before."


def test_bury_puts_a_card_out_of_this_session() -> None:
    sitting = Sitting("a", "b").press(Action.BURY)

    assert sitting.shown == "question b"
    assert sitting.refreshed_store.log[-1].kind is EventKind.BURY


def test_suspend_can_be_undone() -> None:
    sitting = Sitting("a", "b").press(Action.SUSPEND, Action.UNDO)

    assert sitting.shown == "question a"


def test_a_flag_is_put_on_and_taken_off() -> None:
    sitting = Sitting("a").press(Action.FLAG)
    flagged = sitting.session.state.flagged
    sitting.press(Action.FLAG)

    assert (flagged, sitting.session.state.flagged) == (True, False)


@pytest.mark.parametrize("action", [Action.INFO, Action.WHY, Action.HELP])
def test_a_page_opens_over_the_card_and_closes_again(action: Action) -> None:
    sitting = Sitting("a").press(action)
    opened = sitting.session.state.page
    sitting.press(Action.CLOSE)

    assert (opened, sitting.session.state.page) == (action, None)
    assert sitting.shown == "question a"


def test_scrolling_stops_at_the_top() -> None:
    assert Sitting("a").press(Action.DOWN, Action.UP, Action.UP).session.state.scroll == 0


def test_the_next_card_starts_unscrolled() -> None:
    assert Sitting("a", "b").press(Action.PAGE_DOWN).answer(GOOD).session.state.scroll == 0


def test_a_limit_on_cards_leaves_the_rest_for_later() -> None:
    assert Sitting("a", "b", "c", options=Options(cards=2)).answer(GOOD, GOOD).session.over


def test_a_limit_on_minutes_ends_after_the_card_in_hand() -> None:
    sitting = Sitting("a", "b", options=Options(minutes=1))
    sitting.press(Action.REVEAL, after_ms=90_000).press(GOOD)

    assert sitting.session.over
    assert sitting.session.left == 1


def test_quit_ends_the_session_and_keeps_what_was_answered() -> None:
    sitting = Sitting("a", "b").answer(GOOD).press(Action.QUIT)

    assert sitting.session.over
    assert sitting.refreshed_store.answers() == [("a", GOOD)]


def test_a_card_that_is_gone_is_passed_over() -> None:
    sitting = Sitting("a", "b", "c")
    del sitting.refreshed_store.cards[CardId("b")]

    assert sitting.answer(GOOD).shown == "question c"


def test_an_edited_card_is_shown_as_it_is_now() -> None:
    sitting = Sitting("a").press(Action.REVEAL)
    sitting.session.reread(card("a", answer="better"), "edited", 5000)

    state = sitting.session.state
    assert state.card is not None
    assert (state.card.answer, state.stage, state.flash) == ("better", Stage.ANSWER, "edited")


def test_a_card_that_was_edited_away_makes_room_for_the_next() -> None:
    sitting = Sitting("a", "b")
    sitting.session.reread(None, "the card is gone", 5000)

    assert sitting.shown == "question b"
    assert sitting.session.state.flash == "the card is gone"


def test_a_typed_card_asks_for_typing() -> None:
    assert Sitting(card("a", typed=True)).shown == "typing a"


def test_any_card_can_be_answered_by_typing() -> None:
    assert Sitting("a").press(Action.TYPE).shown == "typing a"


@pytest.mark.parametrize(("text", "grade"), [("Answer  A", GOOD), ("something", AGAIN)])
def test_a_typed_answer_suggests_a_grade(text: str, grade: Grade) -> None:
    sitting = Sitting(card("a", typed=True))
    sitting.session.typed(text, 1000)

    assert sitting.session.suggested is grade
    assert sitting.refreshed_store.answers() == []


def test_an_empty_typed_answer_only_reveals() -> None:
    sitting = Sitting(card("a", typed=True))
    sitting.session.typed("", 1000)

    assert sitting.shown == "answer a"
    assert sitting.session.state.comparison is None


def test_typing_can_be_left_for_the_question() -> None:
    assert Sitting(card("a", typed=True)).press(Action.CLOSE).shown == "question a"


SHOWING = Showing("flops.train_total", 1, 42, "{}", "2*70e9*15e12", "incorrect", ("forward-only",))
EXERCISE = card("e", kind=Kind.EXERCISE, task=Task("flops.train_total"))


def test_an_exercise_card_is_asked_by_its_asker() -> None:
    assert Sitting(EXERCISE).shown == "exercise e"


def test_the_grade_of_an_exercise_waits_to_be_accepted() -> None:
    sitting = Sitting(EXERCISE)
    sitting.session.asked(ExerciseOutcome(HARD, SHOWING, "close"), 1000)

    assert sitting.shown == "answer e"
    assert sitting.session.suggested is HARD
    assert sitting.refreshed_store.answers() == []


def test_an_accepted_exercise_is_logged_with_its_showing() -> None:
    sitting = Sitting(EXERCISE)
    sitting.session.asked(ExerciseOutcome(GOOD, SHOWING), 1000)
    sitting.now_ms = 1000
    sitting.press(Action.ACCEPT)

    assert (sitting.refreshed_store.log[0].grade, sitting.refreshed_store.log[0].showing) == (GOOD, SHOWING)


def test_the_suggested_grade_can_be_overridden() -> None:
    sitting = Sitting(EXERCISE)
    sitting.session.asked(ExerciseOutcome(GOOD, SHOWING), 1000)
    sitting.press(HARD)

    assert sitting.refreshed_store.log[0].grade is HARD


def test_an_exercise_that_was_left_stays_due_and_the_session_goes_on() -> None:
    sitting = Sitting(EXERCISE, "b")
    sitting.session.asked(ExerciseOutcome(None, None, "left"), 1000)
    sitting.now_ms = 1000
    sitting.press(GOOD, Action.ACCEPT)

    assert sitting.refreshed_store.answers() == []
    assert sitting.shown == "question b"


def test_an_exercise_that_cannot_be_asked_here_is_skipped_with_a_sentence() -> None:
    sitting = Sitting(EXERCISE, "b")
    sitting.session.skip("e needs torch", 1000)

    assert sitting.shown == "question b"
    assert sitting.session.state.flash == "e needs torch"
    assert sitting.refreshed_store.log == []


def test_a_known_card_that_is_asked_ahead_of_time_keeps_its_schedule() -> None:
    sitting = Sitting("a")
    sitting.refreshed_store.earlier("a", GOOD, days_ago=3)
    sitting.refreshed_store.earlier("a", GOOD, days_ago=2)

    before = sitting.refreshed_store.memory(CardId("a"))
    sitting.answer(GOOD)

    assert sitting.session.state.answers[0].became is Became.CRAM
    assert sitting.refreshed_store.memory(CardId("a")) == before


def test_recall_counts_due_cards_at_their_first_try() -> None:
    sitting = Sitting("a", "b", "c")
    sitting.refreshed_store.earlier("a", GOOD, days_ago=1)
    sitting.refreshed_store.earlier("b", GOOD, days_ago=1)

    summary = sitting.answer(GOOD, AGAIN, GOOD, GOOD).session.summary(sitting.now_ms)

    assert (summary.recalled, summary.asked, summary.cards, summary.answers) == (1, 2, 3, 4)


def test_the_summary_names_what_was_missed_and_how_often() -> None:
    summary = Sitting("a").answer(AGAIN, AGAIN, GOOD).session.summary(6000)

    assert [(missed.card.id, missed.times) for missed in summary.missed] == [("a", 2)]


def test_the_summary_counts_grades_and_time() -> None:
    summary = Sitting("a", "b").answer(GOOD, EASY).session.summary(61_000)

    assert (summary.grades, summary.seconds, summary.left) == (((GOOD, 1), (EASY, 1)), 61, 0)


def test_the_time_left_is_told_after_five_answers() -> None:
    sitting = Sitting(*"abcdefghij")

    early = sitting.answer(GOOD, GOOD, GOOD, GOOD).session.progress.minutes
    later = sitting.press(Action.REVEAL, after_ms=45_000).press(GOOD).session.progress

    assert (early, later.minutes, later.left, later.done) == (None, 1, 5, 5)


def test_the_way_done_is_a_share_of_what_there_is() -> None:
    assert Sitting("a", "b", "c", "d").answer(GOOD).session.progress.share == 0.25


PRESSES = [*Action, *Grade]


@given(st.lists(st.sampled_from(PRESSES), max_size=60), st.integers(0, 600))
def test_whatever_is_pressed_the_session_and_the_log_agree(presses: list[Press], pause_ms: int) -> None:
    sitting = Sitting("a", "b", card("c", typed=True), "d", drill=("x",))

    for press in presses:
        if sitting.session.over:
            break
        if sitting.session.state.stage is Stage.TYPING and press is Action.REVEAL:
            sitting.session.typed("answer", sitting.now_ms)
        sitting.press(press, after_ms=pause_ms)

    told = [(given.card.id, given.grade) for given in sitting.session.state.answers]
    assert told == sitting.refreshed_store.answers()


@given(st.lists(st.sampled_from([AGAIN, HARD, GOOD, EASY]), min_size=1, max_size=12))
def test_undoing_everything_leaves_a_session_as_it_began(grades: list[Grade]) -> None:
    sitting = Sitting("a", "b", "c", "d", "e", "f")
    for grade in grades:
        sitting.answer(grade)
    given_grades = len(sitting.session.state.answers)

    sitting.press(*[Action.UNDO] * given_grades)

    state = sitting.session.state
    assert (sitting.shown, sitting.session.left, state.answers, state.drill) == ("answer a", 6, (), ())
    assert sitting.refreshed_store.answers() == []
