"""The app's icon as a PNG of four colours: two cards, drawn within the circle that every telephone leaves."""

import struct
import zlib
from functools import cache

_GROUND, _BEHIND, _CARD, _LINE = range(4)
_COLOURS = bytes.fromhex("0b5a8f 7cc0ef fcfbf8 1d1f22".replace(" ", ""))
_SHAPES = (  # colour, left, top, right, bottom, in hundredths of the side
    (_BEHIND, 34, 26, 74, 62),
    (_CARD, 26, 36, 66, 72),
    (_LINE, 32, 46, 60, 50),
    (_LINE, 32, 57, 51, 61),
)


def icon(side: int) -> bytes:
    """A square PNG of so many pixels; the side divides by four."""
    rows = b"".join(_row(side, 100 * y // side) for y in range(side))
    header = struct.pack(">IIBBBBB", side, side, 2, 3, 0, 0, 0)  # two bits a pixel, a palette
    chunks = ((b"IHDR", header), (b"PLTE", _COLOURS), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


@cache
def _row(side: int, down: int) -> bytes:
    """The pixels at one height, each of the last shape that covers it; four in a byte, the first is highest."""
    here = [shape for shape in _SHAPES if shape[2] <= down < shape[4]]
    row = [_GROUND] * side
    for colour, left, _, right, _ in here:
        row[side * left // 100 : side * right // 100] = [colour] * (side * right // 100 - side * left // 100)
    packed = (a << 6 | b << 4 | c << 2 | d for a, b, c, d in zip(*(iter(row),) * 4, strict=True))
    return b"\0" + bytes(packed)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
