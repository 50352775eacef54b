"""Test `study stats --compare`: on an empty log, on a short one, and how sure its verdict is."""

import math
from pathlib import Path

import pytest
from shell import Shell

from studykit.cli.commands.stats import verdict
from studykit.scheduling.prediction import Prediction, SchedulerComparison


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    (tmp_path / "deck.md").write_text("Q: What? {#a}\nA: That.\n")
    study("config", "set", "decks", str(tmp_path / "deck.md"))
    return study


def test_empty_log_has_nothing_to_compare(study: Shell) -> None:
    result = study("stats", "--compare")

    assert (result.code, result.out.splitlines()[0]) == (0, "Nothing to compare yet: no known card was reviewed.")
    assert study("stats", "--compare", "--json").json["recalled"] is None
    assert study("stats").out == "Nothing to count yet. Start with: study review\n"


def test_short_log_is_compared_with_a_caution(study: Shell) -> None:
    for day, grade in (("01", "good"), ("02", "good"), ("08", "again"), ("09", "good")):
        study("answer", "a", grade, "--at", f"2026-11-{day}T09:00:00+00:00")

    lines = study("stats", "--compare").out.splitlines()
    document = study("stats", "--compare", "--json").json

    assert lines[0].startswith("Predicting 3 reviews")
    names = [line.split("  ")[0] for line in lines[1:3]]
    assert names == ["fsrs-6", "sm2-text"]
    # SM-2 promises 90 % at the end of each interval: of three such reviews one was forgotten.
    loss = -(2 * math.log(0.9) + math.log(0.1)) / 3
    assert lines[2].split() == ["sm2-text", f"{loss:.4f}", "90.0%", "66.7%"]
    assert document["predictors"][1] == {
        "name": "sm2-text",
        "log_loss": pytest.approx(loss),
        "mean": pytest.approx(0.9),
    }
    assert document["difference"].keys() == {"log_loss", "within"}
    assert lines[4].startswith("3 reviews are too few: below 400 or so")
    assert (document["reviews"], document["too_few"], document["recalled"]) == (3, True, 2 / 3)
    assert [each["name"] for each in document["predictors"]] == names
    assert {name: len(days) for name, days in document["load"].items()} == {"sm2-text": 60, "fsrs-6": 60}
    assert document["load"]["sm2-text"][0] == 1  # due since 10 November


def compared(*losses: float, within: float) -> SchedulerComparison:
    predictions = [Prediction(name, loss, 0.9) for name, loss in zip(("fsrs-6", "sm2-text"), losses, strict=True)]
    return SchedulerComparison(4000, 0.9, tuple(predictions), losses[0] - losses[1], within)


@pytest.mark.parametrize(
    ("comparison", "message"),
    [
        (compared(0.30, 0.33, within=0.01), "FSRS predicts your answers better: log loss is lower by 0.0300 ± "),
        (compared(0.33, 0.30, within=0.01), "SM-2 predicts your answers better"),
        (compared(0.33, 0.30, within=0.05), "Your log shows no clear difference: SM-2 has"),
    ],
)
def test_verdict_is_as_certain_as_its_figures(comparison: SchedulerComparison, message: str) -> None:
    assert message in verdict(comparison)
