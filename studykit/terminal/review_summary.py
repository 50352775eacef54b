"""The end of a session in lines of text: what was done, what was missed, what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cards.card import Card, Kind
from studykit.cards.wording import excerpt
from studykit.review.keymap import word_of
from studykit.review.progress import Summary
from studykit.review.typed_answer import shown
from studykit.terminal.markdown.render import one_line_text
from studykit.terminal.spans import ACCENT, CLOSE, RIGHT, WRONG, Span, StyledLine, TextStyle, clean, wrap
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.review.leech import LeechReport

MAX_MISSED = 10
_WORDS_SHOWN = 120  # characters of a missed card's question, and of its answer
_MAX_SLIPS = 3
_MARKS = 36  # in a row
_MARK_STYLES = {"✓": RIGHT, "≈": CLOSE, "✗": WRONG}


@dataclass(frozen=True, slots=True)
class NextSteps:
    """What comes after the session; None where it is not known or not wanted."""

    tomorrow: int | None = None
    streak: int | None = None
    last_week: float | None = None  # share of the reviews of the seven days before that were passed
    next_command: str = "study exercise napkin-math"
    again: str = "study review"  # goes on with a session that was left
    leeches: "tuple[LeechReport, ...]" = ()


def summary_lines(summary: Summary, outlook: NextSteps) -> list[str]:
    """The lines of the summary."""
    if not summary.answers:
        return [_cards_left(summary) or "Nothing is due now.", "", _next(summary, outlook)]
    lines = [
        f"Done. {counted(summary.cards, 'card')} in {duration(summary.seconds)}.",
        "",
        *mark_rows(summary.signs),
    ]
    if summary.asked:
        share = summary.recalled / summary.asked
        before = "" if outlook.last_week is None else f", {outlook.last_week:.0%} in the week before"
        lines.append(f"  first-try recall   {summary.recalled} of {summary.asked} ({share:.0%}{before})")
    grades = "   ".join(f"{word_of(grade)} {count}" for grade, count in summary.grades)
    lines.append(f"  {counted(summary.answers, 'answer'):<17}  {grades}")
    if summary.slips:
        lines.append(slips_row(summary.slips))
    if summary.missed:
        lines += ["", "  Missed", *(row for missed in summary.missed[:MAX_MISSED] for row in _missed(*missed))]
    if outlook.leeches:
        lines += ["", "  Leeches", *(clean(f"    {row}") for one in outlook.leeches for row in one.lines())]
    left_and_ahead = "    ".join(filter(None, [_cards_left(summary), ahead(outlook)]))
    last_rows = [f"  {row}" for row in (left_and_ahead, "undo the last action: study undo") if row]
    return [*lines, "", *last_rows, "", _next(summary, outlook)]


def highlighted(row: str, columns: int) -> list[StyledLine]:
    """A line of the summary as a terminal shows it: marks in their colors, what matters in weight."""
    text = row.lstrip()
    spans = [Span(text)]
    if text and not text.strip("✓✗≈·"):
        spans = [Span(mark, _MARK_STYLES.get(mark, TextStyle.PLAIN)) for mark in text]
    elif text == "Missed" or (text == row and text.startswith("Done. ")):
        spans = [Span(text, TextStyle.BOLD)]
    elif text == row and (command := text.removeprefix("Next: ")) != text:
        spans = [Span("Next: "), Span(command, ACCENT)]
    return wrap(spans, columns, indent=" " * (len(row) - len(text))) if text else [()]


def mark_rows(marks: str) -> list[str]:
    """Return the signs of a session as a bar."""
    return ["  " + marks[start : start + _MARKS] for start in range(0, len(marks), _MARKS)] + [""]


def slips_row(slips: Sequence[tuple[str, int]]) -> str:
    """The most frequent slips, by their names."""
    from studykit.exercise.estimate.feedback import slip_names

    most = slips[:_MAX_SLIPS]
    names = slip_names(slip for slip, _ in most)
    slip_list = ", ".join(names[slip] + (f" ({count})" if count > 1 else "") for slip, count in most)
    return f"  {'slips':<17}  {slip_list}"


def ahead(outlook: NextSteps) -> str:
    """What tomorrow holds, and the days in a row."""
    tomorrow = "" if outlook.tomorrow is None else f"tomorrow {outlook.tomorrow} due"
    streak = f"streak {counted(outlook.streak, 'day')}" if outlook.streak else ""
    return "    ".join(filter(None, (tomorrow, streak)))


def _cards_left(summary: Summary) -> str:
    return f"{summary.left} left" if summary.left else ""


def _next(summary: Summary, outlook: NextSteps) -> str:
    return f"Next: {outlook.again if summary.left else outlook.next_command}"


def _missed(card: Card, count: int) -> list[str]:
    """The question and its answer; for an exercise, whose numbers change, the command that asks it again."""
    times = {1: "", 2: " (twice)"}.get(count, f" ({count} times)")
    if card.task is not None:
        return [clean(f"    study exercise {card.task.name}{times}")]
    answer = card.full if card.kind is Kind.CLOZE and card.full else shown(card)
    return [clean(f"    {short(card.prompt)}{times}"), clean(f"      {short(answer)}")]


def short(markdown: str, most: int = _WORDS_SHOWN) -> str:
    """The words of some Markdown on one line, cut where they are many."""
    return excerpt(one_line_text(markdown), most)


def duration(seconds: int) -> str:
    """Seconds as `6 min 12 s`."""
    minutes, rest = divmod(max(0, seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
