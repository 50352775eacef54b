"""Run a review from a script, with its store in a list and a clock that each key advances."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Unpack, cast
from uuid import UUID

from plain_replay import plain_replay
from scripted_ui import ScriptedUi

from decks import basic_card
from studykit.cards.card import Card, CardId, Kind
from studykit.errors import StudyError
from studykit.exercise.card_turn import queue, turn_of
from studykit.exercise.review_run import ReviewOptions, ReviewRun, ReviewServices
from studykit.exercise.turn import Asking, Turn
from studykit.review.keymap import Keymap, keymap
from studykit.review.question import Asked, Phase, Question, Reply
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, EventDetails, RecordedEvent, Showing, UndoneEvent
from studykit.scheduling.memory import Memory, answer_kind
from studykit.scheduling.outcomes import CLOSE, JUDGED, NOT_SCORED
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds
from studykit.store.typed_drafts import TypedDrafts
from studykit.ui import Command, Ui
from studykit.ui import Reply as UiReply

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.scheduling.fsrs import Fsrs

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


SEEDS: list[int] = []
"""The seeds with which exercises were asked since the newest run began."""
SHOWING = Showing("flops.train_total", 1, 42, "{}", "2*70e9*15e12", "incorrect", ("forward-only",))


def scripted_turn(services: "Services", card: Card, seed: int) -> Turn:
    """Return a card's turn. An exercise is judged as the verdict that is typed, or as close."""
    if card.kind is not Kind.EXERCISE:
        return turn_of(services, card, {}, seed)
    SEEDS.append(seed)

    def judge(state: Asked) -> Reply:
        return Reply(state.given[-1] if state.given[-1] in {*JUDGED, NOT_SCORED} else CLOSE)

    question = Question("flops", seed, "How many FLOPs?", ("FLOP",), judge, lambda *_: SHOWING, "6 FLOP", tries=1)
    return Turn(card.id, "flops", lambda *_: question, card=card.id, detail=card)


def scripted_run(
    store: FakeStore,
    ui: Ui,
    *,
    clock: Callable[[], float],
    drill: Sequence[str] = (),
    limit: int | None = None,
    options: ReviewOptions | None = None,
    turn: Callable[["Services", Card, int], Turn] = scripted_turn,
    seed: Callable[[], int] = lambda: 42,
    keys: Keymap | None = None,
    edit: Callable[[Card], tuple[Card | None, str]] = lambda card: (card, "nothing was changed"),
) -> ReviewRun:
    """Return a review of the store's cards, new but for those of the drill, with what it needs from outside."""
    SEEDS.clear()
    drafts = TypedDrafts(Path("/dev/null/drafts"), "me")  # in memory, as it cannot be written
    stand_ins = SimpleNamespace(
        store=store,
        now=lambda: datetime(2026, 11, 20, tzinfo=UTC),
        in_a_line=str,
        open_drafts=lambda: drafts,
    )
    services = cast("Services", stand_ins)
    asking = Asking(services)
    asking.ui = ui
    new = tuple(card for card in store.texts if card not in drill)
    return ReviewRun(
        asking,
        keys or keymap(),
        queue(Agenda(TODAY, (), new, tuple(map(CardId, drill)), {}), limit),
        around=ReviewServices(edit, lambda card, number: turn(services, card, number), seed),
        options=options or ReviewOptions(),
        today=lambda: TODAY,
        clock=clock,
        started=clock(),
    )


class KeysUi(ScriptedUi):
    """Press keys from a list, and let a time pass before each."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s, self.pause_s = 5.0, 1.0

    def read(self, *arguments: object, **named: object) -> UiReply:
        self.now_s += self.pause_s
        return super().read(*arguments, **named)  # type: ignore[arg-type]

    def choose(self, *_: object) -> str | None:
        self.now_s += self.pause_s if self.script else 0
        return super().choose("", ())


class ScriptedReview:
    """Drive a review by keys and typed lines, each a second after the last."""

    def __init__(self, *names: str | Card, drill: tuple[str, ...] = (), **changed: object) -> None:
        cards = [each if isinstance(each, Card) else basic_card(each) for each in names]
        self.store, self.ui = FakeStore([*cards, *map(basic_card, drill)]), KeysUi()
        self.edited: Card | None = None  # what the editor leaves
        self.run = scripted_run(
            self.store,
            self.ui,
            clock=lambda: self.ui.now_s,
            drill=drill,
            edit=lambda _: (self.edited, "edited" if self.edited else "the card is gone"),
            **changed,  # type: ignore[arg-type] # keywords of a test
        )

    def press(self, *keys: str | Command | None, after_s: float = 1.0) -> "ScriptedReview":
        """Press these keys. Afterwards the review is left, to go on at the next call."""
        self.ui.script, self.ui.pause_s = [*keys], after_s
        self.run.through()
        return self

    def answer(self, *grades: str) -> "ScriptedReview":
        """Reveal a card for each of these grades, and give it."""
        return self.press(*(key for grade in grades for key in ("space", grade)))

    @property
    def shown(self) -> str:
        """Return the phase and the card that is asked."""
        if not self.run.remaining:
            return "over"
        asked = self.run.state.asked
        assert asked is not None
        return f"{asked.phase} {self.run.card.id}"

    @property
    def said(self) -> str:
        """Return what the page says of the action before."""
        place = self.ui.places[-1]
        return self.run.message or (place.last_result if place is not None else "")
