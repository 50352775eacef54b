"""Ceilings of devices that tests make up, from `tests/data/devices.json`."""

import json
from pathlib import Path

from studykit.exercise.bet.bounds import Ceilings

_FILE = Path(__file__).parent.parent / "data" / "devices.json"


def ceilings(name: str) -> Ceilings:
    """The ceilings of the device with this name."""
    return Ceilings(**json.loads(_FILE.read_text(encoding="utf-8"))[name])
