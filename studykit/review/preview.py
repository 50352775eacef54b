"""What each grade would do, told before the answer and without pretending to a choice that is none."""

from collections.abc import Mapping, Sequence
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
    """Format a day as `5 Dec`, with its year if that is another one."""
    name = f"{day.day} {day:%b}"
    return name if day.year == today.year else f"{name} {day.year}"


def previews(
    memory: Memory | None, today: date, buttons: Sequence[Button], fsrs: "Fsrs | None" = None
) -> tuple[str, ...]:
    """Return what each button brings, "" if the next button brings the same.

    The schedule moves only at a review: for drill and cram the one thing to say is whether the card comes again.
    """
    if answer_kind(memory, today) is not AnswerKind.REVIEW:
        return _told_once(["back today" if button.grade.drilled else "done for today" for button in buttons])
    after = outcomes(memory, today, fsrs)
    if memory is None and fsrs is None:
        return tuple(_first_time(button.grade, after) for button in buttons)
    return _told_once(
        [span(after[button.grade].interval) if button.grade.passed else "today" for button in buttons]
    )


def _first_time(grade: Grade, after: Mapping[Grade, Memory]) -> str:
    """Say what a grade does to a new card by SM-2: all bring it back on one day, drill and ease differ."""
    if not grade.passed:
        return "today"
    ease, usual = after[grade].ease, after[Grade.GOOD].ease
    words = "today" if grade.drilled else span(after[grade].interval)
    return words + ("" if ease == usual else ", more ease" if ease > usual else ", less ease")


def _told_once(words: Sequence[str]) -> tuple[str, ...]:
    """Say equal neighbors once, at the last of them."""
    return tuple(
        "" if place + 1 < len(words) and words[place + 1] == word else word for place, word in enumerate(words)
    )


def buttons_line(
    memory: Memory | None, today: date, buttons: Sequence[Button], fsrs: "Fsrs | None" = None
) -> list[tuple[str, str]]:
    """Return each button's key and word, grouped by what they bring: `2 hard, 3 good, 4 easy: 15 d`."""
    words = previews(memory, today, buttons, fsrs)
    return [
        (button.key, f"{button.word}: {said}" if said else f"{button.word},")
        for button, said in zip(buttons, words, strict=True)
    ]
