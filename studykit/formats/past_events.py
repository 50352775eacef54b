"""Convert the history of imported cards to events, whose ids are the same at each import."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, time, tzinfo

from studykit.cards.card import CardId
from studykit.formats.card_ids import event_id
from studykit.formats.foreign_notes import CardPast
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import MAX_ANSWER_MS, Event
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds, moment_of, study_day

BUTTONS = {
    **dict.fromkeys((Grade.BLACKOUT, Grade.AGAIN, Grade.FAMILIAR), 1),
    Grade.HARD: 2,
    Grade.GOOD: 3,
    Grade.EASY: 4,
}
"""The button of other programs for each grade."""


def past_events(
    origin: str, pasts: Mapping[str, CardPast], zone_name: str, zone: tzinfo, *, keep_due_days: bool = False
) -> Iterator[Event]:
    """Yield the events of every card: its answers, its state, and that it is suspended or flagged.

    The state is left out if there are answers, unless `keep_due_days`.
    """

    def event(card: str, kind: EventKind, key: str, moment: int) -> Event:
        id_, day = event_id(origin, card, key, moment), study_day(moment_of(moment), zone)
        return Event(id_, "", origin, kind, CardId(card), moment, day, zone_name)

    for card, past in pasts.items():
        for review in past.reviews:
            kind = EventKind.RESET if review.grade is None else EventKind.ANSWER
            took_ms = min(max(review.took_ms, 0), MAX_ANSWER_MS)
            yield replace(event(card, kind, review.key, review.moment), grade=review.grade, took_ms=took_ms)
        after_last = max((review.moment for review in past.reviews), default=0) + 1
        if past.state is not None and (keep_due_days or not past.reviews):
            target, day = adopt_target(past.state), past.state.reviewed
            moment = max(microseconds(datetime.combine(day, time(12), UTC)), past.changed, after_last)
            adopted = event(card, EventKind.ADOPT, f"adopt {target} {day}", moment)
            yield replace(adopted, day=day, target=target)
        for kind, is_set in ((EventKind.SUSPEND, past.suspended), (EventKind.FLAG, past.flagged)):
            if is_set:
                yield event(card, kind, kind.value, max(past.changed, after_last))


def adopt_target(state: Memory) -> str:
    """Encode a state for an adopt event. The event's day is that of the last review."""
    return f"{state.repetition} {state.interval} {state.ease} {state.lapses}"
