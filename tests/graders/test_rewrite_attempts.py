"""Attempts with the source of the judge at hand: whatever Python can do is no way round, and no sum hides it."""

from collections.abc import Iterable

import pytest
from plain_evaluator import opinion
from rewrite_attempts import RIGHT, SUMS, around_the_rule, sums
from rewrite_cancellations import CANCELLATIONS, cancellations
from rewrite_halves import HALVES, halves
from rewrite_removals import REMOVALS, removals
from rewrite_special_lengths import SPECIAL, special_lengths
from rewrites import task
from trusted_grade import TrustedGrade

SHAPES_IN_TWO_STEPS = {"flatten_all"}
"""The evaluator calls a list of one value needless; the judge takes its new axis for a part of the work."""


def judged(judge: TrustedGrade, tried: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """What refuses each attempt, or `passes`, and the attempt."""
    return [(judge.why_not(source).partition(":")[0] or "passes", source) for _, source in tried]


def test_there_are_a_thousand_over_more_than_ten_exercises() -> None:
    assert sum(len(around_the_rule(name, "f()")) for name in RIGHT) >= 1000
    assert len(RIGHT) >= 10
    assert sum(len(sums(name, "f()")) for name in SUMS) >= 90


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_but_a_computation_passes(name: str) -> None:
    judge = TrustedGrade(task(name))

    passing = [source for source in around_the_rule(name, task(name).signature) if not judge.why_not(source)]

    assert passing == []


@pytest.mark.parametrize("name", SUMS)
def test_a_call_that_does_nothing_is_seen_in_every_sum(name: str) -> None:
    exercise = task(name)
    judge = TrustedGrade(exercise)
    tried = sums(name, exercise.signature)

    assert judged(judge, tried) == tried
    if name not in SHAPES_IN_TWO_STEPS:
        assert all(opinion(exercise, source).deserved for why, source in tried if why == "passes")


@pytest.mark.parametrize("name", CANCELLATIONS)
def test_what_cancels_out_is_no_use_of_a_call(name: str) -> None:
    judge = TrustedGrade(task(name), count=5)
    tried = cancellations(name, task(name).signature)

    assert judged(judge, tried) == tried


@pytest.mark.parametrize("name", HALVES)
def test_a_half_is_not_the_whole(name: str) -> None:
    judge = TrustedGrade(task(name), count=5)
    tried = halves(name, task(name).signature)

    assert judged(judge, tried) == tried


@pytest.mark.parametrize("name", REMOVALS)
def test_what_a_sum_takes_away_again_is_no_use_of_a_call(name: str) -> None:
    judge = TrustedGrade(task(name))
    tried = removals(name, task(name).signature)

    assert judged(judge, tried) == tried
    assert all(opinion(task(name), source).deserved for why, source in tried if why == "passes")


@pytest.mark.parametrize("name", SPECIAL)
def test_no_length_is_told_from_others(name: str) -> None:
    judge = TrustedGrade(task(name), count=5)
    tried = special_lengths(name, task(name).signature)

    assert judged(judge, tried) == tried
