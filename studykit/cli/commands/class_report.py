"""Compute the figures of `study class report` from a class's logs, read from its server or a folder."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cli.authors import attach_authors
from studykit.cli.commands.import_ import MAX_BYTES, parse_document
from studykit.cli.commands.stats_views import asked
from studykit.cli.context import Context, refuse_password
from studykit.cli.progress_bar import progress
from studykit.collection.lookup import deck_ids
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
from studykit.exercise.wrong_answers import cluster
from studykit.ordinary_file import explaining, read_named
from studykit.scheduling.class_report import ClassFigures, ClassReport
from studykit.scheduling.progress_file import read_progress
from studykit.scheduling.student_figures import CourseCard, StudentRow, student_figures, student_row
from studykit.store.address import is_url
from studykit.text import shown_name

if TYPE_CHECKING:
    Logs = Iterable[tuple[str, list[StudentRow]]]


def class_report(
    context: Context, source: str, exam: date | None, decks: Sequence[str], *, silent_days: int
) -> ClassReport:
    """Report on the class of a server or a folder. StudyError if no progress can be read."""
    attach_authors(context)
    course, day = _course(context, decks), context.today()
    figures = ClassFigures(course, day, silent_days=silent_days)
    exam_day = None if exam is None else exam.toordinal()
    with _logs(source) as (logs, students, remarks), progress(context, "reading logs", students) as bar:
        for name, rows in logs:
            figures.add(student_figures(name, rows, course, day.toordinal(), exam=exam_day, cluster=cluster))
            bar.advance()
    for remark in remarks:
        context.tell(f"study: {remark}")
    report = figures.report(exam)
    if not report.size:
        raise StudyError(f"{source} holds no readable progress. Ask the students to sync or export again.")
    return report


@contextmanager
def _logs(source: str) -> "Iterator[tuple[Logs, int, list[str]]]":
    """Open the logs of a class, with their number and a list of remarks, which reading the logs fills."""
    refuse_password(source)
    if is_url(source):
        from studykit.classroom.class_database import class_logs
        from studykit.classroom.class_server import server_url

        with class_logs(server_url(source)) as (logs, size):
            yield logs, size, []
    else:
        files, remarks = _progress_files(Path(source)), list[str]()
        yield _read_logs(files, remarks), len(files), remarks


def _course(context: Context, decks: Sequence[str]) -> Mapping[str, CourseCard]:
    """Return the cards of this learner's decks, or of those named."""
    store = context.refreshed_store()
    chosen_decks = frozenset(deck_ids(store.cards.deck_names(), decks))
    return {
        str(card.id): CourseCard(
            str(card.id), str(card.deck), card.objectives, asked(card), f"{card.path}:{card.line}"
        )
        for card in store.cards.all()
        if not chosen_decks or card.deck in chosen_decks
    }


def _progress_files(folder: Path) -> list[Path]:
    """List the progress files of a folder, or raise StudyError if it has none."""
    if not folder.exists():
        raise NotFoundError(f"{folder} does not exist. Name a folder of progress files, or a server's address.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file. Name a folder with one progress file for each student.")
    with explaining(f"{folder} cannot be read: ", ".", NotFoundError):
        files = sorted(file for file in folder.iterdir() if file.suffix == ".json" and file.name[:1] != ".")
    if not files:
        raise NotFoundError(
            f"{folder} holds no .json file. Students write one", "study export progress -o NAME.json"
        )
    return files


def _read_logs(files: Iterable[Path], remarks: list[str]) -> "Logs":
    """Yield each file's student and ordered log. What cannot be read is added to `remarks`."""
    for file in files:
        try:
            data = read_named(file, MAX_BYTES, "Name an ordinary file of progress.", BadDataError, follow=False)
            copy = read_progress(parse_document(data, file), shown_name(file.name))
        except StudyError as error:
            remarks.append(f"left out: {error}")
            continue
        if copy.aside:
            more = f" (and {len(copy.aside) - 1} more)" if len(copy.aside) > 1 else ""
            remarks.append(f"{copy.aside[0]}{more}")
        events = sorted(copy.events, key=lambda event: (event.moment, event.id))
        yield shown_name(file.stem), [student_row(event) for event in events]
