"""Ids of events: UUIDs of version 7, which count up in the order in which an installation records them."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

_PAYLOAD_BITS = 122  # of an id: what is neither version nor variant
_RANDOM_BITS = 74  # of those, behind the milliseconds
_STEP_BITS = 40


def next_id(milliseconds: int, newest: bytes | None) -> "UUID":
    """A new id of this millisecond, or one after `newest`, this installation's newest, if that is not before it.

    So ids tell the order of recording also where the clock stepped back. The step from `newest` is random, so that
    two logs with the same newest event do not give two events one id.
    """
    from uuid import UUID

    fresh = milliseconds << _RANDOM_BITS | _random(_RANDOM_BITS)
    if newest is not None and (last := _payload(newest)) >= milliseconds << _RANDOM_BITS:
        later = last + 1 + _random(_STEP_BITS)
        fresh = later if later < 1 << _PAYLOAD_BITS else fresh  # no clock leads there, only a forged id
    high, low = divmod(fresh, 1 << 62)
    return UUID(int=high >> 12 << 80 | 7 << 76 | (high & 0xFFF) << 64 | 0b10 << 62 | low)


def _payload(id_: bytes) -> int:
    number = int.from_bytes(id_)
    return number >> 80 << _RANDOM_BITS | (number >> 64 & 0xFFF) << 62 | number & (1 << 62) - 1


def _random(bits: int) -> int:
    """That many bits from the system, 128 at most."""
    return int.from_bytes(os.urandom(16)) >> 128 - bits
