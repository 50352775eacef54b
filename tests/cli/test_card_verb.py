"""`study card`: what a learner sets on a card by hand, and how it is found and taken back."""

import json
from pathlib import Path

import pytest

from studykit.cli.app import run
from studykit.errors import NotFoundError


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_DB", str(tmp_path / "study.db"))
    monkeypatch.setenv("STUDYKIT_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-23T09:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    capsys.readouterr()
    run(["card", "list", "--json"])
    return {row["card"]: row["marks"] for row in json.loads(capsys.readouterr().out)["cards"]}


def due(capsys: pytest.CaptureFixture[str]) -> int:
    capsys.readouterr()
    run(["due", "--json"])
    return int(json.loads(capsys.readouterr().out)["due"])


def test_suspended_card_is_listed_until_unsuspended(capsys: pytest.CaptureFixture[str]) -> None:
    run(["card", "suspend", "six"])

    assert listed(capsys) == {"six": ["suspended"]}

    run(["card", "unsuspend", "six"])

    assert listed(capsys) == {}


def test_a_suspended_card_is_not_due(capsys: pytest.CaptureFixture[str]) -> None:
    run(["answer", "six", "good", "--at", "2026-11-01T09:00:00+00:00"])
    before = due(capsys)

    run(["card", "suspend", "six"])

    assert (before, due(capsys)) == (1, 0)


def test_a_buried_card_is_back_tomorrow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["answer", "six", "good", "--at", "2026-11-01T09:00:00+00:00"])

    run(["card", "bury", "six"])

    assert (due(capsys), listed(capsys)) == (0, {"six": ["buried"]})
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-24T09:00:00+00:00")
    assert (due(capsys), listed(capsys)) == (1, {})


def test_undo_of_a_reset_restores_the_schedule(capsys: pytest.CaptureFixture[str]) -> None:
    run(["answer", "six", "good", "--at", "2026-11-01T09:00:00+00:00"])

    run(["card", "reset", "six"])
    after_reset = due(capsys)
    run(["undo"])

    assert (after_reset, due(capsys)) == (0, 1)


def test_unknown_card_among_several_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NotFoundError):
        run(["card", "flag", "six", "no-such-card"])

    assert listed(capsys) == {}


def test_an_empty_list_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    run(["card", "list"])

    assert "No card is suspended" in capsys.readouterr().out
