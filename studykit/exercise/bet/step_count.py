"""Describe the counted cost of a training step, and extrapolate it to deeper models."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from studykit.quantity.formatting import amount, grouped
from studykit.quantity.units import BYTE, FLOP

DEPTHS = (4, 8, 16)
"""Layers that are counted of a model with too many; each is twice as deep as the one before."""
_LINEAR = 1e-4  # of a figure, within which three of them lie on a line


@dataclass(frozen=True, slots=True)
class StepCount:
    """Hold the bytes and FLOPs of one training step after the optimizer has its states."""

    parameters: int
    weights: int  # bytes of parameters and buffers
    states: int  # bytes that the optimizer keeps
    saved: int  # bytes made in the step and alive after its forward pass
    first_peak: int  # of the step that makes the states
    flops: Mapping[str, int]  # of matrix products, by phase
    peaks: Mapping[str, int]  # bytes, by phase
    parts: Mapping[str, int]  # bytes at the peak, by what they are
    at: str  # the operation at the peak
    is_exact: bool = True  # else figures of a deeper model: lower bounds

    @property
    def peak(self) -> int:
        """Return the largest number of bytes alive at once."""
        return max(self.peaks.values())


def extended(counts: Sequence[StepCount], layers: int) -> StepCount:
    """Extrapolate the count to a model with more layers, from those at the three `DEPTHS`.

    A peak is the maximum of several linear functions of the depth, hence convex. So the line through the last two
    depths is exact if all three lie on it, and a lower bound otherwise.
    """
    bent: list[bool] = []

    def line(values: Sequence[Any]) -> object:
        if isinstance(values[-1], Mapping):
            return {name: line([each.get(name, 0) for each in values]) for name in values[-1]}
        low, middle, high = values
        bent.append(abs(high - middle - 2 * (middle - low)) > _LINEAR * high)
        return high + (layers - DEPTHS[2]) * (high - middle) // (DEPTHS[2] - DEPTHS[1])

    names = ("parameters", "weights", "states", "saved", "first_peak", "flops", "peaks", "parts")
    figures: dict[str, Any] = {name: line([getattr(each, name) for each in counts]) for name in names}
    return replace(counts[-1], **figures, is_exact=not any(bent))


def described(count: StepCount, measured: int | None = None) -> list[str]:
    """Format a count as lines, with the bytes that a GPU allocated if it was measured there."""
    least = "" if count.is_exact else "at least "
    phases = ", ".join(f"{phase} {amount(flops, FLOP)}" for phase, flops in count.flops.items() if flops)
    where = f" ({count.at})" if count.at else ""
    states = f"; the optimizer keeps {amount(count.states, BYTE)}" if count.states else ""
    rows = [
        f"parameters  {grouped(count.parameters)}, {amount(count.weights, BYTE)}{states}",
        f"FLOPs       {phases or 'none'} (matrix products)",
        f"saved       {least}{amount(count.saved, BYTE)} made and alive after the forward pass",
        f"first step  {least}{amount(count.first_peak, BYTE)} at its peak",
        f"peak        {least}{amount(count.peak, BYTE)}{where}",
    ]
    if measured is not None:
        share = measured / count.peak
        rows.append(f"measured    {amount(measured, BYTE)} allocated on the GPU, {share:.3f} of the count")
    return rows


def document(count: StepCount, measured: int | None = None) -> dict[str, object]:
    """Return a count as JSON."""
    figures = {**asdict(count), "peak": count.peak}
    return figures if measured is None else {**figures, "measured": measured}
