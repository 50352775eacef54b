"""The records on the pages of an SQLite file and its write-ahead log, read without SQLite.

A tree that is broken anywhere hides from SQLite all that hangs below; here each page that is whole gives its
records, wherever it lies. The format: https://www.sqlite.org/fileformat2.html, sections 1.5, 2.1 and 4.
"""

import struct
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

Cell = str | int | float | bytes | None
Record = tuple[Cell, ...]

_USUAL_SIZE = 4096
_SIZES = tuple(2**power for power in range(9, 17))
_INTERIOR_INDEX, _INTERIOR_TABLE, _LEAF_INDEX, _LEAF_TABLE = 0x02, 0x05, 0x0A, 0x0D
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of each serial type
_REAL, _NULL, _ZERO, _ONE, _FIRST_BLOB = 7, 0, 8, 9, 12
_MORE = 0x80  # in a byte of a number of several
_LONGEST_RECORD = 10_000_000
_WAL_HEADER, _FRAME_HEADER = 32, 24
_WAL_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}  # and the byte order that its sums are counted in


@dataclass(slots=True)
class DatabasePages:
    """The pages of a file by number, from 1, each in every state that is on the disk, the newest last."""

    size: int
    images: dict[int, list[bytes]] = field(default_factory=dict)
    promised: int = 0  # pages, as the first one says
    torn: int = 0  # frames of the write-ahead log that are not what was written
    damaged: set[int] = field(default_factory=set)  # pages that no record could be read from

    def records(self) -> Iterator[Record]:
        """Every record of every table and index; `damaged` is filled in while they are given."""
        chained: set[int] = set()
        doubtful: set[int] = set()
        for number, states in sorted(self.images.items()):
            for state in states:
                if not (yield from self._records_of(number, state, chained)):
                    doubtful.add(number)
        self.damaged = doubtful - chained - self._free()

    def _records_of(self, number: int, page: bytes, chained: set[int]) -> Generator[Record, None, bool]:
        """The records of one page; whether it is a whole page of a table or an index."""
        start = 100 if number == 1 else 0
        kind = page[start] if len(page) == self.size else 0
        if kind == _INTERIOR_TABLE:
            return True
        if kind not in {_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE}:
            return False
        whole = True
        first = start + (12 if kind == _INTERIOR_INDEX else 8)
        count = int.from_bytes(page[start + 3 : start + 5])
        for place in range(first, min(first + 2 * count, self.size - 1), 2):
            try:
                yield self._record(page, kind, int.from_bytes(page[place : place + 2]), chained)
            except (ValueError, IndexError, struct.error):
                whole = False
        return whole

    def _record(self, page: bytes, kind: int, at: int, chained: set[int]) -> Record:
        if kind == _INTERIOR_INDEX:
            at += 4
        length, at = _varint(page, at)
        if kind == _LEAF_TABLE:
            _, at = _varint(page, at)
        if not 0 < length < _LONGEST_RECORD:
            raise ValueError("no record has this length")
        most = self.size - 35 if kind == _LEAF_TABLE else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            return _decoded(page[at : at + length], length)
        least = (self.size - 12) * 32 // 255 - 23
        here = least + (length - least) % (self.size - 4)
        here = here if here <= most else least
        next_page = int.from_bytes(page[at + here : at + here + 4])
        return _decoded(page[at : at + here] + self._overflow(next_page, length - here, chained), length)

    def _overflow(self, number: int, length: int, chained: set[int]) -> bytes:
        """The rest of a long record, from page to page."""
        rest, seen = b"", []
        while len(rest) < length:
            if number in seen or not (states := self.images.get(number)):
                raise ValueError("the rest of a record is not there")
            seen.append(number)
            number, rest = int.from_bytes(states[-1][:4]), rest + states[-1][4:]
        if number:
            raise ValueError("the rest of a record is longer than it is")
        chained.update(seen)
        return rest[:length]

    def _free(self) -> set[int]:
        """DatabasePages that hold nothing, as the first one tells."""
        free: set[int] = set()
        number = int.from_bytes(self.images[1][-1][32:36]) if 1 in self.images else 0
        while number and number not in free and number in self.images:
            trunk = self.images[number][-1]
            free.add(number)
            count = min(int.from_bytes(trunk[4:8]), self.size // 4 - 2)
            free.update(int.from_bytes(trunk[8 + 4 * leaf : 12 + 4 * leaf]) for leaf in range(count))
            number = int.from_bytes(trunk[:4])
        return free


def read_pages(file: Path) -> DatabasePages:
    """All pages of a file and of the write-ahead log beside it; neither is written to."""
    content = file.read_bytes()
    named = int.from_bytes(content[16:18])
    size = 65536 if named == 1 else named
    pages = DatabasePages(size if size in _SIZES else _USUAL_SIZE)
    for number, start in enumerate(range(0, len(content), pages.size), 1):
        pages.images[number] = [content[start : start + pages.size]]
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists():
        _add_frames(pages, wal.read_bytes())
    first = pages.images.get(1, [b""])[-1]
    pages.promised = int.from_bytes(first[28:32]) if first.startswith(b"SQLite format 3\0") else 0
    return pages


def _add_frames(pages: DatabasePages, wal: bytes) -> None:
    """What was committed to the write-ahead log; a frame that is not what was written is passed over."""
    order = _WAL_MAGIC.get(int.from_bytes(wal[:4]))
    if order is None or int.from_bytes(wal[8:12]) != pages.size:
        return
    salts, sums = wal[16:24], struct.unpack(">2I", wal[24:32])
    waiting: list[tuple[int, bytes]] = []
    torn = 0
    for start in range(_WAL_HEADER, len(wal) - _FRAME_HEADER - pages.size + 1, _FRAME_HEADER + pages.size):
        head, page = wal[start : start + _FRAME_HEADER], wal[start + _FRAME_HEADER :][: pages.size]
        if head[8:16] != salts:
            break
        number, committed = struct.unpack(">2I", head[:8])
        told = struct.unpack(">2I", head[16:24])
        if _sums(head[:8] + page, order, sums) == told:
            waiting.append((number, page))
        else:
            torn += 1
        sums = told
        if committed:
            for each, image in waiting:
                pages.images.setdefault(each, []).append(image)
            pages.torn += torn
            waiting, torn = [], 0


def _sums(data: bytes, order: str, sums: tuple[int, ...]) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(at, at + 8):
        byte = data[place]
        value = value << 7 | byte & ~_MORE
        if not byte & _MORE:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _decoded(payload: bytes, length: int) -> Record:
    if len(payload) != length:
        raise ValueError("a record ends before its end")
    end, at = _varint(payload, 0)
    types = []
    while at < end:
        kind, at = _varint(payload, at)
        types.append(kind)
    values: list[Cell] = []
    for kind in types:
        size = _size(kind)
        values.append(_value(kind, payload[at : at + size]))
        at += size
    if at != length:
        raise ValueError("a record is not as long as it says")
    return tuple(values)


def _size(kind: int) -> int:
    if kind >= _FIRST_BLOB:
        return (kind - _FIRST_BLOB) // 2
    return 8 if kind == _REAL else _INTEGERS.get(kind, 0)


def _value(kind: int, data: bytes) -> Cell:
    if kind in _INTEGERS:
        return int.from_bytes(data, signed=True)
    if kind >= _FIRST_BLOB:
        return _text(data) if kind % 2 else data
    if kind == _REAL:
        return float(struct.unpack(">d", data)[0])
    if kind in {_ZERO, _ONE}:
        return kind - _ZERO
    if kind == _NULL:
        return None
    raise ValueError("no value is of this kind")


def _text(data: bytes) -> str:
    if b"\0" in data:
        raise ValueError("the store writes no text with a NUL: this page was wiped")
    return data.decode()
