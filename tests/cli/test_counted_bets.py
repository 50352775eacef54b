"""Counted bets as a learner without torch meets them: answers, intervals, statistics."""

from pathlib import Path

import pytest
from shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, monkeypatch, capsys)


def test_first_answer_is_the_bet(shell: Shell) -> None:
    question = shell("exercise", "show", "count.peak", "--seed", "1", "--json").json
    answer = question["answer"] / 1e9

    done = shell(
        "exercise", "count.peak", "-n", "1", "--seed", "1", "--plain", typed=f"{2 * answer} [1, 999]\n{answer}\n"
    )

    bets = shell("stats", "--json").json["bets"]
    assert "Your interval, 1 GB to 999 GB, holds it." in done.out
    assert bets["counted"]["all"] == {"bets": 1, "lean": pytest.approx(2), "off": pytest.approx(2), "low": 0}
    assert bets["intervals"] == {"held": 1, "of": 1}
    assert "counted bets (1): 2x too pessimistic" in shell("stats").out
    assert shell("stats", "--html", "s.html").code == 0
    assert "counted bets (1): 2x too pessimistic" in (shell.home / "s.html").read_text()
