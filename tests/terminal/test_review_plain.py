"""Test `study review --plain` through a pipe, as screen readers, scripts and CI use it."""

from pathlib import Path

import pytest
from shell import Shell

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
def study(study: Shell, tmp_path: Path) -> Shell:
    """Return a shell with a deck of its own."""
    deck = str(tmp_path / "mine.md")
    study.with_environ(STUDYKIT_DECKS=deck, STUDYKIT_NOW="2026-11-20T12:00:00Z")
    study.write("mine.md", DECK)
    return study


def reviewed(study: Shell, *options: str, typed: str = "") -> str:
    """Return the output of a plain review of the deck."""
    code, out, _ = study("review", "mine", "--plain", *options, typed=typed)
    assert code == 0
    return out


def test_session_prints_labeled_lines(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_PLAIN", "1")
    assert study("review", "mine").out.startswith("[plain mode: on via env]\n")

    assert reviewed(study, typed="\n3\n").splitlines()[:10] == [
        "[plain mode: on via flag]",
        "Card: Mine. 3 left.",
        "Question: What does a matmul cost?",
        (
            "Enter reveal. t type. u undo. e edit. ? keys. - bury. @ suspend. * flag. i info. w why. o lesson. "
            "q quit."
        ),
        "> Answer: 2mnk FLOPs",
        "1 again, 2 hard (less ease): today. 3 good, 4 easy (more ease): 1 d. Enter means good.",
        "> good, next 21 Nov (1 d).",
        "Card: Mine. 2 left.",
        "Question: A step costs […] FLOPs per parameter per token.",
        "Enter reveal. t type.",
    ]


@pytest.mark.parametrize(
    ("typed", "messages"),
    [
        ("\n3\n\n3\n", ["Question: A step costs […] FLOPs per parameter per token.", "Answer: 6"]),
        ("\n3\n\n3\nfour\n", ["✓ right: "]),
        ("\n3\n\n3\nfuor\n", ["Wanted: four"]),
        ("\n1\nu\n4\nq\n", ["undone.", "1 answer           easy 1"]),
        (
            "\n1\n\n3\nfour\n3\n\n3\n",
            ["Done. 3 cards", "    What does a matmul cost?\n      2mnk FLOPs\n", "tomorrow 3 due"],
        ),
        (
            "help\nw\ni\nnonsense\n",
            [
                "u: undo the last action, as often as you like",
                "New: it has never been reviewed.",
                "card matmul: deck Mine",
                "nonsense is not a choice. Enter reveal.",
            ],
        ),
    ],
    ids=["a cloze", "right", "wrong", "undo", "the end", "help and why at any time"],
)
def test_typed_line_gets_its_reply(study: Shell, typed: str, messages: list[str]) -> None:
    out = reviewed(study, typed=typed)

    assert [message for message in messages if message not in out] == []


def test_typing_keeps_the_answer_hidden(study: Shell) -> None:
    out = reviewed(study, typed="t\nas much as a sum\n")

    assert out.count("2mnk") == 1  # behind the verdict
    assert "✗ wrong: 2mnk FLOPs\n" in out


FROM_THE_START = "Card: Mine. 3 left.\nQuestion: What does a matmul cost?\n"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("\n3\n", "Card: Mine. 2 left."),
        ("\n1\n", FROM_THE_START),
        ("\n3\n\n3\n4\n3\n", "None of the cards you chose is due now.\n\nNext: study review\n"),
        ("-\n@\n", "Card: Mine. 1 left."),
    ],
    ids=["left after a card", "a failed card comes again", "all done", "buried and suspended"],
)
def test_next_session_continues_after_the_last(study: Shell, typed: str, message: str) -> None:
    reviewed(study, typed=typed)

    assert reviewed(study).removeprefix("[plain mode: on via flag]\n").startswith(message)


@pytest.mark.parametrize(
    ("options", "typed", "messages"),
    [
        (["-n", "1"], "\n3\n", ["Card: Mine. 1 left.", "Done. 1 card in"]),
        (["--new", "0"], "", ["Nothing is due now."]),
        (["--tag", "flops"], "", ["Card: Mine. 1 left."]),
        (["--grades", "2"], "\n2\n", ["1 forgot: today. 2 knew it: 1 d. Enter means knew it."]),
    ],
    ids=["limit", "no new cards", "tag", "two buttons"],
)
def test_options_choose_cards(study: Shell, options: list[str], typed: str, messages: list[str]) -> None:
    out = reviewed(study, *options, typed=typed)

    assert [message for message in messages if message not in out] == []


def test_cram_asks_undue_cards_and_keeps_schedule(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewed(study, "-n", "1", typed="\n3\n")
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-21T12:00:00Z")
    reviewed(study, "-n", "1", typed="\n3\n")
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-22T12:00:00Z")

    out = reviewed(study, "--cram", "--new", "0", typed="\n3\n")

    assert "good, done for today; the schedule stays" in out


@pytest.mark.parametrize(
    ("scale", "line"),
    [
        ("4", "1 2 3 4: again, hard (right, but slow), good, easy"),
        ("2", "1 to 2: forgot; knew it"),
        ("sm2", "0 to 5: blackout; wrong; wrong but familiar; right with difficulty; right after"),
    ],
)
def test_plain_help_names_the_grades_of_the_scale(study: Shell, scale: str, line: str) -> None:
    out = reviewed(study, "--grades", scale, typed="help\n")

    assert line in " ".join(out.split())
    assert ("again, hard" in out) == (scale == "4")


@pytest.mark.parametrize("glyphs", ["ascii", "unicode"])
def test_plain_mode_moves_no_cursor_and_colors_nothing(study: Shell, glyphs: str) -> None:
    study.with_environ(STUDYKIT_GLYPHS=glyphs)

    out = reviewed(study, typed="\n3\n\n3\nx\n3\n")

    assert "\x1b" not in out
    assert out.isascii() == (glyphs == "ascii")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--plain", "--grades", "7"], 2, "'7' is not a scale of grades. Use 4, 2 or sm2."),
        (
            ["mine"],
            2,
            "This needs a terminal for input and output. Add --plain to answer line by line, also through a pipe.",
        ),
        (["--plain", "nosuch"], 3, "No card matches 'nosuch'"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(study: Shell, arguments: list[str], code: int, message: str) -> None:
    got, out, err = study("review", *arguments)

    assert (got, out.replace("[plain mode: on via flag]\n", "")) == (code, "")
    assert message in err


@pytest.mark.parametrize(
    ("change", "typed", "messages"),
    [
        ("s/2mnk/2 m n k/", "\n1\nu\ne\nq\n", ["edited, progress kept."]),
        ("s/^A: .2mnk. FLOPs//", "e\nq\n", ["mine.md:5", "(e edits again)"]),
        (None, "e\nq\n", ["The editor '/nonexistent/editor' does not start"]),
    ],
    ids=["a change", "an answer that is gone", "no such editor"],
)
def test_edit_keeps_progress_or_names_the_line(
    study: Shell, change: str | None, typed: str, messages: list[str]
) -> None:
    if change is None:
        study.with_environ(EDITOR="/nonexistent/editor")
    else:
        study.edit_by(f'sed -i.bak "{change}" "$2"')

    out = reviewed(study, typed=typed)

    assert [message for message in messages if message not in out] == []
