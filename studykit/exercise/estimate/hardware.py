"""Define devices by dense peaks, memory and bandwidth, each with its source and confidence."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studykit.errors import NotFoundError
from studykit.text import listed

MEASURED = "mine"  # the name of what `study device` measured
BYTES_PER_ELEMENT = {
    **dict.fromkeys(("fp32", "tf32"), 4.0),
    **dict.fromkeys(("bf16", "fp16"), 2.0),
    **dict.fromkeys(("fp8", "int8"), 1.0),
    **dict.fromkeys(("int4", "fp4"), 0.5),
}

DTYPE_NAMES = {
    **dict.fromkeys(("float32", "float", "single"), "fp32"),
    **dict.fromkeys(("float16", "half"), "fp16"),
    **dict.fromkeys(("bfloat16", "bfloat"), "bf16"),
    **dict.fromkeys(("e4m3fn", "float8e4m3fn"), "e4m3"),
    "float8": "fp8",
    "float8e5m2": "e5m2",
}
"""Other spellings of dtypes, by their letters and digits."""


@dataclass(frozen=True, slots=True)
class Device:
    """Hold an accelerator. Peaks are dense FLOP/s by dtype, and capacity is the nominal one."""

    name: str
    peaks: tuple[tuple[str, float], ...]
    capacity: float  # bytes
    bandwidth: float  # bytes per second
    confidence: (
        str  # A several primary sources and arithmetic agree; B a single one, or secondary ones; C never graded
    )
    source: str
    # whether its sheet also quotes a peak twice as high for 2:4 sparsity (a B300 in fp4: 1.3 times as high)
    sparse: bool = True

    def peak(self, dtype: str) -> float:
        """Return the dense FLOP/s in a dtype, or raise NotFoundError if the device lacks it."""
        if not self.peaks:
            raise NotFoundError(
                f"{self.short_name} has no datasheet peak, which this needs. Name a device that has one."
            )
        if not self.has(dtype):
            peaks = listed([name for name, _ in self.peaks])
            raise NotFoundError(f"{self} has no {dtype} peak here. It has {peaks}.")
        return dict(self.peaks)[dtype]

    def has(self, dtype: str) -> bool:
        """Return whether the device has a known peak in this dtype."""
        return dtype in dict(self.peaks)

    def ridge(self, dtype: str = "bf16") -> float:
        """Return the FLOP per byte at which memory and compute take the same time."""
        return self.peak(dtype) / self.bandwidth

    @property
    def short_name(self) -> str:
        """Return the name without the figures that a learner's own device has in its name."""
        return self.name.partition(" (")[0]

    def __str__(self) -> str:
        # an HGX is a board of 8 of them
        return "device like yours" if self.short_name == MEASURED else self.short_name.replace(" HGX", " (HGX)")


SHEETS: Mapping[str, Mapping[str, Any]] = json.loads(Path(__file__).with_name("devices.json").read_text("utf-8"))
"""The table: peaks in TFLOP/s, memory in GB, bandwidth in GB/s.

An NVL72 rack is 72 of a GB200 or GB300 in one NVLink domain, where each sends 900 GB/s: half of the 1.8 TB/s of
the sheets, which add both directions (verda.com/blog/gb300-nvl72-architecture).
"""


def from_sheet(name: str, row: Mapping[str, Any]) -> Device:
    """Make a device from a row of the table, or from a learner's own, which has no source."""
    return Device(
        name=name,
        peaks=tuple((dtype, rate * 1e12) for dtype, rate in row["peaks"].items()),
        capacity=row["memory"] * 1e9,
        bandwidth=row["bandwidth"] * 1e9,
        confidence=row.get("confidence", "A"),
        source=row.get("source", ""),
        sparse=row.get("sparse", True),
    )


DEVICES = tuple(from_sheet(name, row) for name, row in SHEETS.items())

GRADED = tuple(device for device in DEVICES if device.confidence != "C")  # the devices that a question may use
_VARIANTS = frozenset({"sxm", "sxm2", "pcie", "nvl", "hgx", "40gb", "80gb", "max"})
"""Words of a name that a driver may leave out."""


def letters(text: str) -> str:
    """Return the letters and digits in lower case, to compare names as people type them."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


def mentions(name: str, part: str) -> bool:
    """Return whether a name contains another without splitting a number: rtx4090 in RTX 4090, not h20 in H200."""
    spaced = r"\W*".join(part)
    around = rf"(?:(?<!\d)|(?=\D)){spaced}(?:(?!\d)|(?<=\D))"
    return part != "" and re.search(around, name.lower()) is not None


def _model_words(device: Device) -> list[str]:
    """Return the words of a device's name that drivers always include."""
    return [letters(word) for word in device.name.split() if letters(word) not in _VARIANTS]


def named_by_driver(name: str) -> Device | None:
    """Return the device for a driver's name, such as `NVIDIA H100 80GB HBM3`, or None."""
    driver = letters(name)

    def matching_letters(device: Device) -> int:
        return sum(len(word) for word in map(letters, device.name.split()) if word in driver)

    fits = (device for device in DEVICES if all(word in driver for word in _model_words(device)))
    return max(fits, key=matching_letters, default=None)


def device(name: str, own: Sequence[Device] = ()) -> Device:
    """Return the device with this name or a unique part of it, or raise NotFoundError with names to choose from.

    Only the letters and digits of a name count, in either case.

    A learner's `own` devices replace those of the table with the same name.
    """
    spelling, known_by = letters(name), {letters(str(known)): known for known in (*GRADED, *own)}
    if spelling in known_by:
        return known_by[spelling]
    within = [known for known in known_by.values() if mentions(str(known), spelling)]
    matches = [known for known in within if letters(str(known)).startswith(spelling)] or within
    if len(matches) == 1:
        return matches[0]
    like = [known for known in GRADED if all(word in spelling for word in _model_words(known))]
    names = ", ".join(str(known) for known in matches or like or known_by.values())
    problem = f"Several devices are called {name!r}" if matches else f"No device is called {name!r}"
    raise NotFoundError(f"{problem}. Use one of: {names}.")
