"""Test several learners in one file, each with their own log, cards, decks and days."""

from pathlib import Path

import pytest
from shell import Shell

CARDS = "---\nname = 'mine'\n---\n\nQ: One? {#one}\nA: 1\n\nQ: Two? {#two}\nA: 2\n"


@pytest.fixture
def study(study: Shell) -> Shell:
    study.write("mine.md", CARDS)
    return study


def test_undo_and_new_cards_are_ones_own(study: Shell) -> None:
    study("answer", "six", "good")
    study("answer", "gb-gib", "good", "--learner", "bo")

    mine, of_bo = study("due", "--json").json, study("due", "--json", "--learner", "bo").json
    undone = study("--learner", "bo", "undo")
    nothing = study("undo", "--learner", "bo")

    assert mine["new"] == of_bo["new"] == 9
    assert (undone.code, nothing.code) == (0, 1)
    assert len(study("show", "six", "--json").json["history"]) == 1
    assert study("show", "six", "--json", "--learner", "bo").json["history"] == []
    assert study("doctor", "--json").json["problems"] == 0


def test_learners_decks_are_separate(study: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    study("answer", "six", "good")
    monkeypatch.setenv("STUDYKIT_DECKS", str(tmp_path / "mine.md"))
    study("config", "set", "course", "off")

    study("answer", "one", "good", "--learner", "bo")
    with_own = study("deck", "list", "--json", "--learner", "bo").json

    monkeypatch.delenv("STUDYKIT_DECKS")
    study("config", "set", "course", "on")
    assert [deck["name"] for deck in with_own["decks"]] == ["mine"]
    assert len(study("deck", "list", "--json").json["decks"]) > 1
    assert len(study("show", "six", "--json").json["history"]) == 1


@pytest.mark.parametrize("how", ["option", "environment", "setting"])
def test_learner_is_named_in_each_way(study: Shell, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    words = ["--learner=bo"] if how == "option" else []
    if how == "environment":
        monkeypatch.setenv("STUDYKIT_LEARNER", "bo")
    if how == "setting":
        study("config", "set", "learner", "bo")
    study("answer", "six", "again", *words)

    short = study("due", "--short", *words).out

    monkeypatch.delenv("STUDYKIT_LEARNER", raising=False)
    assert short == "1 to repeat\n"
    assert study("due", "--short", "--learner", "me").out == "10 new\n"
    assert study("due", "--short", "--learner", "bo").out == "1 to repeat\n"


@pytest.mark.parametrize("name", [" ", "a\nb", "x" * 64])
def test_what_is_no_name_is_refused(study: Shell, name: str) -> None:
    result = study("stats", "--learner", name)

    assert (result.code, "is not a valid learner's name" in result.err) == (2, True)


def test_import_of_another_learner_s_event_is_reported(study: Shell, tmp_path: Path) -> None:
    study("answer", "six", "good")
    study("export", "progress", "--out", str(tmp_path / "mine.json"))

    result = study("import", str(tmp_path / "mine.json"), "--learner", "bo")

    assert (result.code, "belongs to another learner" in result.err) == (1, True)
