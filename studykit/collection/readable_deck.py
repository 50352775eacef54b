"""Parse a deck leniently, so that a note that cannot be read costs only its own cards."""

from dataclasses import replace

from studykit.cards.card import Deck
from studykit.cards.front_matter import Macros
from studykit.cards.parser import parse_deck
from studykit.cards.problem import Problem

_REPLACEMENT_CHARACTER = "\ufffd"  # for bytes that are not UTF-8
_ENCODING_PROBLEM = "letters that are not UTF-8. Save the file as UTF-8."


def deck_in(
    text: str, path: str, undecoded: Problem | None = None, macros: Macros = ()
) -> tuple[Deck, list[Problem]]:
    """Return the deck of all readable notes, and the problems. `undecoded` is the problem of undecodable bytes."""
    deck, problems = parse_deck(text, path, macros)
    if undecoded is None:
        return deck, problems
    garbled = [card for card in deck.cards if _REPLACEMENT_CHARACTER in f"{card.prompt}{card.answer}{card.full}"]
    notes = {card.note: card for card in reversed(garbled)}
    readable = tuple(card for card in deck.cards if card.note not in notes)
    decoding_problems = [replace(undecoded, lost=bool(notes))]
    decoding_problems += [
        Problem(path, card.line, _ENCODING_PROBLEM, lost=True)
        for card in sorted(notes.values(), key=lambda card: card.line)[1:]
    ]
    return deck._replace(cards=readable), sorted([*decoding_problems, *problems], key=lambda problem: problem.line)
