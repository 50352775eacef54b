"""A folder of progress files, one of each student: what is read of it, and a sentence on each file that is not."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from studykit.cli.commands.import_ import MAX_BYTES, parse_document
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
from studykit.ordinary_file import NotOrdinaryError, read_ordinary
from studykit.scheduling.events import Event
from studykit.scheduling.progress_file import read_progress
from studykit.scheduling.student_figures import StudentRow, student_row
from studykit.text import counted, shown_name

_ID = re.compile(rb'"id"\s*:\s*"([0-9a-fA-F-]{36})"')
_SHOWN = 3
_COMMON = 2  # times the shared events that the smaller file has at most


class ProgressFolder:
    """The students of a folder; two files that share events are one student's, and are united."""

    def __init__(self, folder: Path) -> None:
        """NotFoundError where there is no such folder, or no file in it that could be progress."""
        if not folder.exists():
            raise NotFoundError(f"there is no folder {folder}; name one of progress files, or a server's address.")
        if not folder.is_dir():
            raise UsageError(f"{folder} is a file: name a folder of progress files, one of each student.")
        self.told: list[str] = []
        files = _files(folder)
        if not files:
            raise NotFoundError(
                f"{folder} holds no .json file; students write one: study export progress -o NAME.json"
            )
        self._groups = self._grouped(files)
        self.students = len(self._groups)

    def __iter__(self) -> Iterator[tuple[str, list[StudentRow]]]:
        """Each student's name, that of the file, and the log in its order."""
        for files in self._groups:
            if (events := self._events(files)) is not None:
                yield files[0].stem, [student_row(event) for event in events]

    def _grouped(self, files: Sequence[Path]) -> list[list[Path]]:
        """The files by student, the fullest first; two that share half of the smaller one are one student's.

        Fewer may be what both have from one package of Anki's.
        """
        owner: dict[int, int] = {}  # half of an event's id: the place of a file that has it
        joined = list(range(len(files)))
        sizes = [0] * len(files)

        def root(place: int) -> int:
            while joined[place] != place:
                place = joined[place]
            return place

        for place, file in enumerate(files):
            ids = _ids(file)
            sizes[place] = len(ids)
            for other, shared in Counter(owner.setdefault(id_, place) for id_ in ids).items():
                if _COMMON * shared >= min(sizes[place], sizes[other]):
                    joined[root(place)] = root(other)
        groups: dict[int, list[int]] = {}
        for place in range(len(files)):
            groups.setdefault(root(place), []).append(place)
        found = [[files[place] for place in sorted(each, key=lambda at: -sizes[at])] for each in groups.values()]
        for first, *others in found:
            if others:
                self.told.append(_united(first, others))
        return found

    def _events(self, files: Sequence[Path]) -> list[Event] | None:
        """The union of a student's files; None where none of them can be read, which is told."""
        events = {}
        read = False
        for file in files:
            try:
                progress = read_progress(parse_document(_bytes(file), file), shown_name(file.name))
            except StudyError as error:
                self.told.append(f"left out: {error}")
                continue
            read = True
            events.update({event.id: event for event in progress.events})
            if progress.aside:
                more = f" (and {len(progress.aside) - 1} more)" if len(progress.aside) > 1 else ""
                self.told.append(f"{progress.aside[0]}{more}")
        return sorted(events.values(), key=lambda event: (event.moment, event.id)) if read else None


def _files(folder: Path) -> list[Path]:
    try:
        found = [path for path in folder.iterdir() if path.suffix == ".json" and not path.name.startswith(".")]
    except OSError as error:
        raise NotFoundError(f"{folder} cannot be read: {error.strerror}.") from None
    return sorted(found)


def _bytes(file: Path) -> bytes:
    try:
        return read_ordinary(file, MAX_BYTES)
    except NotOrdinaryError as error:
        raise BadDataError(f"{shown_name(file.name)} {error}; a student's progress is a file.") from None
    except OSError as error:
        raise BadDataError(f"{shown_name(file.name)} cannot be read: {error.strerror}.") from None


def _ids(file: Path) -> set[int]:
    """Half of the id of each event, without reading the document: enough to tell who has events in common."""
    try:
        data = _bytes(file)
    except BadDataError:  # told when its turn comes
        return set()
    return {int(text.replace(b"-", b"")[16:], 16) for text in _ID.findall(data)}


def _united(first: Path, others: Sequence[Path]) -> str:
    names = ", ".join(shown_name(other.name) for other in others[:_SHOWN])
    more = f" and {counted(len(others) - _SHOWN, 'more file')}" if len(others) > _SHOWN else ""
    return f"{shown_name(first.name)} shares events with {names}{more}: counted once, as {shown_name(first.stem)}."
