"""Compute the times that no run of a snippet can beat, from a device's ceilings and the snippet's work."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

IDENTITY = ("device", "kind", "driver", "torch", "threads")
"""What a set of ceilings belongs to."""
_FLOPS = "flops_per_s."  # before a dtype, in names of values
STEEP = frozenset({"gelu", "exp", "tanh", "sigmoid", "silu", "log", "sin", "cos"})
"""Elementwise functions of many steps: on a CPU their arithmetic may bind them before memory does."""

_TRIFLE = 1.05  # a factor
PAIR = 1.25  # two times this near bind together: either name is right
_MIN_PATTERN_SHARE = 1 / 8  # a share of the bytes that does not set the pattern
_HALF = 0.45  # of the bytes written, as by a copy that also reads a few indexes


class MemoryPattern(StrEnum):
    """Name how a kernel accesses memory. Each pattern has its own ceiling in `Ceilings`."""

    READ = "read"
    FILL = "fill"  # only writes
    COPY = "copy"
    TRIAD = "triad"  # several arrays in, one out
    UPDATE = "update"  # in place: no line is fetched only to be overwritten
    LINK = "link"  # between host and device


def pattern(read_bytes: int, written_bytes: int, updated_bytes: int) -> MemoryPattern:
    """Return the pattern for these bytes read and written. `updated_bytes` are both read and written."""
    share = written_bytes / (read_bytes + written_bytes) if written_bytes else 0.0
    if share < _MIN_PATTERN_SHARE:
        return MemoryPattern.READ
    if 2 * updated_bytes >= written_bytes:
        return MemoryPattern.UPDATE
    if share > 1 - _MIN_PATTERN_SHARE:
        return MemoryPattern.FILL
    return MemoryPattern.COPY if share >= _HALF else MemoryPattern.TRIAD


class Binds(StrEnum):
    """Name what limits a snippet's speed."""

    COMPUTE = "compute"
    MEMORY = "memory"
    OVERHEAD = "overhead"


@dataclass(frozen=True, slots=True)
class Kernel:
    """Hold an operation on the device, with its FLOPs and the bytes that it reads and writes."""

    op: str
    flops: int
    bytes_moved: int
    dtype: str
    pattern: MemoryPattern = MemoryPattern.COPY


@dataclass(frozen=True, slots=True)
class Count:
    """Hold a snippet's work, counted without running it."""

    kernels: tuple[Kernel, ...]
    fused_bytes: int  # inputs once and final outputs once
    inputs: tuple[str, ...] = ()  # such as "float32 (1024, 1024)"
    problems: tuple[str, ...] = ()  # big operations without a formula
    fused_pattern: MemoryPattern = MemoryPattern.COPY

    @property
    def flops(self) -> int:
        """Return the FLOPs of all kernels."""
        return sum(kernel.flops for kernel in self.kernels)

    @property
    def bytes_moved(self) -> int:
        """Return the bytes that the kernels move if each runs separately."""
        return sum(kernel.bytes_moved for kernel in self.kernels)

    @property
    def dtype(self) -> str:
        """Return the dtype of the kernel with the most FLOPs."""
        return max(self.kernels, key=lambda kernel: kernel.flops).dtype

    @property
    def intensity(self) -> float:
        """Return FLOPs per byte moved by separate kernels, or 0 if no bytes move."""
        return self.flops / self.bytes_moved if self.bytes_moved else 0.0


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Hold the measured limits of a device."""

    device: str
    kind: str  # "cpu" or "cuda"
    driver: str
    torch: str
    threads: int
    flops_per_s: Mapping[str, float]  # of a matmul, by dtype
    copy_bytes_per_s: float
    triad_bytes_per_s: float
    update_bytes_per_s: float
    read_bytes_per_s: float
    fill_bytes_per_s: float
    overhead_s: float  # of the smallest operation
    dispatch_s: float  # of a view: no kernel runs
    canary_s: float
    cache_bytes: int
    link_bytes_per_s: float = 0.0  # between host and device; 0 where they are one
    stream_s: float = 0.0  # of the memory canary; 0 where there is none
    tiny_s: float = 0.0  # of the canary of small operations; 0 where there is none
    quiet: bool = True  # nothing else kept the machine busy meanwhile

    @property
    def bytes_per_s(self) -> float:
        """Return the roofline's bandwidth, the highest of all patterns that read."""
        streams = (self.copy_bytes_per_s, self.triad_bytes_per_s, self.update_bytes_per_s, self.read_bytes_per_s)
        return max(streams)

    def speed(self, pattern: MemoryPattern) -> float:
        """Return a pattern's bytes per second, or the roofline's where there is none, as for a link to no GPU."""
        return float(getattr(self, f"{pattern}_bytes_per_s")) or self.bytes_per_s

    def values(self) -> dict[str, float]:
        """Return the ceilings by name, as the store records them."""
        numbers = {name: float(getattr(self, name)) for name in _NUMBERS}
        speeds = {_FLOPS + dtype: speed for dtype, speed in self.flops_per_s.items()}
        return {**numbers, "quiet": float(self.quiet), **speeds}

    def peak(self, dtype: str) -> float:
        """Return the FLOP/s of a matmul in a dtype, or the highest of all for an unmeasured dtype."""
        return self.flops_per_s.get(dtype) or max(self.flops_per_s.values())


_NUMBERS = [each.name for each in fields(Ceilings) if each.name not in {*IDENTITY, "flops_per_s", "quiet"}]


def ceilings_key(identity: Mapping[str, object]) -> str:
    """Return the key of a set of ceilings: device, driver, torch and threads in one line."""
    device, kind, driver, torch, threads = (identity[name] for name in IDENTITY)
    return f"{kind} {device}; {driver}; torch {torch}; {threads} threads"


def ceilings_of(identity: Mapping[str, Any], kept: Mapping[str, float]) -> Ceilings | None:
    """Return ceilings from the store, or None if a value is missing, such as after an upgrade."""
    speeds = {name.removeprefix(_FLOPS): value for name, value in kept.items() if name.startswith(_FLOPS)}
    if not speeds or any(name not in kept for name in _NUMBERS):
        return None
    numbers: dict[str, Any] = {name: kept[name] for name in _NUMBERS} | {"cache_bytes": int(kept["cache_bytes"])}
    return Ceilings(
        **{name: identity[name] for name in IDENTITY},
        **numbers,
        flops_per_s=speeds,
        quiet=bool(kept.get("quiet")),
    )


@dataclass(frozen=True, slots=True)
class Bounds:
    """Hold the times in seconds that a snippet cannot beat, and what binds it."""

    eager: float  # kernels run one after another
    fused: float  # one perfect kernel: compulsory traffic only
    binds: frozenset[Binds]  # two where they are within `PAIR`
    shares: Mapping[Binds, float]  # of the eager bound, in seconds

    @property
    def is_fusible(self) -> bool:
        """Return whether fusing all kernels would be noticeably faster."""
        return self.fused < self.eager / _TRIFLE

    @property
    def reason(self) -> Binds:
        """Return the limit to which most of the eager bound is due."""
        return max(self.shares, key=lambda reason: self.shares[reason])


def times(kernel: Kernel, ceilings: Ceilings) -> dict[Binds, float]:
    """Return a kernel's time in seconds under each of the three limits. The longest is its bound."""
    return {
        Binds.COMPUTE: kernel.flops / ceilings.peak(kernel.dtype),
        Binds.MEMORY: kernel.bytes_moved / ceilings.speed(kernel.pattern),
        Binds.OVERHEAD: ceilings.overhead_s,
    }


def longest(kernel: Kernel, ceilings: Ceilings) -> tuple[Binds, float]:
    """Return what binds a kernel, and its seconds."""
    return max(times(kernel, ceilings).items(), key=lambda item: item[1])


def bounds(count: Count, ceilings: Ceilings) -> Bounds:
    """Compute the eager and the fused bound of a counted snippet on a measured device."""
    shares = dict.fromkeys(Binds, 0.0)
    for kernel in count.kernels:
        reason, seconds = longest(kernel, ceilings)
        shares[reason] += seconds
    if not count.kernels:
        shares[Binds.OVERHEAD] = ceilings.dispatch_s
    binds = _binding_reasons(count, ceilings, shares)
    return Bounds(sum(shares.values()), _fused_seconds(count, ceilings), binds, shares)


def _binding_reasons(count: Count, ceilings: Ceilings, shares: Mapping[Binds, float]) -> frozenset[Binds]:
    """Return the limits whose share of the bound is within a factor of `PAIR` of the longest.

    Include every limit if an operation could not be counted.
    """
    if count.problems:
        return frozenset(Binds)
    near = {reason for reason, seconds in shares.items() if seconds * PAIR >= max(shares.values())}
    steep_bytes = sum(k.bytes_moved for k in count.kernels if k.op.partition(".")[0].rstrip("_") in STEEP)
    # The peak of steep functions is not measured.
    if ceilings.kind == "cpu" and steep_bytes and 2 * steep_bytes >= count.bytes_moved:
        near.add(Binds.COMPUTE)
    return frozenset(near)


def floor(count: Count, ceilings: Ceilings) -> float:
    """Return the seconds below which a measurement is impossible, wherever the data was.

    Data that fits in the caches may never have come from memory, so its traffic sets no limit, unless it crosses
    the link to the host.
    """
    uses_link = any(kernel.pattern is MemoryPattern.LINK for kernel in count.kernels)
    if uses_link or count.fused_bytes > 2 * ceilings.cache_bytes:
        return _fused_seconds(count, ceilings)
    return compute_seconds(count, ceilings)


def _fused_seconds(count: Count, ceilings: Ceilings) -> float:
    if not count.kernels:
        return ceilings.dispatch_s
    over_link = sum(kernel.bytes_moved for kernel in count.kernels if kernel.pattern is MemoryPattern.LINK)
    link = over_link / ceilings.link_bytes_per_s if ceilings.link_bytes_per_s else 0.0
    at_home = max(0, count.fused_bytes - over_link) / ceilings.speed(count.fused_pattern)
    return max(compute_seconds(count, ceilings), link, at_home, ceilings.overhead_s)


def compute_seconds(count: Count, ceilings: Ceilings) -> float:
    """Return the seconds that the FLOPs take at the device's peak, without any memory traffic."""
    return sum(kernel.flops / ceilings.peak(kernel.dtype) for kernel in count.kernels)
