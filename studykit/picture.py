"""Define pictures as data, which the terminal draws as text lines or describes in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruler:
    """Hold estimates and the answer, in one unit, to show on a scale of powers of ten."""

    answer: float
    tries: Sequence[float]


@dataclass(frozen=True, slots=True)
class Roofline:
    """Hold a device's peak speed and bandwidth, and a kernel that was measured or computed on it."""

    peak_flops_per_s: float
    bytes_per_s: float
    intensity: float  # of the kernel, FLOP per byte
    flops_per_s: float  # of the kernel
    label: str

    @property
    def ridge(self) -> float:
        """Return the intensity from which the peak binds."""
        return self.peak_flops_per_s / self.bytes_per_s

    def roof(self, intensity: float) -> float:
        """Return the attainable FLOP/s at an intensity."""
        return min(self.peak_flops_per_s, self.bytes_per_s * intensity)


@dataclass(frozen=True, slots=True)
class TimeMark:
    """Hold a time with its sign and label, and optionally an interval."""

    sign: str  # one of ● ▲ ◆ ○
    seconds: float
    label: str  # with its value and unit, for the legend
    low: float | None = None
    high: float | None = None
    solid: bool = True  # draw the whole interval, not only brackets at its ends


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Hold times to show on an axis of powers of ten, and a sentence that describes the picture."""

    marks: Sequence[TimeMark]
    sentence: str


@dataclass(frozen=True, slots=True)
class SizeBar:
    """Hold a size, its name, and its text with a unit."""

    name: str
    size: float
    words: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Hold sizes to compare under a title, such as the parts of a total."""

    title: str
    parts: Sequence[SizeBar]


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold a typed text and the right one, aligned by characters, with carets under differences."""

    you: str
    carets: str  # empty if the texts are too different to align
    want: str


Picture = Ruler | Roofline | TimeAxis | Bars | Difference
