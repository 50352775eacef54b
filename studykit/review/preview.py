"""What each grade would do, told before the answer and without pretending to a choice that is none."""

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
    grades = [button.grade for button in buttons]
    today_again = [grade.drilled if _is_first(memory, fsrs) else not grade.passed for grade in grades]
    return _told_once(
        [
            "today" if again else span(after[grade].interval)
            for grade, again in zip(grades, today_again, strict=True)
        ]
    )


def _is_first(memory: Memory | None, fsrs: "Fsrs | None") -> bool:
    """Return whether SM-2 meets a new card: all grades bring it back on one day, only drill and ease differ."""
    return memory is None and fsrs is None


def _told_once(words: Sequence[str]) -> tuple[str, ...]:
    """Say equal neighbors once, at the last of them."""
    return tuple(
        "" if place + 1 < len(words) and words[place + 1] == word else word for place, word in enumerate(words)
    )


def buttons_line(
    memory: Memory | None, today: date, buttons: Sequence[Button], fsrs: "Fsrs | None" = None
) -> list[tuple[str, str]]:
    """Return each button's key and word, grouped by the day they bring: `2 hard, 3 good, 4 easy: 15 d`."""
    words = previews(memory, today, buttons, fsrs)
    first = outcomes(None, today) if _is_first(memory, fsrs) else {}
    pairs: list[tuple[str, str]] = []
    for button, said in zip(buttons, words, strict=True):
        more = first[button.grade].ease - first[Grade.GOOD].ease if first and button.grade.passed else 0
        name = button.word + (" (more ease)" if more > 0 else " (less ease)" if more else "")
        pairs.append((button.key, f"{name}: {said}" if said else f"{name},"))
    return pairs
