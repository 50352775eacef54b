"""What a session tells: previews, reasons, comparisons, keys."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.errors import UsageError
from studykit.review.keymap import SCALES, Action, Stage, keymap
from studykit.review.preview import day_name, previews, span
from studykit.review.typed_answer import compare
from studykit.review.why import facts, why
from studykit.scheduling.events import Event, EventKind
from studykit.scheduling.memory import Grade, Memory
from studykit.scheduling.replay import steps
from studykit.scheduling.study_day import microseconds

TODAY = date(2026, 11, 20)
THIRD = Memory(2, 6, 250, 0, date(2026, 11, 14))


@pytest.mark.parametrize(
    ("days", "said"), [(1, "1 d"), (99, "99 d"), (128, "4.2 mo"), (365, "1.0 y"), (36500, "99.9 y")]
)
def test_a_span_is_said_as_people_say_it(days: int, said: str) -> None:
    assert span(days) == said


def test_a_day_of_another_year_has_its_year() -> None:
    assert day_name(date(2027, 1, 3), TODAY) == "3 Jan 2027"


def test_equal_previews_are_told_once() -> None:
    assert previews(THIRD, TODAY, SCALES["4"]) == ("today", "", "", "15 d")


def test_six_grades_collapse_as_honestly() -> None:
    assert previews(THIRD, TODAY, SCALES["sm2"]) == ("", "", "today", "", "", "15 d")


def test_two_buttons_have_one_preview_each() -> None:
    assert previews(THIRD, TODAY, SCALES["2"]) == ("today", "15 d")


def test_a_drill_promises_no_new_interval() -> None:
    reviewed_today = Memory(1, 1, 250, 0, TODAY)

    assert previews(reviewed_today, TODAY, SCALES["4"]) == ("", "back today", "", "done for today")


def test_the_same_answer_in_other_spacing_case_and_markup_is_the_same() -> None:
    assert compare("  2MNK  flops", "$2mnk$ FLOPs").same


@pytest.mark.parametrize("typed", ["six", "6"])
def test_each_alternative_counts(typed: str) -> None:
    assert compare(typed, "6 | six").same


def test_a_bar_inside_code_parts_no_alternatives() -> None:
    assert compare("a|b", "`a|b`").same


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert compare("e\u0301tude", "\u00e9tude").same


def test_a_difference_is_aligned_with_a_caret_under_it() -> None:
    found = compare("2mn", "2mnk")

    assert (found.you, found.carets, found.want) == ("2mn·", "   ^", "2mnk")


def test_both_lines_of_a_difference_are_equally_long() -> None:
    found = compare("rearrange(x, 'b (d h) n')", "rearrange(x, 'b (h d) n')")

    assert len(found.you) == len(found.want)
    assert not found.same


def event(
    number: int, day: date, grade: Grade | None, kind: EventKind = EventKind.ANSWER, target: str = ""
) -> Event:
    moment = microseconds(datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    return Event(
        UUID(int=number), "me", "here", kind, CardId("a"), moment + number, day, "UTC", grade=grade, target=target
    )


HISTORY = (
    event(1, date(2026, 11, 7), Grade.GOOD),
    event(2, date(2026, 11, 8), Grade.HARD),
    event(3, date(2026, 11, 14), Grade.GOOD),
    event(4, date(2026, 11, 14), Grade.AGAIN),
)


def test_why_gives_the_arithmetic_of_each_review() -> None:
    memory = Memory(3, 15, 236, 0, date(2026, 11, 14))

    told = why(memory, date(2026, 11, 30), HISTORY)

    assert told == [
        "Due 29 Nov, 1 day ago: 15 days after its review on 14 Nov.",
        "",
        "Its log, profile sm2-text:",
        "7 Nov  good: first pass: 1 d, ease 2.50",
        "8 Nov  hard: second pass: 6 d, ease 2.50 -> 2.36",
        "14 Nov  good: 6 d x 2.36 = 14.16, rounded up to 15 d, ease 2.36",
        "14 Nov  again: drill, the schedule stays",
    ]


def test_why_shows_an_undone_answer_as_undone() -> None:
    history = (
        event(1, TODAY, Grade.GOOD),
        event(2, TODAY, None, EventKind.UNDO, str(UUID(int=1))),
    )

    assert why(None, TODAY, history)[-1] == "20 Nov  good: undone"


def test_a_failure_is_told_as_a_new_start() -> None:
    history = (event(1, date(2026, 11, 7), Grade.GOOD), event(2, date(2026, 11, 8), Grade.AGAIN))

    assert why(Memory(0, 1, 250, 1, date(2026, 11, 8)), date(2026, 11, 9), history)[-1] == (
        "8 Nov  again: failed, so again from the start: 1 d, ease 2.50"
    )


def test_a_new_card_says_that_it_is_new() -> None:
    assert why(None, TODAY, ())[0] == "New: it has never been reviewed."


def test_a_drilled_card_says_why_it_comes_again() -> None:
    assert why(Memory(0, 1, 250, 0, TODAY), TODAY, ())[0] == (
        "Asked again today: SM-2 repeats what scored below 4 until it scores 4."
    )


def test_a_card_that_passed_today_does_not_say_that_it_comes_again() -> None:
    history = (event(1, TODAY, Grade.GOOD),)

    assert why(Memory(1, 1, 250, 0, TODAY), TODAY, history)[0] == (
        "Done for today: due 21 Nov, 1 day after its review on 20 Nov."
    )


def test_a_card_failed_today_says_that_it_comes_again() -> None:
    history = (event(1, TODAY, Grade.GOOD), event(2, TODAY, Grade.AGAIN))

    assert why(Memory(1, 1, 250, 0, TODAY), TODAY, history)[0].startswith("Asked again today")


def test_a_crammed_card_says_that_it_is_not_due() -> None:
    assert why(Memory(2, 6, 250, 0, date(2026, 11, 18)), TODAY, ())[0].startswith("Not due yet")


def test_steps_of_a_reset_begin_anew() -> None:
    history = (*HISTORY[:2], event(9, date(2026, 11, 9), None, EventKind.RESET))

    assert [step.after for step in steps(history)][-1] is None


def test_the_info_page_shows_what_each_grade_does_to_the_ease() -> None:
    told = facts(THIRD, TODAY)

    assert "  5 easy      15 d, then ease 2.60" in told
    assert "  3 hard      15 d, then ease 2.36" in told
    assert "  1 again     1 d, then ease 2.50" in told


def test_space_reveals_and_then_accepts() -> None:
    keys = keymap()

    assert keys.press("space", Stage.QUESTION) is Action.REVEAL
    assert keys.press("space", Stage.ANSWER) is Action.ACCEPT


@pytest.mark.parametrize(("key", "grade"), [("1", 1), ("2", 3), ("3", 4), ("4", 5)])
def test_four_keys_give_the_grades_of_sm2(key: str, grade: int) -> None:
    assert keymap().press(key, Stage.ANSWER) == grade


def test_the_full_scale_gives_all_six() -> None:
    keys = keymap("sm2")

    assert [keys.press(key, Stage.ANSWER) for key in "012345"] == list(Grade)


def test_two_buttons_give_again_and_good() -> None:
    keys = keymap("2")

    assert [keys.press(key, Stage.ANSWER) for key in "123"] == [Grade.AGAIN, Grade.GOOD, None]


def test_a_digit_means_nothing_before_the_answer() -> None:
    assert keymap().press("3", Stage.QUESTION) is None


def test_the_vim_preset_grades_with_the_home_row() -> None:
    keys = keymap("4", {"preset": "vim"})

    assert [keys.press(key, Stage.ANSWER) for key in "hjkl"] == [
        Grade.AGAIN,
        Grade.HARD,
        Grade.GOOD,
        Grade.EASY,
    ]
    assert keys.press("j", Stage.QUESTION) is Action.DOWN


def test_a_changed_key_wins() -> None:
    assert keymap("4", {"undo": "z"}).press("z", Stage.QUESTION) is Action.UNDO


@pytest.mark.parametrize(("scale", "keys"), [("7", {}), ("4", {"undoo": "z"}), ("4", {"preset": "emacs"})])
def test_a_setting_that_means_nothing_is_refused_by_name(scale: str, keys: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        keymap(scale, keys)


def test_q_closes_a_page_instead_of_the_session() -> None:
    assert keymap().press("q", Stage.QUESTION, page=True) is Action.CLOSE


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("(15,5,1)", "(15, 5, 1)"), ("b s (h d)->b h s d", "`b s (h d) -> b h s d`"), ("15 , 5", "15, 5")],
)
def test_spaces_beside_punctuation_make_no_difference(typed: str, wanted: str) -> None:
    assert compare(typed, wanted).same


def test_spaces_between_words_and_numbers_do() -> None:
    assert not compare("1 5", "15").same


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("2^30", "$2^{30}$"),
        ("2**30", "$2^{30}$"),
        ("2³⁰", "$2^{30}$"),
        ("3 * d_model", "$3 \\times d_{model}$"),
        ("b/2", "$\\frac{b}{2}$"),
    ],
)
def test_a_formula_may_be_typed_without_tex(typed: str, wanted: str) -> None:
    assert compare(typed, wanted).same


def test_another_power_is_another_answer() -> None:
    assert not compare("2^20", "$2^{30}$").same


def test_a_wanted_formula_is_shown_as_one_would_type_it() -> None:
    assert compare("1", "$2^{30}$").want == "2^30"
