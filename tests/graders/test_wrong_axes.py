"""What is said of a wrong result: how its axes and its values came about."""

# ruff: noqa: E501 - messages are quoted as they come
import math
from collections.abc import Mapping, Sequence

import pytest
from rewrites import task

from studykit.exercise.rewrite.trial import Tensor, Trial, tensor
from studykit.graders.rewrite.diagnosis import wrong_axes
from studykit.graders.rewrite.diagnosis.reserve import unmarked

HEADS = {"b": 2, "s": 3, "h": 5, "d": 7}
MERGE = {"b": 2, "h": 5, "s": 3, "d": 7}
IMAGE = {"b": 2, "c": 3, "h": 5, "w": 7}
POOL = {"b": 2, "s": 3, "d": 7}
Shape = tuple[int, ...]


def shape(name: str, sizes: Mapping[str, int], wanted: Shape, got: Shape) -> str:
    """What is said of a shape from the second failure on."""
    return unmarked(wrong_axes.shape(task(name), Trial(sizes, ()), empty(wanted), empty(got)), again=True)


def empty(shape: Shape) -> Tensor:
    return tensor("int8", shape, [0] * math.prod(shape))


@pytest.mark.parametrize(
    ("name", "sizes", "got", "wanted", "mine", "right", "reason"),
    [
        ("split_heads", HEADS, (2, 3, 5, 7), (2, 5, 3, 7), "b s h d", "b h s d", "The axes h and s are swapped."),
        ("split_heads", HEADS, (2, 3, 35), (2, 5, 3, 7), "b s (h d)", "b h s d", "The axes are grouped differently: h and d are merged, and stay apart in what is wanted."),
        ("merge_heads", MERGE, (2, 5, 21), (2, 3, 35), "b h (s d)", "b s (h d)", "The axes are grouped differently: s and d are merged, and stay apart in what is wanted; h and d stay apart, and are merged in what is wanted."),
        ("split_heads", HEADS, (2, 5, 3, 8), (2, 5, 3, 7), "b h s ?", "b h s d", "A dimension is no product of the axes: is a size hard-coded, or are parts of two axes mixed?"),
        ("split_heads", HEADS, (2, 5, 3), (2, 5, 3, 7), "b h s", "b h s d", "Keep d on the right-hand side."),
        ("split_heads", HEADS, (2, 3), (2, 5, 3, 7), "b s", "b h s d", "Keep d and h on the right-hand side."),
        ("split_heads", HEADS, (), (2, 5, 3, 7), "none", "b h s d", "Keep b, d, h and s on the right-hand side."),
        ("split_heads", HEADS, (2, 1, 5, 3, 7), (2, 5, 3, 7), "b 1 h s d", "b h s d", "There is one size-1 axis too many: leave the 1 out."),
        ("keep_axis_mean", POOL, (2, 3), (2, 3, 1), "b s", "b s 1", "An axis of size 1 is missing: write a 1 in its place."),
        ("mean_pool", POOL, (2, 3), (2, 7), "b s", "b d", "d is gone and s is still there: the wrong axis was reduced."),
        ("mean_pool", POOL, (3,), (2, 7), "s", "b d", "b and d are gone and s are still there: the wrong axis was reduced."),
        ("mean_pool", POOL, (2, 1, 3), (2, 7), "b 1 s", "b d", "d is gone and s is still there: the wrong axis was reduced."),
        ("keep_axis_mean", POOL, (2, 7), (2, 3, 1), "b d", "b s 1", "s is gone and d is still there: the wrong axis was reduced."),
        ("global_pool", IMAGE, (5, 7), (2, 3), "h w", "b c", "b and c are gone and h and w are still there: the wrong axis was reduced."),
        ("global_pool", IMAGE, (2, 3, 5, 7), (2, 3), "b c h w", "b c", "Drop h and w from the right-hand side."),
        ("linear", {"b": 2, "s": 3, "d": 5, "e": 7}, (2, 3, 5), (2, 3, 7), "b s d", "b s e", "e is gone and d is still there: the wrong axis was reduced."),
        ("mean_pool", POOL, (2, 3, 7), (2, 7), "b s d", "b d", "Drop s from the right-hand side."),
        ("mean_loss", {"b": 2, "s": 3}, (2,), (), "b", "none", "Drop b from the right-hand side."),
        ("channels_last", {"b": 2, "c": 3, "h": 5, "w": 7}, (2, 5, 7, 7), (2, 5, 7, 3), "b h w w", "b h w c", "Keep c on the right-hand side."),
        ("gqa_repeat", {"b": 2, "h": 3, "s": 5, "d": 7, "g": 11}, (2, 3, 5, 7), (2, 33, 5, 7), "b h s d", "b (h g) s d", "Keep g on the right-hand side."),
        ("read_shape", {"b": 2, "s": 3, "d": 5}, (5,), (3,), "d", "s", "d stands where s should be."),
        ("prepend_token", {"b": 2, "d": 3, "s": 5}, (2, 4, 3), (2, 6, 3), "b ? d", "b (b d) d", "The star takes in every axis that the pattern does not name: name the others, each in its place."),
        ("split_heads", HEADS | {"b": 1}, (3, 5, 7), (1, 5, 3, 7), "s h d", "b h s d", "The axis b is missing: it has size 1 here, and stays on the right of the arrow all the same."),
        ("split_heads", HEADS | {"b": 1}, (1, 3, 5, 7), (1, 5, 3, 7), "1 s h d", "b h s d", "The axes h and s are swapped."),
        ("split_heads", HEADS | {"b": 1}, (5, 3, 7), (1, 5, 3, 7), "h s d", "b h s d", "The axis b is missing: it has size 1 here, and stays on the right of the arrow all the same."),
        ("split_heads", HEADS | {"b": 1}, (1, 5, 3), (1, 5, 3, 7), "1 h s", "b h s d", "Keep d on the right-hand side."),
        ("keep_axis_mean", POOL | {"b": 1}, (3, 1), (1, 3, 1), "s 1", "b s 1", "The axis b is missing: it has size 1 here, and stays on the right of the arrow all the same."),
        ("keep_axis_mean", POOL | {"s": 1}, (2, 7), (2, 1, 1), "b d", "b s 1", "Drop d from the right-hand side."),
        ("merge_heads", MERGE | {"h": 1}, (2, 21), (2, 3, 7), "b (s d)", "b s (h d)", "The axes are grouped differently: s and d are merged, and stay apart in what is wanted."),
        ("merge_heads", MERGE | {"h": 1}, (2, 7, 3), (2, 3, 7), "b d s", "b s (h d)", "The axes s and (h d) are swapped."),
        ("split_heads", HEADS | {"b": 1, "h": 1}, (3, 7), (1, 1, 3, 7), "s d", "b h s d", "One of the axes b, h is missing: it has size 1 here, and stays on the right of the arrow all the same."),
        ("image_tokens", {"b": 2, "s": 3, "d": 5, "h": 7, "w": 11}, (2, 15), (2, 3, 5), "b (s d)", "b s d", "The axes are grouped differently: each inner list is the shape of one part."),
    ],
)  # fmt: skip
def test_a_wrong_shape_is_told_in_axes(  # noqa: PLR0917 - a table's row
    name: str, sizes: Mapping[str, int], got: Shape, wanted: Shape, mine: str, right: str, reason: str
) -> None:
    told = shape(name, sizes, wanted, got)

    shown = ", ".join(f"{axis}={length}" for axis, length in sizes.items())
    assert told == (f"Shape {got}, wanted {wanted}.\nWith {shown} your axes are {mine}, wanted {right}.\n{reason}")


def test_a_shape_that_only_permutes_a_composite_is_left_unexplained() -> None:
    sizes = {"b": 2, "h": 3, "s": 5, "d": 7, "g": 11}

    told = shape("gqa_repeat", sizes, (2, 33, 5, 7), (2, 33, 5, 7))

    assert told.endswith("With b=2, h=3, s=5, d=7, g=11 your axes are b (h g) s d, wanted b (h g) s d.")


def floats(shape: Shape, numbers: Sequence[float]) -> Tensor:
    return tensor("float64", shape, numbers)


def told(
    name: str,
    sizes: Mapping[str, int],
    arguments: Sequence[tuple[Shape, Sequence[float]]],
    want: Tensor,
    got: Sequence[float],
) -> list[str]:
    """The lines on values that are wrong."""
    given = tuple(floats(shape, numbers) for shape, numbers in arguments)
    mine = floats(want.shape, got)
    text = unmarked(wrong_axes.values(task(name), Trial(sizes, given), want, mine), again=True)
    assert text == text.rstrip()
    return text.splitlines()


@pytest.mark.parametrize(
    ("got", "lines"),
    [
        (
            [0, 2, 4, 1, 3, 5],
            [
                "4 of 6 elements are wrong.",
                "First wrong element [0, 0, 0, 1]: got input element 2, expected 1.",
                "In the input's axes that is d=2 instead of 1.",
                "The composite is in the wrong order: yours acts as (d h), not (h d).",
                "The first name in parentheses is the slow axis, the last one the fast.",
            ],
        ),
        (
            [0, 1, 2, 3, 4, 9],
            [
                "1 of 6 elements are wrong.",
                "First wrong element [0, 1, 0, 2]: got input element 9, expected 5.",
                "The elements still lie in the input's order: it was reshaped, and no axis has moved.",
            ],
        ),
        (
            [5, 4, 3, 2, 1, 0],
            [
                "6 of 6 elements are wrong.",
                "First wrong element [0, 0, 0, 0]: got input element 5, expected 0.",
                "In the input's axes that is h=1 instead of 0, d=2 instead of 0.",
            ],
        ),
        (
            [0, 1, 2, 3, 6, 5],
            [
                "1 of 6 elements are wrong.",
                "First wrong element [0, 1, 0, 1]: got input element 6, expected 4.",
            ],
        ),
        (
            [0, 1, 2, 3, 0, 5],
            [
                "1 of 6 elements are wrong.",
                "First wrong element [0, 1, 0, 1]: got input element 0, expected 4.",
                "In the input's axes that is h=0 instead of 1, d=0 instead of 1.",
            ],
        ),
        (
            [0, 1, 2, 3, -4, 5],
            [
                "1 of 6 elements are wrong.",
                "First wrong element [0, 1, 0, 1]: got input element -4, expected 4.",
            ],
        ),
        (
            [0, 1, 2, 3.5, 3, 5],
            [
                "2 of 6 elements are wrong.",
                "First wrong element [0, 1, 0, 0]: got input element 3.5, expected 3.",
            ],
        ),
        (
            [0, 1, 2, 3, 4, math.inf],
            [
                "1 of 6 elements are wrong.",
                "First wrong element [0, 1, 0, 2]: got input element inf, expected 5.",
                "Some elements are not finite.",
            ],
        ),
    ],
)
def test_positions_say_where_an_element_came_from(got: list[float], lines: list[str]) -> None:
    sizes = {"b": 1, "s": 1, "h": 2, "d": 3}

    assert told("split_heads", sizes, [((1, 1, 6), range(6))], floats((1, 2, 1, 3), range(6)), got) == lines


def test_two_composites_in_the_wrong_order_are_both_told() -> None:
    sizes = {"b": 1, "c": 1, "h": 2, "p": 2, "w": 1, "q": 2}
    pixels = [((1, 1, 4, 2), range(8))]
    right = [0, 1, 2, 3, 4, 5, 6, 7]  # b (h w) (p q c), where h is slow
    mine = [0, 1, 4, 5, 2, 3, 6, 7]  # h read as the fast axis

    assert told("patchify", sizes, pixels, floats((1, 2, 4), right), mine)[-2:] == [
        "The composite is in the wrong order: yours acts as (p h), not (h p).",
        "The first name in parentheses is the slow axis, the last one the fast.",
    ]


@pytest.mark.parametrize(
    ("got", "reason"),
    [
        ([4, 8], ["These are the values of 'sum', wanted 'mean'."]),
        ([3, 6], ["These are the values of 'max', wanted 'mean'."]),
        ([1, 2], ["These are the values of 'min', wanted 'mean'."]),
        ([3, 12], ["These are the values of 'prod', wanted 'mean'."]),
        ([9, 9], []),
    ],
)
def test_another_operation_is_named(got: list[float], reason: list[str]) -> None:
    sizes = {"b": 1, "s": 2, "d": 2}

    lines = told("mean_pool", sizes, [((1, 2, 2), [3, 2, 1, 6])], floats((1, 2), [2, 4]), got)

    assert lines == [
        "2 of 2 elements are wrong.",
        f"First wrong element [0, 0]: got {got[0]}, expected 2.",
        *reason,
    ]


def test_numbers_of_six_equal_digits_are_told_with_all() -> None:
    sizes = {"b": 1, "s": 2, "d": 1}

    lines = told("mean_pool", sizes, [((1, 2, 1), [3, 1])], floats((1, 1), [2]), [2.00000001])

    assert lines[1] == "First wrong element [0, 0]: got 2.0000000099999999, expected 2."


def test_a_reduction_is_looked_at_in_every_batch() -> None:
    batches = [((2, 2, 1), [1, 3, 10, 30])]

    lines = told("mean_pool", {"b": 2, "s": 2, "d": 1}, batches, floats((2, 1), [2, 20]), [4, 40])

    assert lines[-1] == "These are the values of 'sum', wanted 'mean'."


def test_a_mean_for_a_sum_is_named() -> None:
    heads = [((1, 2, 1, 2), [1, 2, 3, 6])]

    lines = told("sum_heads", {"b": 1, "h": 2, "s": 1, "d": 2}, heads, floats((1, 1, 2), [4, 8]), [2, 4])

    assert lines[-1] == "These are the values of 'mean', wanted 'sum'."


def test_values_that_python_cannot_read_are_told_to_differ() -> None:
    want, got = (Tensor("bfloat16", (1,), data) for data in (b"ab", b"ac"))

    assert wrong_axes.values(task("mean_pool"), Trial({}, ()), want, got) == "Values of bfloat16 differ."


@pytest.mark.parametrize(
    ("got", "reason"),
    [
        ([90.0000005, 180], ["Every element is d times what is wanted: a factor too many, or too few."]),
        ([30.0000001, 60], ["Every element is sqrt(d) times what is wanted: a factor too many, or too few."]),
        (
            [3.33333336, 20 / 3],
            ["Every element is 1/sqrt(d) times what is wanted: a factor too many, or too few."],
        ),
        (
            [10 / math.sqrt(2), 20 / math.sqrt(2)],
            ["Every element is 1/sqrt(k) times what is wanted: a factor too many, or too few."],
        ),
        ([11.0000005, 21], ["Every element is 1 more than what is wanted."]),
        ([90, 180], ["Every element is d times what is wanted: a factor too many, or too few."]),
        ([10 / 9, 20 / 9], ["Every element is 1/d times what is wanted: a factor too many, or too few."]),
        ([30, 60], ["Every element is sqrt(d) times what is wanted: a factor too many, or too few."]),
        ([10 / 3, 20 / 3], ["Every element is 1/sqrt(d) times what is wanted: a factor too many, or too few."]),
        ([20, 40], ["Every element is k times what is wanted: a factor too many, or too few."]),
        ([50, 100], ["Every element is 5 times what is wanted: a factor too many, or too few."]),
        (
            [12.345678, 24.691356],
            ["Every element is 1.23457 times what is wanted: a factor too many, or too few."],
        ),
        ([-10, -20], ["Every element is -1 times what is wanted: a factor too many, or too few."]),
        ([11, 21], ["Every element is 1 more than what is wanted."]),
        ([9, 19], ["Every element is -1 more than what is wanted."]),
        ([9.9, 20.3], ["The elements are nearly right: was precision lost in a narrower dtype?"]),
        ([9.7, 20.3], []),
        ([0, 0], []),
        ([0, 40], []),
        ([3, 101], []),
        ([10, math.nan], ["Some elements are not finite."]),
        ([10.000001, 20.000002], ["The elements are nearly right: was precision lost in a narrower dtype?"]),
        ([10, 20.000002], ["The elements are nearly right: was precision lost in a narrower dtype?"]),
        ([0, 10], ["Every element is -10 more than what is wanted."]),
    ],
)
def test_a_factor_or_a_shift_is_named(got: list[float], reason: list[str]) -> None:
    sizes = {"b": 1, "h": 1, "q": 1, "k": 2, "d": 9}
    inputs: list[tuple[Shape, Sequence[float]]] = [((1, 1, 1, 9), range(9)), ((1, 1, 2, 9), range(100, 118))]

    lines = told("attention_scores", sizes, inputs, floats((1, 1, 1, 2), [10, 20]), got)

    assert lines[2:] == reason


NEARLY = "The elements are nearly right: was precision lost in a narrower dtype?"


@pytest.mark.parametrize(
    ("wanted", "got", "reason"),
    [
        ([0, 0], [1, 2], []),
        ([0, 0], [1, 1], ["Every element is 1 more than what is wanted."]),
        ([0, 20], [0, 180], ["Every element is d times what is wanted: a factor too many, or too few."]),
        (
            [20, 1e-14],
            [180, 0],
            ["Every element is d times what is wanted: a factor too many, or too few."],
        ),  # as good as zero
        ([0, 20], [1, 180], []),
        ([0, 20], [1, 20], []),
        ([0, 20], [7, 20.1], []),
        ([0, 20], [0.01, 20.1], [NEARLY]),
        ([0, 20], [5e-10, 20], [NEARLY]),
        ([10, 20], [10.0001, 20.0001000005], ["Every element is 0.0001 more than what is wanted."]),
        ([1e9, 0, 5], [1e9 + 1, 1, 6], ["Every element is 1 more than what is wanted."]),
        ([1, 1.5, 0], [1.25, 1.75, 0.25 + 1e-8], ["Every element is 0.25 more than what is wanted."]),
    ],
)
def test_an_element_that_is_wanted_to_be_zero_counts_as_any_other(
    wanted: list[float], got: list[float], reason: list[str]
) -> None:
    sizes = {"b": 1, "h": 1, "q": 1, "k": 3, "d": 9}
    inputs: list[tuple[Shape, Sequence[float]]] = [((1, 1, 1, 9), range(9)), ((1, 1, 3, 9), range(100, 127))]

    assert told("attention_scores", sizes, inputs, floats((1, 1, 1, len(wanted)), wanted), got)[2:] == reason


def test_a_sum_that_is_zero_but_for_rounding_is_a_sum() -> None:
    numbers = [((1, 3, 2), [0.1, 1, 0.2, 2, -0.3, 3])]

    lines = told("mean_pool", {"b": 1, "s": 3, "d": 2}, numbers, floats((1, 2), [0, 2]), [0, 6])

    assert lines[2:] == ["These are the values of 'sum', wanted 'mean'."]


@pytest.mark.parametrize(("tried", "reason"), [(2, []), (3, ["These are the values of 'max', wanted 'mean'."])])
def test_explanations_are_tried_up_to_a_number(
    monkeypatch: pytest.MonkeyPatch, tried: int, reason: list[str]
) -> None:
    monkeypatch.setattr(wrong_axes, "_MOST_TRIED", tried)
    batches = [((2, 2, 1), [1, 3, 10, 20])]

    lines = told("mean_pool", {"b": 2, "s": 2, "d": 1}, batches, floats((2, 1), [2, 15]), [3, 20])

    assert lines[2:] == reason


def test_a_composite_is_wanted_as_its_exercise_writes_it() -> None:
    sizes = {"b": 2, "d": 7, "h": 5, "s": 3}

    said = shape("merge_heads", sizes, (2, 3, 35), (2, 5, 21))

    assert "your axes are b h (d s), wanted b s (h d)." in said


def test_an_element_of_several_inputs_is_told_by_its_place_in_one_of_them() -> None:
    sizes = {"b": 1, "d": 2, "s": 2}
    inputs: list[tuple[Shape, Sequence[float]]] = [((1, 2), [0, 1]), ((1, 2, 2), [7, 8, 9, 9])]

    def first(wanted: Sequence[float], got: Sequence[float]) -> str:
        return told("prepend_token", sizes, inputs, floats((1, 2), wanted), got)[1]

    assert first([0, 1], [0, 8]) == "First wrong element [0, 1]: got y[0, 0, 1], expected x[0, 1]."
    assert first([0, 1], [9, 1]) == "First wrong element [0, 0]: got 9, expected x[0, 0]."  # 9 is there twice
    assert first([0, 1], [5.25, 1]) == "First wrong element [0, 0]: got 5.25, expected x[0, 0]."
