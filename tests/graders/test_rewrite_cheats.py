"""Attempts by hand to pass a rewrite without what it asks for: none does, each for the reason it was seen for."""

from dataclasses import replace
from random import Random

import pytest
from plain_evaluator import opinion
from rewrite_cheats import CHEATED, cheats
from rewrites import task
from trusted_grade import TrustedGrade

from studykit.exercise.verdict import Correct
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.sandbox.worker import Worker


def test_there_are_two_hundred_over_more_than_ten_exercises() -> None:
    count = sum(len(cheats(name, "f()")) for name in CHEATED)

    assert len(CHEATED) >= 10
    assert count >= 200


@pytest.mark.parametrize("name", CHEATED)
def test_no_attempt_passes(name: str) -> None:
    exercise = task(name)
    judge = TrustedGrade(exercise)

    got = [(judge.why_not(source).partition(":")[0], source) for _, source in cheats(name, exercise.signature)]

    assert got == cheats(name, exercise.signature)


@pytest.mark.parametrize("name", CHEATED)
def test_where_the_need_decides_the_values_are_right(name: str) -> None:
    exercise = task(name)
    decided = [source for why, source in cheats(name, exercise.signature) if why == "need"]

    assert [source for source in decided if not opinion(exercise, source).right] == []


@pytest.mark.parametrize("name", ["split_heads", "mean_pool", "group_norm"])
def test_in_the_sandbox_it_is_the_method_that_fails(torch_worker: Worker, name: str) -> None:
    exercise = task(name)
    place = replace(Place(torch_worker), search_s=0.01)
    decided = [source for why, source in cheats(name, exercise.signature) if why == "need"]

    for source in (decided[0], decided[-1]):
        found = grade(place, exercise, source, Random(3)).judgment
        assert not isinstance(found.verdict, Correct)
        assert [check.name for check in found.checks if not check.passed] == ["method"], source
        assert found.diagnosis.startswith("The values are right, the method is not allowed here:")
