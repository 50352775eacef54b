"""Test the summary at the end of a run: a mark for each answer, figures, misses, and what comes next."""

import pytest

from studykit.review.progress import RunReport
from studykit.review.question import Asked, Question, Reply
from studykit.terminal.review_summary import NextSteps, run_lines


def closed(markdown: str, right: str, verdict: str, *slips: str, slip_text: str = "", command: str = "") -> Asked:
    """Return a question that was closed at its first try."""
    question = Question("x", 1, markdown, (), lambda _: Reply(""), lambda *_: None, right=right, command=command)
    return Asked(question, verdict=verdict, tries=(Reply(verdict, slips=slips, slip_text=slip_text),))


RIGHT = closed("How many *bytes*?", "2", "correct")
LATER = closed("How many FLOPs?", "84 ZFLOP", "late", "forward_only")
WRONG = closed(
    "How long?",
    "3 days",
    "incorrect",
    "forward_only",
    slip_text="That is the forward pass only.",
    command="study exercise x --seed 1",
)
SKIPPED = closed("Which?", "this", "skipped")
UNSCORED = closed("`bet.add`", "", "not_scored")


def test_the_end_tells_all_of_a_run() -> None:
    lines = run_lines(RunReport((RIGHT, LATER, WRONG, SKIPPED, UNSCORED), 75), NextSteps(12, 3))

    assert lines == [
        "Done. 5 answers in 1 min 15 s.",
        "",
        "  ✓≈✗··",
        "",
        "  right at once      1 of 4 (25%)",
        "  slips              forgot the backward pass (2)",
        "",
        "  Missed",
        "    How long?",
        "      3 days",
        "      That is the forward pass only.",
        "      study exercise x --seed 1",
        "    Which?",
        "      this",
        "",
        "  tomorrow 12 due    streak 3 days",
        "",
        "Next: study exercise napkin-math",
    ]


def test_run_summary_lists_ten_misses_and_counts_others() -> None:
    lines = run_lines(RunReport((WRONG,) * 13, 5), NextSteps())

    assert lines.count("    How long?") == 10
    assert "    and 3 more" in lines


def test_command_of_several_steps_stands_behind_the_last() -> None:
    lines = run_lines(RunReport((WRONG, WRONG, SKIPPED), 5), NextSteps())

    assert lines.count("    How long?") == 2
    assert [line for line in lines if "study exercise x" in line] == ["      study exercise x --seed 1"]
    assert lines.index("      study exercise x --seed 1") == lines.index("    Which?") - 1


@pytest.mark.parametrize(
    ("has_open_tries", "line"), [(False, "Nothing answered, nothing logged."), (True, "Your tries are saved.")]
)
def test_a_run_without_an_answer_says_so(*, has_open_tries: bool, line: str) -> None:
    lines = run_lines(RunReport((), 5, has_open_tries=has_open_tries), NextSteps(12, 3))
    assert lines == [line, "", "Next: study exercise napkin-math"]


def test_commands_are_written_as_they_run_here() -> None:
    outlook = NextSteps(runnable=lambda command: command.replace("study", "python -m studykit", 1))

    assert "      python -m studykit exercise x --seed 1" in run_lines(RunReport((WRONG,), 5), outlook)


def test_long_missed_question_begins_at_a_word() -> None:
    question = f"{'context ' * 40}How many FLOPs?"

    lines = run_lines(RunReport((closed(question, "2", "incorrect"),), 5), NextSteps())

    (line,) = [line for line in lines if "context" in line]
    assert line.startswith("    … context context")
    assert line.endswith("context How many FLOPs?")
    assert len(line) <= 4 + 240
