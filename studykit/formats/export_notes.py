"""Collect what any export writes: notes of decks, their cards' schedules, and answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from studykit.cards.card import Card, CardId, Deck, Kind
from studykit.cards.choice import options_of, sheet, version
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, RecordedEvent
from studykit.scheduling.memory import Memory
from studykit.scheduling.replay import CardMarks, steps

TwoSides = tuple[str, str]
"""Question and answer as Markdown, for formats that have only two sides."""
ExportedAnswer = tuple[CardId, RecordedEvent]
"""An answered or reset card by its present id, and the step of its history."""


@dataclass(frozen=True, slots=True)
class ExportedNote:
    """Hold the cards of a note in order, and their deck."""

    cards: tuple[Card, ...]
    deck: Deck
    drawn: TwoSides | None = None  # of an exercise

    @property
    def key(self) -> str:
        """Return the note's key: the id that its author wrote, else the id of its first card."""
        return self.cards[0].note if self.cards[0].named else self.cards[0].id


@dataclass(frozen=True, slots=True)
class ExportedDecks:
    """Hold everything that is exported."""

    notes: tuple[ExportedNote, ...]
    memories: Mapping[CardId, Memory] = field(default_factory=dict)
    marks: Mapping[CardId, CardMarks] = field(default_factory=dict)
    answers: tuple[ExportedAnswer, ...] = ()


def exported_notes(decks: Iterable[Deck], draw: Callable[[Card], TwoSides | None]) -> Iterator[ExportedNote]:
    """Yield the notes of decks in order. `draw` gives both sides of an exercise, or None to leave it out."""
    for deck in decks:
        for _, siblings in groupby(deck.cards, key=lambda card: (card.note, card.line)):
            cards = tuple(siblings)
            exercise = draw(cards[0]) if cards[0].kind is Kind.EXERCISE else None
            if cards[0].kind is not Kind.EXERCISE or exercise is not None:
                yield ExportedNote(cards, deck, exercise)


def two_sides(note: ExportedNote, card: Card) -> TwoSides:
    """Return a card's question and answer. A choice has its options in the order of one showing."""
    if note.drawn is not None:
        return note.drawn
    if card.kind is Kind.CHOICE:
        options = options_of(card)
        option_list = "\n".join(f"- {options.options[place].text}" for place in options.order(version(card)))
        return f"{card.prompt}\n\n{option_list}", sheet(options)
    return card.prompt, card.full if card.kind is Kind.CLOZE else card.answer


def exported_answers(
    events: Iterable[Event], cards: set[CardId], moved: Mapping[CardId, CardId]
) -> Iterator[ExportedAnswer]:
    """Yield the answers and resets of these cards in order, with present ids and without undone ones."""
    for step in steps(events):
        card = moved.get(step.event.card, step.event.card)
        if step.event.kind in {EventKind.ANSWER, EventKind.RESET} and card in cards and not step.undone:
            yield card, step
