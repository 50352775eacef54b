"""What has happened on a study day so far, from rows alone.

A shell prompt counts by it, so it imports next to nothing.
"""

from collections.abc import Collection, Iterable

TodayRow = tuple[bytes, str, str, int, int | None, str, str | None, str | None, int | None, int | None]
"""An event since the day began: id, kind, card, day, grade, target; its card's note, deck, last review, live."""
Answered = tuple[str, str, int, bool, bool]
"""A card that was answered today: note, deck, last grade, whether its review is among the answers, live."""

ANSWER, RELINK, RESET, UNDO = "answer", "relink", "reset", "undo"
"""Members of `EventKind`; a test holds them equal."""
GOOD = 4
"""The grade that ends a card's drill."""


class Today:
    """What has happened on a study day so far."""

    __slots__ = ("answered", "buried")

    def __init__(self, buried: Iterable[str] = ()) -> None:
        self.answered: dict[str, Answered] = {}  # in the order of their last answers
        self.buried = set(buried)

    @property
    def notes(self) -> set[str]:
        """Notes that have had their turn today."""
        return {note for note, *_ in self.answered.values()}

    def drilled(self, decks: Collection[str] = ()) -> tuple[str, ...]:
        """Cards that the day's drill still waits for."""
        return tuple(
            card
            for card, (_, deck, grade, counted, live) in self.answered.items()
            if counted and live and grade < GOOD and card not in self.buried and (not decks or deck in decks)
        )


def today(rows: Iterable[TodayRow], undone: Collection[bytes], day: int, buried: Iterable[str]) -> Today:
    """What the day's events come to; `rows` may hold events of other days too."""
    found = Today(buried)
    answered = found.answered
    for id_, kind, card, on, grade, target, note, deck, reviewed, live in rows:
        if on != day or bytes(id_) in undone:
            continue
        if kind == ANSWER and grade is not None:
            answered.pop(card, None)
            answered[card] = (note or card, deck or "", grade, reviewed == day, bool(live))
        elif kind == RELINK and target in answered:
            _, _, moved, _, _ = answered.pop(target)
            answered[card] = (note or card, deck or "", moved, reviewed == day, bool(live))
        elif kind == RESET:
            answered.pop(card, None)
    return found
