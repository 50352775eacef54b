"""Check mastery: recall by the curve, exercises by first tries, and how often the intervals hold."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from studykit.scheduling.estimated_share import EstimatedShare, counted_share, shrunk_share
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.mastery import (
    RECENT,
    Mastery,
    MasteryLevel,
    ObjectiveCard,
    TryRow,
    by_weakness,
    doubt_of,
    mastery,
    objective_tries,
    weakest_practised,
)
from studykit.scheduling.plan import Curve, fitted
from studykit.scheduling.review_rule import MemoryRow

TODAY = 739_000
SURE = Curve(Fsrs()), 0.0


def memory(stability: float, days_ago: int) -> MemoryRow:
    return 1, 10, 250, 0, TODAY - days_ago, TODAY, 1, 1, stability, 5.0, 10


def texts(*cards: str, objective: str = "flops") -> list[ObjectiveCard]:
    return [(card, objective, False) for card in cards]


def at_least(successes: int, tries: int, chance: float) -> float:
    each = range(successes, tries + 1)
    return math.fsum(math.comb(tries, n) * chance**n * (1 - chance) ** (tries - n) for n in each)


def test_the_interval_of_a_share_is_wilsons() -> None:
    share = counted_share(8, 10)

    assert share is not None
    assert (share.mean, share.of) == (0.8, 10)
    assert (round(share.low, 4), round(share.high, 4)) == (0.4902, 0.9433)
    assert counted_share(0, 0) is None


@pytest.mark.parametrize(("passed", "of"), [(3, 4), (0, 4), (4, 4), (70, 80)])
def test_a_shrunk_share_is_a_beta_distribution(passed: int, of: int) -> None:
    share = shrunk_share(passed, of, towards=0.5, weight=8)

    first, tries = passed + 4, of + 8 - 1  # a whole beta is a sum of binomials
    assert share.mean == pytest.approx((passed + 4) / (of + 8))
    assert at_least(first, tries, share.low) == pytest.approx(0.025, abs=0.001)
    assert at_least(first, tries, share.high) == pytest.approx(0.975, abs=0.001)


def test_recall_is_the_mean_over_seen_cards() -> None:
    memories = {"a": memory(10.0, 10), "b": memory(20.0, 20), "gone": memory(1.0, 100)}

    (result,) = mastery(texts("a", "b", "new"), memories, SURE, TODAY, {})

    assert result.recall is not None  # nine of ten at the stability's end, each of two cards
    assert result.recall.mean == pytest.approx(0.9)
    assert result.recall.low == pytest.approx(0.9 - 1.96 * math.sqrt(0.09 / 2))
    assert result.recall.high == 1.0
    assert (result.cards, result.seen, result.exercises) == (3, 2, None)


def test_where_nothing_was_answered_there_is_no_figure() -> None:
    (result,) = mastery(texts("a"), {}, SURE, TODAY, {})

    assert result == Mastery("flops", 1, 0, None, 0, 0, None)
    assert (result.weaker, result.level) == (None, MasteryLevel.UNKNOWN)


def test_exercises_shrink_towards_the_learners_share() -> None:
    cards = [("e", "memory", True), *texts("a", objective="memory")]

    result = mastery(cards, {"e": memory(1.0, 1)}, SURE, TODAY, {"memory": (2, 2), "flops": (5, 8)})

    memory_, flops = sorted(result, key=lambda each: each.objective, reverse=True)
    overall = 8 / 12  # seven of ten, with one right and one wrong more
    assert memory_.exercises is not None
    assert memory_.exercises.mean == pytest.approx((2 + 8 * overall) / 10)
    assert (memory_.cards, memory_.recall, flops.cards) == (1, None, 0)
    assert [each.objective for each in result] == ["flops", "memory"]  # as in the lesson


def tried(*outcomes: tuple[str, str, int, int], kind: str = "practice") -> list[TryRow]:
    return [
        (bytes([n]), kind, card, day, name, grade, "correct")
        for n, (card, name, day, grade) in enumerate(outcomes)
    ]


def test_try_counts_when_right_at_once() -> None:
    rows = tried(("", "x.one", 1, 4), ("", "x.one", 1, 3), ("", "y.none", 1, 4))
    rows += [(b"a", "answer", "e", 2, "x.one", 4, "incorrect"), (b"b", "answer", "e", 2, "x.one", 4, "correct")]
    rows += [(b"c", "quiz", "e", 2, "x.one", 4, "correct"), (b"d", "practice", "", 2, "x.one", 4, "correct")]

    result = objective_tries(rows, {b"d"}, {"x.one": "flops"}.get)

    assert result == {"flops": (2, 4)}


def test_old_tries_are_forgotten() -> None:
    rows = tried(*[("", "x.one", 1, 1)] * 30, *[("", "x.one", 2, 4)] * RECENT)

    assert objective_tries(rows, (), {"x.one": "flops"}.get) == {"flops": (RECENT, RECENT)}


@pytest.mark.parametrize(
    ("tries", "weakest"),
    [
        ({}, None),
        ({"flops": (40, 40), "memory": (3, 3)}, None),
        ({"flops": (9, 10), "memory": (0, 1), "einops": (2, 9)}, "einops"),  # one try says little
    ],
    ids=["no try", "all above the mark", "one below it"],
)
def test_weakest_objective_is_practised(tries: dict[str, tuple[int, int]], weakest: str | None) -> None:
    assert weakest_practised(tries) == weakest


def known(objective: str, recall: float | None, low: float = 0.0, high: float = 1.0) -> Mastery:
    return Mastery(objective, 9, 9, None if recall is None else EstimatedShare(recall, low, high, 9), 0, 0, None)


def test_unknown_objectives_come_before_weak_ones() -> None:
    result = [known("flops", 0.9), known("memory", None), known("einops", 0.5), known("tensors", None)]

    assert [each.objective for each in by_weakness(result)] == ["memory", "tensors", "einops", "flops"]


def test_unseen_cards_and_exercises_weaken_an_objective() -> None:
    half_seen = replace(known("flops", 0.9), cards=18)  # 0.45 of all
    untried = replace(known("memory", 0.9), exercises=EstimatedShare(0.4, 0.1, 0.7, 3))
    exercises_alone = Mastery("einops", 0, 0, None, 4, 2, EstimatedShare(0.5, 0.2, 0.8, 4))
    result = [known("tensors", 0.6), exercises_alone, half_seen, untried]

    assert [each.objective for each in by_weakness(result)] == ["memory", "flops", "einops", "tensors"]


@pytest.mark.parametrize(
    ("low", "high", "standing"),
    [(0.8, 0.95, MasteryLevel.MASTERED), (0.7, 0.9, MasteryLevel.UNSURE), (0.3, 0.79, MasteryLevel.WEAK)],
)
def test_level_needs_the_whole_interval(low: float, high: float, standing: MasteryLevel) -> None:
    assert known("flops", 0.79, low, high).level is standing


@pytest.mark.parametrize(("seen", "level"), [(4, MasteryLevel.UNSURE), (5, MasteryLevel.MASTERED)])
def test_mostly_unseen_objective_is_not_mastered(seen: int, level: MasteryLevel) -> None:
    sure = EstimatedShare(1.0, 1.0, 1.0, seen)

    assert Mastery("flops", 10, seen, sure, 0, 0, None).level is level
    assert Mastery("flops", 0, 0, None, 9, 9, sure).level is MasteryLevel.MASTERED


def reviews(chance: Random, odds: float, number: int) -> list[tuple[float, int, bool]]:
    curve, seen = Curve(Fsrs(), odds), []
    for _ in range(number):
        stability, days = chance.uniform(1, 60), chance.randrange(1, 60)
        recall = curve.recall((0, 0, 0, 0, TODAY - days, 0, 0, 0, stability, 5.0, 1), TODAY)
        seen.append((stability, days, chance.random() < recall))
    return seen


def held(chance: Random, odds: float, seen: Sequence[tuple[float, int, bool]]) -> bool:
    """Return whether the interval contains what a simulated learner recalls of thirty cards."""
    memories = {str(card): memory(chance.uniform(1, 60), chance.randrange(1, 60)) for card in range(30)}
    curve = fitted(Fsrs(), seen)
    (result,) = mastery(texts(*memories), memories, (curve, doubt_of(curve, seen)), TODAY, {})
    truth = Curve(Fsrs(), odds)
    recalled = sum(chance.random() < truth.recall(each, TODAY) for each in memories.values())
    return result.recall is not None and result.recall.low <= recalled / 30 <= result.recall.high


def test_interval_covers_simulated_recall() -> None:
    chance = Random(20)
    learners = [chance.choice((0.5, 1.0, 2.0)) for _ in range(100)]

    share = sum(held(chance, odds, reviews(chance, odds, 300)) for odds in learners) / len(learners)

    assert 0.9 <= share <= 0.99
