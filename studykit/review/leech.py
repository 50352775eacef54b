"""A leech: a card that is forgotten again and again, and what a learner can do about it."""

from dataclasses import dataclass

from studykit.cards.card import Card
from studykit.cards.wording import excerpt, question
from studykit.text import counted

_SHOWN = 70  # characters of a question


@dataclass(frozen=True, slots=True)
class LeechReport:
    """A card with many lapses, what was typed at it last, and the card that it seems to be taken for."""

    card: Card
    lapses: int
    typed: str = ""
    confused: Card | None = None
    because: str = ""

    def lines(self) -> list[str]:
        """Return what to show: the card, the likely cause, and three repairs, each with its command."""
        id_ = self.card.id
        lines = [f"{excerpt(question(self.card), _SHOWN)}  ({id_}, {counted(self.lapses, 'lapse')})"]
        if self.typed:
            lines.append(f"  you typed    {excerpt(self.typed, _SHOWN)}")
        if self.confused is not None:
            other = f"{excerpt(question(self.confused), _SHOWN)}  ({self.confused.id})"
            lines.append(f"  taken for    {other}: {self.because}")
        return [
            *lines,
            f"  edit         study edit {id_}    a hint, a reason, a picture",
            f"  split        study edit {id_}    two notes that ask less each",
            f"  suspend      study card suspend {id_}",
        ]
