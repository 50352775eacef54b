"""Grades a rewrite: the judge's inputs go to the exercise's code and to the answer, each in a child of its own."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random

from studykit.errors import MissingError
from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import ForgedError, Trial, decode
from studykit.exercise.verdict import Correct, Malformed, Refused
from studykit.graders.rewrite import whitelist
from studykit.graders.rewrite.judge import Judgment, Outcome, Raised, Returned, ending_sentence, judge, judge_unrun
from studykit.sandbox.client import Child, Ending, Worker
from studykit.sandbox.lockdown import Containment, Limits, containment
from studykit.sandbox.wire import Message
from studykit.text import MOST_CHARACTERS, printable

TRIALS = 5
_NAME_CHARACTERS = 80
_MOST_FAMILY = 16
SEARCH_S = 1.0
"""What the search for a wrong answer's mistakes may take."""
LIMITS = Limits(wall_s=10.0, cpu_s=5)
CUDA_LIMITS = Limits(wall_s=60.0, cpu_s=30, memory_bytes=16 << 30)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer runs."""

    worker: Worker
    device: str = "cpu"
    limits: Limits = LIMITS
    search_s: float = SEARCH_S  # on what one or two small things would make a wrong answer right

    @property
    def backend(self) -> str:
        """torch, or numpy where torch is not installed."""
        return self.worker.backend


@dataclass(frozen=True, slots=True)
class Graded:
    """A judgment with its circumstances."""

    exercise: Rewrite
    judgment: Judgment
    seconds: float  # from the first request to the verdict, the worker's start included
    device: str
    backend: str
    printed: str = ""
    wrapped: bool = False  # bubblewrap was around it

    @property
    def held(self) -> Containment:
        """What the answer was held to."""
        return containment(wrapped=self.wrapped)


def grade(place: Place, exercise: Rewrite, source: str, random: Random, *, count: int = TRIALS) -> Graded:
    """The judgment on an answer over `count` fresh trials."""
    graded = _graded(place, exercise, source, random, count)
    return replace(graded, wrapped=place.worker.wrapped)


def _graded(place: Place, exercise: Rewrite, source: str, random: Random, count: int) -> Graded:
    began = time.monotonic()
    try:
        found = whitelist.read(source, exercise)
    except whitelist.UnreadableError as error:
        why = str(error)
        told = f"Cannot read the answer: {why}.\n{error.shown}".rstrip()
        return Graded(exercise, Judgment(Malformed(why), (), told), 0.0, *_where(place))
    if found.offences and (place.backend == "numpy" or not containment(wrapped=place.worker.wrapped).whole):
        return Graded(exercise, judge_unrun(exercise, found), time.monotonic() - began, *_where(place))
    trials = trial.draw(exercise, random, count)
    wanted, got, printed = _side_by_side(place, exercise, source, trials)
    judgment = judge(exercise, found, trials[: len(wanted)], wanted, got)
    if not isinstance(judgment.verdict, Correct):
        from studykit.graders.host.explain import Wrong, explained

        judgment = explained(place, exercise, Wrong(source, found, trials, wanted, got), judgment)
    return Graded(exercise, judgment, time.monotonic() - began, *_where(place), printed)


def _where(place: Place) -> tuple[str, str]:
    return place.device, place.backend


def reference(exercise: Rewrite, backend: str) -> str:
    """The code whose results are right: the exercise's own torch code, its solution where there is no torch."""
    return exercise.code if backend == "torch" else exercise.solution


def expected(place: Place, exercise: Rewrite, trials: Sequence[Trial]) -> list[Returned]:
    """What the exercise's own code returns."""
    with place.worker.start("run_rewrite", place.limits, device=place.device) as child:
        return _right(run(child, place, reference(exercise, place.backend), trials), exercise, child)


def outcomes(place: Place, source: str, trials: Sequence[Trial]) -> list[Outcome]:
    """What an answer does on each trial, up to the first that gives nothing."""
    with place.worker.start("run_rewrite", place.limits, device=place.device) as child:
        return run(child, place, source, trials)


def run(child: Child, place: Place, source: str, trials: Sequence[Trial]) -> list[Outcome]:
    """The same in a child that is at hand."""
    found: list[Outcome] = []
    reply = child.ask(_first(place, source))
    for one in trials:
        if _stopped(reply, found):
            return found
        _send(child, one)
        reply = child.receive()
        found.append(_outcome(reply))
    return found


def _side_by_side(
    place: Place, exercise: Rewrite, source: str, trials: Sequence[Trial]
) -> tuple[list[Returned], list[Outcome], str]:
    """Both children at work at once: while one answers the other computes."""
    with ExitStack() as stack:
        ours, theirs = (_begun(stack, place, code) for code in (reference(exercise, place.backend), source))
        wanted: list[Outcome] = []
        got: list[Outcome] = []
        ready, reply = ours.receive(), theirs.receive()
        _stopped(ready, wanted)
        _stopped(reply, got)
        for one in trials:
            for child, found in ((ours, wanted), (theirs, got)):
                if not _over(found):
                    _send(child, one)
            for child, found in ((ours, wanted), (theirs, got)):
                if not _over(found):
                    found.append(_outcome(child.receive()))
            if _over(wanted) or _over(got):
                break
        return _right(wanted, exercise, ours), got, theirs.shown()


def _begun(stack: ExitStack, place: Place, source: str) -> Child:
    """A child that reads its code while the next one is forked."""
    child = stack.enter_context(place.worker.start("run_rewrite", place.limits, device=place.device))
    child.send(_first(place, source))
    return child


def _over(found: Sequence[Outcome]) -> bool:
    return bool(found) and not isinstance(found[-1], Returned)


def _first(place: Place, source: str) -> dict[str, object]:
    return {"code": source, "function": "f", "backend": place.backend, "device": place.device}


def _send(child: Child, one: Trial) -> None:
    blobs = [tensor.data for tensor in one.tensors]
    header: dict[str, object] = {"arguments": one.described()}
    if one.upstream is not None:
        header["upstream"] = one.upstream.described()
        blobs.append(one.upstream.data)
    child.send(header, blobs)


def _stopped(reply: Message | Ending, found: list[Outcome]) -> bool:
    """Note down a first reply, or one in between, that says there will be no more."""
    if isinstance(reply, Message) and "error" not in reply.header:
        return False
    if not found or isinstance(found[-1], Returned):
        found.append(_outcome(reply))
    return True


def _outcome(reply: Message | Ending) -> Outcome:
    if not isinstance(reply, Message):
        return reply
    try:
        if "error" in reply.header:
            told = reply.header["error"]
            return _raised(told["type"], told["family"], told["message"], told["line"])
        blobs = list(reply.blobs)
        value = decode(reply.header["value"], blobs)
        gradients = tuple(decode(one, blobs) for one in reply.header.get("gradients", ()))
        return Returned(value, tuple(decode(one, blobs) for one in reply.header["inputs"]), gradients)
    except (ForgedError, KeyError, TypeError, ValueError, RecursionError):
        return Refused("its reply describes no value")


def _raised(kind: object, family: object, message: object, line: object) -> Raised:
    """An exception as a child tells of it, fit to be shown."""
    if not isinstance(family, list) or not isinstance(line, int):
        raise ForgedError("no exception")
    names = tuple(printable(str(name), _NAME_CHARACTERS) for name in family[:_MOST_FAMILY])
    shown = printable(str(kind), _NAME_CHARACTERS), names, printable(str(message), MOST_CHARACTERS)
    return Raised(*shown, line if 0 <= line <= whitelist.MOST_CHARACTERS else 0)


def _right(found: Sequence[Outcome], exercise: Rewrite, child: Child) -> list[Returned]:
    """Only what was returned; the exercise's own code failing is this machine's fault, never the learner's."""
    for outcome in found:
        if not isinstance(outcome, Returned):
            why = outcome.message if isinstance(outcome, Raised) else ending_sentence(outcome)
            said = f" ({child.shown().strip().splitlines()[-1]})" if child.shown().strip() else ""
            raise MissingError(f"{exercise.id}: its own code does not run here, try --device cpu: {why}{said}")
    return [outcome for outcome in found if isinstance(outcome, Returned)]
