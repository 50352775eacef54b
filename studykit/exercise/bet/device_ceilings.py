"""Convert a device's ceilings for the store and for a table."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from studykit.exercise.bet.bounds import Ceilings
from studykit.quantity.formatting import amount, seconds
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP_PER_S

FLOPS = "flops_per_s."  # before a dtype, in names of values
IDENTITY = ("device", "kind", "driver", "torch", "threads")
"""What a set of ceilings belongs to."""
WORDS = frozenset({*IDENTITY, "flops_per_s", "quiet"})


def key(identity: Mapping[str, object]) -> str:
    """Return the key of a set of ceilings: device, driver, torch and threads in one line."""
    words = [f"{identity['kind']} {identity['device']}", str(identity["driver"]), f"torch {identity['torch']}"]
    return "; ".join([*words, f"{identity['threads']} threads"])


def values(ceilings: Ceilings) -> dict[str, float]:
    """Return ceilings by name, as the store records them."""
    plain = {each.name: float(getattr(ceilings, each.name)) for each in fields(Ceilings) if each.name not in WORDS}
    return (
        plain
        | {"quiet": float(ceilings.quiet)}
        | {FLOPS + dtype: speed for dtype, speed in ceilings.flops_per_s.items()}
    )


def ceilings_of(identity: Mapping[str, Any], kept: Mapping[str, float]) -> Ceilings | None:
    """Return ceilings from the store, or None if a value is missing, such as after an upgrade."""
    names = {each.name for each in fields(Ceilings)} - WORDS
    speeds = {name.removeprefix(FLOPS): value for name, value in kept.items() if name.startswith(FLOPS)}
    if not names <= set(kept) or not speeds:
        return None
    numbers: dict[str, Any] = {name: kept[name] for name in names} | {"cache_bytes": int(kept["cache_bytes"])}
    return Ceilings(
        **{name: identity[name] for name in IDENTITY},
        **numbers,
        flops_per_s=speeds,
        quiet=bool(kept.get("quiet")),
    )


def listed(ceilings: Ceilings) -> list[tuple[str, str]]:
    """Return names and formatted values of the ceilings, for a table."""
    streams = ("copy", "triad", "update", "read", "fill", *(("link",) if ceilings.link_bytes_per_s else ()))
    return [
        *((f"matmul {dtype}", amount(speed, FLOP_PER_S)) for dtype, speed in ceilings.flops_per_s.items()),
        *((name, amount(getattr(ceilings, f"{name}_bytes_per_s"), BYTE_PER_S)) for name in streams),
        ("ridge in float32", f"{ceilings.peak('float32') / ceilings.bytes_per_s:.3g} FLOP/byte"),
        ("overhead of an operation", seconds(ceilings.overhead_s)),
        ("overhead of a view", seconds(ceilings.dispatch_s)),
        ("last cache", amount(ceilings.cache_bytes, BYTE)),
        ("canary", seconds(ceilings.canary_s)),
    ]
