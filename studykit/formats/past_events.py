"""Convert the history of imported cards to events, whose ids are the same at each import."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class EventMaker:
    """Make the events of one source in a learner's zone."""

    origin: str
    zone_name: str
    zone: tzinfo
    keep_due_days: bool = False

    def events(self, pasts: Mapping[str, CardPast]) -> Iterator[Event]:
        """Yield the events of every card: its answers, its state, and that it is suspended or flagged.

        The state is left out if there are answers, unless `keep_due_days`.
        """
        for card, past in pasts.items():
            for review in past.reviews:
                kind = EventKind.RESET if review.grade is None else EventKind.ANSWER
                took_ms = min(max(review.took_ms, 0), MAX_ANSWER_MS)
                event = self._event(card, kind, review.key, review.moment)
                yield replace(event, grade=review.grade, took_ms=took_ms)
            last = max((review.moment for review in past.reviews), default=0)
            if past.state is not None and (self.keep_due_days or not past.reviews):
                yield self._adopt_event(card, past, past.state, last)
            for kind, is_set in ((EventKind.SUSPEND, past.suspended), (EventKind.FLAG, past.flagged)):
                if is_set:
                    yield self._event(card, kind, kind.value, max(past.changed, last + 1))

    def _adopt_event(self, card: str, past: CardPast, state: Memory, last: int) -> Event:
        target = adopt_target(state)
        noon = microseconds(datetime.combine(state.reviewed, time(12), UTC))
        key = f"adopt {target} {state.reviewed}"
        moment = max(noon, past.changed, last + 1)
        return replace(self._event(card, EventKind.ADOPT, key, moment), day=state.reviewed, target=target)

    def _event(self, card: str, kind: EventKind, key: str, moment: int) -> Event:
        return Event(
            id=event_id(self.origin, card, key, moment),
            learner="",
            origin=self.origin,
            kind=kind,
            card=CardId(card),
            moment=moment,
            day=study_day(moment_of(moment), self.zone),
            zone=self.zone_name,
        )


def adopt_target(state: Memory) -> str:
    """Encode a state for an adopt event. The event's day is that of the last review."""
    return f"{state.repetition} {state.interval} {state.ease} {state.lapses}"
