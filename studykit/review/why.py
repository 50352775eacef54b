"""Why a card is here: the arithmetic behind its due day, and every event that led to it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from studykit.review.keymap import word_of
from studykit.review.preview import day_name
from studykit.scheduling import sm2
from studykit.scheduling.events import Became, Event, EventKind, became
from studykit.scheduling.sm2 import Grade, Memory


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a card with the memory before and after it; `undone` events changed nothing."""

    event: Event
    before: Memory | None
    after: Memory | None
    became: Became | None
    undone: bool = False


def steps(history: Iterable[Event]) -> Iterator[Step]:
    """The events of one card in order, each with what it did."""
    events = sorted(history, key=lambda event: (event.moment, event.id))
    undone = {event.target for event in events if event.kind is EventKind.UNDO}
    memory: Memory | None = None
    for event in events:
        taken_back = str(event.id) in undone
        kind = became(memory, event.day) if event.kind is EventKind.ANSWER else None
        after = memory
        if event.kind is EventKind.RESET and not taken_back:
            after = None
        elif kind is Became.REVIEW and event.grade is not None and not taken_back:
            after = sm2.after(memory, event.grade, event.day)
        yield Step(event, memory, after, kind, taken_back)
        memory = after


def why(memory: Memory | None, today: date, history: Sequence[Event]) -> list[str]:
    """Lines that explain why a card is asked today."""
    return [*_reason(memory, today, history), "", *_events(history, today)]


def _reason(memory: Memory | None, today: date, history: Sequence[Event]) -> list[str]:
    if memory is None:
        return ["New: it has never been reviewed."]
    days = "days" if memory.interval > 1 else "day"
    since = f"{memory.interval} {days} after its review on {day_name(memory.reviewed, today)}"
    match became(memory, today):
        case Became.DRILL if _is_done_today(history):
            return [f"Done for today: due {day_name(memory.due, today)}, {since}."]
        case Became.DRILL:
            return [
                "Asked again today: SM-2 repeats what scored below 4 until it scores 4.",
                f"The schedule stays: due {day_name(memory.due, today)}, {since}.",
            ]
        case Became.CRAM:
            return [f"Not due yet, asked ahead of time: due {day_name(memory.due, today)}, {since}."]
        case _:
            late = (today - memory.due).days
            ago = f", {late} day{'s' if late > 1 else ''} ago" if late else " (today)"
            return [f"Due {day_name(memory.due, today)}{ago}: {since}."]


def _is_done_today(history: Sequence[Event]) -> bool:
    """Whether the last answer that counts took the card out of today's drill."""
    told = [step.event for step in steps(history) if step.event.kind is EventKind.ANSWER and not step.undone]
    return bool(told) and told[-1].grade in {Grade.GOOD, Grade.EASY}


def _events(history: Sequence[Event], today: date) -> list[str]:
    told = [_told(step, today) for step in steps(history) if step.event.kind is not EventKind.UNDO]
    return [f"Its log, profile {sm2.PROFILE}:", *told] if told else ["Its log is empty."]


def _told(step: Step, today: date) -> str:
    event = step.event
    name = word_of(event.grade) if event.grade is not None else event.kind.value
    start = f"{day_name(event.day, today)}  {name}"
    if step.undone:
        return f"{start}: undone"
    if event.kind is not EventKind.ANSWER or event.grade is None:
        return start
    if step.became is not Became.REVIEW or step.after is None:
        return f"{start}: {step.became}, the schedule stays"
    return f"{start}: {arithmetic(step.before, event.grade, step.after)}"


def arithmetic(before: Memory | None, grade: Grade, after: Memory) -> str:
    """How one review leads to its interval and ease, in words and numbers."""
    ease = f"ease {_ease(after.ease)}"
    if before is not None and before.ease != after.ease:
        ease = f"ease {_ease(before.ease)} -> {_ease(after.ease)}"
    if not grade.passed:
        return f"failed, so again from the start: 1 d, {ease}"
    if after.repetition == 1:
        return f"first pass: 1 d, {ease}"
    if after.repetition == 2 or before is None:  # noqa: PLR2004 - SM-2's second interval is fixed
        return f"second pass: 6 d, {ease}"
    exact = f"{before.interval} d x {_ease(before.ease)}"
    product = before.interval * before.ease
    if product % 100:
        return f"{exact} = {product / 100:g}, rounded up to {after.interval} d, {ease}"
    return f"{exact} = {after.interval} d, {ease}"


def _ease(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def facts(memory: Memory | None, today: date) -> list[str]:
    """A card's numbers, and what each grade would make of them."""
    if memory is None:
        numbers = ["New: no reviews yet."]
    else:
        numbers = [
            f"repetition {memory.repetition}   interval {memory.interval} d",
            f"ease {_ease(memory.ease)}   lapses {memory.lapses}",
            f"last review {day_name(memory.reviewed, today)}   due {day_name(memory.due, today)}",
        ]
    if became(memory, today) is not Became.REVIEW:
        return [*numbers, "", "An answer now changes nothing in the schedule."]
    outcomes = sm2.outcomes(memory, today)
    told = [f"  {grade.value} {word_of(grade):<9} {_outcome(outcomes[grade])}" for grade in reversed(Grade)]
    return [*numbers, "", "What a grade would do:", *told]


def _outcome(memory: Memory) -> str:
    return f"{memory.interval} d, then ease {_ease(memory.ease)}"
