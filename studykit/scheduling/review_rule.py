"""The review rule: what each event of the log does to its card. It is said here and nowhere else.

The first answer on a study day to a new or due card is its review, and only a review changes the memory. A later
one on that day is drill, one before the due day is cram; whatever it was, a card whose last answer scored below 4
comes back on that day. A relink lets a card go on where another one was, a reset forgets it, and an event that was
undone never happened: whoever goes through a log leaves it out.

The replay of a log, the store after each event, `why`, the day's counts and the statistics call this file. The
pages' `log.js` says it once more in JavaScript, and `tests/vectors/reviews.json` holds the two together.

Plain numbers, with days as ordinals, for a replay goes through a million events; and nothing but the formulas is
imported, for a shell prompt counts by it. `memory` has the same for grades and dates as values.
"""

from studykit.scheduling.sm2 import DRILLED_BELOW, INITIAL_EASE, PASSING_GRADE, review

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Value = TypeVar("Value")

EventRow = tuple[bytes, str, str, int, int | None, int, str]
"""An event as far as its effect goes: id, kind, card, study day, grade, milliseconds, target."""
MemoryRow = tuple[int, int, int, int, int, int, int, int]
"""A card's memory as the store keeps it: repetition, interval, ease, lapses, day of the last review, due day,
reviews after the first one, and how many of those passed."""

ANSWER, UNDO = "answer", "undo"
PRACTICE, QUIZ, BET = "practice", "quiz", "bet"
RELINK, RESET = "relink", "reset"
"""The kinds of events that the rule knows; a test holds them equal to members of `EventKind`."""

INTRODUCTION, YOUNG_FAILED, YOUNG_PASSED, MATURE_FAILED, MATURE_PASSED, DRILL, CRAM = range(7)
"""What an answer counts as: a review of a new card, one by the interval that it ended, or no review."""

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
EXERCISES_COUNTED_IN = {PRACTICE: ("practised",), QUIZ: ("practised",), BET: ()}
"""The same for what a learner does outside the queue, which leaves every memory alone. A bet is a promise: what
comes of it follows, as a practice."""

MATURE = 21  # days of interval from which a review counts as mature, as in Anki
LAST_DAY = 3_652_059  # 9999-12-31 as an ordinal


def answer(memory: MemoryRow | None, grade: int, day: int) -> tuple[int, MemoryRow]:
    """What an answer counts as, and its card's memory after it; `memory` is None for a new card.

    An answer before the day of the last review is drill too: a clock that stepped back must not count twice.
    """
    if memory is None:
        repetition, interval, ease = review(0, 0, INITIAL_EASE, grade, LAST_DAY - day)
        return INTRODUCTION, (repetition, interval, ease, 0, day, day + interval, 0, 0)
    repetition, ended, ease, lapses, reviewed, due, reviews, passed = memory
    if due > day:
        return DRILL if day <= reviewed else CRAM, memory
    if grade < PASSING_GRADE:
        counted = MATURE_FAILED if ended >= MATURE else YOUNG_FAILED
        lapses += repetition > 0
    else:
        counted = MATURE_PASSED if ended >= MATURE else YOUNG_PASSED
        passed += 1
    repetition, interval, ease = review(repetition, ended, ease, grade, LAST_DAY - day)
    return counted, (repetition, interval, ease, lapses, day, day + interval, reviews + 1, passed)


def apply(memories: dict[str, MemoryRow], event: EventRow) -> int | None:
    """Bring the memories of cards past one event; returns what an answer counts as, None for another event."""
    _, kind, card, day, grade, _, target = event
    if kind == ANSWER and grade is not None:
        counted, memories[card] = answer(memories.get(card), grade, day)
        return counted
    _follow(memories, kind, card, target)
    return None


def apply_today(grades: dict[str, int], kind: str, card: str, grade: int | None, target: str) -> None:
    """Bring the last grades of a study day, in the order of its answers, past an event of that day."""
    if kind == ANSWER and grade is not None:
        grades.pop(card, None)
        grades[card] = grade
    else:
        _follow(grades, kind, card, target)


def _follow(kept: "dict[str, Value]", kind: str, card: str, target: str) -> None:
    """What other events than answers do to what is kept of cards."""
    if kind == RELINK:
        relink(kept, target, card)
    elif kind == RESET:
        kept.pop(card, None)


def relink(kept: "dict[str, Value]", old: str, new: str) -> None:
    """Let the new card have what is kept of the old one, if anything is."""
    if old in kept:
        kept[new] = kept.pop(old)


def is_drilled(grade: int) -> bool:
    """Whether a card whose last answer on a day scored this is asked once more on that day.

    That answer may have been its review, drill or cram: drill changes no memory, so whoever fails may try again.
    """
    return grade < DRILLED_BELOW


def becomes_leech(before: int, after: int, threshold: int) -> bool:
    """Whether this lapse makes a card a leech: at so many, and again at each half of them more; 0 is never."""
    if threshold <= 0 or after <= before or after < threshold:
        return False
    return (after - threshold) % max(1, -(-threshold // 2)) == 0
