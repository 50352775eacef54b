"""A right answer changed at random passes only where a plain evaluator finds that a pass is deserved.

The long form: STUDYKIT_TEST_MUTANTS=10000 pytest -n0 tests/graders/test_rewrite_fuzz.py
"""

import os
from collections import Counter
from random import Random

import pytest
from plain_evaluator import opinion
from rewrite_mutants import mutant
from trusted_grade import TrustedGrade

from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite

MUTANTS = int(os.environ.get("STUDYKIT_TEST_MUTANTS", "400"))
EXERCISES = [found for found in catalog.of_set("einops") if isinstance(found, Rewrite)]


@pytest.mark.timeout(max(120, MUTANTS // 10))
def test_no_mutant_passes_that_does_not_deserve_it() -> None:
    grades = {exercise.id: TrustedGrade(exercise) for exercise in EXERCISES}
    undeserved, count = [], Counter[str]()

    for number in range(MUTANTS):
        random = Random(f"whitelist {number}")
        exercise = random.choice(EXERCISES)
        source = mutant(exercise, random)
        why = grades[exercise.id].why_not(source)
        count[why.partition(":")[0]] += 1
        if not why and not opinion(exercise, source, number).deserved:
            undeserved.append((exercise.id, source))

    print(dict(count))
    assert undeserved == []
    assert count[""] >= MUTANTS // 40, "too few pass: the mutants no longer try the rule"
    assert count["need"] >= MUTANTS // 50, "too few decoys are met"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_the_evaluator_finds_every_right_answer_deserving_and_so_does_the_grade(exercise: Rewrite) -> None:
    grade = TrustedGrade(exercise)

    for source in (exercise.solution, *exercise.alternatives):
        assert opinion(exercise, source).deserved
        assert grade.why_not(source) == ""
