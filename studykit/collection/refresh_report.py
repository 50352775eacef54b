"""What a look at the deck files brought about, as it is told to the learner."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cards.problem import Problem

if TYPE_CHECKING:
    from studykit.cards.relink import Relink


@dataclass(frozen=True, slots=True)
class DeckChanges:
    """How many cards changed, what could not be read, and what a person should look at."""

    reworded: int = 0
    new: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    likely: "tuple[Relink, ...]" = ()

    def __str__(self) -> str:
        counted = (
            (self.reworded, "reworded (progress kept)"),
            (self.new, "new"),
            (self.removed, "removed"),
        )
        return ", ".join(f"{count:,} {what}" for count, what in counted if count)
