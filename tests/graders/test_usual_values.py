"""Which values of an answer no solution has: by their numbers, in any order, with any factor."""
# ruff: noqa: E501 - an answer reads best in one piece

import numpy as np
import pytest
from rewrites import task
from trusted_grade import TrustedGrade

from studykit.graders.child.usual_values import UsualNumbers

DRAWN = np.random.RandomState(1)
FIRST, SECOND = np.sort(DRAWN.normal(size=30)), np.sort(DRAWN.normal(size=20))
USUAL = UsualNumbers([FIRST, SECOND])
SHIFTED = (
    "y = rearrange(x, 'b s (two d) -> two b s d', two=2)\nr = rearrange([-y[1], y[0]], 'k b s d -> k b s d')\n"
)


@pytest.mark.parametrize(
    ("numbers", "usual"),
    [
        (FIRST, True),
        (np.sort(-7 * FIRST), True),
        (FIRST * (1 + 1e-12), True),
        (np.sort(np.concatenate([FIRST, FIRST])), True),
        (np.sort(np.concatenate([FIRST, -SECOND])), True),
        (FIRST[3:9], True),
        (FIRST + 1e-6, False),
        (FIRST[3:9] * 2, False),
        (np.sort(FIRST**2), False),
        (np.zeros(4), False),
        (np.full(4, 1e-17), False),
        (np.sort(1e-17 * DRAWN.normal(size=30)), False),
        (np.full(3, np.nan), False),
        (np.zeros(0), False),
    ],
)
def test_multiples_and_choices_of_usual_numbers_are_usual(numbers: np.ndarray, *, usual: bool) -> None:
    assert (numbers in USUAL) is usual


def test_where_nothing_is_usual_nothing_is() -> None:
    assert FIRST not in UsualNumbers([])


@pytest.mark.parametrize(
    ("name", "body", "told"),
    [
        (
            "rope_halves",
            f"{SHIFTED}e = einsum(r, y, 'k b s d, k b s d -> ')\nreturn rearrange(y * c + r * z + e, 'k b s d -> b s (k d)')",
            "`einsum` on line 4",
        ),
        ("rope_halves", f"{SHIFTED}return rearrange(y * c + r * z, 'k b s d -> b s (k d)')", ""),
        (
            "layer_norm",
            (
                "y = x - reduce(x, 'b s d -> b s 1', 'mean')\nv = reduce(y * y, 'b s d -> b s 1', 'mean')\n"
                "return (y * v) / (sqrt(v) * v)"
            ),
            "`*` on line 4",
        ),
        (
            "group_norm",
            (
                "y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\nm = reduce(y, 'b g n -> b g 1', 'mean')\n"
                "y = (y - m) / sqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5 - m * m)\n"
                "return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])"
            ),
            "`+` on line 4",
        ),
    ],
)
def test_what_no_solution_computes_is_told(name: str, body: str, told: str) -> None:
    exercise = task(name)
    lines = "".join(f"    {line}\n" for line in body.splitlines())

    found = TrustedGrade(exercise).why_not(f"def {exercise.signature}:\n{lines}")

    assert found == (f"need: numbers that no usual way has, by {told}" if told else "")


def test_a_child_that_does_not_tell_lets_nothing_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = task("rms_norm")
    monkeypatch.setattr("studykit.graders.child.usual_values.UsualNumbers.__contains__", lambda *_: 1 / 0)

    found = TrustedGrade(exercise).why_not(exercise.solution.replace("'mean')", "'sum') / x.shape[2]"))

    assert found.startswith("need: a result that cannot be followed")
