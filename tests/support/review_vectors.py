"""Load histories of events and their outcomes, which test the review rule in Python and in pages."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.sm2 import PROFILE as SM2

FIRST_DAY = date(2026, 11, 23)
CARDS = ("a", "b", "c")
"""The cards of the deck, each of a note of its own. A history may also name `old`, which has left the deck."""
NEW_A_DAY = 2
_MOMENT = 1_900_000_000_000_000  # microseconds since 1970, after every day of the vectors began


@dataclass(frozen=True, slots=True)
class ReviewVector:
    """Hold one history, with events in order of arrival, and the expected state of the cards."""

    name: str
    events: tuple[Event, ...]
    answers: tuple[str | None, ...]  # what each event was: review, drill or cram; None: undone, or no answer
    memories: dict[str, tuple[int, int, int, int, int, int]]  # SM-2's numbers, lapses, days of review and due
    counts: dict[str, int]  # of all days' tallies, those that are not zero
    today: int
    asked: tuple[str, ...]  # the agenda of that day: due, new, drill


def ordinal(day: int) -> int:
    """Return the ordinal of a date, given as days after `FIRST_DAY`."""
    return (FIRST_DAY + timedelta(days=day)).toordinal()


def _event(number: int, row: dict[str, Any]) -> Event:
    kind = next(kind for kind in ("answer", "reset", "relink", "adopt", "undo") if kind in row)
    undoes = kind == "undo"
    return Event(
        id=_id(number),
        learner="me",
        origin="here",
        kind=EventKind(kind),
        card=CardId("" if undoes else row[kind]),
        moment=_MOMENT + row.get("moment", number),
        day=FIRST_DAY + timedelta(days=row["day"]),
        zone="UTC",
        grade=Grade(row["grade"]) if "grade" in row else None,
        profile=row.get("profile", SM2),
        target=str(_id(row["undo"])) if undoes else row.get("from", row.get("state", "")),
    )


def _id(number: int) -> UUID:
    return UUID(int=(7 << 76) + (0b10 << 62) + number)


def _vector(row: dict[str, Any]) -> ReviewVector:
    return ReviewVector(
        name=row["name"],
        events=tuple(_event(number, event) for number, event in enumerate(row["events"])),
        answers=tuple(row["answers"]),
        memories={card: (*numbers,) for card, numbers in row["memories"].items()},
        counts=row["counts"],
        today=row["today"],
        asked=tuple(row["asked"]),
    )


VECTORS = [
    _vector(each) for each in json.loads((Path(__file__).parents[1] / "vectors" / "reviews.json").read_text())
]
