"""Estimate how well a learner knows each objective, each figure with its uncertainty.

Cards. The probability that an answered card is recalled today is that of the fitted curve (`plan.fitted`): FSRS's
forgetting curve, with its odds multiplied by one number that fits it to the last reviews. An objective's recall is
the mean over its cards. Its 95 percent interval has two parts: chance, as each card is either recalled or not, and
how well the curve is known, as a standard error of its log-odds over the reviews that it was fitted to.
Cards that were never answered have no recall and count apart.

Exercises. A try is right where it was right at once, without a hint or a second attempt; what is asked again on
the same day as drill is not a try. The last tries of an objective count, `RECENT` of them. Their share is shrunk
towards the learner's own share over all objectives, which counts for `WEIGHT` tries: the mean of a beta
distribution, whose 95 percent are the interval. Cards that ask an exercise count here and not as cards.

An objective is as strong as the weaker of the two. Without answers it has no figure; where fewer than
half of the cards were seen it is not mastered, however well these are known. The weakest objective is the one of
which least would be recalled today, its unseen cards counted as forgotten, or its exercises where they are weaker
still: `by_weakness`, which plans follow and pages name.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studykit.cards.card import OBJECTIVES
from studykit.scheduling.estimated_share import SURE, EstimatedShare, shrunk_share
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import right_at_once
from studykit.scheduling.plan import DOUBTS, Curve
from studykit.scheduling.plan import RECENT as FITTED
from studykit.scheduling.review_rule import MemoryRow

RECENT = 40
"""How many of an objective's last tries count."""
WEIGHT = 8
"""How many tries the learner's share over all objectives counts as."""
MASTERED = 0.8
"""The share above which an objective is mastered."""

TryRow = tuple[bytes, str, str, int, str, int, str]
"""An answer to an exercise: id, kind, card, study day, template, grade, verdict."""
ObjectiveCard = tuple[str, str, bool]
"""A card in the decks: id, objectives one a line, whether it asks an exercise."""


class MasteryLevel(StrEnum):
    """Name how well an objective is known."""

    MASTERED = "mastered"  # the whole interval lies above the mark
    WEAK = "weak"  # the whole interval lies below it
    UNSURE = "unsure"  # the interval holds the mark
    UNKNOWN = "unknown"  # nothing was answered


@dataclass(frozen=True, slots=True)
class Mastery:
    """Hold how well a learner knows an objective, by cards and by exercises."""

    objective: str
    cards: int  # in the decks, without those that ask exercises
    seen: int  # answered at least once
    recall: EstimatedShare | None  # of those that were seen, today
    tries: int
    right: int
    exercises: EstimatedShare | None  # right at once, shrunk

    @property
    def weaker(self) -> EstimatedShare | None:
        """Return the lower share, of recall or of exercises, or None if nothing was answered."""
        shares = [share for share in (self.recall, self.exercises) if share is not None]
        return min(shares, key=lambda share: share.mean, default=None)

    @property
    def strength(self) -> float:
        """Return the share of all cards that would be recalled, or the share of exercises if that is lower."""
        shares = [] if self.exercises is None else [self.exercises.mean]
        if self.cards:
            shares.append(0.0 if self.recall is None else self.recall.mean * self.seen / self.cards)
        return min(shares, default=0.0)

    @property
    def level(self) -> MasteryLevel:
        """Classify how well the objective is known."""
        weaker = self.weaker
        if weaker is None:
            return MasteryLevel.UNKNOWN
        if weaker.low >= MASTERED:
            return MasteryLevel.MASTERED if 2 * self.seen >= self.cards else MasteryLevel.UNSURE
        return MasteryLevel.WEAK if weaker.high < MASTERED else MasteryLevel.UNSURE


def doubt_of(curve: Curve, reviews: Sequence[tuple[float, int, bool]]) -> float:
    """Return the standard error of the log-odds of a curve that `plan.fitted` fitted to `reviews`."""
    probabilities = [curve.recall_after(stability, days) for stability, days, _ in reviews[-FITTED:]]
    information = math.fsum(p * (1 - p) for p in probabilities)
    spread = information / len(probabilities) if probabilities else _PUBLISHED_SPREAD
    return 1 / math.sqrt(max(information + DOUBTS * spread, _MIN_INFORMATION))


_PUBLISHED_SPREAD = 0.09  # p (1 - p) at nine of ten
_MIN_INFORMATION = 0.1


def mastery(
    cards: Iterable[ObjectiveCard],
    memories: Mapping[str, MemoryRow],
    curve: tuple[Curve, float],
    day: int,
    tries: Mapping[str, tuple[int, int]],
) -> tuple[Mastery, ...]:
    """Return the mastery of each objective that cards or tries name, in lesson order.

    `memories` are under FSRS. `curve` comes with its doubt. `tries` has how many tries of each objective were
    right, and of how many.
    """
    texts: dict[str, list[str]] = {}
    for card, objectives, asks_exercise in cards:
        for objective in () if asks_exercise else filter(None, objectives.split("\n")):
            texts.setdefault(objective, []).append(card)
    overall = _overall_share(tries)
    result = []
    for objective in (name for name in OBJECTIVES if name in texts or name in tries):
        card_ids = texts.get(objective, [])
        memories_of_objective = [memories[card] for card in card_ids if card in memories]
        passed, try_count = tries.get(objective, (0, 0))
        practised = shrunk_share(passed, try_count, overall, WEIGHT) if try_count else None
        recall = _mean_recall(memories_of_objective, *curve, day)
        result.append(
            Mastery(objective, len(card_ids), len(memories_of_objective), recall, try_count, passed, practised)
        )
    return tuple(result)


def _mean_recall(memories: Sequence[MemoryRow], curve: Curve, doubt: float, day: int) -> EstimatedShare | None:
    if not memories:
        return None
    probabilities, number = [curve.recall(memory, day) for memory in memories], len(memories)
    mean = math.fsum(probabilities) / number
    spread = math.fsum(p * (1 - p) for p in probabilities) / number
    half = SURE * math.sqrt(spread / number + (spread * doubt) ** 2)
    return EstimatedShare(mean, max(0.0, mean - half), min(1.0, mean + half), number)


def objective_tries(
    rows: Iterable[TryRow], undone_ids: Collection[bytes], objective_of: Callable[[str], str | None]
) -> dict[str, tuple[int, int]]:
    """Return how many of the last tries at each objective were right, and how many tries these are.

    `rows` come oldest first. `objective_of` gives the objective of a template, None where it has none.
    """
    tries: dict[str, list[bool]] = {}
    reviewed: set[tuple[str, int]] = set()
    for id_, kind, card, day, template, grade, verdict in rows:
        if bytes(id_) in undone_ids or (kind == EventKind.ANSWER and (card, day) in reviewed):
            continue
        # A card's later answers on a day are drill, but each practice outside the queue is a try.
        if kind == EventKind.ANSWER:
            reviewed.add((card, day))
        if objective := objective_of(template):
            tries.setdefault(objective, []).append(right_at_once(verdict, grade))
    recent = {objective: outcomes[-RECENT:] for objective, outcomes in tries.items()}
    return {objective: (sum(outcomes), len(outcomes)) for objective, outcomes in recent.items()}


def weakest_practised(tries: Mapping[str, tuple[int, int]]) -> str | None:
    """Return the objective with the lowest shrunk share of right tries, or None if none is below `MASTERED`."""
    if not tries:
        return None
    overall = _overall_share(tries)
    means = {name: (right + WEIGHT * overall) / (of + WEIGHT) for name, (right, of) in sorted(tries.items())}
    weakest = min(means, key=means.__getitem__)
    return weakest if means[weakest] < MASTERED else None


def _overall_share(tries: Mapping[str, tuple[int, int]]) -> float:
    """Return the learner's own share of right tries, with one right and one wrong added."""
    return (sum(right for right, _ in tries.values()) + 1) / (sum(of for _, of in tries.values()) + 2)


def by_weakness(masteries: Iterable[Mastery]) -> tuple[Mastery, ...]:
    """Sort the objectives by strength, weakest first, ties in lesson order."""
    return tuple(sorted(masteries, key=lambda each: each.strength))
