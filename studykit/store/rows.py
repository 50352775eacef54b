"""Rows of the database and the values that the rest of the program knows."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from studykit.cards.card import Card, CardId, DeckId, Kind, NoteId, Task
from studykit.scheduling.events import Event, EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.scheduling.replay import TALLY_COUNTS, CardMarks, Tally
from studykit.scheduling.review_rule import MemoryRow
from studykit.store import sql
from studykit.store.database import Row

MEMORY_COLUMNS = sql.MEMORY_COLUMNS.split(", ")  # in the order of a `MemoryRow`
Columns = dict[str, object]


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A deck file as it was last read, so that an unchanged one is not read again."""

    path: str
    mtime_ns: int
    size: int
    digest: str  # of the text
    deck: DeckId
    name: str  # of the deck
    header: str = ""  # whatever the collection wants to find again without reading the file, as text


def clean(text: str) -> str:
    """The text as both databases keep it: no NUL, and `?` for a lone surrogate."""
    return (
        text.replace("\0", "").encode(errors="replace").decode() if not text.isascii() else text.replace("\0", "")
    )


def event_values(event: Event) -> Columns:
    """The columns of an event."""
    showing = event.showing
    return {
        "id": event.id.bytes,
        "learner": clean(event.learner),
        "origin": clean(event.origin),
        "kind": event.kind.value,
        "card_id": clean(event.card),
        "moment": event.moment,
        "day": event.day.toordinal(),
        "zone": clean(event.zone),
        "grade": None if event.grade is None else int(event.grade),
        "took_ms": event.took_ms,
        "profile": clean(event.profile),
        "target": clean(event.target),
        "template": clean(showing.template) if showing else None,
        "version": showing.version if showing else None,
        "seed": showing.seed if showing else None,
        "parameters": clean(showing.parameters) if showing else None,
        "answer": clean(showing.answer) if showing else None,
        "verdict": clean(showing.verdict) if showing else None,
        "slips": clean("\n".join(showing.slips)) if showing else None,
    }


def event_of(row: Row) -> Event:
    """The event of a row of `sql.EVENT_COLUMNS`."""
    id_, learner, origin, kind, card, moment, day, zone, grade, took_ms, profile, target, *shown = row
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
        showing=_showing(shown),
    )


def _showing(shown: Row) -> Showing | None:
    template, version, seed, parameters, answer, verdict, slips = shown
    if template is None:
        return None
    return Showing(template, version, seed, parameters, answer, verdict, _split(slips))


def memory_values(learner: str, card: str, memory: MemoryRow) -> Columns:
    """The columns of a memory."""
    return {"learner": learner, "card": card, **dict(zip(MEMORY_COLUMNS, memory, strict=True))}


def memory_row(row: Row) -> MemoryRow:
    """The memory in a row of `sql.MEMORIES`."""
    return tuple(row[1:])


def tally_values(tally: Tally) -> dict[str, int]:
    """The counts of a tally by name."""
    return {name: getattr(tally, name) for name in TALLY_COUNTS}


def tally_of(row: Row) -> Tally:
    """The tally of a row of `sql.TALLIES`."""
    return Tally(*row[1:])


def mark_values(learner: str, card: str, mark: CardMarks) -> Columns:
    """The columns of a mark."""
    return {
        "learner": learner,
        "card": card,
        "suspended": int(mark.suspended),
        "buried": mark.buried,
        "flagged": int(mark.flagged),
    }


def mark_of(row: Row) -> CardMarks:
    """The mark of a row of `sql.MARKS`."""
    return CardMarks(bool(row[1]), row[2], bool(row[3]))


def card_values(card: Card) -> Columns:
    """The columns of a card that its deck's text decides."""
    return {
        "id": clean(card.id),
        "note": clean(card.note),
        "deck": clean(card.deck),
        "kind": card.kind.value,
        "prompt": clean(card.prompt),
        "answer": clean(card.answer),
        "path": clean(card.path),
        "line": card.line,
        "position": card.position,
        "content_hash": card.content_hash,
        "named": int(card.named),
        "whole": clean(card.full),
        "tags": clean("\n".join(card.tags)),
        "objectives": clean("\n".join(card.objectives)),
        "typed": int(card.typed),
        "task": clean(card.task.name) if card.task else None,
        "pinned": clean("\n".join(f"{name}={value}" for name, value in card.task.pinned)) if card.task else "",
        "url": None if card.url is None else clean(card.url),
        "source": clean(card.source),
    }


def card_of(row: Row) -> Card:
    """The card of a row of `sql.CARD_COLUMNS`."""
    (id_, note, deck, kind, prompt, answer, path, line, position, content_hash, named, whole, *rest) = row
    tags, objectives, typed, task, pinned, url, source = rest
    return Card(
        id=CardId(id_),
        note=NoteId(note),
        deck=DeckId(deck),
        kind=Kind(kind),
        prompt=prompt,
        answer=answer,
        path=path,
        line=line,
        position=position,
        content_hash=content_hash,
        named=bool(named),
        full=whole,
        tags=_split(tags),
        objectives=_split(objectives),
        typed=bool(typed),
        task=None if task is None else Task(task, _pinned(pinned)),
        url=url,
        source=source,
    )


def deck_file_values(file: DeckFile) -> Columns:
    """The columns of a deck file."""
    return {
        "path": clean(file.path),
        "mtime_ns": file.mtime_ns,
        "size": file.size,
        "digest": file.digest,
        "deck": clean(file.deck),
        "name": clean(file.name),
        "header": clean(file.header),
    }


def _pinned(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (line.partition("=") for line in _split(text))
    return tuple((name, value) for name, _, value in pairs)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
