"""Test the measures of how well schedulers predict recall, against values computed by hand and by plain code."""

import math
from fractions import Fraction
from random import Random

import pytest
from plain_replay import caches_of

from studykit.scheduling import prediction, review_rule
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.log_figures import by_sm2
from studykit.scheduling.prediction import SchedulerComparison, compare, load, log_losses
from studykit.scheduling.review_rule import EventRow

DAY = 739_000
FSRS = Fsrs()


def answered(card: str, day: int, grade: int, profile: str = "sm2-text") -> EventRow:
    return f"{card}{day}".encode(), "answer", card, DAY + day, grade, 1000, "", profile


SMALL = [
    answered("a", 0, 4),
    answered("a", 0, 1),  # drill
    answered("a", 1, 4),
    answered("a", 3, 1),  # ahead of time
    answered("a", 7, 4),
    answered("b", 8, 3),
    answered("b", 10, 1),
]
"""Reviews of known cards: a after 1 and 6 days, recalled; b after 2, forgotten."""


def named(comparison: SchedulerComparison) -> dict[str, prediction.Prediction]:
    return {each.name: each for each in comparison.predictions}


def test_a_small_log_by_hand() -> None:
    """Check SM-2's predictions: 0.9 at the end of an interval, and 0.9^2 after twice as long."""
    comparison, _ = compare(SMALL, (), FSRS)

    text = named(comparison)["sm2-text"]
    assert comparison.reviews == 3
    assert comparison.recalled == pytest.approx(2 / 3)
    assert text.mean == pytest.approx((0.9 + 0.9 + 0.81) / 3)
    assert text.log_loss == pytest.approx(-(2 * math.log(0.9) + math.log(0.19)) / 3)


def test_sm2s_measures_equal_those_of_a_plain_computation() -> None:
    """Compare with a second SM-2."""
    rows, probabilities = plain_reviews(Random(7))

    text = named(compare([row for _, row in sorted(rows)], (), FSRS)[0])["sm2-text"]

    assert text.log_loss == pytest.approx(
        -sum(math.log(p if y else 1 - p) for p, y in probabilities) / len(probabilities)
    )


PlainReview = tuple[float, int]


def plain_reviews(chance: Random) -> tuple[list[tuple[int, EventRow]], list[PlainReview]]:
    """Return a log, and SM-2's prediction and the outcome of each review of a known card."""
    rows, probabilities = [], []
    for card in "abcdefghijkl":
        day, elapsed, repetition, interval, ease = 0, 0, 0, 1, Fraction(5, 2)
        for number in range(1, 13):
            grade = chance.choice([1, 3, 4, 4, 5])
            rows.append((day, answered(card, day, grade)))
            if number > 1:
                probabilities.append((0.9 ** (elapsed / interval), int(grade >= 3)))
            if grade < 3:
                repetition, interval = 0, 1
            else:
                interval = (1, 6)[repetition] if repetition < 2 else math.ceil(interval * ease)
                ease += Fraction(10 - (5 - grade) * (8 + (5 - grade) * 2), 100)
                repetition, ease = repetition + 1, max(ease, Fraction(13, 10))
            elapsed = interval + chance.randrange(4)
            day += elapsed
    return rows, probabilities


def test_fsrs_says_what_its_curve_says() -> None:
    comparison, _ = compare(SMALL, (), FSRS)

    first = FSRS.first(4)
    second = FSRS.review(*first, 1, 4)
    probabilities = [FSRS.recall(first[0], 1), FSRS.recall(second[0], 6), FSRS.recall(FSRS.first(3)[0], 2)]
    assert named(comparison)["fsrs-6"].mean == pytest.approx(sum(probabilities) / 3)


def test_what_was_undone_is_no_prediction() -> None:
    comparison, _ = compare(SMALL, {b"b10"}, FSRS)

    assert (comparison.reviews, comparison.recalled) == (2, 1.0)


def test_a_log_without_reviews_compares_nothing() -> None:
    assert compare(SMALL[:2], (), FSRS)[0] == SchedulerComparison(0, 0.0)


def test_certain_wrong_prediction_costs_a_finite_amount() -> None:
    losses = log_losses([1.0, 0.0], [False, True])

    assert losses == pytest.approx([36.04, 36.04], abs=0.01)


def test_memories_of_both_match_a_replay() -> None:
    random = Random(7)
    log = [answered(random.choice("abc"), day, random.choice([1, 3, 4, 4, 5])) for day in range(300)]

    _, memories = compare(log, (), FSRS)

    assert memories == caches_of(log, fsrs=FSRS).memories
    assert {card: by_sm2(memory) for card, memory in memories.items()} == caches_of(log).memories


def test_the_load_to_come_follows_each_card() -> None:
    """Check a card that SM-2 asks today, after 6 days and after 15 more, and an overdue card."""
    yesterday = review_rule.answer(None, 4, DAY - 1)[1]
    overdue = review_rule.answer(None, 4, DAY - 9)[1]

    counts = load([yesterday, overdue], DAY, 30, None)

    assert [day for day, count in enumerate(counts) if count] == [0, 6, 21]
    assert counts[0] == counts[6] == counts[21] == 2


def test_the_longer_stability_brings_the_smaller_load() -> None:
    memories = [review_rule.answer(None, 4, DAY - 1, fsrs=FSRS)[1]]

    assert sum(load(memories, DAY, 60, Fsrs(0.95))) > sum(load(memories, DAY, 60, Fsrs(0.8))) > 0


def test_a_difference_comes_with_what_chance_does() -> None:
    random = Random(3)
    log = [
        answered(f"c{card}", day, random.choice([1, 4, 4, 4])) for card in range(60) for day in (0, 1, 7, 22, 60)
    ]

    comparison, _ = compare(sorted(log, key=lambda row: row[3]), (), FSRS)

    fsrs, text = (named(comparison)[name].log_loss for name in ("fsrs-6", "sm2-text"))
    assert comparison.difference == pytest.approx(fsrs - text)
    assert 0 < comparison.uncertainty < 0.5
    assert comparison.too_few
