"""A ceiling that a bet beat was too low: how far it may rise."""

import math
from dataclasses import replace

from studykit.exercise.bet.bounds import Ceilings, Count, MemoryPattern
from studykit.exercise.estimate.hardware import DTYPE_NAMES, named_by_driver

FLOPS = "flops_per_s."
MOST_RAISED = 1.10  # a factor over what was measured, all raises together


def raised(count: Count, seconds: float, ceilings: Ceilings) -> Ceilings:
    """The ceilings with the one raised that a run in `seconds` beat.

    The same ceilings come back where none was beaten, or where the raise would exceed 10 % or the datasheet.
    """
    needed = max(
        _kernel_by_kernel(count, ceilings), _fused(count, ceilings), key=lambda parts: sum(parts.values())
    )
    excess = sum(needed.values()) - seconds
    if excess <= 0:
        return ceilings
    name = max(needed, key=lambda each: needed[each])
    factor = needed[name] / (needed[name] - excess) if excess < needed[name] else math.inf
    total, value = factor * ceilings.raised.get(name, 1.0), factor * value_of(ceilings, name)
    if total > MOST_RAISED or value > _datasheet(ceilings, name):
        return ceilings
    raises = {**ceilings.raised, name: total}
    if name.startswith(FLOPS):
        speeds = {**ceilings.flops_per_s, name.removeprefix(FLOPS): value}
        return replace(ceilings, flops_per_s=speeds, raised=raises)
    return replace(ceilings, raised=raises, **{name: value})  # type: ignore[arg-type]  # a field of floats


def value_of(ceilings: Ceilings, name: str) -> float:
    """A ceiling by its name in the store."""
    if name.startswith(FLOPS):
        return ceilings.peak(name.removeprefix(FLOPS))
    return float(getattr(ceilings, name))


def _kernel_by_kernel(count: Count, ceilings: Ceilings) -> dict[str, float]:
    """Seconds by the name of a ceiling; what the caches may keep from one kernel to the next is left out."""
    parts: dict[str, float] = {}
    for kernel in count.kernels:
        kept = 0 if kernel.pattern is MemoryPattern.LINK else 2 * ceilings.cache_bytes
        memory = max(0, kernel.bytes_moved - kept) / ceilings.speed(kernel.pattern)
        compute = kernel.flops / ceilings.peak(kernel.dtype)
        name = FLOPS + kernel.dtype if compute > memory else _ceiling_name(kernel.pattern)
        parts[name] = parts.get(name, 0.0) + max(compute, memory)
    return parts


def _fused(count: Count, ceilings: Ceilings) -> dict[str, float]:
    """Seconds for inputs and outputs once, where the caches cannot hold them."""
    linked = any(kernel.pattern is MemoryPattern.LINK for kernel in count.kernels)
    if linked or count.fused_bytes <= 2 * ceilings.cache_bytes:
        return {}
    return {_ceiling_name(count.fused_pattern): count.fused_bytes / ceilings.speed(count.fused_pattern)}


def _ceiling_name(pattern: MemoryPattern) -> str:
    return f"{pattern}_bytes_per_s"


def _datasheet(ceilings: Ceilings, name: str) -> float:
    """The most that the datasheet promises; infinite for what it does not list."""
    sheet = named_by_driver(ceilings.device) if ceilings.kind == "cuda" else None
    if sheet is None or name == _ceiling_name(MemoryPattern.LINK):
        return math.inf
    if not name.startswith(FLOPS):
        return sheet.bandwidth
    dtype = DTYPE_NAMES.get(name.removeprefix(FLOPS), "")
    return sheet.peak(dtype) if sheet.has(dtype) else math.inf
