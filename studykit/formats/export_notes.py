"""What goes out, whatever the format: notes of decks with their cards' schedules, and answers. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from studykit.cards.card import Card, CardId, Deck, Kind
from studykit.cards.choice import options_of, version
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.memory import Memory
from studykit.scheduling.replay import CardMarks, HistoryStep, steps

TwoSides = tuple[str, str]
"""Question and answer as Markdown, for who shows two sides and no more."""
ExportedAnswer = tuple[CardId, HistoryStep]
"""The card that was answered, or reset, by the id that it has now, and what that made of it."""


@dataclass(frozen=True, slots=True)
class ExportedNote:
    """The cards of a note in order, and the deck that they stand in."""

    cards: tuple[Card, ...]
    deck: Deck
    drawn: TwoSides | None = None  # of an exercise

    @property
    def key(self) -> str:
        """Return the note's key: its author's id, else the id of its first card."""
        return self.cards[0].note if self.cards[0].named else self.cards[0].id


@dataclass(frozen=True, slots=True)
class ExportedDecks:
    """Everything that goes out."""

    notes: tuple[ExportedNote, ...]
    memories: Mapping[CardId, Memory] = field(default_factory=dict)
    marks: Mapping[CardId, CardMarks] = field(default_factory=dict)
    answers: tuple[ExportedAnswer, ...] = ()


def exported_notes(decks: Iterable[Deck], draw: Callable[[Card], TwoSides | None]) -> Iterator[ExportedNote]:
    """Yield the notes of decks in order. `draw` gives an exercise's question, or None without one."""
    for deck in decks:
        for _, siblings in groupby(deck.cards, key=lambda card: (card.note, card.line)):
            cards = tuple(siblings)
            exercise = draw(cards[0]) if cards[0].kind is Kind.EXERCISE else None
            if cards[0].kind is not Kind.EXERCISE or exercise is not None:
                yield ExportedNote(cards, deck, exercise)


def two_sides(note: ExportedNote, card: Card) -> TwoSides:
    """Return a card's question and answer."""
    if note.drawn is not None:
        return note.drawn
    if card.kind is Kind.CHOICE:
        return _choice_sides(card)
    return card.prompt, card.full if card.kind is Kind.CLOZE else card.answer


def _choice_sides(card: Card) -> TwoSides:
    """Return the options in the order of one showing, and the right ones with every option's explanation."""
    options = options_of(card)
    mixed = [options.options[place] for place in options.order(version(card))]
    offered = "\n".join(f"- {option.text}" for option in mixed)
    right = "\n\n".join(option.text for option in mixed if option.right)
    whys = "\n".join(f"- {option.text}: {option.why}" for option in mixed if option.why)
    return f"{card.prompt}\n\n{offered}", "\n\n".join(filter(None, (right, whys, options.explanation)))


def exported_answers(
    events: Iterable[Event], cards: set[CardId], moved: Mapping[CardId, CardId]
) -> Iterator[ExportedAnswer]:
    """Yield answers and resets of some cards in order, under present ids, without undone ones."""
    for step in steps(events):
        card = moved.get(step.event.card, step.event.card)
        if step.event.kind in {EventKind.ANSWER, EventKind.RESET} and card in cards and not step.undone:
            yield card, step
