"""Format the end of a review, a run of exercises or a quiz: results, misses, and what to do next."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cards.card import Kind
from studykit.cards.wording import excerpt
from studykit.review.keymap import word_of
from studykit.review.progress import RunReport, SessionAnswer, Summary
from studykit.review.question import Asked
from studykit.review.typed_answer import shown
from studykit.scheduling.outcomes import NOT_SCORED, sign_of
from studykit.terminal.markdown.render import one_line_text
from studykit.terminal.spans import ACCENT, CLOSE, RIGHT, WRONG, Span, StyledLine, TextStyle, clean, wrap
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.review.leech import LeechReport

_MAX_MISSED = 10
_MAX_CARD_CHARACTERS = 120  # characters of a missed card's question, and of its answer
_MAX_QUESTION_CHARACTERS = 240  # of an exercise
_MAX_SLIPS = 3
_MARKS_A_ROW = 36  # in a row
_MARK_STYLES = {"✓": RIGHT, "≈": CLOSE, "✗": WRONG}


@dataclass(frozen=True, slots=True)
class NextSteps:
    """Hold what comes after the session, with None for what is unknown or not wanted."""

    tomorrow: int | None = None
    streak: int | None = None
    next_command: str = "study exercise napkin-math"
    resume_command: str = "study review"  # goes on with an unfinished session
    nothing_due: str = "Nothing is due now."
    leeches: "tuple[LeechReport, ...]" = ()
    runnable: Callable[[str], str] = str  # a command line of `study` as it works in the learner's shell


def summary_lines(summary: Summary, outlook: NextSteps) -> list[str]:
    """Format the summary of a review."""
    next_row = f"Next: {outlook.resume_command if summary.remaining else outlook.next_command}"
    if not summary.answers:
        title = f"{summary.remaining} left" if summary.remaining else outlook.nothing_due
        return [title, "", next_row]
    figures = []
    if summary.asked:
        share = summary.recalled / summary.asked
        figures.append(f"  first-try recall   {summary.recalled} of {summary.asked} ({share:.0%})")
    grades = "   ".join(f"{word_of(grade)} {count}" for grade, count in summary.grades)
    figures.append(f"  {counted(summary.answers, 'answer'):<17}  {grades}")
    title = f"{counted(summary.cards, 'card')} in {duration(summary.seconds)}"
    missed_rows = [_missed_card_rows(answer, count, outlook) for answer, count in summary.missed]
    lines = _end_lines(title, summary.signs, figures, summary.slips, missed_rows)
    if outlook.leeches:
        lines += ["", "  Leeches", *(clean(f"    {row}") for leech in outlook.leeches for row in leech.lines())]
    left_and_ahead = _left_and_ahead(summary.remaining, outlook)
    undo = f"undo the last action: {outlook.runnable('study undo')}"
    last_rows = [f"  {row}" for row in (left_and_ahead, undo) if row]
    return [*lines, "", *last_rows, "", next_row]


def run_lines(report: RunReport, outlook: NextSteps) -> list[str]:
    """Format the end of a run of exercises or a quiz."""
    next_rows = ["", f"Next: {outlook.next_command}"]
    if not report.answers:
        message = "Your tries are saved." if report.has_open_tries else "Nothing answered, nothing logged."
        return [message, *([report.progress] if report.progress else []), *next_rows]
    scored, at_once = report.scored, report.at_once
    figures = [f"  right at once      {at_once} of {scored} ({at_once / scored:.0%})"] if scored else []
    figures += [f"  {report.progress}"] if report.progress else []
    title = f"{counted(len(report.answers), 'answer')} in {duration(round(report.seconds))}"
    signs = "".join(sign_of(answer.verdict or NOT_SCORED) for answer in report.answers)
    slips = Counter(slip for answer in report.answers for slip in answer.slips).most_common()
    following = [*(answer.question.command for answer in report.missed), ""][1:]
    pairs = zip(report.missed, following, strict=True)
    missed_rows = [
        _missed_rows(answer, outlook, has_command=answer.question.command != after) for answer, after in pairs
    ]
    lines = _end_lines(title, signs, figures, slips, missed_rows)
    left_and_ahead = _left_and_ahead(report.remaining, outlook)
    return [*lines, *(["", f"  {left_and_ahead}"] if left_and_ahead else []), *next_rows]


def _end_lines(
    title: str,
    signs: str,
    figures: Sequence[str],
    slips: Sequence[tuple[str, int]],
    missed_rows: Sequence[Sequence[str]],
) -> list[str]:
    """Return the lines that every summary has: title, marks, figures, slips and misses."""
    marks = ["  " + signs[start : start + _MARKS_A_ROW] for start in range(0, len(signs), _MARKS_A_ROW)]
    figures = [*figures, *([_slips_row(slips)] if slips else [])]
    lines = [f"Done. {title}.", "", *marks, *(["", *figures] if figures else [])]
    if missed_rows:
        lines += ["", "  Missed", *(clean(row) for rows in missed_rows[:_MAX_MISSED] for row in rows)]
    if (more := len(missed_rows) - _MAX_MISSED) > 0:
        lines.append(f"    and {more} more")
    return lines


def highlighted(row: str, columns: int) -> list[StyledLine]:
    """Style a line of the summary, with marks in color and titles in bold, and wrap it."""
    text = row.lstrip()
    spans = [Span(text)]
    if text and not text.strip("✓✗≈·"):
        spans = [Span(mark, _MARK_STYLES.get(mark, TextStyle.PLAIN)) for mark in text]
    elif text == "Missed" or (text == row and text.startswith("Done. ")):
        spans = [Span(text, TextStyle.BOLD)]
    elif text == row and (command := text.removeprefix("Next: ")) != text:
        spans = [Span("Next: "), Span(command, ACCENT)]
    return wrap(spans, columns, indent=" " * (len(row) - len(text))) if text else [()]


def _slips_row(slips: Sequence[tuple[str, int]]) -> str:
    """Name the most frequent slips."""
    from studykit.exercise.estimate.feedback import slip_names

    frequent_slips = slips[:_MAX_SLIPS]
    names = slip_names(slip for slip, _ in frequent_slips)
    slip_list = ", ".join(names[slip] + (f" ({count})" if count > 1 else "") for slip, count in frequent_slips)
    return f"  {'slips':<17}  {slip_list}"


def _left_and_ahead(remaining: int, outlook: NextSteps) -> str:
    """Return how many questions are left, how many cards are due tomorrow, and the streak, each if known."""
    tomorrow = "" if outlook.tomorrow is None else f"tomorrow {outlook.tomorrow} due"
    streak = f"streak {counted(outlook.streak, 'day')}" if outlook.streak else ""
    return "    ".join(filter(None, (f"{remaining} left" if remaining else "", tomorrow, streak)))


def _missed_card_rows(answer: SessionAnswer, count: int, outlook: NextSteps) -> list[str]:
    """Return rows with the question and answer of a missed card, for an exercise as it was asked."""
    card, times = answer.card, {1: "", 2: " (twice)"}.get(count, f" ({count} times)")
    if card.task is not None and answer.asked is not None:
        return _missed_rows(answer.asked, outlook, times)
    right = card.full if card.kind is Kind.CLOZE and card.full else shown(card)
    return [f"    {_short(card.prompt)}{times}", f"      {_short(right)}"]


def _missed_rows(asked: Asked, outlook: NextSteps, times: str = "", *, has_command: bool = True) -> list[str]:
    """Return the question, its answer, the last slip and, with `has_command`, the command that asks it again."""
    question = one_line_text(asked.question.text or asked.question.markdown)
    if len(question) > _MAX_QUESTION_CHARACTERS:  # which asks only after giving its numbers
        end = question[2 - _MAX_QUESTION_CHARACTERS :]
        question = f"… {end.partition(' ')[2] or end}"
    rows = [f"    {question}{times}"]
    rows += [f"      {_short(text)}" for text in (asked.right, asked.slip_text) if text]
    command = asked.question.command
    return [*rows, *([f"      {outlook.runnable(command)}"] if command and has_command else [])]


def _short(markdown: str) -> str:
    """Return Markdown as text on one short line."""
    return excerpt(one_line_text(markdown), _MAX_CARD_CHARACTERS)


def duration(seconds: int) -> str:
    """Format seconds as `6 min 12 s`."""
    minutes, rest = divmod(max(0, seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
