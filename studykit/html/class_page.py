"""Render the report of a class as one page without requests and scripts."""

from collections.abc import Mapping

from studykit.html.pages import Pages
from studykit.scheduling.class_figures import class_figures, notes, summary
from studykit.scheduling.class_report import ClassReport


def class_page(report: ClassReport, words: Mapping[str, str]) -> str:
    """Render the class report as a page. `words` names slips and other wrong answers."""
    figures = class_figures(report, words, on_page=True)
    values = {"summary": summary(report), "figures": figures, "notes": notes(report)}
    return Pages().report("class_report", day=report.day, **values)
