"""Compute the figures of `study class report` from a class's logs, read from its server or a folder."""

import hmac
import os
import re
from base64 import b32encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
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
from studykit.exercise.wrong_answers import Diagnose, WrongAnswers
from studykit.ordinary_file import NotOrdinaryError, explaining, read_ordinary
from studykit.scheduling.class_report import ClassFigures, ClassReport
from studykit.scheduling.events import Event
from studykit.scheduling.progress_file import read_progress
from studykit.scheduling.student_figures import CourseCard, StudentRow, student_figures, student_row
from studykit.store.address import is_url
from studykit.store.sqlite import create_private
from studykit.text import counted, shown_name

if TYPE_CHECKING:
    Logs = Iterable[tuple[str, list[StudentRow]]]

_ID = re.compile(rb'"id"\s*:\s*"([0-9a-fA-F-]{36})"')
_SHOWN = 3
_COMMON = 2  # times the shared events that the smaller file has at most
_KEY_BYTES, _CODE_BYTES = 32, 5
_HALF = 4  # letters of a code


def class_report(
    context: Context, source: str, exam: date | None, decks: Sequence[str], *, silent_days: int, diagnose: bool
) -> ClassReport:
    """Report on the class of a server or a folder. StudyError if no progress can be read."""
    attach_authors(context)
    course, day = _course(context, decks), context.today()
    figures = ClassFigures(course, day, silent_days=silent_days)
    exam_day = None if exam is None else exam.toordinal()
    with (
        _diagnosis(context) if diagnose else nullcontext() as diagnosis,
        _logs(source) as (logs, students, remarks),
        progress(context, "reading logs", students) as bar,
    ):
        answers = WrongAnswers(diagnosis)
        for name, rows in logs:
            figures.add(
                student_figures(name, rows, course, day.toordinal(), exam=exam_day, cluster=answers.cluster)
            )
            bar.advance()
    for remark in remarks:
        context.tell(f"study: {remark}")
    report = figures.report(exam)
    if not report.size:
        raise StudyError(f"{source} holds no progress that can be read.")
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
        folder = _ProgressFolder(Path(source))
        yield folder, folder.students, folder.remarks


@contextmanager
def _diagnosis(context: Context) -> "Iterator[Diagnose]":
    """Grade answers in code one by one, each in a sandbox."""
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


def _course(context: Context, decks: Sequence[str]) -> Mapping[str, CourseCard]:
    """Return the cards of this learner's decks, or of those named."""
    store = context.refreshed_store()
    chosen_decks = frozenset(deck_ids(store, decks))
    return {
        str(card.id): CourseCard(
            str(card.id), str(card.deck), card.objectives, asked(card), f"{card.path}:{card.line}"
        )
        for card in store.cards.all()
        if not chosen_decks or card.deck in chosen_decks
    }


class _ProgressFolder:
    """Read the logs of students from a folder. Files that share many events are united as one student's."""

    def __init__(self, folder: Path) -> None:
        """List the files, or raise NotFoundError if no folder or no file could be progress."""
        if not folder.exists():
            raise NotFoundError(f"There is no folder {folder}. Name one of progress files, or a server's address.")
        if not folder.is_dir():
            raise UsageError(f"{folder} is a file. Name a folder with one progress file for each student.")
        self.remarks: list[str] = []
        files = _files(folder)
        if not files:
            raise NotFoundError(
                f"{folder} holds no .json file. Students write one", "study export progress -o NAME.json"
            )
        self._groups = self._group_files(files)
        self.students = len(self._groups)

    def __iter__(self) -> Iterator[tuple[str, list[StudentRow]]]:
        """Yield each student's name, from the file's name, and the log in order."""
        for files in self._groups:
            if (events := self._events(files)) is not None:
                yield shown_name(files[0].stem), [student_row(event) for event in events]

    def _group_files(self, files: Sequence[Path]) -> list[list[Path]]:
        """Group the files by student, largest first. Two that share half of the smaller one are one student's.

        Fewer shared events may come from a package of Anki that both imported.
        """
        owner: dict[int, int] = {}  # half of an event's id: the place of a file that has it
        parents = list(range(len(files)))
        sizes = [0] * len(files)

        def root(place: int) -> int:
            while parents[place] != place:
                place = parents[place]
            return place

        for place, file in enumerate(files):
            ids = _ids(file)
            sizes[place] = len(ids)
            for other, shared_count in Counter(owner.setdefault(id_, place) for id_ in ids).items():
                if _COMMON * shared_count >= min(sizes[place], sizes[other]):
                    parents[root(place)] = root(other)
        groups: dict[int, list[int]] = {}
        for place in range(len(files)):
            groups.setdefault(root(place), []).append(place)
        students = [[files[at] for at in sorted(each, key=lambda at: -sizes[at])] for each in groups.values()]
        for first, *others in students:
            if others:
                self.remarks.append(_union_remark(first, others))
        return students

    def _events(self, files: Sequence[Path]) -> list[Event] | None:
        """Return the union of a student's files, or None with a remark if none can be read."""
        events = {}
        can_be_read = False
        for file in files:
            try:
                progress = read_progress(parse_document(_bytes(file), file), shown_name(file.name))
            except StudyError as error:
                self.remarks.append(f"left out: {error}")
                continue
            can_be_read = True
            events.update({event.id: event for event in progress.events})
            if progress.aside:
                more = f" (and {len(progress.aside) - 1} more)" if len(progress.aside) > 1 else ""
                self.remarks.append(f"{progress.aside[0]}{more}")
        return sorted(events.values(), key=lambda event: (event.moment, event.id)) if can_be_read else None


def _files(folder: Path) -> list[Path]:
    with explaining(f"{folder} cannot be read: ", ".", NotFoundError):
        return sorted(file for file in folder.iterdir() if file.suffix == ".json" and file.name[:1] != ".")


def _bytes(file: Path) -> bytes:
    try:
        return read_ordinary(file, MAX_BYTES)
    except NotOrdinaryError as error:
        raise BadDataError(f"{shown_name(file.name)} {error}. Name an ordinary file of progress.") from None
    except OSError as error:
        raise BadDataError(f"{shown_name(file.name)} cannot be read: {error.strerror}.") from None


def _ids(file: Path) -> set[int]:
    """Return half of each event's id without parsing: enough to tell which files share events."""
    try:
        data = _bytes(file)
    except BadDataError:  # told when its turn comes
        return set()
    return {int(text.replace(b"-", b"")[16:], 16) for text in _ID.findall(data)}


def _union_remark(first: Path, others: Sequence[Path]) -> str:
    names = ", ".join(shown_name(other.name) for other in others[:_SHOWN])
    more = f" and {counted(len(others) - _SHOWN, 'more file')}" if len(others) > _SHOWN else ""
    return f"{shown_name(first.name)} shares events with {names}{more}: counted once, as {shown_name(first.stem)}."


def code_maker(key_file: Path) -> Callable[[str], str]:
    """Return a function that maps a name to a code, such as k7q2-m3xa, by a key made at its first use."""
    with explaining(f"{key_file}, the key of the codes, cannot be kept: ", ".", StudyError):
        create_private(key_file)
        key = key_file.read_bytes()
        if len(key) < _KEY_BYTES:
            key = os.urandom(_KEY_BYTES)
            key_file.write_bytes(key)

    def code(name: str) -> str:
        digest = hmac.digest(key, name.encode(errors="replace"), "sha256")[:_CODE_BYTES]
        letters = b32encode(digest).decode().lower()
        return f"{letters[:_HALF]}-{letters[_HALF:]}"

    return code
