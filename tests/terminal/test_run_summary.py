"""The end of a run in lines: a mark an answer, what was right at once, what was missed, what comes next."""

from studykit.review.run_report import RunAnswer, RunReport
from studykit.terminal.review_summary import NextSteps
from studykit.terminal.run_summary import run_lines

RIGHT = RunAnswer("How many *bytes*?", "2", passed=True, at_once=True)
LATER = RunAnswer("How many FLOPs?", "84 ZFLOP", passed=True, at_once=False, slips=("forward_only",))
WRONG = RunAnswer("How long?", "3 days", passed=False, at_once=False, slips=("forward_only",))


def test_the_end_tells_all_of_a_run() -> None:
    lines = run_lines(RunReport((RIGHT, LATER, WRONG), 75, before=0.5), NextSteps(12, 3))

    assert lines == [
        "Done. 3 answers in 1 min 15 s.",
        "",
        "  ✓✓✗",
        "",
        "  right at once      1 of 3 (33%, 50% before)",
        "  slips              forgot the backward pass (2)",
        "",
        "  Missed",
        "    How long?",
        "      3 days",
        "",
        "  tomorrow 12 due    streak 3 days",
    ]


def test_of_many_misses_the_first_are_told_and_the_others_counted() -> None:
    lines = run_lines(RunReport((WRONG,) * 13, 5), NextSteps())

    assert lines.count("    How long?") == 10
    assert lines[-1] == "    and 3 more"


def test_a_run_without_an_answer_says_so() -> None:
    assert run_lines(RunReport((), 5), NextSteps(12, 3)) == ["Nothing answered, nothing logged."]
