"""Test that drawings on a terminal say the same as in a pipe, and keep paths whole."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Result, Shell, context_in

from studykit.cli.commands.help_ import topics
from studykit.cli.commands.quiz import _write
from studykit.cli.context import Context
from studykit.cli.drawing import Drawing, ShareBar
from studykit.exercise.quiz.quiz import QuizQuestion, QuizResult
from studykit.scheduling.figure import ListingColumn
from studykit.terminal.spans import plain, width

ESCAPES = re.compile(r"\x1b\[[\d;]*m")
Show = Callable[..., Result]


@pytest.fixture
def study(study: Shell) -> Shell:
    return study.with_environ(TERM="xterm")


@pytest.mark.parametrize("topic", topics())
def test_help_page_has_same_words_on_terminal(study: Shell, on_terminal: Show, topic: str) -> None:
    piped = study("help", topic).out

    assert "\x1b" not in piped
    assert on_terminal("help", topic, columns=40).out.split() == piped.split()


def test_complaint_starts_with_its_unbroken_place(study: Shell, on_terminal: Show) -> None:
    deck = study.write("a-folder-with-a-long-name/and-a-deck-with-another.md", "Q: a question without an answer\n")
    where = str(deck.relative_to(study.home))

    piped, output = study("check", str(deck)), on_terminal("check", str(deck), columns=40)

    assert piped.out.splitlines()[0].startswith(f"{where}:1: ")
    assert output.out.startswith(f"{where}:1:")
    assert output.out.split() == piped.out.split()
    assert (piped.code, output.code) == (5, 5) or piped.code == output.code == 1


def test_quiz_result_has_bar_for_each_objective(
    study: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = QuizResult(7, (QuizQuestion("a", "flops"), QuizQuestion("b", "memory")))
    study("--version")
    monkeypatch.setenv("COLUMNS", "80")
    context = Context.from_environment()
    _write(context, result, plain=True)
    plain = capsys.readouterr().out
    monkeypatch.setattr(Context, "on_terminal", True)
    _write(context, result, plain=False)
    output = ESCAPES.sub("", capsys.readouterr().out)

    assert plain == "Score: 0 of 2\n\nObjectives\nflops: 0 of 1 points\nmemory: 0 of 1 points\n"
    assert output.startswith("Score: 0 of 2\n\nObjectives  points\n")
    assert "flops       0 of 1" in output


def test_doctor_report_stands_in_columns_or_below(on_terminal: Show) -> None:
    rows = ESCAPES.sub("", on_terminal("doctor", columns=80).out).splitlines()

    assert re.match(r"ok    studykit +\d", rows[0])
    assert any(row.startswith(" " * 18) for row in rows)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_in(tmp_path, STUDYKIT_GLYPHS="unicode")


def test_listing_too_wide_becomes_lines(context: Context) -> None:
    columns = ListingColumn("lapses", right=True), ListingColumn(), ListingColumn("asks", cut=True)
    question = "a question that is rather long " * 3
    rows = [("a name", "1,234", ShareBar(0.5), question)]

    wide, narrow = (
        [plain(line) for line in drawing.lines(drawing.listing("Title", columns, rows))]
        for drawing in (Drawing(context, columns=90), Drawing(context, columns=30))
    )

    assert wide[1].startswith("a name   1,234  ━━━━━━        a question that is rather")
    assert wide[1].endswith("…")
    assert " ".join(narrow).split() == f"Title a name 1,234 lapses, {question}".split()


def test_running_text_is_broken_at_the_edge(context: Context) -> None:
    assert max(width(line) for line in Drawing(context, columns=30).lines("word " * 40)) <= 30


def test_text_is_never_markup(context: Context) -> None:
    (line,) = Drawing(context, columns=80).lines("[red]x[/red] :smile: \x1b[31m\x07")

    assert plain(line) == "[red]x[/red] :smile: [31m"
