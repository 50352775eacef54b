"""Progress as a document: what a page and a log tell each other, events that a union of logs takes in."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any
from uuid import UUID

from studykit.cards.card import CardId
from studykit.errors import BadDataError
from studykit.scheduling.events import Event, EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.scheduling.sm2 import PROFILE
from studykit.scheduling.study_day import EARLIEST, LATEST
from studykit.text import printable

KIND = "studykit-progress"
LONGEST_TEXT = 20_000  # characters of one field
_LATEST = 2**53  # microseconds that JavaScript counts exactly: the year 2255
_LONGEST_MS = 86_400_000
_LONGEST_WHY = 200


def progress_json(events: Iterable[Event]) -> str:
    """The events as a copy of progress, one on a line."""
    rows = ",\n".join(json.dumps(_row(event), ensure_ascii=False) for event in events)
    return f'{{"schema": 1, "kind": "{KIND}", "events": [\n{rows}\n]}}\n'


def read_progress(document: object, named: str) -> tuple[Event, ...]:
    """The events of a copy of progress, each id once; refused as a whole where one of them cannot be."""
    if not isinstance(document, Mapping) or document.get("kind") != KIND:
        raise BadDataError(f"{named} is no copy of progress; save one on an exported page, under Progress.")
    if document.get("schema") != 1:
        raise BadDataError(f"{named} was made by a newer studykit; update this one.")
    rows = document.get("events")
    if not isinstance(rows, list):
        raise BadDataError(f"{named} holds no list of events; save it again on the page.")
    found: dict[UUID, Event] = {}
    for number, row in enumerate(rows, 1):
        try:
            event = _event(row)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            wrong = f"{named}: event {number} cannot be read ({_said(error)}); save it again on the page."
            raise BadDataError(wrong) from None
        found.setdefault(event.id, event)
    return tuple(found.values())


def _row(event: Event) -> Mapping[str, object]:
    row: dict[str, object] = {
        "id": str(event.id),
        "kind": event.kind.value,
        "card": event.card,
        "moment": event.moment,
        "day": event.day.isoformat(),
        "zone": event.zone,
        "took_ms": event.took_ms,
        "profile": event.profile,
        "origin": event.origin,
    }
    if event.grade is not None:
        row["grade"] = int(event.grade)
    if event.target:
        row["target"] = event.target
    if event.showing is not None:
        showing = event.showing
        row["showing"] = {
            "exercise": showing.template,
            "version": showing.version,
            "seed": showing.seed,
            "parameters": showing.parameters,
            "answer": showing.answer,
            "verdict": showing.verdict,
            "slips": showing.slips,
        }
    return row


def _event(row: Mapping[str, Any]) -> Event:
    kind = EventKind(row["kind"])
    grade = Grade(_whole(row["grade"], 5)) if kind is EventKind.ANSWER or row.get("grade") is not None else None
    target = _text(row.get("target", ""))
    if kind is EventKind.UNDO:
        target = str(UUID(target))
    return Event(
        id=UUID(_text(row["id"])),
        learner="",
        origin=_name(row.get("origin", "page")),
        kind=kind,
        card=CardId(_name(row["card"])),
        moment=_whole(row["moment"], _LATEST),
        day=_day(row["day"]),
        zone=_name(row["zone"]),
        grade=grade,
        took_ms=_whole(row.get("took_ms", 0), _LONGEST_MS),
        profile=_name(row.get("profile", PROFILE)),
        target=target,
        showing=_showing(row.get("showing")),
    )


def _showing(row: Mapping[str, Any] | None) -> Showing | None:
    if row is None:
        return None
    return Showing(
        template=_name(row["exercise"]),
        version=_whole(row["version"], 2**31),
        seed=_whole(row["seed"], 2**63 - 1),
        parameters=_parameters(row["parameters"]),
        answer=_text(row["answer"]),
        verdict=_name(row["verdict"]),
        slips=tuple(_name(slip) for slip in row["slips"]),
    )


def _name(value: object) -> str:
    """A text that lists and messages show."""
    if printable(text := _text(value)) != text or "\n" in text:
        raise ValueError("a name has control characters")
    return text


def _day(value: object) -> date:
    day = date.fromisoformat(_text(value))
    if not EARLIEST <= day <= LATEST:
        raise ValueError(f"{day} is no day to study on")
    return day


def _parameters(value: object) -> str:
    if (text := _text(value)) and not isinstance(json.loads(text), dict):
        raise ValueError("its parameters are no object")
    return text


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ValueError("a text is missing or too long")
    return value


def _whole(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{value!r} is out of range")
    return value


def _said(error: Exception) -> str:
    return printable(f"{error} is missing" if isinstance(error, KeyError) else str(error), _LONGEST_WHY)
