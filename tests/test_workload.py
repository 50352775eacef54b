"""Ten new cards of the course a day fit into a quarter of an hour."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = Path(__file__).parent / "benchmarks" / "bench_course.py"
    spec = importlib.util.spec_from_file_location("bench_course", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_course"] = module  # where its dataclasses look for themselves
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("learner", range(10))
def test_no_day_of_the_first_sixty_takes_more_than_15_minutes(bench: ModuleType, learner: int) -> None:
    days = bench.minutes_a_day(bench.course(), learner)

    assert len(days) == 60
    assert max(days) <= 15


def test_an_exercise_takes_a_learner_longer_than_a_flashcard(bench: ModuleType) -> None:
    cards = bench.course()
    flashcards = [bench.seconds(card) for card in cards if card.task is None]
    exercises = [bench.seconds(card) for card in cards if card.task is not None]

    assert max(flashcards) < min(exercises, default=20)
