"""Check that ten new cards of the course and the due ones fit into a quarter of an hour on a typical day."""

import importlib.util
import sys
from pathlib import Path
from statistics import median
from types import ModuleType

import pytest

from decks import shipped_cards


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
def learners(bench: ModuleType) -> list[list[float]]:
    """Return, for each of twenty learners, the minutes of each day with new cards."""
    cards = shipped_cards()
    days = -(-len(cards) // bench.NEW_A_DAY)
    return [bench.minutes_a_day(cards, learner)[:days] for learner in range(20)]


def test_median_day_takes_at_most_13_minutes(learners: list[list[float]]) -> None:
    assert max(median(days) for days in learners) <= 13


def test_four_days_in_five_stay_under_15_minutes(learners: list[list[float]]) -> None:
    days = sorted(day for learner in learners for day in learner)

    assert days[len(days) * 4 // 5] <= 15


def test_sixty_days_are_simulated(bench: ModuleType) -> None:
    assert len(bench.minutes_a_day(shipped_cards(), 0)) == 60


def test_exercise_takes_longer_than_a_flashcard(bench: ModuleType) -> None:
    cards = shipped_cards()
    flashcards = [bench.seconds(card) for card in cards if card.task is None]
    exercises = [bench.seconds(card) for card in cards if card.task is not None]

    assert max(flashcards) < min(exercises, default=20)


def test_first_five_days_reach_both_lecture_questions(bench: ModuleType) -> None:
    cards = shipped_cards()

    first_deck = [card.id for card in cards if card.deck == "two-questions"]
    days = bench.first_days(cards, learner=0)

    assert len(first_deck) <= 45
    assert first_deck[-2:] == ["ex-days-lecture", "ex-largest-8-at-12"]
    assert max(days[card] for card in first_deck[-2:]) <= 5
