"""Grade a folder of submissions. Results of an earlier run are reused, and no single file can end the batch."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studykit.errors import NotFoundError, UsageError
from studykit.submissions.grader import Result
from studykit.submissions.results_log import ResultsLog
from studykit.submissions.submission import BatchTask, FolderNames, Submission, read_submission, submission_names

ResultsOf = Callable[[Iterable[Submission]], Iterable[Result | None]]
"""Grades submissions: yields results in any order, and None regularly while there are none, as a sign of life."""


@dataclass(slots=True)
class Batch:
    """Grade the files of a folder. `results` is complete once `run` has ended."""

    folder: Path
    task: BatchTask
    names: Sequence[str]
    results: dict[str, Result]
    waiting: Sequence[str]  # names only: somebody may hand in a million files, and each is read when it is graded
    known: int  # results from an earlier run
    passed: int = 0  # of the results, once it runs

    def run(self, results_of: ResultsOf, log: ResultsLog | None, look: Callable[["Batch"], None]) -> None:
        """Grade the waiting files. After each result, log it and call `look`."""
        self.passed = sum(result.passed for result in self.results.values())
        look(self)
        for result in results_of(self._submissions()):
            if result is not None:
                if log is not None:
                    log.add(result)
                self.results[result.name] = result
                self.passed += result.passed
            look(self)

    def _submissions(self) -> Iterator[Submission]:
        for name in self.waiting:
            submission = read_submission(self.folder, name, self.task)
            if isinstance(submission, str):  # it changed since the batch was opened
                self.results[name] = Result(name, {"problem": submission})
            else:
                yield submission

    @property
    def ordered(self) -> list[Result]:
        """Return the results in the order of their file names."""
        return [self.results[name] for name in self.names if name in self.results]


def open_batch(
    folder: Path, names: Sequence[str], task: BatchTask, earlier: Mapping[tuple[str, str], Result]
) -> Batch:
    """Return the batch for a folder. Unchanged files with a result in `earlier` are not graded again."""
    results: dict[str, Result] = {}
    waiting: list[str] = []
    known = 0
    for name in names:
        submission = read_submission(folder, name, task)
        if isinstance(submission, str):
            results[name] = Result(name, {"problem": submission})
        elif (result := earlier.get((submission.fingerprint, name))) is not None:
            results[name] = result
            known += 1
        else:
            waiting.append(name)
    return Batch(folder, task, names, results, waiting, known)


def names_in(folder: Path) -> FolderNames:
    """List the names below a folder. Raise UsageError for another path, or NotFoundError if it has no answers."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder. Name a folder of answers.")
    names = submission_names(folder)
    if not names.answers:
        raise NotFoundError(f"{folder} has no .py file to grade. Name a folder of answers.")
    return names
