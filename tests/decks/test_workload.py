"""Ten new cards of the course a day fit into a quarter of an hour."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / "bench_course.py"
    spec = importlib.util.spec_from_file_location("bench_course", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_course"] = module  # where its dataclasses look for themselves
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def worst_days(bench: ModuleType) -> list[float]:
    """The busiest day of each of twenty learners, in minutes."""
    return [max(bench.minutes_a_day(bench.course(), learner)) for learner in range(20)]


def test_the_unluckiest_learner_of_twenty_never_has_more_than_15_minutes_on_a_day(worst_days: list[float]) -> None:
    assert max(worst_days) <= 15


def test_sixty_days_are_simulated(bench: ModuleType) -> None:
    assert len(bench.minutes_a_day(bench.course(), 0)) == 60


def test_an_exercise_takes_a_learner_longer_than_a_flashcard(bench: ModuleType) -> None:
    cards = bench.course()
    flashcards = [bench.seconds(card) for card in cards if card.task is None]
    exercises = [bench.seconds(card) for card in cards if card.task is not None]

    assert max(flashcards) < min(exercises, default=20)
