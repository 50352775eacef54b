"""Explain why a card is due: the arithmetic of its due day, and its events."""

from collections.abc import Sequence
from datetime import date

from studykit.review.keymap import word_of
from studykit.review.preview import day_name
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, RecordedEvent
from studykit.scheduling.memory import AnswerKind, Memory, answer_kind
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.replay import steps
from studykit.scheduling.sm2 import exact_interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs

_ROUGH = 100  # days of stability from which a fraction says nothing


def why(memory: Memory | None, today: date, history: Sequence[Event], fsrs: "Fsrs | None" = None) -> list[str]:
    """Explain why a card is or is not due today, and list its events."""
    log = [*steps(history, fsrs)]
    lines = [_event_line(step, today, fsrs) for step in log if step.event.kind is not EventKind.UNDO]
    title = f"Its log, by {'SM-2' if fsrs is None else fsrs.name}:" if lines else "Its log is empty."
    return [*_reason_lines(memory, today, log), "", title, *lines]


def _reason_lines(memory: Memory | None, today: date, log: Sequence[RecordedEvent]) -> list[str]:
    if memory is None:
        return ["New: it has never been reviewed."]
    days = "days" if memory.interval > 1 else "day"
    since = f"{memory.interval} {days} after its review on {day_name(memory.reviewed, today)}"
    answers = (step.event for step in reversed(log) if step.answer_kind is not None and not step.undone)
    last_answer = next(answers, None)
    is_drilled = last_answer is not None and last_answer.grade is not None and last_answer.grade.drilled
    match answer_kind(memory, today):
        case AnswerKind.DRILL if last_answer is not None and not is_drilled:
            return [f"Done for today: due {day_name(memory.due, today)}, {since}."]
        case AnswerKind.CRAM if last_answer is None or last_answer.day != today or not is_drilled:
            return [f"Not due yet, asked ahead of time: due {day_name(memory.due, today)}, {since}."]
        case AnswerKind.DRILL | AnswerKind.CRAM:
            return [
                "Asked again today: what scored below 4 is repeated until it scores 4.",
                f"The schedule stays: due {day_name(memory.due, today)}, {since}.",
            ]
        case _:
            late = (today - memory.due).days
            ago = f", {late} day{'s' if late > 1 else ''} ago" if late else " (today)"
            return [f"Due {day_name(memory.due, today)}{ago}: {since}."]


def _event_line(step: RecordedEvent, today: date, fsrs: "Fsrs | None") -> str:
    event = step.event
    name = word_of(event.grade) if event.grade is not None else event.kind.value
    start = f"{day_name(event.day, today)}  {name}"
    if step.undone:
        return f"{start}: undone"
    if event.kind is EventKind.ADOPT and step.after is not None:
        return f"{start}: as it was in {event.origin}: {step.after.interval} d, ease {_ease_text(step.after.ease)}"
    if event.kind is not EventKind.ANSWER or event.grade is None:
        return start
    if step.answer_kind is not AnswerKind.REVIEW or step.after is None:
        return f"{start}: {step.answer_kind}, the schedule stays"
    if fsrs is not None:
        return f"{start}: {fsrs_arithmetic(fsrs, step.before, event.day, step.after)}"
    return f"{start}: {arithmetic(step.before, event.grade, step.after)}"


def fsrs_arithmetic(fsrs: "Fsrs", before: Memory | None, day: date, after: Memory) -> str:
    """Explain how a review leads to its interval by FSRS."""
    stability, difficulty = _days_text(after.stability), f"difficulty {after.difficulty:.1f}"
    ends = f"so {after.interval} d until {fsrs.retention:.0%} recall it"
    if before is None or before.stability is None:
        return f"first stability {stability}, {difficulty}, {ends}"
    elapsed = (day - before.reviewed).days
    recall = f"recall after {elapsed} d was {fsrs.recall(before.stability, elapsed):.0%}"
    return f"{recall}; stability {_days_text(before.stability)} -> {stability}, {difficulty}, {ends}"


def _days_text(stability: float | None) -> str:
    return "?" if stability is None else f"{stability:.2f} d" if stability < _ROUGH else f"{stability:.0f} d"


def arithmetic(before: Memory | None, grade: Grade, after: Memory) -> str:
    """Explain how a review leads to its interval and ease by SM-2."""
    ease = f"ease {_ease_text(after.ease)}"
    if before is not None and before.ease != after.ease:
        ease = f"ease {_ease_text(before.ease)} -> {_ease_text(after.ease)}"
    if not grade.passed:
        return f"failed, so again from the start: {after.interval} d, {ease}"
    if before is None or before.repetition == 0:
        return f"first pass: {after.interval} d, {ease}"
    if before.repetition == 1:
        return f"second pass: {after.interval} d, {ease}"
    exact = f"{before.interval} d x {_ease_text(before.ease)}"
    product = exact_interval(before.interval, before.ease)
    if product % 100:
        return f"{exact} = {product / 100:g}, rounded up to {after.interval} d, {ease}"
    return f"{exact} = {after.interval} d, {ease}"


def _ease_text(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def facts(memory: Memory | None, today: date, fsrs: "Fsrs | None" = None) -> list[str]:
    """Format a card's repetition, interval, ease or stability, lapses and days."""
    if memory is None:
        return ["New: no reviews yet."]
    numbers = [
        f"repetition {memory.repetition}   interval {memory.interval} d",
        f"{_memory_text(memory, today, fsrs)}   lapses {memory.lapses}",
        f"last review {day_name(memory.reviewed, today)}   due {day_name(memory.due, today)}",
    ]
    if answer_kind(memory, today) is AnswerKind.REVIEW:
        return numbers
    return [*numbers, "", "An answer now changes nothing in the schedule."]


def _memory_text(memory: Memory, today: date, fsrs: "Fsrs | None") -> str:
    if fsrs is None or memory.stability is None:
        return f"ease {_ease_text(memory.ease)}"
    recall = fsrs.recall(memory.stability, max(0, (today - memory.reviewed).days))
    stability = _days_text(memory.stability)
    return f"stability {stability}   difficulty {memory.difficulty:.1f}   recall today {recall:.0%}"
