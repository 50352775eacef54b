"""Define the review rule: what each event of the log does to its card.

The first answer on a study day to a new or due card is its review, and only a review changes the memory. A later
one on that day is drill, one before the due day is cram; whatever it was, a card whose last answer scored below 4
comes back on that day. A relink lets a card go on where another one was, a reset forgets it, an adopt takes over
its state in another program as it was, and an event that was undone never happened: callers
leave it out.

The replay of a log, the store after each event, `why`, the day's counts and the statistics call this file. The
pages' `log.js` has the same rule in JavaScript, and `tests/vectors/reviews.json` tests both.

SM-2 schedules, or FSRS where a learner chose it, and a log may hold answers of both times. The profile of an
answer names the scheduler that asked, and that scheduler decides whether it was a review. So a log has the same
reviews under either, and a learner who changes back finds everything as it was. Under FSRS the numbers of SM-2
are kept beside its own.

Values are plain numbers, with days as ordinals, since a replay goes through a million events. Only SM-2's formulas
are imported, since a shell prompt loads this file. `memory` wraps these functions for grades and dates.
"""

from studykit.scheduling.event_kinds import FSRS, FSRS_AHEAD, MISSED, RECALLED, EventKind
from studykit.scheduling.sm2 import (
    DRILLED_BELOW,
    INITIAL_EASE,
    MAX_INTERVAL,
    MINIMUM_EASE,
    PASSING_GRADE,
    PROFILE,
    review,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from studykit.scheduling.fsrs import Fsrs

    Value = TypeVar("Value")

EventRow = tuple[bytes, str, str, int, int | None, int, str, str]
"""An event as far as its effect goes: id, kind, card, study day, grade, milliseconds, target, profile."""
MemoryRow = tuple[int, int, int, int, int, int, int, int, float | None, float | None, int | None]
"""A card's memory as the store keeps it: repetition, interval, ease, lapses, day of the last review, due day,
reviews after the first one, and how many of those passed; and under FSRS its stability, its difficulty and the
interval by SM-2, each None otherwise."""

INTRODUCTION, YOUNG_FAILED, YOUNG_PASSED, MATURE_FAILED, MATURE_PASSED, DRILL, CRAM = range(7)
"""What an answer counts as: a review of a new card, a review by the interval that it ended, or no review."""

COUNTED_IN = (
    ("introduced",),
    ("young",),
    ("young", "young_passed"),
    ("mature",),
    ("mature", "mature_passed"),
    ("drills",),
    ("crams",),
)
"""The counts of its study day that an answer adds one to, by what it counts as."""
EXERCISES_COUNTED_IN: dict[str, tuple[str, ...]] = {
    EventKind.PRACTICE: ("practised",),
    EventKind.QUIZ: ("practised",),
    EventKind.BET: (),
}
"""The same for what a learner does outside the queue, which changes no memory. A bet adds to
none: its measurement is recorded as a practice."""

TallyKey = tuple[int, int, int]
"""What a tally is of: a study day, an ordinal, with `WHOLE_DAY` behind it; or the answers of a month by its first
day, the local hour in which they were given, and their grade."""
WHOLE_DAY = (-1, -1)

MATURE = 21  # days of interval from which a review counts as mature, as in Anki
LAST_DAY = 3_652_059  # 9999-12-31 as an ordinal
MAX_STATE_COUNT = 9_999  # what a state that is taken over may have of hundredths of ease, and of reviews


def answer(
    memory: MemoryRow | None, grade: int, day: int, profile: str = "", fsrs: "Fsrs | None" = None
) -> tuple[int, MemoryRow]:
    """Return what an answer counts as, and its card's memory after it. `memory` is None for a new card.

    SM-2 schedules unless `fsrs` is given. An answer that is given now has no profile yet. An answer on or
    before the day of the last review is drill, so that a clock that stepped back does not count twice.
    """
    if memory is None:
        repetition, by_sm2, ease = review(0, 0, INITIAL_EASE, grade, LAST_DAY - day)
        if fsrs is None:
            return INTRODUCTION, (
                repetition, by_sm2, ease, 0, day, day + by_sm2, 0, 0, None, None, None
            )  # fmt: skip
        stability, difficulty = fsrs.first(grade)
        interval = min(fsrs.interval(stability), LAST_DAY - day)
        return INTRODUCTION, (
            repetition, interval, ease, 0, day, day + interval, 0, 0, stability, difficulty, by_sm2
        )  # fmt: skip
    (
        repetition, ended, ease, lapses, reviewed, due, reviews, passed,
        stability_before, difficulty_before, sm2_interval,
    ) = memory  # fmt: skip
    if sm2_interval is None:
        sm2_interval = ended
    elif profile and profile not in _BY_FSRS:  # SM-2 asked
        due = reviewed + sm2_interval
    if (due > day and (profile not in _ON_TIME or day <= reviewed)) or profile == FSRS_AHEAD:
        return DRILL if day <= reviewed else CRAM, memory
    ease_before = ease
    lapses += grade < PASSING_GRADE and repetition > 0
    if _BY_VERDICT.get(profile, grade >= PASSING_GRADE):
        category = MATURE_PASSED if ended >= MATURE else YOUNG_PASSED
        passed += 1
    else:
        category = MATURE_FAILED if ended >= MATURE else YOUNG_FAILED
    repetition, interval, ease = review(repetition, sm2_interval, ease, grade, LAST_DAY - day)
    reviews += 1
    if fsrs is None:
        return category, (
            repetition, interval, ease, lapses, day, day + interval, reviews, passed, None, None, None
        )  # fmt: skip
    if stability_before is None or difficulty_before is None:  # a memory that SM-2 made
        stability_before, difficulty_before = fsrs.adopted(ended, ease_before)
    stability, difficulty = fsrs.review(stability_before, difficulty_before, day - reviewed, grade)
    sm2_interval, interval = interval, min(fsrs.interval(stability), LAST_DAY - day)
    return category, (
        repetition, interval, ease, lapses, day, day + interval, reviews, passed,
        stability, difficulty, sm2_interval,
    )  # fmt: skip


_ON_TIME = {FSRS, FSRS + RECALLED, FSRS + MISSED}
_BY_FSRS = {*_ON_TIME, FSRS_AHEAD}
_BY_VERDICT = {name + word: word == RECALLED for name in (PROFILE, FSRS) for word in (RECALLED, MISSED)}


def profile_of(profile: str, grade: int, *, is_recalled: bool) -> str:
    """Return the profile to log with an answer, which names the first try only if the grade disagrees with it."""
    marked_profile = profile + (RECALLED if is_recalled else MISSED)
    return marked_profile if (grade >= PASSING_GRADE) != is_recalled and marked_profile in _BY_VERDICT else profile


def apply(memories: dict[str, MemoryRow], event: EventRow, fsrs: "Fsrs | None" = None) -> int | None:
    """Apply one event to the memories. Return what an answer counts as, None for another event."""
    _, kind, card, day, grade, _, target, profile = event
    if kind == EventKind.ANSWER and grade is not None:
        category, memories[card] = answer(memories.get(card), grade, day, profile, fsrs)
        return category
    if kind == EventKind.ADOPT:
        if (state := adopted(target)) is not None and day + state[1] <= LAST_DAY:
            memories[card] = _adopted_memory(memories.get(card), state, day, fsrs)
    else:
        _apply_relink_or_reset(memories, kind, card, target)
    return None


def adopted(target: str) -> tuple[int, int, int, int] | None:
    """Parse the repetition, interval, ease and lapses of an adopt, or return None for an invalid target."""
    words = target.split(" ")
    if len(words) != len(_DIGITS) or not target.isascii() or not all(map(str.isdigit, words)):
        return None
    if any(len(word) > max_digits for word, max_digits in zip(words, _DIGITS, strict=True)):
        return None
    repetition, interval, ease, lapses = map(int, words)
    return (repetition, interval, ease, lapses) if ease >= MINIMUM_EASE and interval <= MAX_INTERVAL else None


_DIGITS = (4, 5, 4, 4)  # of a state's numbers at most


def _adopted_memory(
    memory: MemoryRow | None, state: tuple[int, int, int, int], day: int, fsrs: "Fsrs | None"
) -> MemoryRow:
    """Return the memory of an adopted state. Reviews already counted stay counted."""
    repetition, interval, ease, lapses = state
    reviews, passed = memory[6:8] if memory else (0, 0)
    numbers = (None, None, None) if fsrs is None else (*fsrs.adopted(interval, ease), interval)
    return repetition, interval, ease, lapses, day, day + interval, reviews, passed, *numbers


def apply_today(grades: dict[str, int], kind: str, card: str, grade: int | None, target: str) -> None:
    """Update the last grade of each card on a study day with an event of that day."""
    if kind == EventKind.ANSWER and grade is not None:
        # Without the removal the card would keep the place of its first answer in the order.
        grades.pop(card, None)
        grades[card] = grade
    else:
        _apply_relink_or_reset(grades, kind, card, target)


def _apply_relink_or_reset(records: "dict[str, Value]", kind: str, card: str, target: str) -> None:
    """Apply a relink or a reset to the records of cards, and ignore any other event."""
    if kind == EventKind.RELINK:
        relink(records, target, card)
    elif kind == EventKind.RESET:
        records.pop(card, None)


def relink(records: "dict[str, Value]", old: str, new: str) -> None:
    """Move the old card's record, if there is one, to the new card."""
    if old in records:
        records[new] = records.pop(old)


def is_drilled(grade: int) -> bool:
    """Return whether a card whose last answer of the day has this grade is asked again that day.

    That answer may have been its review, drill or cram. Drill changes no memory, so it may be repeated.
    """
    return grade < DRILLED_BELOW


def becomes_leech(before: int, after: int, threshold: int) -> bool:
    """Return whether a lapse makes a card a leech: at `threshold` lapses, and again after each half of that."""
    if threshold <= 0 or after <= before or after < threshold:
        return False
    return (after - threshold) % max(1, -(-threshold // 2)) == 0
