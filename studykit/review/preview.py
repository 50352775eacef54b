"""Describe what each grade would do, without suggesting a choice where all do the same."""

from collections.abc import Sequence
from datetime import date

from studykit.review.keymap import Button
from studykit.scheduling.memory import AnswerKind, Memory, answer_kind, outcomes
from studykit.scheduling.recall_grade import Grade

TYPE_CHECKING = False
if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs

_DAYS_SHOWN, _YEAR_DAYS, _MONTH_DAYS = 99, 365, 30.44


def span(days: int) -> str:
    """Format a number of days: `15 d`, `4.2 mo`, `1.4 y`."""
    if days <= _DAYS_SHOWN:
        return f"{days} d"
    if days < _YEAR_DAYS:
        return f"{days / _MONTH_DAYS:.1f} mo"
    return f"{days / 365.25:.1f} y"


def day_name(day: date, today: date) -> str:
    """Format a day as `5 Dec`, with the year if it is not the current one."""
    name = f"{day.day} {day:%b}"
    return name if day.year == today.year else f"{name} {day.year}"


def previews(
    memory: Memory | None, today: date, buttons: Sequence[Button], fsrs: "Fsrs | None" = None
) -> tuple[str, ...]:
    """Return the effect of each button, or "" if the next button has the same.

    Only a review moves the schedule. For drill and cram the effect is whether the card returns today.
    """
    if answer_kind(memory, today) is not AnswerKind.REVIEW:
        return _blank_repeats(["back today" if button.grade.drilled else "done for today" for button in buttons])
    memories = outcomes(memory, today, fsrs)
    grades = [button.grade for button in buttons]
    today_flags = [grade.drilled if _is_first(memory, fsrs) else not grade.passed for grade in grades]
    return _blank_repeats(
        [
            "today" if is_drilled_today else span(memories[grade].interval)
            for grade, is_drilled_today in zip(grades, today_flags, strict=True)
        ]
    )


def _is_first(memory: Memory | None, fsrs: "Fsrs | None") -> bool:
    """Return whether SM-2 schedules a new card, where grades differ only in drill and ease."""
    return memory is None and fsrs is None


def _blank_repeats(words: Sequence[str]) -> tuple[str, ...]:
    """Replace each word that equals the next one by an empty text."""
    return tuple(
        "" if place + 1 < len(words) and words[place + 1] == word else word for place, word in enumerate(words)
    )


def buttons_line(
    memory: Memory | None, today: date, buttons: Sequence[Button], fsrs: "Fsrs | None" = None
) -> list[tuple[str, str]]:
    """Return each button's key and word, grouped by due day: `2 hard, 3 good, 4 easy: 15 d`."""
    words = previews(memory, today, buttons, fsrs)
    first = outcomes(None, today) if _is_first(memory, fsrs) else {}
    pairs: list[tuple[str, str]] = []
    for button, day in zip(buttons, words, strict=True):
        ease_change = first[button.grade].ease - first[Grade.GOOD].ease if first and button.grade.passed else 0
        name = button.word + (" (more ease)" if ease_change > 0 else " (less ease)" if ease_change else "")
        pairs.append((button.key, f"{name}: {day}" if day else f"{name},"))
    return pairs
