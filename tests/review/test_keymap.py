"""Keys: what each means at a stage, by scale and by the learner's own choice."""

import pytest

from studykit.errors import UsageError
from studykit.review.keymap import Action, Press, Stage, keymap
from studykit.scheduling.recall_grade import Grade


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


def test_q_closes_a_page_instead_of_the_session() -> None:
    assert keymap().press("q", Stage.QUESTION, page=True) is Action.CLOSE


@pytest.mark.parametrize(
    ("scale", "keys", "sentence"),
    [
        ("7", {}, "grades is '7'; give 4, 2 or sm2."),
        ("4", {"preset": "emacs"}, "keys.preset is 'emacs'; the only preset is vim."),
    ],
)
def test_invalid_setting_is_named(scale: str, keys: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        keymap(scale, keys)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("key", "stage", "press"),
    [
        ("u", Stage.ANSWER, Action.UNDO),
        ("j", Stage.ANSWER, Action.DOWN),
        ("h", Stage.ANSWER, None),
        ("t", Stage.QUESTION, Action.TYPE),
        ("t", Stage.ANSWER, None),
    ],
)
def test_other_keys_work_on_both_sides(key: str, stage: Stage, press: Press | None) -> None:
    assert keymap().press(key, stage) is press


def test_the_vim_preset_keeps_the_digits() -> None:
    assert keymap("4", {"preset": "vim"}).press("1", Stage.ANSWER) is Grade.AGAIN


def test_page_scrolls_by_the_cards_keys() -> None:
    assert keymap().press("j", Stage.QUESTION, page=True) is Action.DOWN


OPTIONS = [("", "next"), ("s", "steps"), ("r", "again"), ("u", "undo"), ("-", ""), ("q", "quit")]


def meant(keys: dict[str, object], pressed: str) -> str | None:
    choices = keymap(keys=keys).choices(OPTIONS)
    return choices[pressed][0] if pressed in choices else None


@pytest.mark.parametrize(
    ("keys", "pressed", "expected"),
    [
        ({}, "u", "u"),
        ({"undo": "z"}, "z", "u"),
        ({"undo": "z"}, "u", "u"),
        ({"steps": "x"}, "x", "s"),
        ({"undo": "r"}, "r", "r"),
        ({"bury": "u"}, "u", "-"),
        ({"good": "g"}, "g", None),
    ],
    ids=[
        "default",
        "own key",
        "default as well",
        "of the exercise",
        "a letter of the exercise",
        "taken over",
        "grade",
    ],
)
def test_own_keys_work_in_exercises(keys: dict[str, object], pressed: str, expected: str | None) -> None:
    assert meant(keys, pressed) == expected


def test_choice_shows_the_learners_own_key() -> None:
    words = {key: word for key, (_, word) in keymap(keys={"undo": "z"}).choices(OPTIONS).items() if word}

    assert words == {"": "next", "s": "steps", "r": "again", "z": "undo", "q": "quit"}
