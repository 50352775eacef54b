"""Find the learner's own devices, from their file and from `study device`."""

import os
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING

from studykit.cli.context import Context
from studykit.errors import BadDataError, NotFoundError

if TYPE_CHECKING:
    from studykit.exercise.estimate.hardware import Device

FILE = "devices.toml"
"""Name of the file, next to the settings."""

_MAX_BYTES = 100_000


def attach_devices(context: Context) -> None:
    """Let a parameter such as `hw=mine` name the learner's devices, which are read only then."""
    from studykit.exercise.estimate.hardware import set_device_sources

    set_device_sources(cache(partial(_own_devices, context)), partial(_measured_device, context))


def _own_devices(context: Context) -> "tuple[Device, ...]":
    from studykit.exercise.estimate.hardware import read_devices
    from studykit.ordinary_file import read_text

    path = context.config_file.parent / FILE
    if not os.path.lexists(path):
        return ()
    return read_devices(
        read_text(path, _MAX_BYTES, "Describe your devices in a text file there.", BadDataError), str(path)
    )


def _measured_device(context: Context) -> "Device":
    """Return the device that was measured last, or raise NotFoundError without one.

    Its memory is that of this machine, or that in the datasheet of the GPU.
    """
    from studykit.exercise.estimate.hardware import measured_device, named_by_driver

    key = context.store.ceilings.newest()
    ceilings = {name: each.value for name, each in context.store.ceilings.of(key).items()}
    if not ceilings or not ceilings.get("quiet"):
        why = "was measured while the machine was busy" if ceilings else "has not been measured"
        raise NotFoundError(f"hw=mine {why}. Run", f"study device{' --measure' if ceilings else ''}")
    kind, _, name = key.partition(";")[0].partition(" ")
    sheet = named_by_driver(name) if kind == "cuda" else None
    memory = sheet.capacity if sheet else _memory() if kind == "cpu" else 0.0
    if not memory:
        raise NotFoundError(
            f"The memory of hw=mine ({name}) is unknown. Describe the device under another name in "
            f"{context.config_file.parent / FILE}."
        )
    return measured_device(
        max(ceilings[f"{way}_bytes_per_s"] for way in ("copy", "triad", "update", "read")), memory
    )


def _memory() -> float:
    """Return the bytes of this machine's memory, or 0 if unknown."""
    with suppress(ValueError, OSError, AttributeError):  # not every system has these names
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return 0.0
