"""Test that three machines and their clones sync to one state. `tests/faults/three_machines.py` runs longer."""

import os
from pathlib import Path
from random import Random

import pytest
from fleet import Fleet, differences

from studykit.sync import folder as folder_module


def test_fleet_ends_in_the_same_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(20)  # draws all three places, and as many kills and lost files as there may be
    monkeypatch.setattr(folder_module, "EVENTS_PER_SEGMENT", 20)
    monkeypatch.setattr(os, "urandom", random.randbytes)  # a seed names the same ids and origins each time
    fleet = Fleet(tmp_path, random)
    for _ in range(14):
        fleet.live_a_day()

    fleet.settle()

    assert fleet.lacking() == []
    assert differences(fleet.machines) == []
    assert len(fleet.recorded) > 50
    fleet.close()
