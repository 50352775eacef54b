"""Find the card that introduces what a question asks, for `:lesson`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.card import GAP, Card, Kind
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.ordinary_file import read_text

if TYPE_CHECKING:
    from studykit.exercise.services import Services

NONE = "No card of your decks introduces this."
_TERM = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])")  # a deck sets a term in italics where it introduces it
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_MAX_DECK_BYTES = 20_000_000


def lesson(services: "Services", name: str) -> str:
    """Format the card that introduces a question, with its place, or return a sentence if there is none.

    `name` is the id of a card or of an exercise.
    """
    calls = getattr(catalog.known(name), "must", ())  # a rewrite's functions
    card = introduction([*services.read_decks().cards.all()], name, catalog.objective_of(name), calls)
    if card is None:
        return NONE
    answer = "" if card.kind is Kind.CLOZE else f"\n\n{card.answer}"
    place = ", ".join(filter(None, ("The lesson", card.url, _heading_of(card), f"card `{card.id}`")))
    return f"{place}:\n\n{card.prompt.replace(GAP, f'**{card.answer}**')}{answer}"


def introduction(
    cards: Sequence[Card], name: str, objective: str | None, calls: Sequence[str] = ()
) -> Card | None:
    """Find the card that introduces what a question needs, among all cards in deck order, or return None.

    Only basic, reversed and cloze cards introduce anything. For an exercise that a card asks, it is the last one
    before that card in its deck. For any other exercise, it is the first one of its objective, which for a rewrite
    must name one of its `calls`. For a card, it is the last earlier one that introduces a term it uses, or else
    the last one before it in its deck that shares an objective.
    """
    place = next((n for n, card in enumerate(cards) if name in {card.id, card.task and card.task.name}), None)
    if place is None:
        of_objective = (card for card in cards if objective in card.objectives and _is_explanation(card))
        texts = ((card, f"{card.prompt} {card.answer}") for card in of_objective)
        return next((card for card, text in texts if not calls or any(call in text for call in calls)), None)
    card_of_question, earlier_cards = cards[place], [card for card in cards[:place] if _is_explanation(card)]
    text = f"{card_of_question.prompt} {card_of_question.answer}".lower()
    introductions = [
        card for card in earlier_cards if card_of_question.task is None and _introduces_term(card, text)
    ]
    of_deck = [card for card in earlier_cards if card.deck == card_of_question.deck]
    if card_of_question.task is None:
        of_deck = [card for card in of_deck if set(card.objectives) & set(card_of_question.objectives)]
    return next(reversed(introductions or of_deck), None)


def _is_explanation(card: Card) -> bool:
    return card.kind in {Kind.BASIC, Kind.REVERSED, Kind.CLOZE}


def _introduces_term(card: Card, text: str) -> bool:
    """Return whether a card introduces a term that the text uses."""
    terms = _TERM.findall(f"{card.prompt} {card.answer}")
    return any(re.search(rf"\b{re.escape(term.lower())}", text) for term in terms)


def _heading_of(card: Card) -> str:
    """Return words such as `under “Softmax”` for the last heading above a card in its deck file, or ""."""
    try:
        lines = read_text(Path(card.path), _MAX_DECK_BYTES, "", StudyError).splitlines()[: card.line]
    except (OSError, StudyError):
        return ""
    headings = [match[1] for line in lines if (match := _HEADING.fullmatch(line))]
    return f"under “{headings[-1]}”" if headings else ""
