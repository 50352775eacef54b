"""Wrong rewrites as learners type them: each is led on, and no pattern is given away at the first failure."""

import random

import pytest
from rewrites import task
from wrong_rewrites import FIRST, FOURTH, SECOND, THIRD

from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import as_source
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker


@pytest.fixture
def place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)


def is_led_on(place: Place, name: str, typed: str, words: list[str]) -> None:
    exercise = task(name)
    result = exercise.canonical.partition("->")[2].strip()

    told = grade(place, exercise, as_source(exercise, typed), random.Random(5), again=False).judgment.diagnosis

    assert [word for word in words if word not in told] == [], told
    assert not result or f"wanted {result}" not in told
    assert exercise.canonical not in told or exercise.canonical in typed or not exercise.canonical


def test_there_are_sixty_of_a_kind_over_all_rewrites_of_the_course() -> None:
    assert len(FIRST) >= 60
    assert len(SECOND) >= 60
    assert len({name for name, *_ in SECOND}) >= 16


def test_there_are_forty_more_over_all_families() -> None:
    assert len(THIRD) >= 40
    assert len(FOURTH) >= 20
    assert {task(name).family for name, *_ in THIRD} == {one.family for one in map(task, catalog_names())}


def catalog_names() -> list[str]:
    return [one.id.removeprefix("rewrite.") for one in catalog.of_set("einops")]


@pytest.mark.parametrize(("name", "typed", "words"), [*FIRST, *THIRD[:8], *FOURTH[:5]])
def test_a_wrong_rewrite_is_led_on(place: Place, name: str, typed: str, words: list[str]) -> None:
    is_led_on(place, name, typed, words)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "typed", "words"), [*SECOND, *THIRD[8:], *FOURTH[5:]])
def test_another_wrong_rewrite_is_led_on(place: Place, name: str, typed: str, words: list[str]) -> None:
    is_led_on(place, name, typed, words)
