"""Check what each key means at a stage, by scale and by the learner's settings."""

import pytest

from studykit.errors import UsageError
from studykit.review.keymap import keymap


@pytest.mark.parametrize(
    ("scale", "keys", "sentence"),
    [
        ("7", {}, "'7' is not a scale of grades. Use 4, 2 or sm2."),
        ("4", {"preset": "emacs"}, "'emacs' is not a preset of keys. The only preset is vim."),
    ],
)
def test_invalid_setting_is_named(scale: str, keys: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        keymap(scale, keys)

    assert str(refused.value) == sentence


GRADES = [("", "= good"), *((str(number), f"grade {number}") for number in range(6))]


@pytest.mark.parametrize(
    ("scale", "keys", "pressed", "expected"),
    [
        ("4", {"preset": "vim"}, "hjkl", ["1", "2", "3", "4"]),
        ("4", {"preset": "vim"}, "1", ["1"]),
        ("2", {"preset": "vim"}, "hk", ["1", "2"]),
        ("4", {"good": "g", "down": "n"}, "g3n", ["3", "3", "down"]),
        ("sm2", {"blackout": "x"}, "x0", ["0", "0"]),
        ("4", {"accept": "a"}, "a", [""]),
    ],
)
def test_grades_have_learner_keys(scale: str, keys: dict[str, object], pressed: str, expected: list[str]) -> None:
    choices = keymap(scale, keys).choices(GRADES)

    assert [choices[key][0] for key in pressed] == expected


OPTIONS = [("", "next"), ("s", "steps"), ("r", "again"), ("u", "undo"), ("-", ""), ("q", "quit")]


@pytest.mark.parametrize(
    ("keys", "pressed", "expected"),
    [
        ({}, "u", "u"),
        ({"undo": "z"}, "z", "u"),
        ({"undo": "z"}, "u", "u"),  # the default works as well
        ({"steps": "x"}, "x", "s"),  # an action of the exercise
        ({"undo": "r"}, "r", "r"),  # a letter of the exercise
        ({"bury": "u"}, "u", "-"),  # taken over
        ({"good": "g"}, "g", None),
    ],
)
def test_own_keys_work_in_exercises(keys: dict[str, object], pressed: str, expected: str | None) -> None:
    assert keymap(keys=keys).choices(OPTIONS).get(pressed, (None,))[0] == expected


def test_choice_shows_the_learners_own_key() -> None:
    words = {key: word for key, (_, word) in keymap(keys={"undo": "z"}).choices(OPTIONS).items() if word}

    assert words == {"": "next", "s": "steps", "r": "again", "z": "undo", "q": "quit"}
