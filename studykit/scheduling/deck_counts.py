"""How many cards of each deck are new, due and known: what home, `deck list` and pages show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """The cards of a deck in the collection."""

    deck: str
    cards: int
    known: int  # answered at least once
    new: int  # never answered; suspended ones do not count
    due: int  # to be asked again today, what is overdue counted in and siblings once

    @property
    def share(self) -> float:
        """Known cards as a share of all."""
        return self.known / self.cards if self.cards else 0.0


def deck_counts(
    sizes: Iterable[tuple[str, int]],
    *,
    known: Mapping[str, int],
    set_aside: Mapping[str, int],
    due: Mapping[str, int],
) -> tuple[DeckCounts, ...]:
    """The counts of decks in the order of `sizes`, by deck; `set_aside` are new cards that are suspended."""
    return tuple(
        DeckCounts(
            deck,
            cards,
            known=known.get(deck, 0),
            new=cards - known.get(deck, 0) - set_aside.get(deck, 0),
            due=due.get(deck, 0),
        )
        for deck, cards in sizes
    )
