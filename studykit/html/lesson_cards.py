"""Render single cards of decks for the middle of a lesson, below a slim bar with the deck's progress."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from studykit.cards.card import Card
from studykit.errors import NotFoundError
from studykit.html import assets
from studykit.html.deck_view import DeckPart, Problems, Tasks, view
from studykit.html.export import ExportOptions
from studykit.html.pages import Pages
from studykit.html.strings import Strings
from studykit.text import did_you_mean


@dataclass(frozen=True, slots=True)
class LessonCards:
    """Hold some cards as HTML for any page, and the names of the scripts that they need."""

    markup: str
    scripts: tuple[str, ...]
    count: int
    strings: Strings

    def shared(self) -> dict[str, bytes]:
        """Return the style and scripts that lessons share."""
        texts = {"studykit.css": assets.style("host.css", *assets.STYLES)}
        texts |= {name: assets.script(name, self.strings) for name in self.scripts}
        return {name: text.encode() for name, text in texts.items()}


def lesson_cards(
    parts: Sequence[DeckPart], names: Sequence[str], tasks: Tasks, options: ExportOptions
) -> LessonCards:
    """Render the cards with the ids `names`, in that order. A note's id stands for all its cards."""
    choice = [found for name in names for found in _find_cards(parts, name)]
    choice = list({found[1].id: found for found in choice}.values())
    problems = Problems()
    pages = Pages(options.strings)
    moved = options.former.moved
    deck_views = []
    for part, found in groupby(choice, key=lambda found: found[0]):
        cards = [card for _, card in found]
        deck = view([DeckPart(part.deck._replace(cards=tuple(cards)), part.root)], tasks, problems, pages.strings)
        if deck is not None:
            place: dict[str, int] = {card.id: at for at, card in enumerate(cards)}
            in_order = tuple(sorted(deck.cards, key=lambda card: place[card.id]))
            course = options.course or deck.course
            deck_views.append(replace(deck, cards=in_order, course=course, moved=moved))
    problems.refuse()
    scripts = tuple(dict.fromkeys(name for deck in deck_views for name in deck.scripts))
    return LessonCards("".join(map(pages.cards, deck_views)), scripts, len(choice), pages.strings)


def _find_cards(parts: Sequence[DeckPart], name: str) -> list[tuple[DeckPart, Card]]:
    for part in parts:
        of_part = [card for card in part.deck.cards if name in {card.id, card.note}]
        if of_part:
            exact = [card for card in of_part if card.id == name]
            return [(part, card) for card in exact or sorted(of_part, key=lambda card: card.position)]
    ids = (card.id for part in parts for card in part.deck.cards)
    raise NotFoundError(f"No card has the id {name!r}.{did_you_mean(name, ids)}", "study show DECK")
