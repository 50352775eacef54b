"""Test `study review --more`, which raises the day's limit of new cards."""

import re
from pathlib import Path

import pytest
from shell import Shell

DECK = '---\nname = "Mine"\n---\n\n' + "".join(
    f"Q: question {number}? {{#card-{number}}}\nA: yes\n\n" for number in range(1, 8)
)


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    """Return a shell with seven new cards and a limit of two a day."""
    (tmp_path / "mine.md").write_text(DECK)
    study.with_environ(STUDYKIT_DECKS=str(tmp_path / "mine.md"))
    (tmp_path / "config.toml").write_text("hidden_decks = []\n[review]\nnew_per_day = 2\n")
    return study


def reviewed(study: Shell, *words: str) -> str:
    return study("review", "mine", "--plain", *words, typed="\n3\n" * 10).out


def test_session_end_offers_waiting_cards(study: Shell) -> None:
    output = "You've used today's 2 new cards; 5 remain: study review mine --more 5"

    assert reviewed(study).endswith(f"{output}\n")
    assert reviewed(study).endswith(f"Nothing is due now.\n\nNext: study exercise napkin-math\n{output}\n")


def test_due_and_home_offer_waiting_cards(study: Shell) -> None:
    assert "remain" not in study("due", "mine").out
    reviewed(study)

    assert "You've used today's 2 new cards; 5 remain: study review mine --more 5" in study("due", "mine").out
    assert study("due", "mine", "--json").json["waiting"] == 5
    assert " remain: study review --more 10" in study().out
    assert study("--json").json["next"] == "study review --more 10"


def test_counts_of_new_and_due_cards_agree(study: Shell) -> None:
    cards = "C: The [one] and the [two]. {#gaps}\n\nQ: three? {#three}\nA: yes\n"
    study.write("mine.md", f'---\nname = "Mine"\n---\n\n{cards}')
    study.write("config.toml", 'course = "off"\n[review]\nnew_per_day = 1\n')
    study("review", "--plain", "-n", "1", typed="\n1\nq\n")

    home, listed = study().out, study("deck", "list").out
    assert re.search(r"^Mine \(mine\) +0 +2 +1 of 3 ", listed, re.MULTILINE)
    assert "2 remain" in home
    assert study("due", "--short").out == "1 to repeat\n"
    assert study("due").out.startswith("mine\t0\t2026-11-23\t0\t1\n")
    assert re.search(r"Active +1 of 1 day\b", home)

    study.at("2026-11-25T09:00:00+00:00")
    assert study("due", "--short").out == "1 due\n"
    assert re.search(r"Active +1 of 3 days", study().out)


def test_more_brings_so_many_and_the_day_remembers(study: Shell) -> None:
    reviewed(study)

    output = study("review", "mine", "--more", "3", "--plain", typed="\n3\nq\n").out
    assert "3 left." in output
    assert "2 left." in reviewed(study)
    assert "You've used today's 5 new cards; 2 remain" in study("due", "mine").out


def test_more_counts_from_what_was_used_by_hand(study: Shell) -> None:
    reviewed(study, "--new", "4")

    assert "1 left." in study("review", "mine", "--more", "1", "--plain", typed="q\n").out


def test_the_next_day_has_its_own_cards_again(study: Shell) -> None:
    reviewed(study)
    study("review", "mine", "--more", "3", "--plain", typed="q\n")

    study.at("2026-11-24T09:00:00+00:00")

    assert study("due", "mine", "--json").json["new"] == 2


def test_foreign_side_file_is_ignored(study: Shell) -> None:
    Path(f"{study.database}.more").write_bytes(b"\xff\xfe")

    assert study("due", "mine", "--json").json["new"] == 2
