"""Load an unchanged collection that was written for hashcards."""

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


def test_every_file_is_read_and_files_of_one_name_are_one_deck() -> None:
    decks = _cards()

    assert {name: len(cards) for name, cards in decks.items()} == {
        "Algebra": 8,
        "Code": 3,
        "Geography": 7,
        "Painters": 3,
    }


def test_tables_brackets_and_intervals_hide_what_their_author_meant() -> None:
    clozes = [card for card in _cards()["Algebra"] if card.kind is Kind.CLOZE]

    assert [card.answer for card in clozes] == ["identity", "inverse", "closed", "6", "5", "$2^n$"]
    assert clozes[2].prompt == r"The interval \[0, 1\] is […], as $\left[0, 1\right]$ says."
    assert clozes[3].prompt.splitlines()[2:] == ["| $S_3$ | […] |", "| $C_5$ | 5 |"]


def test_an_e_at_the_start_of_a_line_is_no_exercise() -> None:
    last = _cards()["Code"][-1]

    assert (last.kind, last.answer) == (Kind.BASIC, "E: stands for nothing.\nE: nor does this line")


def test_check_draws_its_math_finds_its_images_and_has_nothing_to_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDYKIT_CONFIG", str(tmp_path / "config.toml"))

    code = run_program(run, ["check", str(FOLDER)])

    assert (code, capsys.readouterr().out) == (0, "5 files, 21 cards: all is well.\n")
