"""Grades one submission: a function whose results do not hang on order or place, and a process that calls it.

`python -m studykit.submissions.grader --channel=FD` serves one batch, so that a file that ends or holds up the
judge costs the others nothing. Frames are JSON, as in `studykit.sandbox.channel`.
"""

import argparse
import contextlib
import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
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
_SEARCH_S = 20.0  # far more than the search for a mistake needs, so that a busy machine explains no less
_BUG = "studykit failed on this file, and no grade came of it ({error}); please report it with the file."


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a file: the grade as `study grade --json` tells it, or `problem`, why there is none."""

    name: str
    told: Mapping[str, object]
    signature: str = ""
    fingerprint: str = ""  # of what was graded; empty where grading again may tell more

    @property
    def verdict(self) -> str:
        """Return the verdict's name, or "" without a grade."""
        return str(self.told.get("verdict", ""))

    @property
    def passed(self) -> bool:
        """Return whether the answer is right."""
        return self.verdict == RIGHT


def checked_result(found: object) -> Result:
    """Check a result from another machine or an earlier run. ValueError if it cannot be shown."""
    try:
        result = Result(**found)  # type: ignore[arg-type]
        json.dumps(asdict(result), allow_nan=False)
        came = result.told.get("verdict", result.told.get("problem"))
    except (TypeError, AttributeError, RecursionError):
        raise ValueError("no result") from None
    words = (result.name, result.signature, result.fingerprint, came)
    if not all(isinstance(word, str) for word in words) or "path" in result.told:  # a document adds the path
        raise ValueError("no result")
    return result


@dataclass(slots=True)
class GradingPlaces:
    """Where a process grades: this user's shared worker, and for a second try a private one."""

    device: str | None = None
    runtime: Path | None = None  # of the shared worker; None where there is to be none
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _place: Place | None = None

    def usual(self) -> Place:
        """Return the place that stays open from one submission to the next."""
        if self._place is None:
            shared = place_for(lambda backend: self._worker(backend, shared=True), self.device)
            self._place = self._open.enter_context(shared)
        return self._place

    @contextlib.contextmanager
    def alone(self) -> Iterator[Place]:
        """Open a place for one submission. The usual one is closed, for it has failed."""
        self.close()
        with place_for(lambda backend: self._worker(backend, shared=False), self.device) as place:
            yield place

    def close(self) -> None:
        """Let the usual place go."""
        self._place = None
        self._open.close()

    def _worker(self, backend: str, *, shared: bool) -> Worker:
        shared = shared and self.runtime is not None
        return open_worker(backend=backend, shared=shared, runtime=self.runtime)


def grade_submission(
    places: GradingPlaces, submission: Submission, *, on_retry: Callable[[], None] = lambda: None
) -> Result:
    """Grade one submission, whatever it does. If killed, alone or with its worker, it is tried once more."""
    try:
        return _tried_twice(places, submission, on_retry)
    except Exception as error:  # noqa: BLE001 - one file must not cost a class its results
        return Result(submission.name, {"problem": _BUG.format(error=f"{type(error).__name__}: {error}"[:200])})


def _tried_twice(places: GradingPlaces, submission: Submission, on_retry: Callable[[], None]) -> Result:
    with contextlib.suppress(MissingError):
        verdict, result = _graded(places.usual(), submission)
        if not _is_killed(verdict):
            return result
    on_retry()  # the child was killed, perhaps for a neighbor's memory, or the worker and its children with it
    try:
        with places.alone() as place:
            return _graded(place, submission)[1]
    except MissingError as error:
        return Result(submission.name, {"problem": f"There is no grade: {error}"})


def _is_killed(verdict: Verdict) -> bool:
    return isinstance(verdict, Crashed) and verdict.killed


def _graded(place: Place, submission: Submission) -> tuple[Verdict, Result]:
    exercise = rewrite_named(submission.exercise)
    random = Random(f"{submission.seed}:".encode() + os.fsencode(submission.name))  # every file its own shapes
    graded = grade(replace(place, search_s=_SEARCH_S, fresh=None), exercise, submission.source, random)
    verdict = graded.judgment.verdict
    # Where somebody else may have ended it, or taken its time, a later run asks again.
    again = _is_killed(verdict) or (isinstance(verdict, TimedOut) and not verdict.of_cpu)
    mark = "" if again else submission.fingerprint
    return verdict, Result(submission.name, document(graded), exercise.signature, mark)


def over_budget(submission: Submission, seconds: float) -> Result:
    """Return the result of a submission that ran out of time, so that a later run asks again."""
    exercise = rewrite_named(submission.exercise)
    verdict = TimedOut(seconds)
    why = f"There is no verdict after {seconds:g} seconds, which is all the time that a submission has."
    document = {
        "exercise": exercise.id,
        "verdict": verdict.name,
        "checks": [],
        "diagnosis": why,
        "seconds": seconds,
    }
    return Result(submission.name, document, exercise.signature)


def main() -> None:
    """Grade what the channel brings until it ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--channel", type=int, required=True)
    channel = socket.socket(fileno=parser.parse_args().channel)
    with contextlib.suppress(OSError):  # the other side has gone
        _serve(channel)


def _serve(channel: socket.socket) -> None:
    first = receive(channel, MAX_FRAME_BYTES)
    if first is None:
        return
    runtime = first.header["runtime"]
    places = GradingPlaces(first.header["device"], Path(runtime) if runtime else None)
    try:
        channel.sendall(pack({"ready": _warm(places)}))
        while (frame := receive(channel, MAX_FRAME_BYTES)) is not None:
            submission = Submission(**frame.header, source=frame.blobs[0].decode())
            result = grade_submission(places, submission, on_retry=lambda: channel.sendall(pack({"again": True})))
            channel.sendall(pack({"result": True}, [json.dumps(asdict(result)).encode()]))
    finally:
        places.close()


def _warm(places: GradingPlaces) -> str:
    """Wait for the worker's imports outside any time limit; return an error text or ""."""
    try:
        places.usual().child().close()
    except MissingError as error:
        places.close()
        return str(error)
    return ""


if __name__ == "__main__":
    main()
