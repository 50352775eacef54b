"""Test counted bets without torch: answers, intervals, statistics."""

import pytest
from shell import Shell


def test_first_answer_is_the_bet(study: Shell) -> None:
    question = study("exercise", "show", "count.peak", "--seed", "1", "--json").json
    answer = question["answer"] / 1e9

    result = study(
        "exercise", "count.peak", "-n", "1", "--seed", "1", "--plain", typed=f"{2 * answer} [1, 999]\n{answer}\n"
    )

    bets = study("stats", "--json").json["bets"]
    assert "Your interval, 1 GB to 999 GB, holds it." in result.out
    assert bets["counted"]["all"] == {"bets": 1, "lean": pytest.approx(2), "off": pytest.approx(2), "low": 0}
    assert bets["intervals"] == {"held": 1, "of": 1}
    assert "counted bets (1): 2x too pessimistic" in study("stats").out
    assert study("stats", "--html", "s.html").code == 0
    assert "counted bets (1): 2x too pessimistic" in (study.home / "s.html").read_text()


def test_skipped_bet_shows_its_parts(study: Shell) -> None:
    result = study("exercise", "count.peak", "-n", "1", "--seed", "1", "--plain", typed=":skip\n")

    assert "Alive at the peak:" in result.out
