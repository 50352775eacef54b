"""What the measuring child sends, read with distrust: the snippet shares its process and may have written it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from studykit.errors import BadDataError
from studykit.exercise.bet.bounds import Count, Kernel
from studykit.exercise.bet.score import Canary, Measurement
from studykit.text import printable

_MOST_AMOUNT = 1 << 80  # FLOPs or bytes
_SHORTEST_S, _LONGEST_S = 1e-12, 1e6
_MOST_CANARIES = 16
_MOST_LINES = 1000
_MOST_NAME = 200


@contextmanager
def understood() -> Iterator[None]:
    """A reply that makes no sense is refused."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadDataError(
            f"the snippet spoilt its own measurement ({printable(str(error), _MOST_NAME)})."
        ) from None


def counted(found: Mapping[str, Any]) -> Count:
    """A count as the child sent it; ValueError or TypeError when it is none."""
    return Count(
        kernels=tuple(_kernel(**kernel) for kernel in found["kernels"]),
        fused_bytes=_amount(found["fused_bytes"]),
        inputs=_lines(found["inputs"]),
        problems=_lines(found["problems"]),
    )


def timed(times: Mapping[str, Any], canaries: Sequence[Mapping[str, Any]]) -> Measurement:
    """Times as the child sent them; ValueError or TypeError when they cannot be times."""
    if not times["p20"] <= times["median"] <= times["p80"]:
        raise ValueError("times that are no times: out of order")
    return Measurement(
        median=_time(times["median"]),
        p20=_time(times["p20"]),
        p80=_time(times["p80"]),
        samples=_amount(times["samples"]),
        calls=_amount(times["calls"]),
        cold=bool(times["cold"]),
        canaries=sung(canaries),
    )


def sung(found: Sequence[Mapping[str, Any]]) -> tuple[Canary, ...]:
    """Canaries as the child sent them."""
    if not 0 < len(found) <= _MOST_CANARIES:
        raise ValueError("no canary, or too many")
    return tuple(_canary(**each) for each in found)


def _kernel(*, op: object, flops: object, bytes_moved: object, dtype: object, linked: object = False) -> Kernel:
    named, typed = (printable(str(each), _MOST_NAME) for each in (op, dtype))
    return Kernel(named, _amount(flops), _amount(bytes_moved), typed, linked=linked is True)


def _canary(*, seconds: object, cpu_per_wall: object, threads: object, stream_s: object, tiny_s: object) -> Canary:
    return Canary(
        seconds=_time(seconds),
        cpu_per_wall=_number(cpu_per_wall),
        threads=_amount(threads),
        stream_s=_time(stream_s) if stream_s else 0.0,
        tiny_s=_time(tiny_s) if tiny_s else 0.0,
    )


def _amount(found: object) -> int:
    if type(found) is not int or not 0 <= found <= _MOST_AMOUNT:
        raise ValueError("an amount that is none")
    return found


def _number(found: object) -> float:
    if not isinstance(found, int | float) or not 0 <= found <= _LONGEST_S:  # NaN is neither
        raise ValueError("a number that is none")
    return float(found)


def _time(found: object) -> float:
    if not isinstance(found, int | float) or not _SHORTEST_S <= found <= _LONGEST_S:
        raise ValueError("a time that is no time")
    return float(found)


def _lines(found: object) -> tuple[str, ...]:
    if not isinstance(found, list) or len(found) > _MOST_LINES:
        raise TypeError("lines that are none")
    return tuple(printable(str(line), _MOST_NAME) for line in found)
