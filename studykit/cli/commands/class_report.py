"""Compute the figures of `study class report` from a class's logs, read from its server or a folder."""

import hmac
import os
import re
from base64 import b32encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from datetime import date
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cli.authors import attach_authors
from studykit.cli.commands.import_ import MAX_BYTES, parse_document
from studykit.cli.commands.stats_views import asked
from studykit.cli.context import Context, refuse_password
from studykit.cli.progress_bar import progress
from studykit.collection.lookup import deck_ids
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
from studykit.exercise.wrong_answers import Diagnose, cluster
from studykit.ordinary_file import explaining, make_folder, read_named, replace_file
from studykit.scheduling.class_report import ClassReport
from studykit.scheduling.class_report import class_report as report_on_class
from studykit.scheduling.progress_file import ReadProgress, read_progress
from studykit.scheduling.student_figures import (
    CourseCard,
    StudentFigures,
    StudentRow,
    student_figures,
    student_row,
)
from studykit.store.address import is_url
from studykit.text import counted, shown_name

if TYPE_CHECKING:
    Logs = Iterable[tuple[str, list[StudentRow]]]

_EVENT_ID = re.compile(rb'"id"\s*:\s*"([0-9a-f-]{36})"')
_MAX_NAMES = 3  # of files, in a remark
_KEY_BYTES = 32
_HALF = 4  # letters of a code
_MAX_DIAGNOSIS_CHARACTERS = 160


def class_report(
    context: Context,
    source: str,
    exam: date | None,
    decks: Sequence[str],
    *,
    silent_days: int,
    codes: bool,
    diagnose: bool,
) -> ClassReport:
    """Report on the class of a server or a folder. Raise StudyError if no progress can be read.

    `codes` replaces names by codes, and `diagnose` names what is wrong with wrong rewrites.
    """
    attach_authors(context)
    rename = code_maker(context.config_file.parent / "class-codes.key") if codes else str
    course, day = _course(context, decks), context.today()
    exam_day = None if exam is None else exam.toordinal()
    with (
        _diagnosis(context) if diagnose else nullcontext() as diagnosis,
        _logs(source) as (logs, students, remarks),
        progress(context, "reading logs", students) as bar,
    ):
        namer = partial(cluster, diagnose=diagnosis)

        def figures() -> Iterator[StudentFigures]:
            for name, rows in logs:
                yield student_figures(rename(name), rows, course, day.toordinal(), exam=exam_day, cluster=namer)
                bar.advance()

        report = report_on_class(figures(), course, day, silent_days=silent_days, exam=exam)
    for remark in remarks:
        context.tell(f"study: {remark}")
    if not report.size:
        raise StudyError(f"{source} holds no readable progress. Ask the students to sync or export again.")
    return report


def code_maker(key_file: Path) -> Callable[[str], str]:
    """Return a function that maps a name to a code such as k7q2-m3xa, by a key that is made at its first use."""
    with explaining(
        f"{key_file}, the key of the codes, cannot be kept: ", ". Correct that, or leave out --codes.", StudyError
    ):
        if not key_file.exists():
            make_folder(key_file.parent, 0o700)
            replace_file(key_file, os.urandom(_KEY_BYTES), mode=0o600)
        key = key_file.read_bytes()

    def code(name: str) -> str:
        letters = b32encode(hmac.digest(key, name.encode(errors="replace"), "sha256")).decode().lower()
        return f"{letters[:_HALF]}-{letters[_HALF : 2 * _HALF]}"

    return code


@contextmanager
def _diagnosis(context: Context) -> Iterator[Diagnose]:
    """Start a grader, and yield a function that names what is wrong with the code of a rewrite."""
    from studykit.graders.host.place import LIMITS
    from studykit.submissions.grader_processes import GraderProcesses
    from studykit.submissions.submission import Submission

    first_wordings: dict[str, str] = {}
    with closing(GraderProcesses("cpu", context.worker_folder, 6 * LIMITS.wall_s, most=1)) as graders:

        @cache
        def diagnose(exercise: str, source: str) -> str:
            result = graders.grade(Submission(exercise, exercise, source, 0, ""))
            diagnosis = str(result.told.get("diagnosis", "")).partition("\n")[0][:_MAX_DIAGNOSIS_CHARACTERS]
            # Mistakes that differ only in numbers, such as sizes, count as one.
            return first_wordings.setdefault(re.sub(r"\d+", "0", diagnosis), diagnosis)

        yield diagnose


@contextmanager
def _logs(source: str) -> "Iterator[tuple[Logs, int, list[str]]]":
    """Open the logs of a class. Yield them, their number, and a list of remarks that reading them fills."""
    refuse_password(source)
    if is_url(source):
        from studykit.classroom.class_database import opened_class
        from studykit.classroom.class_server import server_url

        with opened_class(server_url(source)) as class_:
            yield class_.logs(), class_.size(), []
    else:
        files, remarks = _progress_files(Path(source)), list[str]()
        students = _files_by_student(files, remarks)
        yield _read_logs(students, remarks), len(students), remarks


def _course(context: Context, decks: Sequence[str]) -> Mapping[str, CourseCard]:
    """Map ids to the cards of this learner's decks, or of the named decks."""
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
    """List the progress files of a folder, the largest first, or raise StudyError if it has none."""
    if not folder.exists():
        raise NotFoundError(f"{folder} does not exist. Name a folder of progress files, or a server's address.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file. Name a folder with one progress file for each student.")
    with explaining(f"{folder} cannot be read: ", ". Allow reading it.", NotFoundError):
        files = [file for file in folder.iterdir() if file.suffix == ".json" and file.name[:1] != "."]
        files.sort(key=lambda file: (-file.lstat().st_size, file))
    if not files:
        raise NotFoundError(
            f"{folder} holds no .json file. Students write one", "study export progress -o NAME.json"
        )
    return files


def _files_by_student(files: Iterable[Path], remarks: list[str]) -> list[list[Path]]:
    """Group files by student, each group in the order given, and add a remark for each with several files.

    Two files are one student's if they share half of the smaller one's events. Fewer shared events may come
    from a package of Anki that two students imported.
    """
    students: dict[Path, list[Path]] = {}
    owners: dict[bytes, Path] = {}  # event id: the first file of its student
    sizes: dict[Path, int] = {}
    for file in files:
        ids = _event_ids(file)
        sizes[file] = len(ids)
        shared = Counter(owners[id_] for id_ in ids & owners.keys())
        owner, count = max(shared.items(), key=itemgetter(1), default=(file, 0))
        if 2 * count < min(len(ids), sizes[owner]):
            owner = file
        students.setdefault(owner, []).append(file)
        owners |= dict.fromkeys(ids - owners.keys(), owner)
    groups = sorted(students.values())
    for first, *others in groups:
        if others:
            names = ", ".join(shown_name(other.name) for other in others[:_MAX_NAMES])
            rest = len(others) - _MAX_NAMES
            more = f" and {counted(rest, 'more file')}" if rest > 0 else ""
            same = f"{shown_name(first.name)} shares events with {names}{more}"
            remarks.append(f"{same}: counted once, as {shown_name(first.stem)}.")
    return groups


def _event_ids(file: Path) -> set[bytes]:
    """Return the ids of a file's events without parsing it, or an empty set if it cannot be read."""
    try:
        return set(_EVENT_ID.findall(_read_bytes(file)))
    except BadDataError:  # reported when the log is read
        return set()


def _read_bytes(file: Path) -> bytes:
    return read_named(file, MAX_BYTES, "Put an ordinary file of progress there.", BadDataError, follow=False)


def _read_logs(students: Iterable[Sequence[Path]], remarks: list[str]) -> "Logs":
    """Yield each student's name and ordered log, and add what cannot be read to `remarks`."""
    for files in students:
        copies = [copy for file in files if (copy := _read_copy(file, remarks)) is not None]
        if copies:
            events = {event.id: event for copy in copies for event in copy.events}
            ordered = sorted(events.values(), key=lambda event: (event.moment, event.id))
            yield shown_name(files[0].stem), [student_row(event) for event in ordered]


def _read_copy(file: Path, remarks: list[str]) -> ReadProgress | None:
    try:
        copy = read_progress(parse_document(_read_bytes(file), file), shown_name(file.name))
    except StudyError as error:
        remarks.append(f"left out: {error}")
        return None
    if copy.aside:
        more = f" (and {len(copy.aside) - 1} more)" if len(copy.aside) > 1 else ""
        remarks.append(f"{copy.aside[0]}{more}")
    return copy
