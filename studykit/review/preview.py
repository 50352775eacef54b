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


def buttons_line(
    memory: Memory | None, today: date, buttons: Sequence[Button], fsrs: "Fsrs | None" = None
) -> list[tuple[str, str]]:
    """Return each button's key and word with its effect, said once for buttons in a row that do the same.

    `2 hard, 3 good, 4 easy: 15 d`. Only a review moves the schedule. For drill and cram the effect is whether the
    card returns today.
    """
    is_review = answer_kind(memory, today) is AnswerKind.REVIEW
    is_first = memory is None and fsrs is None  # by SM-2, where grades of a new card differ only in drill and ease
    memories = outcomes(memory, today, fsrs) if is_review else {}
    names, effects = [], []
    for button in buttons:
        grade = button.grade
        ease_change = memories[grade].ease - memories[Grade.GOOD].ease if is_first and grade.passed else 0
        names.append(button.word + (" (more ease)" if ease_change > 0 else " (less ease)" if ease_change else ""))
        if not is_review:
            effects.append("back today" if grade.drilled else "done for today")
        else:
            is_back_today = grade.drilled if is_first else not grade.passed
            effects.append("today" if is_back_today else span(memories[grade].interval))
    return [
        (button.key, f"{name}," if effect == next_effect else f"{name}: {effect}")
        for button, name, effect, next_effect in zip(buttons, names, effects, [*effects[1:], ""], strict=True)
    ]
