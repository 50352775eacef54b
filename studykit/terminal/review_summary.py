"""The end of a session in lines of text: what was done, what was missed, what to do next."""

from dataclasses import dataclass

from studykit.review.keymap import word_of
from studykit.review.progress import MissedCard, Summary
from studykit.terminal.markdown.render import plain_lines
from studykit.terminal.spans import clean
from studykit.text import counted

_MISSED_SHOWN = 10
_PROMPT_SHOWN = 60  # characters of a missed card's question


@dataclass(frozen=True, slots=True)
class NextSteps:
    """What comes after the session; None where it is not known or not wanted."""

    tomorrow: int | None = None
    streak: int | None = None
    next_command: str = "study exercise napkin-math"


def summary_lines(summary: Summary, outlook: NextSteps) -> list[str]:
    """The lines of the summary."""
    if not summary.answers:
        return [_left(summary) if summary.left else "Nothing is due now.", "", f"Next: {outlook.next_command}"]
    lines = [f"Done. {counted(summary.cards, 'card')} in {duration(summary.seconds)}.", ""]
    if summary.asked:
        share = summary.recalled / summary.asked
        lines.append(f"  first-try recall   {summary.recalled} of {summary.asked} ({share:.0%})")
    grades = "   ".join(f"{word_of(grade)} {count}" for grade, count in summary.grades)
    lines.append(f"  {counted(summary.answers, 'answer'):<17}  {grades}")
    if summary.missed:
        lines += ["", "  Missed", *map(_missed, summary.missed[:_MISSED_SHOWN])]
    ahead = [f"  {row}" for row in (_outlook(summary, outlook), "undo the last grade: study undo") if row]
    return [*lines, "", *ahead, "", f"Next: {outlook.next_command}"]


def _outlook(summary: Summary, outlook: NextSteps) -> str:
    parts = [_left(summary)] if summary.left else []
    if outlook.tomorrow is not None:
        parts.append(f"tomorrow {outlook.tomorrow} due")
    if outlook.streak:
        parts.append(f"streak {counted(outlook.streak, 'day')}")
    return "    ".join(parts)


def _left(summary: Summary) -> str:
    return f"{summary.left} left: study review"


def _missed(missed: MissedCard) -> str:
    card = missed.card
    first = next(iter(plain_lines(card.prompt)), "") if card.prompt else (card.task.name if card.task else "")
    shown = first if len(first) <= _PROMPT_SHOWN else first[: _PROMPT_SHOWN - 1] + "…"
    times = {1: "", 2: " (twice)"}.get(missed.times, f" ({missed.times} times)")
    name = card.path.rpartition("/")[2]
    return clean(f"    {name}:{card.line}   {shown}{times}")


def duration(seconds: int) -> str:
    """Seconds as `6 min 12 s`."""
    minutes, rest = divmod(max(0, seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
