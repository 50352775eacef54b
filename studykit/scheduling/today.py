"""Compute a study day so far, from rows only. A shell prompt loads this file, so it imports very little."""

from collections.abc import Collection, Iterable

from studykit.scheduling.review_rule import apply_today, is_drilled

TodayRow = tuple[bytes, str, str, int, int | None, str, str | None, int | None]
"""An event since the day began: id, kind, card, day, grade, target; its card's note, live."""
AnsweredCard = tuple[str, bool]
"""A card that was answered today: note, whether the day's drill still waits for it."""


class Today:
    """Hold the cards answered on a study day so far, and the buried ones."""

    __slots__ = ("answered", "buried")

    def __init__(self, answered: dict[str, AnsweredCard], buried: Iterable[str] = ()) -> None:
        self.answered = answered  # in the order of their last answers
        self.buried = set(buried)

    @property
    def notes(self) -> set[str]:
        """Return the notes already asked today, as `whole_note` names them."""
        return {whole_note(note) for note, *_ in self.answered.values()}

    def drilled(self, cards: Collection[str] | None = None) -> tuple[str, ...]:
        """Return the cards that still need drill today, restricted to `cards` if given."""
        return tuple(
            card
            for card, (_, waits) in self.answered.items()
            if waits and card not in self.buried and (cards is None or card in cards)
        )


def whole_note(note: str) -> str:
    """Return the note that this one was split from on import: `anki:KEY` for `anki:KEY.2`.

    An id from elsewhere has its origin before a colon and no other point.
    """
    if ":" not in note:
        return note
    note_id, point, number = note.rpartition(".")
    return note_id if point and number.isdigit() else note


def today(rows: Iterable[TodayRow], undone_ids: Collection[bytes], day: int, buried: Iterable[str]) -> Today:
    """Compute what has happened on a study day from its events. `rows` may include other days."""
    grades: dict[str, int] = {}
    notes: dict[str, tuple[str, bool]] = {}
    for id_, kind, card, on, grade, target, note, live in rows:
        if on != day or bytes(id_) in undone_ids:
            continue
        notes[card] = (note or card, bool(live))
        apply_today(grades, kind, card, grade, target)
    answered_cards: dict[str, AnsweredCard] = {}
    for card, grade in grades.items():
        note, live = notes[card]
        answered_cards[card] = (note, live and is_drilled(grade))
    return Today(answered_cards, buried)
