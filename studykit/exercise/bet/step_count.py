"""Describe the counted cost of a training step."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from studykit.quantity.formatting import amount, grouped
from studykit.quantity.units import BYTE, FLOP


@dataclass(frozen=True, slots=True)
class StepCount:
    """Bytes and FLOPs of one training step after the optimizer has its states."""

    parameters: int
    weights: int  # bytes of parameters and buffers
    states: int  # bytes that the optimizer keeps
    saved: int  # bytes made in the step and alive after its forward pass
    first_peak: int  # of the step that makes the states
    flops: Mapping[str, int]  # of matrix products, by phase
    peaks: Mapping[str, int]  # bytes, by phase
    parts: Mapping[str, int]  # bytes at the peak, by what they are
    at: str  # the operation at the peak

    @property
    def peak(self) -> int:
        """Return the largest number of bytes alive at once."""
        return max(self.peaks.values())


def described(count: StepCount, measured: int | None = None) -> list[str]:
    """Format a count as lines, with the bytes that a GPU allocated if it was measured there."""
    phases = ", ".join(f"{phase} {amount(flops, FLOP)}" for phase, flops in count.flops.items() if flops)
    where = f" ({count.at})" if count.at else ""
    states = f"; the optimizer keeps {amount(count.states, BYTE)}" if count.states else ""
    rows = [
        f"parameters  {grouped(count.parameters)}, {amount(count.weights, BYTE)}{states}",
        f"FLOPs       {phases or 'none'} (matrix products)",
        f"saved       {amount(count.saved, BYTE)} made and alive after the forward pass",
        f"first step  {amount(count.first_peak, BYTE)} at its peak",
        f"peak        {amount(count.peak, BYTE)}{where}",
    ]
    if measured is not None:
        share = measured / count.peak
        rows.append(f"measured    {amount(measured, BYTE)} allocated on the GPU, {share:.3f} of the count")
    return rows


def document(count: StepCount, measured: int | None = None) -> dict[str, object]:
    """Return a count as JSON."""
    figures = {**asdict(count), "is_exact": True, "peak": count.peak}  # no count is extrapolated any more
    return figures if measured is None else {**figures, "measured": measured}
