"""The end of a run of exercises or a quiz in lines of text, as a review ends."""

from collections import Counter

from studykit.review.run_report import RunReport
from studykit.terminal.review_summary import MAX_MISSED, NextSteps, ahead, duration, mark_rows, short, slips_row
from studykit.terminal.spans import clean
from studykit.text import counted

_MAX_CHARACTERS = 240  # characters of a question: an estimate asks after it has told its numbers


def run_lines(report: RunReport, outlook: NextSteps) -> list[str]:
    """The lines of the end."""
    if not report.answers:
        return ["Nothing answered, nothing logged."]
    at_once = sum(answer.at_once for answer in report.answers)
    share = at_once / len(report.answers)
    before = "" if report.before is None else f", {report.before:.0%} before"
    lines = [
        f"Done. {counted(len(report.answers), 'answer')} in {duration(round(report.seconds))}.",
        "",
        *mark_rows([answer.passed for answer in report.answers]),
        f"  right at once      {at_once} of {len(report.answers)} ({share:.0%}{before})",
    ]
    if slips := Counter(slip for answer in report.answers for slip in answer.slips):
        lines.append(slips_row(slips.most_common()))
    if report.missed:
        lines += ["", "  Missed"]
        for answer in report.missed[:MAX_MISSED]:
            lines += [
                clean(f"    {short(answer.question, _MAX_CHARACTERS)}"),
                clean(f"      {short(answer.right)}"),
            ]
        if (more := len(report.missed) - MAX_MISSED) > 0:
            lines.append(f"    and {more} more")
    outlook_line = ahead(outlook)
    return [*lines, *(["", f"  {outlook_line}"] if outlook_line else [])]
