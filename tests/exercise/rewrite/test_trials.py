"""What an answer is tried on: numbers of every kind, so that being right on some of them is not enough."""

from random import Random

import pytest
from rewrites import task

from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Fill


def fills(name: str, count: int = 5) -> list[Fill]:
    return [one.fill for one in trial.draw(task(name), Random(1), count)]


def test_each_trial_holds_other_numbers_and_the_first_the_simplest() -> None:
    assert fills("split_heads") == [Fill.POSITIONS, Fill.POSITIONS, Fill.MIXED, Fill.MIXED, Fill.POSITIONS]
    assert fills("mean_pool") == [Fill.INTEGERS, Fill.FRACTIONS, Fill.NEGATIVE, Fill.LARGE, Fill.INTEGERS]
    assert set(fills("rms_norm")) == {Fill.NORMAL}


@pytest.mark.parametrize("name", ["split_heads", "mean_pool", "gqa_repeat", "max_pool"])
def test_there_are_fractions_and_large_numbers_of_both_signs(name: str) -> None:
    numbers = [n for one in trial.draw(task(name), Random(2), 5) for tensor in one.tensors for n in tensor.numbers]

    assert any(n != int(n) for n in numbers)
    assert min(numbers) < -(1 << 20)
    assert max(numbers) > 1 << 20


@pytest.mark.parametrize("fill", [Fill.FRACTIONS, Fill.NEGATIVE, Fill.LARGE])
def test_their_products_and_sums_are_exact_in_any_order(fill: Fill) -> None:
    numbers = trial._eighths(fill, Random(3), 60)
    products = [a * b * c for a, b, c in zip(numbers, numbers[1:], numbers[2:], strict=False)]

    assert sum(products) == sum(reversed(products)) == sum(sorted(products))
    assert len({*numbers}) > 30
