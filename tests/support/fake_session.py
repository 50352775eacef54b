"""Run a review session from a script, with its store in a list and a clock that each press advances."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Unpack, cast
from uuid import UUID

from plain_replay import plain_replay

from decks import basic_card
from studykit.cards.card import Card, CardId
from studykit.errors import StudyError
from studykit.review.keymap import Action, Press
from studykit.review.question import Asked, Phase, Question, Reply
from studykit.review.session import Session, SessionOptions
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, EventDetails, RecordedEvent, Showing, UndoneEvent
from studykit.scheduling.memory import Memory, answer_kind
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs
    from studykit.store.store import Store

TODAY = date(2026, 11, 20)


class FakeStore:
    """Fake a store that keeps its log in a list and computes everything by replay."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.texts = {each.id: each for each in cards}
        self.events: list[Event] = []
        self.log = self.cards = self.schedule = self
        self.fsrs: Fsrs | None = None
        self.checkpoints = 0
        self.recalled: bool | None = None  # of the newest event

    def present(self, card: CardId) -> Card | None:
        return self.texts.get(card)

    def memory(self, card: CardId) -> Memory | None:
        return plain_replay(self.events).get(card)

    def flagged(self, card: CardId) -> bool:
        kinds = [event.kind for event in self._live() if event.card == card]
        return kinds.count(EventKind.FLAG) > kinds.count(EventKind.UNFLAG)

    def checkpoint(self) -> None:
        self.checkpoints += 1

    def kept(self) -> dict[str, str]:
        return {}

    def keep(self, name: str, value: str) -> None:
        """Store nothing, because no process ends in these tests."""

    def history(self, card: CardId) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.card == card)

    def record(
        self, kind: EventKind, card: CardId, *, is_recalled: bool | None = None, **details: Unpack[EventDetails]
    ) -> RecordedEvent:
        self.recalled = is_recalled
        before = self.memory(card)
        event = self._add(kind, card, TODAY, **details)
        answered = answer_kind(before, TODAY) if kind is EventKind.ANSWER else None
        return RecordedEvent(event, before, self.memory(card), answered)

    def undo(self, target: UUID | None = None) -> UndoneEvent | None:
        live = [each for each in self._live() if target in (None, each.id)]
        if not live:
            if target is not None:
                raise StudyError("That was undone before.")
            return None
        undo = self._add(EventKind.UNDO, live[-1].card, TODAY, target=str(live[-1].id))
        return UndoneEvent(live[-1], undo, self.memory(live[-1].card))

    def earlier(self, name: str, grade: Grade, days_ago: int) -> None:
        self._add(EventKind.ANSWER, CardId(name), TODAY - timedelta(days=days_ago), grade=grade)

    def answers(self) -> list[tuple[str, Grade | None]]:
        return [(event.card, event.grade) for event in self._live() if event.kind is EventKind.ANSWER]

    def _live(self) -> list[Event]:
        undone = {event.target for event in self.events}
        return [each for each in self.events if str(each.id) not in undone and each.kind is not EventKind.UNDO]

    def _add(self, kind: EventKind, card: CardId, day: date, **changes: object) -> Event:
        number = len(self.events) + 1
        moment = microseconds(datetime(day.year, day.month, day.day, 12, tzinfo=UTC)) + number
        event = Event(UUID(int=number), "me", "here", kind, card, moment, day, "UTC")
        self.events.append(replace(event, **changes))  # type: ignore[arg-type] # keywords of a test
        return self.events[-1]


def closed(
    verdict: str, grade: Grade | None = None, showing: Showing | None = None, answer: str = "", command: str = ""
) -> Asked:
    """Return a question that was closed at its first try."""
    question = Question(
        "q", None, "How many?", ("",), lambda _: Reply(verdict), lambda *_: showing, "8.4e22 FLOP", command=command
    )
    tries = (Reply(verdict, answer=answer, grade=grade),)
    return Asked(question, Phase.CLOSED, answers=(answer,), tries=tries, verdict=verdict)


class ScriptedSession:
    """Drive a session by key presses, each a second after the last."""

    def __init__(
        self, *names: str | Card, options: SessionOptions | None = None, drill: tuple[str, ...] = ()
    ) -> None:
        cards = [each if isinstance(each, Card) else basic_card(each) for each in names]
        self.store = FakeStore([*cards, *map(basic_card, drill)])
        self.agenda = Agenda(TODAY, (), tuple(each.id for each in cards), tuple(map(CardId, drill)), {})
        self.options = options or SessionOptions()
        self.now_ms = 5000
        self.session = Session(cast("Store", self.store), self.agenda, self.options, self.clock, lambda: TODAY)

    def clock(self) -> int:
        return self.now_ms * 1_000_000

    def press(self, *presses: Press, after_ms: int = 1000) -> "ScriptedSession":
        for each in presses:
            self.now_ms += after_ms
            self.session.act(each)
        return self

    def answer(self, *grades: Grade) -> "ScriptedSession":
        for grade in grades:
            self.press(Action.REVEAL, grade)
        return self

    def typed(self, text: str) -> None:
        """Close the question of a typed card as its conversation does."""
        card = self.session.state.card
        right = card is not None and text == card.answer
        state = closed("correct" if right else "incorrect", answer=text)
        self.session.take_closed(state, f"✓ right: {text}" if right else "✗ wrong", goes_on=right)

    @property
    def shown(self) -> str:
        state = self.session.state
        return f"{state.stage} {state.card.id if state.card else '-'}"
