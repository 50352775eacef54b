"""Parse devices that a learner describes in a TOML file or a line, and the measured device."""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from studykit.errors import BadDataError, UsageError
from studykit.exercise.estimate import hardware
from studykit.exercise.estimate.hardware import BYTES_PER_ELEMENT, MEASURED, SHEETS, Device, letters
from studykit.text import listed, meant

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
        return hardware.device(text, own)
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
    return hardware.from_sheet(f"{name} ({', '.join(words)})", {**figures, "peaks": rates, "sparse": is_sparse})


def measured_device(bandwidth: float, memory: float) -> Device:
    """Make the measured device from bytes per second and bytes. It has no peaks, as it has no datasheet."""
    return logged_device(f"{MEASURED} (memory={memory / 1e9:.3g}, bandwidth={bandwidth / 1e9:.3g})")


def _checked_amount(name: str, key: str, value: object, unit: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise UsageError(f"{name}: {key} is {value!r}. Give a number of {unit} above zero.")
    return float(value)
