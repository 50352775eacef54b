"""Grade one submission, so that the result does not depend on the order or the machine.

`python -m studykit.submissions.grader FD` grades in a process of its own, so that a file that kills or
blocks the judge does not harm the others. Frames are JSON, as in `studykit.sandbox.channel`.
"""

import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random

from studykit.errors import MissingError
from studykit.exercise.catalog import rewrite_named
from studykit.exercise.verdict import Crashed, TimedOut, Verdict
from studykit.graders.host.grade import document, grade
from studykit.graders.host.place import Place, place_for
from studykit.sandbox.channel import pack, receive
from studykit.sandbox.worker import Worker, open_worker
from studykit.scheduling.outcomes import RIGHT
from studykit.submissions.submission import Submission

MAX_FRAME_BYTES = 16 << 20
_SEARCH_S = 20.0  # far more than the search for a mistake needs, so that a busy machine explains as much
_BUG = "Not graded: studykit failed on this file ({error}). Please report it with the file."


@dataclass(frozen=True, slots=True)
class Result:
    """Hold the grade of a file in the form of `study grade --json`, or under `problem` why it has none."""

    name: str
    told: Mapping[str, object]  # named so in files that an earlier run saved
    signature: str = ""
    fingerprint: str = ""  # of what was graded, or "" if grading it again may give another result

    @property
    def verdict(self) -> str:
        """Return the verdict's name, or "" without a grade."""
        return str(self.told.get("verdict", ""))

    @property
    def passed(self) -> bool:
        """Return whether the answer is right."""
        return self.verdict == RIGHT


def checked_result(data: object) -> Result:
    """Parse a result from another machine or an earlier run. Raise ValueError if it is invalid."""
    try:
        result = Result(**data)  # type: ignore[arg-type]
        json.dumps(asdict(result), allow_nan=False)
        outcome = result.told.get("verdict", result.told.get("problem"))
    except (TypeError, AttributeError, RecursionError):
        raise ValueError("The data is not a result of grading.") from None
    texts = (result.name, result.signature, result.fingerprint, outcome)
    # `path` is added when the results are written, and a result must not choose it.
    if not all(isinstance(text, str) for text in texts) or "path" in result.told:
        raise ValueError("The data is not a result of grading.")
    return result


@dataclass(slots=True)
class GradingPlaces:
    """Open the place to grade in, which stays open from one submission to the next until it fails."""

    device: str | None = None
    runtime: Path | None = None  # folder of the socket of this user's shared worker, None for a private worker
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _place: Place | None = None

    def usual(self) -> Place:
        """Return the place, opened if needed."""
        if self._place is None:
            self._place = self._open.enter_context(place_for(self._open_worker, self.device))
        return self._place

    def _open_worker(self, backend: str) -> Worker:
        return open_worker(backend=backend, shared=self.runtime is not None, runtime=self.runtime)

    def close(self) -> None:
        """Close the place."""
        self._place = None
        self._open.close()


def grade_submission(
    places: GradingPlaces, submission: Submission, *, on_retry: Callable[[], None] = lambda: None
) -> Result:
    """Grade one submission, whatever it does. If its child or its worker is killed, grade it once more."""
    try:
        return _grade_up_to_twice(places, submission, on_retry)
    except Exception as error:  # noqa: BLE001 - one file must not cost a class its results
        return Result(submission.name, {"problem": _BUG.format(error=f"{type(error).__name__}: {error}"[:200])})


def _grade_up_to_twice(places: GradingPlaces, submission: Submission, on_retry: Callable[[], None]) -> Result:
    with contextlib.suppress(MissingError):
        verdict, result = _graded(places.usual(), submission)
        if not _is_killed(verdict):
            return result
    # The OOM killer may have chosen this child or the shared worker because of another child's memory.
    on_retry()
    places.close()
    alone = GradingPlaces(places.device, None)
    try:
        return _graded(alone.usual(), submission)[1]
    except MissingError as error:
        return Result(submission.name, {"problem": f"Not graded: {error}"})
    finally:
        alone.close()


def _is_killed(verdict: Verdict) -> bool:
    return isinstance(verdict, Crashed) and verdict.killed


def _graded(place: Place, submission: Submission) -> tuple[Verdict, Result]:
    exercise = rewrite_named(submission.exercise)
    # Each file gets its own shapes, which are the same on every machine and in every run.
    random = Random(f"{submission.seed}:".encode() + os.fsencode(submission.name))
    graded = grade(replace(place, search_s=_SEARCH_S, fresh=None), exercise, submission.source, random)
    verdict = graded.judgment.verdict
    # If a busy machine may be the reason, leave out the fingerprint, so that a later run grades it again.
    is_uncertain = _is_killed(verdict) or (isinstance(verdict, TimedOut) and not verdict.of_cpu)
    fingerprint = "" if is_uncertain else submission.fingerprint
    return verdict, Result(submission.name, document(graded), exercise.signature, fingerprint)


def over_budget(submission: Submission, seconds: float) -> Result:
    """Return the result of a submission that ran out of time. A later run grades it again."""
    exercise = rewrite_named(submission.exercise)
    verdict = TimedOut(seconds)
    why = f"Grading stopped after {seconds:g} seconds, the limit for a submission."
    document: dict[str, object] = {"exercise": exercise.id, "verdict": verdict.name, "checks": []}
    document |= {"diagnosis": why, "seconds": seconds}
    return Result(submission.name, document, exercise.signature)


def main() -> None:
    """Grade the submissions that arrive on the channel until it is closed."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    with contextlib.suppress(OSError):  # the batch has ended
        if (first := receive(channel, MAX_FRAME_BYTES)) is not None:
            runtime = first.header["runtime"]
            _serve(channel, GradingPlaces(first.header["device"], Path(runtime) if runtime else None))


def _serve(channel: socket.socket, places: GradingPlaces) -> None:
    try:
        channel.sendall(pack({"ready": _warm(places)}))
        while (frame := receive(channel, MAX_FRAME_BYTES)) is not None:
            submission = Submission(**frame.header, source=frame.blobs[0].decode())
            result = grade_submission(places, submission, on_retry=lambda: channel.sendall(pack({"again": True})))
            channel.sendall(pack({"result": True}, [json.dumps(asdict(result)).encode()]))
    finally:
        places.close()


def _warm(places: GradingPlaces) -> str:
    """Wait for the worker's imports outside any time limit. Return an error text or ""."""
    try:
        places.usual().child().close()
    except MissingError as error:
        places.close()
        return str(error)
    return ""


if __name__ == "__main__":
    main()
