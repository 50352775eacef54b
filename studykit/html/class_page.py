"""Render the report of a class as one page without requests and scripts."""

from collections.abc import Mapping

from studykit.html.pages import Pages
from studykit.scheduling.class_figures import class_figures, notes
from studykit.scheduling.class_report import READY, ClassReport


def class_page(report: ClassReport, words: Mapping[str, str]) -> str:
    """Render the class report as a page. `words` names slips and other wrong answers."""
    facts = [
        (f"{report.size:,}", "students"),
        (f"{report.active:,}", f"active in {report.silent_days} days"),
        (f"{report.answers:,}", "answers"),
        (f"{report.course:,}", "cards in the course"),
    ]
    if report.exam is not None:
        facts.append((f"{report.ready:,}", f"ready for the exam ({READY:.0%})"))
    figures = class_figures(report, words, on_page=True)
    return Pages().class_report(day=str(report.day), facts=facts, figures=figures, notes=notes(report))
