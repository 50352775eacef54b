"""What changed when the deck files were read, in words for the learner."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cards.problem import Problem

if TYPE_CHECKING:
    from studykit.cards.relink import Relink

_MAX_LISTED = 5  # problems, before only their number is shown


@dataclass(frozen=True, slots=True)
class DeckChanges:
    """How many cards changed, what could not be read, and what a person should look at."""

    reworded: int = 0
    new: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    refused: bool = False  # some file or folder stays as it was: nothing of it could be read
    likely: "tuple[Relink, ...]" = ()

    def __str__(self) -> str:
        counts = (
            (self.reworded, "reworded (progress kept)"),
            (self.new, "new"),
            (self.removed, "removed (progress kept)"),
        )
        return ", ".join(f"{count:,} {what}" for count, what in counts if count)

    def complaint(self) -> str:
        """Say what could not be read: a line each if they are few, else how many and what lists them."""
        if len(self.problems) <= _MAX_LISTED:
            return "\n".join(map(str, self.problems))
        from studykit.text import counted

        paths = sorted({problem.path for problem in self.problems})
        lost_notes = sum(problem.lost for problem in self.problems)
        what = f"{counted(lost_notes, 'note')} in {counted(len(paths), 'file')} could not be read"
        if not lost_notes:
            what = f"{counted(len(self.problems), 'problem')} in {counted(len(paths), 'file')}"
        return f"{what}: study check {os.path.commonpath(paths)}"
