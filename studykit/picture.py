"""Pictures as data: what an exercise wants drawn; the terminal draws them in text lines, or in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruler:
    """How far estimates were from the answer, over powers of ten; all in one unit."""

    answer: float
    tries: Sequence[float]


@dataclass(frozen=True, slots=True)
class RooflinePoint:
    """Something that was measured or worked out: its intensity and the speed that it reached."""

    intensity: float  # FLOP per byte
    flops_per_s: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class Roofline:
    """What a device can attain over the intensity, and what was reached below it."""

    peak_flops_per_s: float
    bytes_per_s: float
    points: Sequence[RooflinePoint] = ()


@dataclass(frozen=True, slots=True)
class TimeMark:
    """A time with its sign and what it is; with ends, a stretch of the axis as well."""

    sign: str  # one of ● ▲ ◆ ○
    seconds: float
    label: str  # with its value and unit, for the legend
    low: float | None = None
    high: float | None = None
    solid: bool = True  # the stretch is drawn through; else only its ends are, as brackets


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Several times on one axis of powers of ten, and what it shows in a sentence."""

    marks: Sequence[TimeMark]
    sentence: str


@dataclass(frozen=True, slots=True)
class SizeBar:
    """One size: its name, and the size in words."""

    name: str
    size: float
    words: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Sizes side by side under a title, such as the parts of a whole."""

    title: str
    parts: Sequence[SizeBar]


@dataclass(frozen=True, slots=True)
class Difference:
    """A typed text and the wanted one, aligned sign by sign; carets stand under what differs."""

    you: str
    carets: str  # empty: they are too unlike to be aligned
    want: str


Picture = Ruler | Roofline | TimeAxis | Bars | Difference
