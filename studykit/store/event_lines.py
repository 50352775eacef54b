"""An event as a line of text that finds its own damage: a checksum, a space, one JSON object.

Whatever the columns of the log can hold comes back as it was. `study help sync` describes the line.
"""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID
from zlib import crc32

from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import adopted
from studykit.scheduling.study_day import recorded_day
from studykit.store.rows import EVENT_COLUMNS, event_of, event_values
from studykit.store.sql import LAST_MOMENT, MAX_TOOK_MS

Document = Mapping[str, Any]

MAX_LINE_BYTES = 10_000_000  # bytes of a line
_CHECKSUM = 8  # hexadecimal digits
_MAX_INTEGER = 2**63 - 1
_READ = frozenset(("id", "kind", "day"))  # by what they are made into
NUMBERS = {
    "moment": (0, LAST_MOMENT),
    "grade": (0, 5),
    "took_ms": (0, MAX_TOOK_MS),
    "version": (-_MAX_INTEGER, _MAX_INTEGER),
    "seed": (-_MAX_INTEGER - 1, _MAX_INTEGER),
}
"""Columns that hold a number, and the least and the largest that is read."""
OPTIONAL = frozenset(("grade", "template", "version", "seed", "parameters", "answer", "verdict", "slips"))
"""Columns that may hold nothing."""
_TEXTS = frozenset(EVENT_COLUMNS) - NUMBERS.keys() - _READ - {"learner"}
_EMPTY_COLUMNS = {**dict.fromkeys(_TEXTS, ""), "took_ms": 0, **dict.fromkeys(OPTIONAL)}
KEYS = frozenset(EVENT_COLUMNS) - {"learner"}
"""What an event's line may say; the learner is whoever takes it in."""


class NotUnderstoodError(ValueError):
    """A whole line that says what this version does not know."""


def line_of(document: Document) -> bytes:
    """Encode a document as a line with its end."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return b"%08x %s\n" % (crc32(text), text)


def document_of(line: bytes) -> dict[str, Any] | None:
    """Decode a line without its end, or return None if it is damaged."""
    text = line[_CHECKSUM + 1 :]
    if line[: _CHECKSUM + 1] != b"%08x " % crc32(text):  # compared as bytes: another case is damage too
        return None
    try:
        document = json.loads(text.decode())
        if b"\\ud" in text or b"\\uD" in text:  # half a character has no bytes
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def event_document(event: Event) -> dict[str, object]:
    """Return an event as a document: the columns of the log that hold something."""
    values = event_values(event)
    values |= {"id": str(event.id), "day": event.day.isoformat()}
    return {name: values[name] for name in EVENT_COLUMNS if name in KEYS and values[name] not in {None, ""}}


def event_from(document: Document) -> Event:
    """Return the event of a document, or raise NotUnderstoodError if this version does not know it."""
    if unknown := document.keys() - KEYS:
        raise NotUnderstoodError(f"{min(unknown)!r} is unknown here")
    row = {**_EMPTY_COLUMNS, **document, "learner": ""}
    try:
        EventKind(row["kind"])
        row["id"] = UUID(row["id"]).bytes
        row["day"] = recorded_day(str(row["day"])).toordinal()
        for name, value in document.items():
            if type(value) is not str or name not in _TEXTS:
                _check(name, value)
        if row["kind"] == EventKind.UNDO:
            row["target"] = str(UUID(row["target"]))
        if row["kind"] == EventKind.ADOPT:
            _check_state(row["target"])
        if row["kind"] == EventKind.ANSWER:
            Grade(row["grade"])
        if row["template"] is not None:
            _whole_showing(row)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotUnderstoodError(str(error)) from None
    return event_of([row[name] for name in EVENT_COLUMNS])


def _check(name: str, value: object) -> None:
    """Check a value of a column that is not text: a number in its range, or None where the column allows it."""
    least, most = NUMBERS.get(name, (0, -1))
    right = name in OPTIONAL if value is None else type(value) is int and least <= value <= most
    if not right and name not in _READ:
        raise ValueError(f"{name} is out of range")


def _check_state(target: str) -> None:
    if adopted(target) is None:
        raise ValueError("not a state to take over")


def _whole_showing(row: dict[str, Any]) -> None:
    if row["version"] is None or row["seed"] is None:
        raise ValueError("an exercise without its version or seed")
    for name in ("parameters", "answer", "verdict", "slips"):
        row[name] = row[name] or ""
