"""Parse a protocol buffer message to its fields by number, which is all that Anki's packages need."""

import re

_BYTES = {1: 8, 5: 4}  # wire types of fixed length
_VARINT, _LENGTH = 0, 2
_NUMBER = re.compile(rb"[\x80-\xff]{0,9}[\x00-\x7f]")  # the highest bit of a byte says that more follow


def fields(message: bytes) -> dict[int, list[int | bytes]]:
    """Parse a message to numbers and bytes by field. ValueError if it is malformed."""
    values: dict[int, list[int | bytes]] = {}
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        value: int | bytes
        if key & 7 == _VARINT:
            value, at = _number(message, at)
        elif key & 7 == _LENGTH or key & 7 in _BYTES:
            length, at = _number(message, at) if key & 7 == _LENGTH else (_BYTES[key & 7], at)
            value, at = message[at : at + length], at + length
            if at > len(message):
                raise ValueError("a field runs past the end")
        else:
            raise ValueError(f"wire type {key & 7} is unknown")
        values.setdefault(key >> 3, []).append(value)
    return values


def texts(message: bytes, number: int) -> list[str]:
    """Return the texts of a field, or raise ValueError if one is not text."""
    return [value.decode() for value in messages(message, number)]


def messages(message: bytes, number: int) -> list[bytes]:
    """Return the messages of a field as bytes, or raise ValueError if one is a number."""
    values = fields(message).get(number, [])
    if not all(isinstance(value, bytes) for value in values):
        raise ValueError(f"field {number} is a number")
    return [value for value in values if isinstance(value, bytes)]


def _number(message: bytes, at: int) -> tuple[int, int]:
    number = _NUMBER.match(message, at)
    if number is None:
        raise ValueError("a number runs past the end or has too many bytes")
    return sum((byte & 127) << 7 * place for place, byte in enumerate(number[0])), number.end()
