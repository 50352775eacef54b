"""Load made-up ceilings of devices from `tests/data/devices.json`, and open a real device."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from studykit.cli.context import Context
from studykit.exercise.bet.bounds import Ceilings
from studykit.graders.host.device_worker import DeviceWorker, device_worker

_FILE = Path(__file__).parent.parent / "data" / "devices.json"


def ceilings(name: str) -> Ceilings:
    """Return the ceilings of the device with this name."""
    return Ceilings(**json.loads(_FILE.read_text(encoding="utf-8"))[name])


@pytest.fixture
def cpu_worker() -> Iterator[DeviceWorker]:
    """Yield a worker that measures the CPU of this machine."""
    with device_worker(Context.from_environment().open_worker, "cpu") as found:
        yield found
