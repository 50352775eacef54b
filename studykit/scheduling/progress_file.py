"""Write and read progress as a JSON document of events, which pages and logs exchange."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any, TypeVar
from uuid import UUID

from studykit.cards.card import CardId
from studykit.errors import BadDataError
from studykit.scheduling.event_kinds import EventKind
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
from studykit.scheduling.review_rule import adopted
from studykit.scheduling.sm2 import PROFILE
from studykit.scheduling.study_day import moment_of, recorded_day
from studykit.text import printable

_Value = TypeVar("_Value")
KIND = "studykit-progress"
_MAX_REASON_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class ReadProgress:
    """Hold the events of a copy of progress without duplicates, and a sentence for each one that was set aside."""

    events: tuple[Event, ...]
    aside: tuple[str, ...] = ()


def progress_json(events: Iterable[Event]) -> str:
    """Format the events as a copy of progress, one on a line."""
    rows = ",\n".join(json.dumps(event_row(event), ensure_ascii=False) for event in events)
    return f'{{"schema": 1, "kind": "{KIND}", "events": [\n{rows}\n]}}\n'


def read_progress(document: object, named: str, latest: date | None = None) -> ReadProgress:
    """Read the events of a copy of progress. Raise BadDataError for any other document.

    An invalid event, or one after the study day `latest`, is set aside. The others are kept.
    """
    if not isinstance(document, Mapping) or document.get("kind") != KIND:
        raise BadDataError(
            f"{named} is not a copy of progress. Save one under Progress on an exported page, or with "
            "`study export progress`."
        )
    if document.get("schema") != 1:
        schema = printable(_quoted(document.get("schema")), _MAX_REASON_CHARACTERS)
        raise BadDataError(f"{named} has schema {schema}, which this studykit does not know. Upgrade studykit.")
    rows = document.get("events")
    if not isinstance(rows, list):
        raise BadDataError(f"{named} has no list of events. Save it again.")
    events: dict[UUID, Event] = {}
    aside = []
    for number, row in enumerate(rows, 1):
        try:
            event = event_from(row)
            if latest is not None:
                _refuse_after(latest, event)
        except BadDataError as error:
            aside.append(f"{named}: event {number} was set aside ({error}); everything else was read.")
        else:
            events.setdefault(event.id, event)
    return ReadProgress(tuple(events.values()), tuple(aside))


def _refuse_after(latest: date, event: Event) -> None:
    # A UTC moment may lie on the day after the local study day.
    newest = max(event.day, moment_of(event.moment).date() - timedelta(days=1))
    if newest > latest:
        reason = f"{newest} is in the future"
        raise BadDataError(reason)


def event_row(event: Event) -> Mapping[str, object]:
    """Return the event as a JSON object, without the learner."""
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
    row |= {} if event.grade is None else {"grade": int(event.grade)}
    row |= {name: text for name, text in (("target", event.target), ("typed", event.typed)) if text}
    if event.showing is not None:
        showing = asdict(event.showing)
        row["showing"] = {"exercise": showing.pop("template"), **showing}
    return row


def event_from(row: object) -> Event:
    """Read an event without its learner from a JSON object. Raises BadDataError if it is invalid."""
    try:
        return _parse_event(row)  # type: ignore[arg-type]
    except KeyError as error:
        raise _damaged(f"{error} is missing") from None
    except (ValueError, TypeError, AttributeError, RecursionError):  # Python's own words name no field
        raise _damaged("it is damaged") from None


def _damaged(reason: str) -> BadDataError:
    return BadDataError(printable(reason, _MAX_REASON_CHARACTERS))


def _quoted(value: object) -> str:
    """Quote a value as it stands in the file: `null` or `true` instead of Python's None or True."""
    return json.dumps(value) if value is None or isinstance(value, bool) else repr(value)


def _parse_field(name: str, value: object, parse: Callable[[Any], _Value]) -> _Value:
    """Parse a field, replacing the messages of Python's parsers, which do not name the field."""
    try:
        return parse(value)
    except (ValueError, TypeError, AttributeError, RecursionError):
        verb = "are" if name.endswith("s") else "is"
        raise _damaged(f"its {name} {verb} damaged: {_quoted(value)}") from None


def _parse_event(row: Mapping[str, Any]) -> Event:
    kind = _parse_field("kind", row["kind"], EventKind)
    grade = (
        Grade(_checked_integer(row["grade"], 5))
        if kind is EventKind.ANSWER or row.get("grade") is not None
        else None
    )
    target = _checked_text(row.get("target", ""))
    if kind is EventKind.UNDO:
        target = str(_parse_field("target", target, UUID))
    if kind is EventKind.ADOPT and adopted(target) is None:
        raise _damaged(f"{target!r} is not a state to take over")
    return Event(
        id=_parse_field("id", row["id"], UUID),
        learner="",
        origin=_checked_name(row.get("origin", "page")),
        kind=kind,
        card=CardId(_checked_name(row["card"])),
        moment=_checked_integer(row["moment"], LATEST_MOMENT),
        day=_parse_field("day", row["day"], recorded_day),
        zone=_checked_name(row["zone"]),
        grade=grade,
        took_ms=min(_checked_integer(row.get("took_ms", 0), SEEDS_BELOW), MAX_ANSWER_MS),
        profile=_checked_name(row.get("profile", PROFILE)),
        target=target,
        showing=_parse_showing(row.get("showing")),
        typed=_checked_text(row.get("typed", "")),
    )


def _parse_showing(row: Mapping[str, Any] | None) -> Showing | None:
    if row is None:
        return None
    if not isinstance(row, dict) or not isinstance(row.get("slips", []), list):
        raise _damaged("its exercise is damaged")
    return Showing(
        template=_checked_name(row["exercise"]),
        version=_checked_integer(row["version"], MAX_VERSION),
        seed=_checked_integer(row["seed"], SEEDS_BELOW - 1, least=-SEEDS_BELOW),
        parameters=_checked_parameters(row["parameters"]),
        answer=_checked_text(row["answer"]),
        verdict=_checked_name(row["verdict"]),
        slips=tuple(_checked_name(slip) for slip in row["slips"]),
    )


def _checked_name(value: object) -> str:
    """Check that a text can be shown in lists and messages, and return it."""
    if not is_name(text := _checked_text(value)):
        raise _damaged(f"a name has control characters: {text!r}")
    return text


def _checked_parameters(value: object) -> str:
    if (text := _checked_text(value)) and not isinstance(_parse_field("parameters", text, json.loads), dict):
        raise _damaged("its parameters are not an object")
    return text


def _checked_text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_CHARACTERS:
        raise _damaged("a text is missing or too long")
    return value if value.isascii() else value.encode(errors="replace").decode()  # no half of a character


def _checked_integer(value: object, maximum: int, *, least: int = 0) -> int:
    # isinstance would let JSON's true and false pass as 1 and 0.
    if type(value) is not int or not least <= value <= maximum:
        raise _damaged(f"{_quoted(value)} is not a whole number from {least} to {maximum}")
    return value
