"""Compute what bare `study` shows: the day's figures and the decks."""

from dataclasses import dataclass
from datetime import date

from studykit.scheduling.activity import Activity
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.stats import SlipCount, Streak


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """Count the cards of a deck: all, known, new, due, and those suspended before their first answer."""

    deck: str
    cards: int
    known: int  # answered at least once
    set_aside: int  # never answered, and suspended
    due: int  # to be asked again today, what is overdue counted in and siblings once

    @property
    def new(self) -> int:
        """Count the cards never answered. Suspended ones do not count."""
        return self.cards - self.known - self.set_aside

    @property
    def share(self) -> float:
        """Return known cards as a share of all."""
        return self.known / self.cards if self.cards else 0.0


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
