"""Chains of calls over layouts at random: the right ones pass, and of the wrong ones none.

The long form: STUDYKIT_TEST_CHAINS=10000 pytest -n0 tests/graders/test_rewrite_chains.py
"""

import os
from collections import Counter
from random import Random

import pytest
from rewrite_chains import FUNCTIONS, chain
from trusted_grade import TrustedGrade

from studykit.exercise import catalog
from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial

CHAINS = int(os.environ.get("STUDYKIT_TEST_CHAINS", "250"))
EXERCISES = [
    found
    for found in catalog.of_set("einops")
    if isinstance(found, Rewrite) and found.call and found.must[0] in FUNCTIONS and found.result
]
"""Those that give a tensor with axes: of a single number of numpy's einops makes no axis of size 1."""


def short(exercise: Rewrite, random: Random) -> Trial:
    """A trial whose lengths are often 1 and often equal."""
    sizes = {axis: random.choice((1, 1, 2, 2, 3)) for axis in trial.free_axes(exercise)}
    return trial.with_sizes(exercise, random, sizes)


@pytest.fixture(scope="module")
def judges() -> list[TrustedGrade]:
    return [TrustedGrade(exercise, count=5) for exercise in EXERCISES]


@pytest.mark.timeout(max(600, CHAINS // 10))
def test_right_chains_pass(judges: list[TrustedGrade]) -> None:
    refused = []

    for number in range(CHAINS):
        random = Random(f"right {number}")
        judge = random.choice(judges)
        source = chain(judge.exercise, random)
        if why := judge.why_not(source):
            refused.append((judge.exercise.id, why, source))

    assert refused == []


@pytest.mark.timeout(max(600, CHAINS // 10))
def test_chains_with_two_axes_swapped_pass_where_they_are_right_all_the_same(judges: list[TrustedGrade]) -> None:
    undeserved, count = [], Counter[str]()

    for number in range(CHAINS):
        random = Random(f"swapped {number}")
        judge = random.choice(judges)
        source = chain(judge.exercise, random, swapped=True)
        why = judge.why_not(source)
        count[why.partition(":")[0]] += 1
        if not why and not all(judge.is_right(source, short(judge.exercise, random)) for _ in range(8)):
            undeserved.append((judge.exercise.id, source))

    print(dict(count))
    assert undeserved == []
    assert count["values"] >= CHAINS // 2, "too few are wrong"
