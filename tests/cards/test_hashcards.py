"""Test that a collection written for hashcards loads unchanged."""

from pathlib import Path

import pytest

from studykit.cards.card import Card, Kind
from studykit.cli.app import run
from studykit.cli.exit import run_program
from studykit.collection.collection import read_file
from studykit.collection.files import Origin, Source, discover

FOLDER = Path(__file__).parents[1] / "hashcards"


def _cards() -> dict[str, list[Card]]:
    decks: dict[str, list[Card]] = {}
    for file in discover([Source(FOLDER, Origin.OWN)]).files:
        deck, problems = read_file(file)
        assert problems == []
        decks.setdefault(deck.name, []).extend(deck.cards)
    return decks


def test_hashcards_files_of_one_name_become_one_deck() -> None:
    counts = {name: len(cards) for name, cards in _cards().items()}

    assert counts == {"Algebra": 8, "Code": 3, "Geography": 7, "Painters": 3}


def test_hashcards_clozes_hide_the_intended_text() -> None:
    clozes = [card for card in _cards()["Algebra"] if card.kind is Kind.CLOZE]

    assert [card.answer for card in clozes] == ["identity", "inverse", "closed", "6", "5", "$2^n$"]
    assert clozes[2].prompt == r"The interval \[0, 1\] is […], as $\left[0, 1\right]$ says."
    assert clozes[3].prompt.splitlines()[2:] == ["| $S_3$ | […] |", "| $C_5$ | 5 |"]


def test_hashcards_line_starting_with_e_stays_answer_text() -> None:
    last = _cards()["Code"][-1]

    assert (last.kind, last.answer) == (Kind.BASIC, "E: stands for nothing.\nE: nor does this line")


def test_check_finds_no_problem_in_hashcards_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYKIT_CONFIG", str(tmp_path / "config.toml"))

    code = run_program(run, ["check", str(FOLDER)])

    assert (code, capsys.readouterr().out) == (0, "5 files, 21 cards: all is well.\n")
