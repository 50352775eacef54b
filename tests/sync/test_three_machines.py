"""Three machines study for months and end in the same memory; `tests/faults/three_machines.py` is longer."""

from pathlib import Path
from random import Random

import pytest
from fleet import a_fleet, carry_all, differences, live_a_day, settle
from machines import empty_database

from studykit.sync import folder as folder_module


@pytest.mark.parametrize("seed", [1, 2])
def test_three_machines_end_in_the_same_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(folder_module, "SEGMENT", 20)
    random, fleet = Random(seed), a_fleet(tmp_path, empty_database(tmp_path))
    acknowledged: set[bytes] = set()
    for _ in range(20):
        for machine in fleet:
            acknowledged.update(live_a_day(machine, random))
        carry_all([machine.home for machine in fleet], random)

    settle(fleet, random)

    assert differences(fleet) == []
    assert len(acknowledged) > 100
    assert acknowledged <= {event.id.bytes for event in fleet[0].events()}
    for machine in fleet:
        machine.store.close()
