"""Check exercise cards in a review: asked, judged, accepted, and skipped if a tool is missing."""

from collections.abc import Iterator

import pytest
from live import STUDY, Live, environ_of
from shell import Result, Shell

from studykit.errors import MissingError
from studykit.exercise import registry

DECK = """---
name = "Mine"
---

E: flops.train_total {#total}

Q: a plain card? {#plain}
A: yes
"""
RIGHT = "6*30e9*15e12"


@pytest.fixture
def study(study: Shell) -> Shell:
    """Return a shell with the deck in its home."""
    study.write("mine.md", DECK)
    return study.with_environ(**environ_of(study.home), STUDYKIT_SEED="42")


def review(study: Shell, typed: str) -> Result:
    return study("review", "mine", "--plain", typed=typed)


def test_right_answer_suggests_good_and_is_logged(study: Shell) -> None:
    done = review(study, f"{RIGHT}\n\nq\n")

    (answer,) = study("show", "total", "--json").json["history"]
    assert "Enter means good." in done.out
    assert (answer["grade"], answer["exercise"]["seed"], answer["exercise"]["answer"]) == (4, 42, RIGHT)
    assert answer["exercise"]["verdict"] == "correct"


def test_exercise_without_its_tool_is_skipped(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> object:
        raise MissingError("exercise flops.train_total needs torch, which is not installed here.")

    monkeypatch.setattr(registry, "kind_of", missing)

    done = review(study, "\n3\n")

    assert done.code == 0
    assert "Question: a plain card?" in done.out
    assert done.err.count("needs torch, which is not installed here.") == 1


@pytest.fixture
def live(study: Shell) -> Iterator[Live]:
    """Start the review in a terminal."""
    with Live([*STUDY, "review", "mine"], environ_of(study.home) | {"STUDYKIT_SEED": "42"}) as running:
        yield running


def test_exercise_on_screen_can_be_undone(live: Live) -> None:
    live.see("FLOP>")
    live.press("6*30e9*15e13", "6*30e9*15e13")
    live.send("\x1bb\x0b15e12\r")  # alt-b goes back over the last word, and ctrl-k removes it
    live.see("a plain card?")
    live.see("✓ right: 2.7e24 FLOP; good, next 21 Nov (1 d); u brings it back")

    live.press("u", "undone")
    assert "How many FLOPs does" in live.text
    assert "✓ right: 2.7e24 FLOP" in live.text
    live.press("s", "1. ")
    live.press("q", "= good")


def test_statistics_count_exercises_of_a_review(study: Shell) -> None:
    review(study, f"{RIGHT}\n3\n\n3\n")

    assert "1 exercise\n" in study("stats").out
