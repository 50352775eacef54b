"""`study stats --html FILE`: a learner's statistics as one page."""

from pathlib import Path
from typing import TYPE_CHECKING

from studykit.errors import StudyError, UsageError
from studykit.exercise.estimate.feedback import slip_names
from studykit.html.pages import Pages
from studykit.html.statistics_view import PageFigures, facts, sections
from studykit.ordinary_file import replace_file

if TYPE_CHECKING:
    from studykit.cli.stats_views import StatsFigures

_ENDINGS = frozenset((".html", ".htm"))


def write_page(figures: "StatsFigures", path: Path) -> int:
    """Put the page in place of the file; returns its bytes. UsageError where the name is no page's."""
    if path.suffix.casefold() not in _ENDINGS:
        raise UsageError(f"--html writes a page over {path}: give a name that ends with .html.")
    shown = PageFigures(
        figures.statistics,
        figures.year,
        figures.spread,
        figures.answers,
        figures.bets,
        figures.betting,
        figures.mastery,
        questions={card.card: figures.question(card.card) for card in figures.statistics.hardest},
        slip_names=slip_names(slip.slip for slip in figures.statistics.slips),
    )
    page = Pages().statistics(str(figures.statistics.day), facts(shown), sections(shown)).encode()
    try:
        replace_file(path, page)
    except OSError as error:
        raise StudyError(f"{path} cannot be written: {error.strerror}. Choose another file.") from None
    return len(page)
