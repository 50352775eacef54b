"""Test the explanations of exceptions, wrong shapes and wrong values. The cases are JSON files."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
from rewrite_files import rows

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite.trial import Tensor, Trial, tensor
from studykit.graders.rewrite.diagnosis import wrong_axes
from studykit.graders.rewrite.diagnosis.exceptions import exception_text
from studykit.graders.rewrite.diagnosis.wrong_axes import WrongTensor

MERGE = {"b": 2, "h": 5, "s": 3, "e": 7}
MEANS = {"b": 2, "s": 2, "d": 1}


@pytest.mark.parametrize("row", rows("exceptions"))
def test_exception_is_explained(row: dict[str, Any]) -> None:
    patterns = [(line, text) for line, text in row["patterns"]]

    text = exception_text(task(row["exercise"]), row["kind"], row["message"], row["line"], patterns)

    assert text.splitlines() == row["lines"]


def shape_text(name: str, sizes: dict[str, int], wanted: Sequence[int], got: Sequence[int], *, again: bool) -> str:
    empty = [tensor("int8", shape, [0] * math.prod(shape)) for shape in (wanted, got)]
    return WrongTensor(task(name), Trial(sizes, ()), again).shape(*empty)


@pytest.mark.parametrize("row", rows("wrong_shapes"))
def test_wrong_shape_is_explained(row: dict[str, Any]) -> None:
    text = shape_text(row["exercise"], row["sizes"], row["wanted"], row["got"], again=True)

    assert text.splitlines() == row["lines"]


def test_first_failure_hides_the_right_axes() -> None:
    assert shape_text("merge_heads", MERGE, (2, 3, 35), (2, 3, 5, 7), again=False).splitlines()[1:] == [
        "With b=2, h=5, s=3, e=7 your axes are b s h e.",
        "Your result keeps h and e as separate axes; the exercise wants them merged into one.",
    ]


def value_text(row: dict[str, Any], *, again: bool = True) -> str:
    arguments = tuple(tensor("float64", shape, numbers) for shape, numbers in row["inputs"])
    expected, got = (tensor("float64", row["shape"], row[name]) for name in ("wanted", "got"))
    return WrongTensor(task(row["exercise"]), Trial(row["sizes"], arguments), again).values(expected, got)


@pytest.mark.parametrize("row", rows("wrong_values"))
def test_wrong_values_are_explained(row: dict[str, Any]) -> None:
    assert value_text(row).splitlines() == row["lines"]
    assert ", not (" not in value_text(row, again=False)


def test_unreadable_values_only_differ() -> None:
    want, got = (Tensor("bfloat16", (1,), data) for data in (b"ab", b"ac"))

    assert WrongTensor(task("mean_pool"), Trial({}, ())).values(want, got) == "Values of bfloat16 differ."


@pytest.mark.parametrize(("tried", "reason"), [(2, []), (3, ["These are the values of 'max', wanted 'mean'."])])
def test_explanations_are_limited(monkeypatch: pytest.MonkeyPatch, tried: int, reason: list[str]) -> None:
    monkeypatch.setattr(wrong_axes, "_MAX_TRIED", tried)
    batches = [[(2, 2, 1), [1, 3, 10, 20]]]
    row = {"exercise": "mean_pool", "sizes": MEANS, "inputs": batches, "shape": (2, 1)}

    assert value_text(row | {"wanted": [2, 15], "got": [3, 20]}).splitlines()[2:] == reason
