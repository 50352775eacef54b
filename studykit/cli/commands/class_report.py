"""`study class report`: where the students of a class stand, and what stops them."""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli.authors import attach_authors
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.cli.progress_bar import progress
from studykit.cli.surroundings import refuse_password
from studykit.errors import StudyError, UsageError
from studykit.store.address import Address, is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from studykit.cards.card import Card
    from studykit.exercise.wrong_answers import Diagnose
    from studykit.scheduling.class_report import ClassReport
    from studykit.scheduling.student_figures import CourseCard, StudentRow

    Logs = Iterable[tuple[str, list[StudentRow]]]

Source = Annotated[
    str, typer.Argument(metavar="URL|FOLDER", help="The class's server, or a folder of progress files.")
]
Exam = Annotated[
    str | None, typer.Option("--exam", metavar="DATE", help="Reckon what each student will recall on that day.")
]
Decks = Annotated[
    list[str] | None, typer.Option("--deck", metavar="DECK", help="Cards of this deck alone; again for more.")
]
Silent = Annotated[int, typer.Option("--silent", metavar="DAYS", min=1, help="Days without an answer to be told.")]
Codes = Annotated[bool, typer.Option("--codes", help="Stable codes in the place of names.")]
Public = Annotated[
    bool, typer.Option("--public", help="No students at all, and no line that fewer than five stand behind.")
]
Page = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page that needs nothing else.")]
Gradebook = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for each student.")]
Whole = Annotated[bool, typer.Option("--all", help="Every student, card, exercise and slip.")]
Diagnosed = Annotated[
    bool, typer.Option("--diagnose", help="Grade wrong rewrites once more in the sandbox, for what is wrong.")
]

_LONGEST_DAYS = 400  # to an exam
_PRIVATE, _OPEN = 0o600, 0o644


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What was asked for."""

    source: str
    exam: date | None
    decks: tuple[str, ...]
    silent_days: int
    codes: bool
    public: bool
    diagnose: bool


def report(
    ctx: typer.Context,
    source: Source,
    *,
    exam: Exam = None,
    decks: Decks = None,
    silent: Silent = 7,
    codes: Codes = False,
    public: Public = False,
    html: Page = None,
    csv: Gradebook = None,
    whole: Whole = False,
    diagnose: Diagnosed = False,
    json: Json = False,
) -> None:
    """Show where the students of a class stand, and which cards, exercises and slips stop them."""
    context = context_of(ctx)
    request = ReportRequest(source, _exam(context, exam), tuple(decks or ()), silent, codes, public, diagnose)
    if public and (codes or csv is not None):
        raise UsageError("--public tells of no student at all: leave --codes and --csv out.")
    figures = _reported(context, request)
    words = _words(figures)
    if html is not None:
        from studykit.html.class_page import class_page

        _write(html, class_page(figures, words), private=not public)
    if csv is not None:
        from studykit.cli.class_document import gradebook

        _write(csv, gradebook(figures.students, figures.cards_of), private=True)
    if json:
        from studykit.cli.class_document import document

        context.write_json(document(figures))
    elif html is not None or csv is not None:
        written = " and ".join(str(file) for file in (html, csv) if file is not None)
        context.write(f"Wrote {written}.")
    else:
        _draw(context, figures, words, whole=whole)


def _reported(context: Context, request: ReportRequest) -> "ClassReport":
    """The report, by name, by code or for everybody."""
    from studykit.scheduling.class_report import FEWEST, for_everybody, renamed

    found = _figures(context, request)
    if request.public:
        if found.size < FEWEST:
            why = f"the class has {found.size}, and a report for everybody needs {FEWEST} or more"
            raise StudyError(f"{why}: leave --public out, and keep the report to yourself.")
        return for_everybody(found)
    if request.codes:
        from studykit.cli.student_codes import code_maker

        return renamed(found, code_maker(context.config_file.parent / "class-codes.key"))
    return found


def _figures(context: Context, request: ReportRequest) -> "ClassReport":
    from studykit.exercise.wrong_answers import WrongAnswers
    from studykit.scheduling.class_report import ClassFigures
    from studykit.scheduling.student_figures import student_figures

    attach_authors(context)
    course, day = _course(context, request.decks), context.today()
    figures = ClassFigures(course, day, silent_days=request.silent_days)
    exam = None if request.exam is None else request.exam.toordinal()
    with ExitStack() as opened:
        diagnose = opened.enter_context(_diagnosing(context)) if request.diagnose else None
        sort = WrongAnswers(diagnose).cluster
        logs, students, remarks = opened.enter_context(_logs(request.source))
        bar = opened.enter_context(progress(context, "reading logs", students))
        for name, rows in logs:
            figures.add(student_figures(name, rows, course, day.toordinal(), exam=exam, cluster=sort))
            bar.advance()
    for said in remarks:
        context.tell(f"study: {said}")
    made = figures.report(request.exam)
    if not made.size:
        raise StudyError(f"{request.source} holds no progress that can be read.")
    return made


@contextmanager
def _logs(source: str) -> "Iterator[tuple[Logs, int, list[str]]]":
    """The logs of a class, how many there are, and what is to be told when they are read."""
    refuse_password(source)
    if is_url(source):
        from studykit.classroom.class_logs import class_logs

        with class_logs(Address(source)) as logs:
            yield logs, logs.students, []
    else:
        from studykit.cli.progress_folder import ProgressFolder

        folder = ProgressFolder(Path(source))
        yield folder, folder.students, folder.told


@contextmanager
def _diagnosing(context: Context) -> "Iterator[Diagnose]":
    """Grades answers in code one by one, each in a sandbox."""
    from studykit.graders.host.place import LIMITS
    from studykit.submissions.grader_processes import GraderProcesses
    from studykit.submissions.submission import Submission

    graders = GraderProcesses("cpu", context.worker_folder, 6 * LIMITS.wall_s, most=1)

    def diagnose(exercise: str, source: str) -> str:
        return str(graders.grade(Submission(exercise, exercise, source, 0, "")).told.get("diagnosis", ""))

    try:
        yield diagnose
    finally:
        graders.close()


def _course(context: Context, named: "tuple[str, ...]") -> "Mapping[str, CourseCard]":
    """The cards of this learner's decks, or of those named."""
    from studykit.collection.lookup import deck_ids

    store = context.refreshed_store()
    wanted = frozenset(deck_ids(store, named))
    return {str(card.id): _course_card(card) for card in store.cards.all() if not wanted or card.deck in wanted}


def _course_card(card: "Card") -> "CourseCard":
    from studykit.cli.stats_views import asked
    from studykit.scheduling.student_figures import CourseCard

    place = f"{card.path}:{card.line}"
    return CourseCard(str(card.id), str(card.deck), card.objectives, asked(card), place)


def _words(figures: "ClassReport") -> "Mapping[str, str]":
    """Slips by what they are called; other wrong answers are words already."""
    from studykit.exercise.estimate.feedback import slip_names

    found = {cluster.name for exercise in figures.exercises for cluster in exercise.clusters}
    return slip_names({slip.slip for slip in figures.slips} | {name for name in found if " " not in name})


def _exam(context: Context, text: str | None) -> date | None:
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--exam is {text!r}; give a day such as 2026-12-18.") from None
    if not 0 <= (day - context.today()).days <= _LONGEST_DAYS:
        raise UsageError(f"--exam is {text}; give a day from today on, within {_LONGEST_DAYS} days.")
    return day


def _write(file: Path, text: str, *, private: bool) -> None:
    from studykit.ordinary_file import replace_file

    try:
        replace_file(file, text.encode(), mode=_PRIVATE if private else _OPEN)
    except OSError as error:
        raise StudyError(f"{file} cannot be written: {error.strerror}. Choose another file.") from None


def _draw(context: Context, figures: "ClassReport", words: "Mapping[str, str]", *, whole: bool) -> None:
    from studykit.cli.class_view import ClassView
    from studykit.cli.drawing import Drawing

    drawing = Drawing(context)
    drawing.write(*ClassView(drawing, figures, words, whole=whole).parts())
