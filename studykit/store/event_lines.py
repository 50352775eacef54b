"""Encode an event as a line of text: a checksum, a space, one JSON object. `study help sync` describes the format.

Decoding returns exactly the columns that were encoded, and detects damage.
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

MAX_LINE_BYTES = 10_000_000
_CHECKSUM_DIGITS = 8
_MAX_INTEGER = 2**63 - 1
_CONVERTED = frozenset(("id", "kind", "day"))  # checked by converting them
NUMBERS = {
    "moment": (0, LAST_MOMENT),
    "grade": (0, 5),
    "took_ms": (0, MAX_TOOK_MS),
    "version": (-_MAX_INTEGER, _MAX_INTEGER),
    "seed": (-_MAX_INTEGER - 1, _MAX_INTEGER),
}
"""Columns that hold a number, with the smallest and largest valid value."""
OPTIONAL = frozenset(("grade", "template", "version", "seed", "parameters", "answer", "verdict", "slips"))
"""Columns that may be NULL."""
_TEXTS = frozenset(EVENT_COLUMNS) - NUMBERS.keys() - _CONVERTED - {"learner"}
_EMPTY_COLUMNS = {**dict.fromkeys(_TEXTS, ""), "took_ms": 0, **dict.fromkeys(OPTIONAL)}
KEYS = frozenset(EVENT_COLUMNS) - {"learner"}
"""Keys of an event's line. The learner is not among them, because it is whoever reads the line."""


class NotUnderstoodError(ValueError):
    """Raised for an undamaged line that this version does not understand."""


def line_of(document: Document) -> bytes:
    """Encode a document as a line, with a checksum before it and a newline after it."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return b"%08x %s\n" % (crc32(text), text)


def document_of(line: bytes) -> dict[str, Any] | None:
    """Decode a line without its newline, or return None if it is damaged."""
    text = line[_CHECKSUM_DIGITS + 1 :]
    # Compare bytes, not numbers: changed upper or lower case in the checksum is damage too.
    if line[: _CHECKSUM_DIGITS + 1] != b"%08x " % crc32(text):
        return None
    try:
        document = json.loads(text.decode())
        if b"\\ud" in text or b"\\uD" in text:  # a lone surrogate cannot be stored as UTF-8
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def event_document(event: Event) -> dict[str, object]:
    """Return the event's columns that are not empty, with values that JSON can hold."""
    values = event_values(event)
    values |= {"id": str(event.id), "day": event.day.isoformat()}
    return {name: values[name] for name in EVENT_COLUMNS if name in KEYS and values[name] not in {None, ""}}


def event_from(document: Document) -> Event:
    """Return the event in a document. Raise NotUnderstoodError if this version does not understand it."""
    if unknown := document.keys() - KEYS:
        raise NotUnderstoodError(f"{min(unknown)!r} is an unknown key.")
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
            _complete_showing(row)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotUnderstoodError(str(error)) from None
    return event_of(tuple(row[name] for name in EVENT_COLUMNS))


def _check(name: str, value: object) -> None:
    """Raise ValueError unless a value that is not text is valid: a number in its range, or None if optional."""
    minimum, maximum = NUMBERS.get(name, (0, -1))
    is_valid = name in OPTIONAL if value is None else type(value) is int and minimum <= value <= maximum
    if not is_valid and name not in _CONVERTED:
        raise ValueError(f"{value!r} is not a valid {name}.")


def _check_state(target: str) -> None:
    if adopted(target) is None:
        raise ValueError(f"{target!r} is not a valid state.")


def _complete_showing(row: dict[str, Any]) -> None:
    if row["version"] is None or row["seed"] is None:
        raise ValueError("The exercise lacks its version or seed.")
    for name in ("parameters", "answer", "verdict", "slips"):
        row[name] = row[name] or ""
