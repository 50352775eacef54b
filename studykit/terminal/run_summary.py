"""The end of a run of exercises or a quiz in lines of text, as a review ends."""

from collections import Counter

from studykit.review.run_report import RunAnswer, RunReport
from studykit.scheduling.outcomes import sign_of
from studykit.terminal.review_summary import MAX_MISSED, NextSteps, ahead, duration, mark_rows, short, slips_row
from studykit.terminal.spans import clean
from studykit.text import counted

_MAX_CHARACTERS = 240  # characters of a question: an estimate asks after it has told its numbers


def run_lines(report: RunReport, outlook: NextSteps) -> list[str]:
    """The lines of the end."""
    if not report.answers:
        kept = "Your tries are kept." if report.has_open_tries else "Nothing answered, nothing logged."
        return [kept, *([report.progress] if report.progress else [])]
    count, scored, at_once = len(report.answers), report.scored, report.at_once
    before = "" if report.before is None else f", {report.before:.0%} before"
    lines = [
        f"Done. {counted(count, 'answer')} in {duration(round(report.seconds))}.",
        "",
        *mark_rows("".join(sign_of(answer.verdict) for answer in report.answers)),
    ]
    if scored:
        lines.append(f"  right at once      {at_once} of {scored} ({at_once / scored:.0%}{before})")
    if report.progress:
        lines.append(f"  {report.progress}")
    if slips := Counter(slip for answer in report.answers for slip in answer.slips):
        lines.append(slips_row(slips.most_common()))
    if report.missed:
        lines += ["", "  Missed", *(row for answer in report.missed[:MAX_MISSED] for row in _missed(answer))]
        if (more := len(report.missed) - MAX_MISSED) > 0:
            lines.append(f"    and {more} more")
    outlook_line = ahead(outlook)
    return [*lines, *(["", f"  {outlook_line}"] if outlook_line else []), "", f"Next: {outlook.next_command}"]


def _missed(answer: RunAnswer) -> list[str]:
    """Return the question, its answer, the last slip and the command that asks it again."""
    rows = [f"    {short(answer.question, _MAX_CHARACTERS)}"]
    rows += [f"      {short(text)}" for text in (answer.right, answer.slip_text) if text]
    return [clean(row) for row in [*rows, *([f"      {answer.command}"] if answer.command else [])]]
