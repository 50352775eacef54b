"""Test that our counter still counts recorded bets as their files do, and test the script that records them."""

from pathlib import Path

import pytest
from devices import ceilings

from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.recorded import CARDS, read_recording, recording
from studykit.exercise.bet.score import Measurement
from studykit.exercise.bet.snippet import Sizes

from . import __main__ as program
from . import record
from .bets import InProcessDevice


def differing(card: str, rows_of_each: int | None) -> list[object]:
    """Return the recorded rows that the counter now counts differently, among the first few of each bet or all."""
    rows_apart: list[object] = []
    for name, rows in recording(card).rows.items():
        exercise = record.bets()[name]
        for row in rows[:rows_of_each]:
            again = record.count(exercise, row.sizes)
            if signature(again) != signature(row.count):
                rows_apart.append((name, row.sizes, signature(again)))
    return rows_apart


def signature(count: Count) -> object:
    return count.flops, count.bytes_moved, count.fused_bytes, count.fused_pattern, sorted(map(str, count.kernels))


@pytest.mark.parametrize(
    ("card", "rows_of_each"),
    [(CARDS[0], 1), *(pytest.param(card, None, marks=pytest.mark.thorough) for card in CARDS)],
)
def test_recorded_counts_are_those_of_our_counter(card: str, rows_of_each: int | None) -> None:
    assert differing(card, rows_of_each) == []


def test_recordings_have_every_size_of_every_bet() -> None:
    for card in CARDS:
        for name, exercise in record.bets().items():
            recorded = [without_dtype(row.sizes) for row in recording(card).rows[name]]
            sizes = map(without_dtype, record.sizes_of(exercise, "cuda"))
            assert [each for each in sizes if each not in recorded] == [], (card, name)


def without_dtype(sizes: Sizes) -> Sizes:
    return {name: size for name, size in sizes.items() if name != "dtype"}


def test_record_writes_what_a_bet_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [Measurement(time, time, time, samples=9, calls=1, cold=True) for time in (1.0, 1.01)]
    monkeypatch.setattr(record, "two_runs", lambda *_: runs)
    monkeypatch.setattr(InProcessDevice, "ceilings", lambda _: ceilings("cpu"))
    path = tmp_path / "mine.json"

    code = program.main(["record", "--device", "cpu", "--quick", "--json", str(path)])

    file = read_recording(path)
    assert code == 0
    assert list(file.rows) == list(record.bets())[:2]
    relu = file.rows["bet.relu"][0]
    assert (relu.measured.median, relu.measured.p80) == (1.0, 1.01)
    assert relu.count.flops == relu.sizes["n"]


def test_record_needs_a_file() -> None:
    with pytest.raises(SystemExit):
        program.main(["record", "--device", "cpu"])
