"""Read and write the lines of a segment file, and remember where to go on next time.

A line is a checksum, a space and one JSON object: an event, the `device` that wrote it, and its `seq`: 1, 2, 3,
without gaps. Decoding returns exactly the columns that were encoded, and detects damage.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple
from uuid import UUID
from zlib import crc32

from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import adopted
from studykit.scheduling.study_day import recorded_day
from studykit.store.rows import EVENT_COLUMNS, NUMBERS, OPTIONAL, event_of, event_values

Document = Mapping[str, Any]

SEQ_DIGITS = 12  # of the seq in a file's name
_MAX_LINE_BYTES = 10_000_000
_CHECKSUM_DIGITS = 8
_CONVERTED = frozenset(("id", "kind", "day"))  # checked by converting them
_TEXTS = frozenset(EVENT_COLUMNS) - NUMBERS.keys() - _CONVERTED - {"learner"}
_EMPTY_COLUMNS = {**dict.fromkeys(_TEXTS, ""), "took_ms": 0, **dict.fromkeys(OPTIONAL)}
_KEYS = frozenset(EVENT_COLUMNS) - {"learner"}
"""Keys of an event's line. The learner is not among them, because it is whoever reads the line."""


class Position(NamedTuple):
    """Locate the last line that was read of a file. All lines before it were read as well."""

    start: int = 0  # bytes
    end: int = 0
    seq: int = 0
    checksum: str = ""

    @classmethod
    def read(cls, value: object) -> "Position":
        """Parse a position stored as a list. Return the beginning if it is invalid."""
        match value:
            case [int(start), int(end), int(seq), str(checksum)] if 0 <= start < end and seq > 0:
                return cls(start, end, seq, checksum)
            case _:
                return cls()


@dataclass(frozen=True, slots=True)
class SegmentLine:
    """Hold one whole line. Without a `device` it is damaged, without an `event` written by a newer version."""

    position: Position
    device: str = ""
    event: Event | None = None


def event_line(device: str, seq: int, event: Event) -> bytes:
    """Encode an event as a line, with its columns that are not empty, in values that JSON can hold."""
    values = event_values(event)
    values |= {"id": str(event.id), "day": event.day.isoformat()}
    columns = {name: values[name] for name in EVENT_COLUMNS if name in _KEYS and values[name] not in {None, ""}}
    return line_of({"device": device, "seq": seq, **columns})


def is_unchanged(file: BinaryIO, position: Position) -> bool:
    """Return whether the last line that was read is still where it was."""
    file.seek(position.start)
    line = file.read(position.end - position.start)
    is_whole = line.endswith(b"\n") and document_of(line[:-1]) is not None
    return is_whole and line[:_CHECKSUM_DIGITS] == position.checksum.encode()


def lines(file: BinaryIO, start: int) -> Iterator[SegmentLine]:
    """Yield the lines from byte `start` on, except a last one without newline, which is still being written."""
    file.seek(start)
    while (line := file.readline(_MAX_LINE_BYTES)).endswith(b"\n"):
        yield _line(line, start, start + len(line))
        start += len(line)


def _line(line: bytes, start: int, end: int) -> SegmentLine:
    document = document_of(line[:-1]) or {}
    device, seq = document.pop("device", None), document.pop("seq", None)
    if not isinstance(device, str) or not device or type(seq) is not int or not 1 <= seq < 10**SEQ_DIGITS:
        return SegmentLine(Position(start, end))
    position = Position(start, end, seq, line[:_CHECKSUM_DIGITS].decode())
    try:
        return SegmentLine(position, device, event_from(document))
    except NotUnderstoodError:
        return SegmentLine(position, device)


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


def event_from(document: Document) -> Event:
    """Return the event in a document. Raise NotUnderstoodError if this version does not understand it."""
    if unknown := document.keys() - _KEYS:
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
        if row["kind"] == EventKind.ADOPT and adopted(row["target"]) is None:
            raise ValueError(f"{row['target']!r} is not a valid state.")  # noqa: TRY301
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


def _complete_showing(row: dict[str, Any]) -> None:
    if row["version"] is None or row["seed"] is None:
        raise ValueError("The exercise lacks its version or seed.")
    for name in ("parameters", "answer", "verdict", "slips"):
        row[name] = row[name] or ""
