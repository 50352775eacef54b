"""Tensors as the judge knows them: a dtype, a shape and bytes, never an object of somebody else's library."""

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studykit.text import MOST_CHARACTERS, printable

_CODES = {
    "float64": "d",
    "float32": "f",
    "float16": "e",
    "int64": "q",
    "int32": "i",
    "int16": "h",
    "int8": "b",
    "uint8": "B",
    "bool": "?",
}
_UNREADABLE = {"bfloat16": 2}
_MOST_DIMENSIONS = 64
_BITS = 63
_NAME_CHARACTERS = 80


class ForgedError(Exception):
    """A child's reply describes no value."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Values in row-major order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    @property
    def numbers(self) -> tuple[float, ...]:
        """The values, unpacked; empty for a dtype that Python cannot read."""
        code = _CODES.get(self.dtype)
        return struct.unpack(f"={math.prod(self.shape)}{code}", self.data) if code else ()

    def described(self) -> dict[str, object]:
        """The header of its bytes."""
        return {"dtype": self.dtype, "shape": list(self.shape)}


@dataclass(frozen=True, slots=True)
class Plain:
    """A number, a text, or None."""

    value: int | float | str | None


@dataclass(frozen=True, slots=True)
class Items:
    """A list, a tuple, or a dictionary's pairs."""

    kind: str
    items: tuple["WireValue", ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Something that is no value here, by the name of its type."""

    type: str


WireValue = Tensor | Plain | Items | Other


def tensor(dtype: str, shape: Sequence[int], numbers: Sequence[float]) -> Tensor:
    """The tensor of these numbers."""
    return Tensor(dtype, tuple(shape), struct.pack(f"={len(numbers)}{_CODES[dtype]}", *numbers))


def decode(header: object, blobs: list[bytes]) -> WireValue:
    """The value that a child described; its blobs are taken off the front. ForgedError where they do not fit."""
    if not isinstance(header, Mapping) or len(header) != 1:
        raise ForgedError("not a value")
    kind, content = next(iter(header.items()))
    match kind:
        case "tensor":
            return _tensor(content, blobs)
        case "plain" if content is None or isinstance(content, float) or _is_short(content):
            return Plain(content)
        case "list" | "tuple" if isinstance(content, list):
            return Items(kind, tuple(decode(item, blobs) for item in content))
        case "dict" if isinstance(content, list):
            return Items(kind, tuple(decode({"tuple": pair}, blobs) for pair in content))
        case "other":
            return Other(printable(str(content), _NAME_CHARACTERS))
        case _:
            raise ForgedError("not a value")


def _is_short(content: object) -> bool:
    """Whether it is a number or a text of a length that an exercise might want."""
    if isinstance(content, str):
        return len(content) <= MOST_CHARACTERS
    return isinstance(content, int) and content.bit_length() <= _BITS


def _is_size(number: object) -> bool:
    return type(number) is int and 0 <= number < 1 << _BITS


def _tensor(content: Any, blobs: list[bytes]) -> Tensor:  # noqa: ANN401 - JSON of a stranger
    try:
        dtype, shape = printable(str(content["dtype"]), _NAME_CHARACTERS), tuple(content["shape"])
    except (KeyError, TypeError):
        raise ForgedError("a tensor without a shape") from None
    if len(shape) > _MOST_DIMENSIONS or not all(_is_size(n) for n in shape) or not blobs:
        raise ForgedError("a shape that is none")
    data = blobs.pop(0)
    width = struct.calcsize(f"={_CODES[dtype]}") if dtype in _CODES else _UNREADABLE.get(dtype)
    if width is not None and len(data) != math.prod(shape) * width:
        raise ForgedError("bytes that do not fill their shape")
    return Tensor(dtype, shape, data)
