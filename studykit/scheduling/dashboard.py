"""Compute what bare `study` shows: the day's figures and the decks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from studykit.scheduling.activity import Activity
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.stats import SlipCount, Streak


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """Count the cards of a deck: all, known, new and due."""

    deck: str
    cards: int
    known: int  # answered at least once
    new: int  # never answered; suspended ones do not count
    due: int  # to be asked again today, what is overdue counted in and siblings once

    @property
    def share(self) -> float:
        """Return known cards as a share of all."""
        return self.known / self.cards if self.cards else 0.0


def deck_counts(
    sizes: Iterable[tuple[str, int]],
    *,
    known: Mapping[str, int],
    set_aside: Mapping[str, int],
    due: Mapping[str, int],
) -> tuple[DeckCounts, ...]:
    """Return the counts of decks in the order of `sizes`. `set_aside` are suspended new cards."""
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


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Hold the figures of a day, the same as `study stats` and `study due` show."""

    agenda: Agenda
    decks: tuple[DeckCounts, ...]  # in the order of the course
    activity: Activity
    streak: Streak
    forecast: tuple[tuple[date, int], ...]
    slips: tuple[SlipCount, ...]
    begun: bool  # something was answered before
