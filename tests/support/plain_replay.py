"""Implement the review rule and SM-2 again, from the words of the design, to compare with the program's."""

from collections.abc import Collection, Iterable
from datetime import UTC
from fractions import Fraction
from math import ceil

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.memory import Memory
from studykit.scheduling.replay import Caches, replay
from studykit.scheduling.review_rule import EventRow


def caches_of(rows: Iterable[EventRow], undone: Collection[bytes] = (), fsrs: Fsrs | None = None) -> Caches:
    """Return the caches that the program's own replay makes of these events, in UTC."""
    return replay(((*row, 0, "UTC") for row in rows), undone, fsrs, lambda _: UTC)


def plain_replay(events: Iterable[Event]) -> dict[CardId, Memory]:
    """Return the memory of every card that has one, from the events of one learner in any order."""
    ordered = sorted(events, key=lambda event: (event.moment, event.id))
    undone = {event.target for event in ordered if event.kind is EventKind.UNDO}
    memories: dict[CardId, Memory] = {}
    for event in ordered:
        if str(event.id) in undone:
            continue
        if event.kind is EventKind.ANSWER:
            memory = memories.get(event.card)
            if memory is None or memory.due <= event.day:
                memories[event.card] = plain_review(memory, event)
        elif event.kind is EventKind.RELINK and CardId(event.target) in memories:
            memories[event.card] = memories.pop(CardId(event.target))
        elif event.kind is EventKind.ADOPT:
            repetition, interval, ease, lapses = map(int, event.target.split())
            memories[event.card] = Memory(repetition, interval, ease, lapses, event.day)
        elif event.kind is EventKind.RESET and event.card in memories:
            del memories[event.card]
    return memories


def plain_review(memory: Memory | None, event: Event) -> Memory:
    """Return a card's memory after a review, by SM-2 in exact fractions."""
    grade = int(event.grade or 0)
    memory = memory or Memory(0, 0, 250, 0, event.day)
    if grade < 3:
        return Memory(0, 1, memory.ease, memory.lapses + (memory.repetition > 0), event.day)
    ease = Fraction(memory.ease, 100)
    interval = {0: 1, 1: 6}.get(memory.repetition) or min(ceil(memory.interval * ease), 36_500)
    ease += Fraction(1, 10) - (5 - grade) * (Fraction(8, 100) + (5 - grade) * Fraction(2, 100))
    hundredths = int(max(ease, Fraction(13, 10)) * 100)
    return Memory(memory.repetition + 1, interval, hundredths, memory.lapses, event.day)
