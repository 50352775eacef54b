"""Define devices by dense peaks, memory and bandwidth: those of the table, and those that a learner describes."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.text import listed, meant

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
    confidence: str  # A: primary sources and arithmetic agree; B: one source, or secondary ones; C: never graded
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

    Only the letters and digits of a name count, in either case. A learner's `own` devices come before the table's.
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


_FIGURES = {"memory": "GB", "bandwidth": "GB/s"}
_KEYS = (*_FIGURES, "peaks", "sparse")
_NAME = re.compile(r"[\w.+/-]+(?: [\w.+/-]+)*")
_LINE = re.compile(r"([^()]+) \((\w+=[^()]*)\)")  # My GPU (bf16=155, memory=48, bandwidth=768)

_SOURCES: list[tuple[Callable[[], Sequence[Device]], Callable[[], Device]]] = []


def set_device_sources(own: Callable[[], Sequence[Device]], measured: Callable[[], Device]) -> None:
    """Register the sources of the learner's devices and of the measured one, read when a pin names them."""
    _SOURCES[:] = [(own, measured)]


def typed_device(text: str) -> Device:
    """Return the device that a learner names: the measured one, one of their own, or one of the table."""
    for own, measured in _SOURCES:
        return measured() if letters(text) == MEASURED else logged_device(text, own())
    return logged_device(text)


def logged_device(text: str, own: Sequence[Device] = ()) -> Device:
    """Return the device that a log names, or raise StudyError. Devices outside the table have figures in it."""
    line = _LINE.fullmatch(text)
    if line is None:
        return device(text, own)
    figures = dict[str, object]()
    for pair in line[2].split(","):
        key, _, value = pair.strip().partition("=")
        try:
            figures[key] = float(value)
        except ValueError:
            raise UsageError(f"hw={text}: {key}={value} is not a number. Give one such as {key}=80.") from None
    peaks = {key: figures.pop(key) for key in [*figures] if key in BYTES_PER_ELEMENT}
    return _make_device(line[1], figures, peaks)


def read_devices(text: str, path: str) -> tuple[Device, ...]:
    """Parse a learner's file of devices, or raise BadDataError with its first mistake."""
    import tomllib

    try:
        return tuple(_from_table(name, table) for name, table in tomllib.loads(text).items())
    except UsageError as error:
        raise BadDataError(f"{path}: {error}") from None
    except RecursionError:
        raise BadDataError(f"{path}: its values are nested too deep. Nest them less deeply.") from None
    except ValueError as error:
        raise BadDataError(f"{path}: {error}. Make the file valid TOML.") from None


def _from_table(name: str, table: object) -> Device:
    """Make a device from a TOML table, filling gaps from the shipped device with its name."""
    if not isinstance(table, dict):
        raise UsageError(f'{name!r} is not a device. Begin a device with a line such as ["My GPU"].')
    if letters(name) == MEASURED:
        raise UsageError(f"{name!r} means what study device measured. Choose another name.")
    peaks = table.get("peaks", {})
    if not isinstance(peaks, dict):
        raise UsageError(f"{name}: peaks is {peaks!r}. Write TFLOP/s by dtype, such as {{ bf16 = 155 }}.")
    name = next((sheet for sheet in SHEETS if letters(sheet) == letters(name)), name)
    shipped = {key: value for key, value in SHEETS.get(name, {}).items() if key in _KEYS}
    return _make_device(name, shipped | table, shipped.get("peaks", {}) | peaks)


def _make_device(name: str, table: Mapping[str, object], peaks: Mapping[str, object]) -> Device:
    """Make a device with all figures in its name, so that a log can be read without the file."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not a name for a device. Use letters, digits, single spaces and . + / -.")
    for key in (*table, *peaks):
        keys = BYTES_PER_ELEMENT if key in peaks else _KEYS
        if key not in keys:
            raise UsageError(f"{name} has an unknown key {key!r}. {meant(key, keys, f'Use {listed([*keys])}.')}")
    rates = {dtype: _checked_amount(name, f"peaks.{dtype}", rate, "TFLOP/s") for dtype, rate in peaks.items()}
    for key, unit in _FIGURES.items():
        if key not in table:
            raise UsageError(f"{name} has no {key}. Add it in {unit}, such as {key} = 48.")
    figures = {key: _checked_amount(name, key, table[key], unit) for key, unit in _FIGURES.items()}
    is_sparse = bool(table.get("sparse", True))
    words = [f"{key}={value:.15g}" for key, value in (rates | figures).items()] + ["sparse=0"] * (not is_sparse)
    return from_sheet(f"{name} ({', '.join(words)})", {**figures, "peaks": rates, "sparse": is_sparse})


def measured_device(bandwidth: float, memory: float) -> Device:
    """Make the measured device from bytes per second and bytes. It has no peaks, as it has no datasheet."""
    return logged_device(f"{MEASURED} (memory={memory / 1e9:.3g}, bandwidth={bandwidth / 1e9:.3g})")


def _checked_amount(name: str, key: str, value: object, unit: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise UsageError(f"{name}: {key} is {value!r}. Give a number of {unit} above zero.")
    return float(value)
