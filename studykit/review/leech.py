"""Describe a leech, a card with many lapses, and what a learner can do about it."""

from dataclasses import dataclass

from studykit.cards.card import Card
from studykit.cards.wording import excerpt, question
from studykit.text import counted

_SHOWN = 70  # characters of a question


@dataclass(frozen=True, slots=True)
class LeechReport:
    """Hold a card with many lapses, the last typed answer, and the card that it is probably confused with."""

    card: Card
    lapses: int
    typed: str = ""
    confused: Card | None = None
    because: str = ""

    def lines(self) -> list[str]:
        """Format the card, the likely cause, and three repairs with their commands."""
        id_ = self.card.id
        lines = [f"{excerpt(question(self.card), _SHOWN)}  ({id_}, {counted(self.lapses, 'lapse')})"]
        if self.typed:
            lines.append(f"  you typed    {excerpt(self.typed, _SHOWN)}")
        if self.confused is not None:
            confused_text = f"{excerpt(question(self.confused), _SHOWN)}  ({self.confused.id})"
            lines.append(f"  taken for    {confused_text}: {self.because}")
        return [
            *lines,
            f"  edit         study edit {id_}    a hint, a reason, a picture",
            f"  split        study edit {id_}    two notes that ask less each",
            f"  suspend      study card suspend {id_}",
        ]
