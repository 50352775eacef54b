"""A folder of submissions graded: what an earlier run knew is kept, and nothing that one file does ends it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studykit.errors import NotFoundError, UsageError
from studykit.submissions.grader import Result
from studykit.submissions.results_log import ResultsLog, key
from studykit.submissions.submission import BatchTask, FolderNames, Submission, read_submission, submission_names

ResultsOf = Callable[[Iterable[Submission]], Iterable[Result | None]]
"""What grades: the result of each in any order; None now and then while there is none, for a sign of life."""
_NO_RESULTS: Mapping[str, Result] = {}


@dataclass(slots=True)
class Batch:
    """The files of a folder and what came of them, by name; `results` is complete once `run` has ended."""

    folder: Path
    task: BatchTask
    names: Sequence[str]
    results: dict[str, Result]
    waiting: Sequence[str]  # names, each read when its turn comes: one of the class may hand in a million files
    known: int  # results that an earlier run left
    passed: int = 0  # of the results, once it runs

    def run(self, results_of: ResultsOf, log: ResultsLog | None, look: Callable[["Batch"], None]) -> None:
        """Grade what is waiting. Each result is logged before the next one starts, and `look` is called."""
        self.passed = sum(one.passed for one in self.results.values())
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
            match read_submission(self.folder, name, self.task):
                case str(why):  # by now
                    self.results[name] = Result(name, {"problem": why})
                case Submission() as submission:
                    yield submission

    @property
    def ordered(self) -> list[Result]:
        """Return the results by the names of their files."""
        return [self.results[name] for name in self.names if name in self.results]


def open_batch(
    folder: Path, names: Sequence[str], task: BatchTask, earlier: Mapping[str, Result] = _NO_RESULTS
) -> Batch:
    """Open the batch of a folder. Unchanged files with a result in `earlier` are not graded again."""
    results: dict[str, Result] = {}
    waiting: list[str] = []
    count = 0
    for name in names:
        match read_submission(folder, name, task):
            case str(why):
                results[name] = Result(name, {"problem": why})
            case Submission(fingerprint=mark) if (graded := earlier.get(key(mark, name))) is not None:
                results[name] = graded
                count += 1
            case Submission():
                waiting.append(name)
    return Batch(folder, task, names, results, waiting, count)


def names_in(folder: Path) -> FolderNames:
    """List what is below a folder, or refuse one with nothing to grade."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.")
    names = submission_names(folder)
    if not names.answers:
        raise NotFoundError(f"{folder} holds no .py file to grade.")
    return names
