"""When and how cards were answered: retention by the hour, and how often each grade was given to which cards."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING

from studykit.scheduling import review_rule
from studykit.scheduling.stats import Retention
from studykit.scheduling.study_day import moment_of

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs
    from studykit.scheduling.review_rule import MemoryRow

HOURS, GRADES = 24, 6
_KNOWN_PASSED = {
    review_rule.YOUNG_FAILED: 0,
    review_rule.YOUNG_PASSED: 1,
    review_rule.MATURE_FAILED: 0,
    review_rule.MATURE_PASSED: 1,
}
_QUARTER_US = 900_000_000  # zones differ by whole quarters of an hour

TimedRow = tuple[bytes, str, str, int, int | None, int, str, str, int, str]
"""An event as the review rule takes it, then its moment in microseconds UTC and its IANA zone."""


@dataclass(slots=True)
class GradeCount:
    """How often a grade was given, by the kind of card, and the time that these answers took."""

    new: int = 0
    young: int = 0
    mature: int = 0
    drill: int = 0  # answers that changed no memory, those ahead of time too
    took_ms: int = 0

    @property
    def total(self) -> int:
        """All answers of the grade."""
        return self.new + self.young + self.mature + self.drill

    def __add__(self, other: "GradeCount") -> "GradeCount":
        return GradeCount(
            self.new + other.new,
            self.young + other.young,
            self.mature + other.mature,
            self.drill + other.drill,
            self.took_ms + other.took_ms,
        )


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """All answers of a log that were not taken back."""

    hours: tuple[Retention, ...]
    """Reviews of known cards by the local hour in which they were given, from midnight."""
    grades: tuple[GradeCount, ...]  # by SM-2's grade, 0 to 5


@dataclass(slots=True)
class _Hours:
    """Reviews and passes by hour, with the local hour of each quarter of an hour looked up once."""

    zone_of: Callable[[str], tzinfo]
    reviews: list[int] = field(default_factory=lambda: [0] * HOURS)
    passed: list[int] = field(default_factory=lambda: [0] * HOURS)
    _known: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, moment: int, zone: str, passed: int) -> None:
        quarter = moment // _QUARTER_US, zone
        if (hour := self._known.get(quarter)) is None:
            hour = moment_of(moment).astimezone(self.zone_of(zone)).hour
            self._known[quarter] = hour
        self.reviews[hour] += 1
        self.passed[hour] += passed


def answer_counts(
    rows: Iterable[TimedRow],
    undone: Collection[bytes],
    zone_of: Callable[[str], tzinfo],
    fsrs: "Fsrs | None" = None,
) -> AnswerCounts:
    """The counts of a whole log in its order; `zone_of` gives the zone of a name."""
    memories: dict[str, MemoryRow] = {}
    answer = review_rule.answer if fsrs is None else partial(review_rule.answer_by, fsrs)
    hours = _Hours(zone_of)
    counts = [[0] * (review_rule.CRAM + 1) for _ in range(GRADES)]
    took = [0] * GRADES
    for id_, kind, card, day, grade, took_ms, target, profile, moment, zone in rows:
        if undone and bytes(id_) in undone:
            continue
        if kind != review_rule.ANSWER or grade is None:
            review_rule.apply(memories, (id_, kind, card, day, grade, took_ms, target, profile), fsrs)
            continue
        counted, memories[card] = answer(memories.get(card), grade, day, profile)  # `apply`, without the call
        counts[grade][counted] += 1
        took[grade] += took_ms
        if counted in _KNOWN_PASSED:
            hours.add(moment, zone, _KNOWN_PASSED[counted])
    found = tuple(Retention(passed, reviews) for passed, reviews in zip(hours.passed, hours.reviews, strict=True))
    return AnswerCounts(found, tuple(map(_grade_count, counts, took)))


def _grade_count(counts: list[int], took_ms: int) -> GradeCount:
    return GradeCount(
        new=counts[review_rule.INTRODUCTION],
        young=counts[review_rule.YOUNG_FAILED] + counts[review_rule.YOUNG_PASSED],
        mature=counts[review_rule.MATURE_FAILED] + counts[review_rule.MATURE_PASSED],
        drill=counts[review_rule.DRILL] + counts[review_rule.CRAM],
        took_ms=took_ms,
    )
