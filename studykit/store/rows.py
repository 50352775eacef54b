"""Convert between rows of the database and the program's values."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from studykit.cards.card import Card, CardId, DeckId, Kind, Task
from studykit.errors import BadDataError, UsageError
from studykit.scheduling.event_kinds import EventKind, undone_id
from studykit.scheduling.events import (
    LATEST_MOMENT,
    MAX_ANSWER_MS,
    MAX_TEXT_CHARACTERS,
    MAX_VERSION,
    SEEDS_BELOW,
    Event,
    Showing,
    is_name,
)
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import LAST_DAY, MemoryRow, TallyKey, adopted
from studykit.scheduling.study_day import EARLIEST, LATEST
from studykit.store import sql
from studykit.store.database import Row
from studykit.text import printable

if TYPE_CHECKING:
    from studykit.scheduling.replay import CardMarks, Tally

EVENT_COLUMNS = sql.EVENT_COLUMNS.split(", ")
_MAX_INTEGER = 2**63 - 1
NUMBERS = {
    "moment": (0, sql.LAST_MOMENT),
    "grade": (0, 5),
    "took_ms": (0, sql.MAX_TOOK_MS),
    "version": (-_MAX_INTEGER, _MAX_INTEGER),
    "seed": (-_MAX_INTEGER - 1, _MAX_INTEGER),
}
"""Columns that hold a number, with the smallest and largest valid value."""
OPTIONAL = frozenset(("grade", "template", "version", "seed", "parameters", "answer", "verdict", "slips"))
"""Columns that may be NULL."""
MEMORY_COLUMNS = sql.MEMORY_COLUMNS.split(", ")  # in the order of a `MemoryRow`
TALLY_COLUMNS = sql.TALLY_COUNTS.split(", ")  # in the order of a `Tally`
_CARD_KINDS = frozenset(Kind)
Columns = dict[str, object]


class DeckFile(NamedTuple):
    """Describe a deck file as it was last read, so that an unchanged file is not read again."""

    path: str
    mtime_ns: int
    size: int
    digest: str  # of the text
    deck: DeckId
    name: str  # of the deck
    header: str = ""  # what the collection needs without reading the file, as text in its own format


def clean(text: str) -> str:
    """Return the text as the database can store it: without NUL, and `?` for a lone surrogate."""
    return text.replace("\0", "").encode(errors="replace").decode()


def within_limits(event: Event) -> Event:
    """Cut an event's time and texts to their limits. Raise UsageError for values that cannot be cut."""
    if not EARLIEST <= event.day <= LATEST or not 0 <= event.moment <= LATEST_MOMENT:
        years = f"{EARLIEST.year} and {LATEST.year}"
        raise UsageError(f"{event.day} is not a valid study day. Give a moment between {years}, or set the clock.")
    if not _is_name(event.card) or not _is_name(event.target):
        name = printable(event.card or event.target, 40)
        raise UsageError(f"{name!r} is not a valid id. Use one line of printable characters.")
    if event.kind is EventKind.ADOPT and adopted(event.target) is None:
        raise UsageError(
            f"{printable(event.target, 40)!r} is not a valid state. Give repetition, interval, ease and lapses."
        )
    return replace(
        event,
        took_ms=min(max(event.took_ms, 0), MAX_ANSWER_MS),
        typed=event.typed[:MAX_TEXT_CHARACTERS],
        showing=None if event.showing is None else _shown_within(event.showing),
    )


def _shown_within(showing: Showing) -> Showing:
    if not -SEEDS_BELOW <= showing.seed < SEEDS_BELOW:
        raise UsageError(f"Seed {showing.seed} does not fit in 64 bits. Use a shorter number.")
    if not 0 <= showing.version <= MAX_VERSION:
        raise UsageError(f"{showing.version} is not a valid version of an exercise. Use 0 to {MAX_VERSION}.")
    names = (showing.template, showing.verdict, *showing.slips)
    if not all(map(_is_name, names)) or len(showing.parameters) > MAX_TEXT_CHARACTERS:
        raise UsageError(
            f"A question of {printable(showing.template, 40)!r} cannot be saved. Use printable names and at most "
            f"{MAX_TEXT_CHARACTERS:,} characters of parameters."
        )
    return replace(showing, answer=showing.answer[:MAX_TEXT_CHARACTERS])


def _is_name(text: str) -> bool:
    """Return whether a text is a valid name, as `is_name` does, but faster for short ASCII text."""
    return is_name(text) if len(text) > MAX_TEXT_CHARACTERS or not text.isascii() else text.isprintable()


def event_values(event: Event) -> Columns:
    """Return the columns of an event."""
    showing = event.showing
    detail: tuple[object, ...] = (None, None, None, None, clean(event.typed) or None, None, None)
    if showing is not None:
        question = clean(showing.template), showing.version, showing.seed, clean(showing.parameters)
        detail = *question, clean(showing.answer), clean(showing.verdict), clean("\n".join(showing.slips))
    values = (
        event.id.bytes, clean(event.learner), clean(event.origin), event.kind.value, clean(event.card),
        event.moment, event.day.toordinal(), clean(event.zone), None if event.grade is None else int(event.grade),
        event.took_ms, clean(event.profile), clean(event.target), *detail,
    )  # fmt: skip
    return dict(zip(EVENT_COLUMNS, values, strict=True))


def event_of(row: Row) -> Event:
    """Return the event in a row of `sql.EVENT_COLUMNS`, from a query that skips unknown events."""
    from uuid import UUID

    id_, learner, origin, kind, card, moment, day, zone, grade, took_ms, profile, target, *detail = row
    template, version, seed, parameters, answer, verdict, slips = detail
    showing = None
    if template is not None:
        # The other columns may be NULL: on a class's server, students can write rows of their own by SQL.
        texts = parameters or "", answer or "", verdict or ""
        showing = Showing(template, version or 0, seed or 0, *texts, _split(slips))
    return Event(
        id=UUID(bytes=bytes(id_)),
        learner=learner,
        origin=origin,
        kind=EventKind(kind),
        card=CardId(card),
        moment=moment,
        day=date.fromordinal(day),
        zone=zone,
        grade=None if grade is None else Grade(grade),
        took_ms=took_ms,
        profile=profile,
        target=target,
        showing=showing,
        typed="" if showing else answer or "",
    )


def unreadable_row(row: Row) -> str:
    """Describe a row of `sql.UNREADABLE`."""
    id_, kind, card, day, grade = row
    graded = "" if grade is None else f" grade {grade}"
    return printable(f"{bytes(id_).hex()[:32]}: {kind}{graded} of {card or 'no card'}, study day {day}", 200)


def undone(connection: Connection, learner: str) -> set[bytes]:
    """Return the ids of the undone events."""
    rows = connection.execute(sql.UNDONE, {"learner": learner})
    return {undone_id(str(row[0])) for row in rows}  # `str`, because a damaged index may yield a number


def memory_values(learner: str, card: str, memory: MemoryRow) -> Columns:
    """Return the columns of a memory."""
    return {"learner": learner, "card": card, **dict(zip(MEMORY_COLUMNS, memory, strict=True))}


def known_memory(card: str, numbers: Sequence[Any]) -> MemoryRow:
    """Return the memory in columns of the cache. Raise BadDataError for numbers that no log can lead to."""
    _, interval, _, _, reviewed, due, *_ = numbers
    if not (0 < reviewed <= due <= LAST_DAY and 0 <= interval <= LAST_DAY - reviewed):
        raise BadDataError(
            f"The cached memory of {printable(card, 80)} is invalid. Rebuild it", "study doctor --fix"
        )
    return tuple(numbers)


def tally_key_values(learner: str, key: TallyKey) -> Columns:
    """Return the key columns of a tally."""
    day, hour, grade = key
    return {"learner": learner, "day": day, "hour": hour, "grade": grade}


def tally_of(row: Row | None) -> "Tally":
    """Return the tally of a row of `sql.TALLIES`, or an empty one."""
    from studykit.scheduling.replay import Tally

    return Tally(*row[1:]) if row else Tally()


def mark_values(learner: str, card: str, mark: "CardMarks") -> Columns:
    """Return the columns of a mark."""
    return {"learner": learner, "card": card, **asdict(mark)}


def mark_of(row: Row) -> "CardMarks":
    """Return the mark of a row of `sql.MARKS`."""
    from studykit.scheduling.replay import CardMarks

    return CardMarks(bool(row[1]), row[2], bool(row[3]))


def card_row(card: Card) -> tuple[object, ...]:
    """Return the row of `sql.CARD_COLUMNS` for a card. Its texts are clean, because decks are read that way."""
    task, pinned = card.task or (None, ())
    return (
        *card[:3], str(card.kind), *card[4:10], int(card.named), card.full,
        "\n".join(card.tags), "\n".join(card.objectives), int(card.typed),
        task, "\n".join(f"{name}={value}" for name, value in pinned), card.url, card.source,
    )  # fmt: skip


def card_of(row: Row) -> Card:
    """Return the card of a row of `sql.CARD_COLUMNS`."""
    named, full, tags, objectives, typed, task, pinned, url, source = row[10:]
    kind = Kind(row[3]) if row[3] in _CARD_KINDS else Kind.BASIC  # a newer version may have written another
    values = (
        *row[:3], kind, *row[4:10], bool(named), full,
        _split(tags), _split(objectives), bool(typed),
        None if task is None else Task(task, _pinned(pinned)), url, source, (),  # checks are not stored
    )  # fmt: skip
    return Card._make(values)


def _pinned(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (line.partition("=") for line in _split(text))
    return tuple((name, value) for name, _, value in pairs)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
