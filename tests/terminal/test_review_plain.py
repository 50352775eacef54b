"""`study review --plain`: the whole verb through a pipe, as a screen reader, a script and CI meet it."""

from pathlib import Path

import pytest
from shell import Shell

from studykit.store.store import Store

DECK = """---
name = "Mine"
---

Q: What does a matmul cost? {#matmul .flops}
A: $2mnk$ FLOPs

C: A step costs [6] FLOPs per parameter per token. {#six-nd}

Q: Bytes of an fp32 value? {#fp32 .typed}
A: 4 | four
"""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands on a deck of its own."""
    deck = str(tmp_path / "mine.md")
    shell = Shell(tmp_path, monkeypatch, capsys, STUDYKIT_DECKS=deck, STUDYKIT_NOW="2026-11-20T12:00:00Z")
    shell.write("mine.md", DECK)
    return shell


def test_a_session_is_told_in_labeled_lines(study: Shell) -> None:
    code, out, _ = study("review", "mine", "--plain", typed="\n3\n")

    assert code == 0
    assert out.splitlines()[:8] == [
        "[plain mode: on via flag]",
        "Session: 3 cards. Type help for commands.",
        "Card 1. 3 left. Deck: Mine.",
        "Question: What does a matmul cost?",
        "Press Enter for the answer.",
        "> Answer: 2mnk FLOPs",
        "Grade. 1 again: today. 2 hard: today, less ease. 3 good: 1 d. 4 easy: 1 d, more ease. Enter means 3.",
        "> Saved: good, next 21 Nov (1 d). Type u to undo.",
    ]


def test_the_store_catches_up_before_each_line_is_waited_for(
    study: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[str] = []
    monkeypatch.setattr(Store, "checkpoint", lambda store: waited.append(store.learner))

    study("review", "mine", "--plain", typed="\n3\n")

    assert waited == ["me"] * 3  # for the answer, the grade, and the next card


def test_a_cloze_is_answered_with_its_words_and_in_full(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", typed="\n3\n\n3\n")

    assert "Question: A step costs […] FLOPs per parameter per token." in out
    assert "Answer: 6" in out
    assert "In full: A step costs 6 FLOPs per parameter per token." in out


@pytest.mark.parametrize(("typed", "verdict"), [("four", "That is right."), ("fuor", "Wanted: four")])
def test_a_typed_answer_is_compared(study: Shell, typed: str, verdict: str) -> None:
    _, out, _ = study("review", "mine", "--plain", typed=f"\n3\n\n3\n{typed}\n")

    assert verdict in out


def test_the_last_answer_can_be_taken_back(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", typed="\n1\nu\n4\nq\n")

    assert "undone." in out
    assert "1 answer           easy 1" in out


def test_undo_reaches_what_an_earlier_session_answered(study: Shell) -> None:
    study("review", "mine", "--plain", "-n", "1", typed="\n1\n")

    _, out, _ = study("r", "mine", "--plain", typed="u\n4\nq\n")

    assert "undone, from before." in out
    assert out.count("Question: What does a matmul cost?") == 2  # once as it came, once brought back
    assert "Saved: easy, next 21 Nov (1 d). Type u to undo." in out


def test_an_interrupted_session_goes_on_where_it_was(study: Shell) -> None:
    study("review", "mine", "--plain", typed="\n3\n")

    _, out, _ = study("review", "mine", "--plain")

    assert "Session: 2 cards." in out


def test_a_failed_card_comes_again_in_the_next_session_of_the_day(study: Shell) -> None:
    study("review", "mine", "--plain", typed="\n1\n")

    _, out, _ = study("review", "mine", "--plain")

    assert "Session: 3 cards." in out
    assert "Question: What does a matmul cost?" in out


def test_when_all_is_done_the_next_command_is_named(study: Shell) -> None:
    study("review", "mine", "--plain", typed="\n3\n\n3\n4\n3\n")

    code, out, _ = study("review", "mine", "--plain")

    assert code == 0
    assert out.splitlines()[0] == "Nothing is due now."


def test_the_end_tells_what_was_done_and_missed(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", typed="\n1\n\n3\nfour\n3\n\n3\n")

    assert "Done. 3 cards" in out
    assert "    What does a matmul cost?\n      2mnk FLOPs\n" in out
    assert "tomorrow 3 due" in out


def test_a_limit_leaves_the_rest(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", "-n", "1", typed="\n3\n")

    assert "Session: 1 card." in out
    assert "Done. 1 card in" in out


def test_no_new_cards_may_be_asked_for(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", "--new", "0")

    assert out.splitlines()[0] == "Nothing is due now."


def test_cram_asks_what_is_not_due_and_leaves_its_schedule(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study("review", "mine", "--plain", "-n", "1", typed="\n3\n")
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-21T12:00:00Z")
    study("review", "mine", "--plain", "-n", "1", typed="\n3\n")
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-22T12:00:00Z")

    _, out, _ = study("review", "mine", "--plain", "--cram", "--new", "0", typed="\n3\n")

    assert "Saved: good, done for today; the schedule stays. Type u to undo." in out


def test_a_tag_chooses_cards(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", "--tag", "flops")

    assert "Session: 1 card." in out


def test_two_buttons_are_enough_for_some(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", "--grades", "2", typed="\n2\n")

    assert "Grade. 1 forgot: today. 2 knew it: 1 d. Enter means 2." in out


def test_help_and_why_can_be_asked_at_any_time(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", typed="help\nw\ni\nnonsense\n")

    assert "u: undo the last action, as often as you like." in out
    assert "New: it has never been reviewed." in out
    assert "card matmul   deck Mine" in out
    assert "nonsense is not a command." in out


@pytest.mark.parametrize(
    ("scale", "line"),
    [
        ("4", "1 2 3 4: again, hard (right, but slow), good, easy."),
        ("2", "1 to 2: forgot; knew it."),
        ("sm2", "0 to 5: blackout; wrong; wrong but familiar; right with difficulty; right after"),
    ],
)
def test_the_help_on_keys_names_the_grades_of_the_scale(study: Shell, scale: str, line: str) -> None:
    _, out, _ = study("review", "mine", "--plain", "--grades", scale, typed="help\n")

    assert line in " ".join(out.split())
    assert ("again, hard" in out) == (scale == "4")


def test_bury_and_suspend_put_a_card_aside(study: Shell) -> None:
    study("review", "mine", "--plain", typed="-\n@\n")

    _, out, _ = study("review", "mine", "--plain")

    assert "Session: 1 card." in out


def test_without_a_terminal_the_way_out_is_named(study: Shell) -> None:
    code, out, err = study("review", "mine")

    assert (code, out) == (2, "")
    assert err == (
        "study: this needs a terminal on both ends; add --plain to answer by lines, through a pipe too.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--mode", "loud"], 2, "Invalid value for '--mode': 'loud' is not one of 'screen', 'plain'."),
        (["--plain", "--grades", "7"], 2, "grades is '7'; give 4, 2 or sm2."),
        (["--plain", "nosuch"], 3, "there is no deck 'nosuch'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    study: Shell, arguments: list[str], code: int, message: str
) -> None:
    got, _, err = study("review", *arguments)

    assert got == code
    assert message in err


def test_plain_mode_can_be_turned_on_by_the_environment(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_PLAIN", "1")

    _, out, _ = study("review", "mine")

    assert out.startswith("[plain mode: on via env]\n")


def test_ascii_signs_are_enough_for_some(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_GLYPHS", "ascii")

    _, out, _ = study("review", "mine", "--plain", typed="\n3\n\n")

    assert out.isascii()


def test_plain_mode_moves_no_cursor_and_colors_nothing(study: Shell) -> None:
    _, out, _ = study("review", "mine", "--plain", typed="\n3\n\n3\nx\n3\n")

    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("change", "typed", "messages"),
    [
        ("s/2mnk/2 m n k/", "\n1\nu\ne\nq\n", ["edited, progress kept."]),
        ("s/^A: .2mnk. FLOPs//", "e\nq\n", ["mine.md:5", "(e edits again)"]),
    ],
    ids=["a change", "an answer that is gone"],
)
def test_an_edit_keeps_progress_or_says_where_it_fails(
    study: Shell, monkeypatch: pytest.MonkeyPatch, change: str, typed: str, messages: list[str]
) -> None:
    script = study.home / "editor.sh"
    script.write_text(f'#!/bin/sh\nsed -i.bak "{change}" "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))

    _, out, _ = study("review", "mine", "--plain", typed=typed)

    assert [message for message in messages if message not in out] == []


def test_an_editor_that_does_not_exist_is_named(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "/nonexistent/editor")

    _, out, _ = study("review", "mine", "--plain", typed="e\nq\n")

    assert "the editor '/nonexistent/editor' does not start" in out
