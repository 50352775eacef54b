"""Report to the learner what changed when the deck files were read."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cards.problem import Problem

if TYPE_CHECKING:
    from studykit.cards.relink import Relink

_MAX_LISTED = 5  # problems, before only their number is shown


@dataclass(frozen=True, slots=True)
class DeckChanges:
    """Count the cards that changed, and list unreadable notes and likely pairs for a person to look at."""

    reworded: int = 0
    new: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    refused: bool = False  # nothing could be read of some file or folder, so its cards stay
    likely: "tuple[Relink, ...]" = ()

    def __str__(self) -> str:
        counts = (
            (self.reworded, "reworded (progress kept)"),
            (self.new, "new"),
            (self.removed, "removed (progress kept)"),
        )
        return ", ".join(f"{count:,} {what}" for count, what in counts if count)

    def complaint(self) -> str:
        """Return a line for each problem or, if there are many, their number and the command that lists them."""
        if len(self.problems) <= _MAX_LISTED:
            return "\n".join(map(str, self.problems))
        from studykit.text import counted

        paths = sorted({problem.path for problem in self.problems})
        lost_notes = sum(problem.lost for problem in self.problems)
        summary = f"{counted(lost_notes, 'note')} in {counted(len(paths), 'file')} could not be read"
        if not lost_notes:
            summary = f"{counted(len(self.problems), 'problem')} in {counted(len(paths), 'file')}"
        return f"{summary}: study check {os.path.commonpath(paths)}"
