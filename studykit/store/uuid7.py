"""Event ids: UUID version 7, which sort by the moment they were made."""

import os
from collections.abc import Callable
from uuid import UUID

_RANDOM_BITS = 74
_STEP_BITS = 40


def fresh(milliseconds: int, newest: bytes | None, draw: Callable[[int], int]) -> UUID:
    """A new id for this millisecond, after `newest`, the greatest one of the same millisecond in the log.

    `draw(n)` gives n random bits. The step from `newest` is random as well, so that two logs with the same newest
    event do not give two events one id.
    """
    bits = draw(_RANDOM_BITS)
    if newest is not None:
        after = _random_part(UUID(bytes=newest)) + 1 + draw(_STEP_BITS)
        bits = after % (1 << _RANDOM_BITS)
    high, low = divmod(bits, 1 << 62)
    return UUID(int=milliseconds << 80 | 7 << 76 | high << 64 | 0b10 << 62 | low)


def random_bits(count: int) -> int:
    """That many bits from the system, 128 at most."""
    return int.from_bytes(os.urandom(16)) >> 128 - count


def bounds(milliseconds: int) -> tuple[bytes, bytes]:
    """The ids of a millisecond are at least the first and less than the second."""
    return (milliseconds << 80).to_bytes(16, "big"), (milliseconds + 1 << 80).to_bytes(16, "big")


def _random_part(id_: UUID) -> int:
    return (id_.int >> 64 & 0xFFF) << 62 | id_.int & (1 << 62) - 1
