"""Check that trials hold numbers of every kind, and that forged replies are refused."""

from random import Random

import pytest

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Fill
from studykit.exercise.rewrite.trial import Items, Other, Plain, Tensor, decode


def fills(name: str, count: int = 5) -> list[Fill]:
    return [one.fill for one in trial.draw(task(name), Random(1), count)]


def test_each_trial_has_another_fill() -> None:
    assert fills("split_heads") == [Fill.POSITIONS, Fill.POSITIONS, Fill.MIXED, Fill.MIXED, Fill.POSITIONS]
    assert fills("mean_pool") == [Fill.INTEGERS, Fill.FRACTIONS, Fill.NEGATIVE, Fill.LARGE, Fill.INTEGERS]
    assert set(fills("rms_norm")) == {Fill.NORMAL}


def test_size_of_norm_axis_is_never_one() -> None:
    sizes = [trial.draw(task("rms_norm"), Random(seed), 5)[-1].sizes for seed in range(100)]

    assert {axis for one in sizes for axis, length in one.items() if length == 1} == {"b", "s"}


@pytest.mark.parametrize("name", ["split_heads", "mean_pool", "gqa_repeat", "max_pool"])
def test_trials_hold_fractions_and_large_numbers(name: str) -> None:
    numbers = [n for one in trial.draw(task(name), Random(2), 5) for tensor in one.tensors for n in tensor.numbers]

    assert any(n != int(n) for n in numbers)
    assert min(numbers) < -(1 << 20)
    assert max(numbers) > 1 << 20


@pytest.mark.parametrize("fill", [Fill.FRACTIONS, Fill.NEGATIVE, Fill.LARGE])
def test_products_and_sums_are_exact(fill: Fill) -> None:
    numbers = trial._draw_eighths(fill, Random(3), 60)
    products = [a * b * c for a, b, c in zip(numbers, numbers[1:], numbers[2:], strict=False)]

    assert sum(products) == sum(reversed(products)) == sum(sorted(products))
    assert len({*numbers}) > 30


@pytest.mark.parametrize(
    "header",
    [
        None,
        {},
        {"tensor": {"dtype": "float32"}},
        {"tensor": {"dtype": "float32", "shape": [2]}},
        {"tensor": {"dtype": "float32", "shape": [-1]}},
        {"tensor": {"dtype": "float32", "shape": ["2"]}},
        {"plain": {}},
        {"what": 1},
        {"list": 3},
    ],
)
def test_invalid_value_is_refused(header: object) -> None:
    with pytest.raises(ValueError, match="The reply "):
        decode(header, [b"1234"])


@pytest.mark.parametrize("plain", ["x" * 2001, 1 << 63, -(10**400), [1], {}])
def test_oversized_plain_value_is_refused(plain: object) -> None:
    with pytest.raises(ValueError, match="The reply "):
        decode({"plain": plain}, [])


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ({"other": "\x1b[31mSet\u202e" + "x" * 200}, Other("[31mSet" + "x" * 71)),
        ({"tensor": {"dtype": "\x1b]0;t\x07", "shape": [1]}}, Tensor("]0;t", (1,), b"1234")),
    ],
    ids=["type", "dtype"],
)
def test_foreign_names_are_cleaned(header: dict[str, object], value: object) -> None:
    assert decode(header, [b"1234"]) == value


def test_values_of_all_kinds_are_decoded() -> None:
    header = {"list": [{"tensor": {"dtype": "int8", "shape": [2]}}, {"plain": 3}, {"other": "Size"}]}

    assert decode(header, [b"\x01\x02"]) == Items(
        "list", (Tensor("int8", (2,), b"\x01\x02"), Plain(3), Other("Size"))
    )
