"""Read and write the lines of a segment file, and remember where to go on next time.

A line holds an event, the `device` that wrote it, and its `seq`: 1, 2, 3, without gaps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from studykit.scheduling.events import Event
from studykit.store import event_lines

SEQ_DIGITS = 12  # of the seq in a file's name
_CHECKSUM_BYTES = 8


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
    """Encode an event as a line."""
    return event_lines.line_of({"device": device, "seq": seq, **event_lines.event_document(event)})


def is_unchanged(file: BinaryIO, position: Position) -> bool:
    """Return whether the last line that was read is still where it was."""
    file.seek(position.start)
    line = file.read(position.end - position.start)
    is_whole = line.endswith(b"\n") and event_lines.document_of(line[:-1]) is not None
    return is_whole and line[:_CHECKSUM_BYTES] == position.checksum.encode()


def lines(file: BinaryIO, start: int) -> Iterator[SegmentLine]:
    """Yield the lines from byte `start` on, except a last one without newline, which is still being written."""
    file.seek(start)
    while (line := file.readline(event_lines.MAX_LINE_BYTES)).endswith(b"\n"):
        yield _line(line, start, start + len(line))
        start += len(line)


def _line(line: bytes, start: int, end: int) -> SegmentLine:
    document = event_lines.document_of(line[:-1]) or {}
    device, seq = document.pop("device", None), document.pop("seq", None)
    if not isinstance(device, str) or not device or type(seq) is not int or not 1 <= seq < 10**SEQ_DIGITS:
        return SegmentLine(Position(start, end))
    position = Position(start, end, seq, line[:_CHECKSUM_BYTES].decode())
    try:
        return SegmentLine(position, device, event_lines.event_from(document))
    except event_lines.NotUnderstoodError:
        return SegmentLine(position, device)
