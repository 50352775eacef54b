"""What a look at the deck files brought about, as it is told to the learner."""

import os
from typing import TYPE_CHECKING, NamedTuple

from studykit.cards.problem import Problem

if TYPE_CHECKING:
    from studykit.cards.relink import Relink

_TOLD = 5  # problems that are told one by one


class DeckChanges(NamedTuple):
    """How many cards changed, what could not be read, and what a person should look at."""

    reworded: int = 0
    new: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    refused: bool = False  # some file or folder stays as it was: nothing of it could be read
    likely: "tuple[Relink, ...]" = ()

    def __str__(self) -> str:
        counted = (
            (self.reworded, "reworded (progress kept)"),
            (self.new, "new"),
            (self.removed, "removed (progress kept)"),
        )
        return ", ".join(f"{count:,} {what}" for count, what in counted if count)

    def complaint(self) -> str:
        """What could not be read: a line each where they are few, else how many and what lists them."""
        if len(self.problems) <= _TOLD:
            return "\n".join(map(str, self.problems))
        from studykit.text import counted

        paths = sorted({problem.path for problem in self.problems})
        lost = sum(problem.lost for problem in self.problems)
        what = f"{counted(lost, 'note')} in {counted(len(paths), 'file')} could not be read"
        if not lost:
            what = f"{counted(len(self.problems), 'problem')} in {counted(len(paths), 'file')}"
        return f"{what}: study check {os.path.commonpath(paths)}"
