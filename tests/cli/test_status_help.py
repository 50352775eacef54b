"""Test `study` without a verb, `study help` and `study completion`."""

import errno
import io
import json
import os
import sys
from pathlib import Path

import pytest
from shell import Shell

from studykit.cli.commands.help_ import find_pages
from studykit.scheduling import sm2
from studykit.scheduling.fsrs import Fsrs
from studykit.sync.folder import EVENTS_PER_SEGMENT


@pytest.fixture
def study(study: Shell) -> Shell:
    """Return a shell at noon of a day, with the shipped decks."""
    return study.with_environ(STUDYKIT_NOW="2026-11-20T12:00:00Z")


def test_newcomer_gets_one_command(study: Shell) -> None:
    code, out, _ = study()

    assert code == 0
    assert out.startswith("Welcome. ")
    assert "  study review                 10 new cards, about 4 minutes" in out


def test_after_a_first_answer_the_day_is_told(study: Shell) -> None:
    study("review", "--plain", typed="\n3\n")

    _, out, _ = study()

    lines = out.splitlines()
    assert lines[0] == "9 new: about 4 minutes"
    assert "1. The lecture's two questions               0   33  1 of 34" in out
    assert "     Streak  1 day, longest 1\n" in out
    assert lines[-1] == "Next: study review"


def test_the_status_can_be_read_by_a_program(study: Shell) -> None:
    _, out, _ = study("--json")

    document = json.loads(out)
    numbers = [document[name] for name in ("schema", "due", "new", "drill", "streak")]
    assert (document["date"], numbers) == ("2026-11-20", [1, 0, 10, 0, 0])
    assert (document["decks"], document["next"]) == ({}, "study review")
    assert document["deck_counts"]["flops"] == {"cards": 27, "known": 0, "new": 27, "due": 0}
    assert len(document["activity"]) == 11 * 7 + 5
    assert document["forecast"][0] == {"date": "2026-11-20", "due": 0}


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("keys", "Keys of a review"),
        ("exit codes", "Exit codes"),
        ("vim", "Keys of a review"),
        ("config", "Settings:"),
        ("grade", "Pages on 'grade'"),
        ("cuda", "GPU:"),
        ("flashcards", "Import and export:"),
        ("Anki", "Pages on 'Anki'"),
        ("import from Anki", "Import and export:"),
        ("what does ≈ mean", "Questions:"),
        ("where is my data", "Data:"),
    ],
)
def test_help_shows_the_page_that_words_name(study: Shell, words: str, page: str) -> None:
    code, out, err = study("help", *words.split())

    assert (code, err) == (0, "")
    assert out.startswith(page)


@pytest.mark.parametrize(
    ("word", "pages"),
    [
        ("tags", {"decks", "find", "review"}),
        ("export", {"import", "pages", "commands"}),
        ("undo", {"keys", "data"}),
        ("shortcut", {"keys"}),
        ("phone", {"pages"}),
        ("limit", {"review", "settings"}),
        ("lost", {"backup", "data"}),
    ],
)
def test_help_finds_pages_by_any_word(word: str, pages: set[str]) -> None:
    by_title, by_text = find_pages(word)

    assert pages <= {*by_title, *by_text}


def test_a_misspelt_topic_is_met_with_the_nearest(study: Shell) -> None:
    code, _, err = study("help", "kyes")

    assert (code, err) == (3, "study: No help page mentions 'kyes'. Did you mean keys?\n  study help\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_for_the_shell(study: Shell, shell: str) -> None:
    code, out, _ = study("completion", shell)

    assert code == 0
    assert f"complete_{shell}" in out
    assert study("completion", "tcsh").code == 2


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("words", [["due", "--short"], ["stats"], []], ids=["short", "stats", "status"])
def test_bad_clock_refused(study: Shell, monkeypatch: pytest.MonkeyPatch, moment: str, words: list[str]) -> None:
    study()
    monkeypatch.setenv("STUDYKIT_NOW", moment)

    code, _, err = study(*words)

    assert code == 2
    assert "Give a moment between 1970 and 2255." in err


def test_pipe_as_configuration_is_refused(study: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.toml")

    code, _, err = study("due")

    assert code == 2
    assert "is a named pipe" in err


class Full(io.StringIO):
    """Stand in for a file on a full disk."""

    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_full_disk_is_reported(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Full())

    code, _, err = study("exercise", "list")

    sys.stdout.close()  # what stands in
    assert code == 1
    assert err.startswith("study: The output cannot be written (No space left on device)")


def test_removed_working_folder_is_reported(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    code, _, err = study("check", ".")

    assert code == 1
    assert err.startswith("study: The current folder has been removed")


def test_closed_output_is_accepted(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)

    code, _, err = study("exercise", "list")

    sys.stdout.close()  # what stands in
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("topic", "row"),
    [
        ("keys", "undo the last action"),
        ("environment", "STUDYKIT_DECKS"),
        ("exit-codes", "143 SIGTERM"),
        ("settings", "review.new_per_day"),
        ("accessibility", "--plain"),
        ("decks", "check: 6*7e9*2e12 = 8.4e22 FLOP"),
        ("decks", '{source="'),
        ("symbols", "  N  parameters of a model\n  D  tokens of a training run\n"),
        ("bets", "  measured   one call with empty caches"),
        ("sm2", f"  intervals    {sm2.FIRST_INTERVAL} day, then {sm2.SECOND_INTERVAL}, then"),
        ("sm2", f"{sm2.INITIAL_EASE / 100:.2f} at first; easy adds {sm2.ease_change(5) / 100:.2f}, good nothing"),
        ("sm2", f"takes {-sm2.ease_change(3) / 100:.2f}; never below {sm2.MINIMUM_EASE / 100:.2f}"),
        ("sm2", f"  longest      {sm2.MAX_INTERVAL:,} days"),
        ("fsrs", f"  longest      {sm2.MAX_INTERVAL:,} days"),
        (
            "fsrs",
            f" {', '.join(str(Fsrs().interval(Fsrs().first(grade)[0])) for grade in (1, 3, 4, 5))} days after",
        ),
        ("sync", f"events 1 to {EVENTS_PER_SEGMENT:,}; the next file begins with {EVENTS_PER_SEGMENT + 1:,}"),
    ],
)
def test_help_pages_state_what_the_code_does(study: Shell, topic: str, row: str) -> None:
    assert row in study("help", topic).out


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("study ex", {"exercise", "export"}),
        ("study card sus", {"suspend"}),
        ("study review --mo", {"--more"}),
        ("study help ac", {"accessibility"}),
        ("study exercise time.train", {"time.train_days"}),
        ("study exercise einops rewrite.split_h", {"rewrite.split_heads"}),
        ("study exercise einops bet", set()),
        ("study exercise trust ac", set()),
        ("study grade rewrite.split_h", {"rewrite.split_heads"}),
        ("study config get review.new", {"review.new_per_day"}),
        ("study show bytes-per", {"bytes-per-dtype"}),
        ("study review prec", {"precision"}),
    ],
)
def test_tab_key_completes(study: Shell, monkeypatch: pytest.MonkeyPatch, typed: str, wanted: set[str]) -> None:
    study("due")
    monkeypatch.setenv("_STUDY_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))

    _, out, err = study()

    assert (set(out.split()), err) == (wanted, "")
