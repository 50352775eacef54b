"""Choose where answers run, and run an answer and the exercise's own code, each in its own child."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from studykit.errors import MissingError, UsageError
from studykit.exercise.rewrite.rewrite import EINOPS, Rewrite
from studykit.exercise.rewrite.rewrite import MAX_ANSWER_CHARACTERS as MAX_LINES
from studykit.exercise.rewrite.trial import Trial, decode
from studykit.exercise.verdict import Crashed, Ending, Refused, TimedOut
from studykit.graders.rewrite.judge import CallRecord, Outcome, Raised, Returned, agrees, ending_sentence
from studykit.graders.rewrite.operations import ADVICE
from studykit.sandbox.channel import Child, Message, WorkerEndedError
from studykit.sandbox.confinement import Permission, place_on_gpu, require_enforcement
from studykit.sandbox.gpu import has_cuda, unused
from studykit.sandbox.lockdown import MIB, UNCONFINED, Containment, Limits, containment
from studykit.sandbox.worker import Worker, has_torch
from studykit.text import MAX_TEXT_CHARACTERS, printable

if TYPE_CHECKING:
    from studykit.ui import Ui

DEVICES = ("cpu", "cuda")
SEARCH_S = 1.0
"""Time limit of the search for the mistake in a wrong answer."""
LIMITS = Limits(wall_s=10.0, cpu_s=5)
CUDA_LIMITS = Limits(wall_s=60.0, cpu_s=30, memory_bytes=16 << 30)
_MAX_NAME_CHARACTERS = 80
# All replies are in memory until the verdict, so each must be small. No exercise's own reply takes 2 MiB.
_MAX_REPLY_BYTES = 16 * MIB


class ReferenceEndedError(MissingError):
    """Raised if the child that runs the exercise's own code ended, so that an answer has no verdict."""


@dataclass(frozen=True, slots=True)
class Place:
    """Describe where an answer runs."""

    worker: Worker
    device: str = "cpu"
    limits: Limits = LIMITS
    search_s: float = SEARCH_S  # for the edits that would make a wrong answer right
    note: str = ""  # why an existing GPU is not used
    notice: str = ""
    """Tells the learner, before anything is graded, why the GPU is not used, or not in the sandbox."""
    confined: bool = True  # in the sandbox
    fresh: Callable[[], Worker] | None = None  # opens a worker to replace one that ended

    @property
    def backend(self) -> str:
        """Return `torch`, or `numpy` if torch is not installed."""
        return self.worker.backend

    @property
    def held(self) -> Containment:
        """Return what the sandbox enforces on an answer here."""
        return containment(wrapped=self.worker.wrapped) if self.confined else UNCONFINED

    def child(self) -> Child:
        """Start a child that can run a rewrite."""
        return self.worker.start("run_rewrite", self.limits, device=self.device, confined=self.confined)


@contextmanager
def place_for(
    open_worker: Callable[[str], Worker],
    device: str | None = None,
    permission: Permission | None = None,
    ui: "Ui | None" = None,
) -> Iterator[Place]:
    """Choose where answers run: with torch, on the GPU if there is one, or with numpy if torch is missing.

    Raise MissingError if the sandbox cannot be enforced here, or a required GPU does not work in it, and there is
    no `permission` to run outside. The caller shows the place's `notice` before it grades anything.
    """
    backend, chosen = backend_and_device(device)
    with ExitStack() as stack:

        def opened(opener: Callable[[str], Worker], *, confined: bool = True) -> Place:
            worker = stack.enter_context(opener(backend))
            return Place(worker, fresh=partial(opener, backend), confined=confined)

        on_cpu = opened(open_worker)
        require_enforcement(on_cpu.held, permission, ui)
        if chosen == "cpu":
            yield on_cpu
            return
        choice = place_on_gpu(
            replace(on_cpu, device="cuda", limits=CUDA_LIMITS),
            lambda given: replace(opened(given.open_worker, confined=False), device="cuda", limits=CUDA_LIMITS),
            gpu_trouble,
            permission,
            ui,
            required=device == "cuda",
        )
        on_gpu, why, notice = choice
        yield replace(on_gpu or replace(on_cpu, note=why), notice=notice)


def backend_and_device(device: str | None) -> tuple[str, str]:
    """Return library and device. Raise an error if the device is unknown or not available."""
    if device is not None and device not in DEVICES:
        raise UsageError(f"Unknown device {device!r}. Use cpu or cuda.")
    backend = "torch" if has_torch() else "numpy"
    if device == "cuda" and backend == "numpy":
        raise MissingError("Device cuda needs torch, which is not installed. See https://pytorch.org/get-started.")
    chosen = device or ("cuda" if has_cuda() else "cpu")
    require_gpu(chosen)
    return backend, chosen


def require_gpu(device: str) -> None:
    """Raise MissingError if the device is a GPU and none can be used here."""
    if device == "cuda" and not has_cuda():
        raise MissingError(f"No GPU can be used here ({unused()}). Use the CPU instead.")


def gpu_trouble(place: Place) -> str:
    """Return why the GPU does not work in this place, or "", by running one kernel in a child."""
    described = {"dtype": "float32", "shape": [1]}
    with place.child() as child:
        code = {"code": "def f(x): return (x + x).sum()", "parameters": None, "name": "f"}
        ready = child.ask({**code, "backend": place.backend, "device": place.device})
        reply = child.ask({"arguments": [described]}, [bytes(4)]) if isinstance(ready, Message) else ready
        if isinstance(reply, Message):
            return "" if "value" in reply.header else str(reply.header.get("error", {}).get("message", "no value"))
        return last_words(child) or ending_sentence(reply, "its process").rstrip(".")


def last_words(child: Child) -> str:
    """Return the last line that a child printed, such as the error that ended it."""
    return next(reversed(child.shown().strip().splitlines()), "")[:MAX_TEXT_CHARACTERS]


def reference(exercise: Rewrite, backend: str) -> str:
    """Return the code that computes the right results: the exercise's own with torch, its solution with numpy."""
    return exercise.code if backend == "torch" else exercise.solution


def expected(place: Place, exercise: Rewrite, trials: Sequence[Trial]) -> list[Returned]:
    """Return the results of the exercise's own code."""
    with place.child() as child:
        return _right(run(child, place, exercise, reference(exercise, place.backend), trials), exercise, child)


def run(child: Child, place: Place, exercise: Rewrite, source: str, trials: Sequence[Trial]) -> list[Outcome]:
    """Run an answer on the trials in a fresh child, up to the first that fails."""
    outcomes: list[Outcome] = []
    reply = child.ask({"code": source, **first_header(exercise, place.backend, place.device)})
    for trial in trials:
        if _stopped(reply, outcomes):
            return outcomes
        _send(child, trial)
        reply = child.receive()
        outcomes.append(_outcome(reply))
    return outcomes


@dataclass(frozen=True, slots=True)
class BothRuns:
    """Hold the outcomes of the exercise's own code and of an answer, whose child is still running."""

    exercise: Rewrite
    wanted: list[Returned]
    got: list[Outcome]
    record: CallRecord
    answering: Child

    def is_right_without(self, name: str, trial: Trial) -> bool:
        """Return whether the first trial stays right if the results of a function are replaced."""
        header = {"arguments": trial.described(), "replaced": name}
        reply = self.answering.ask(header, [tensor.data for tensor in trial.tensors])
        return agrees(self.exercise, self.wanted[0], _outcome(reply))


@contextmanager
def side_by_side(place: Place, exercise: Rewrite, source: str, trials: Sequence[Trial]) -> Iterator[BothRuns]:
    """Run the answer and the reference in parallel, and yield their outcomes."""
    with ExitStack() as stack:
        reference_child, answer_child = (
            _begin(stack, place, exercise, code) for code in (reference(exercise, place.backend), source)
        )
        wanted: list[Outcome] = []
        got: list[Outcome] = []
        record = CallRecord()
        ready, reply = reference_child.receive(), answer_child.receive()
        _stopped(ready, wanted)
        _stopped(reply, got)
        runs = ((reference_child, wanted), (answer_child, got))
        for trial in trials:
            # Send to both before receiving, so that they compute at the same time.
            for child, outcomes in runs:
                if not _over(outcomes):
                    _send(child, trial)
            for child, outcomes in runs:
                if not _over(outcomes):
                    reply = child.receive()
                    outcomes.append(_outcome(reply))
                    record = _recorded(reply, record) if child is answer_child else record
            if _over(wanted) or _over(got):
                break
        right = _right(wanted, exercise, reference_child)
        if not answer_child.begun and answer_child.ending is not None:  # none of its code ran
            why = ending_sentence(answer_child.ending, "the process that runs it").rstrip(".")
            raise WorkerEndedError(f"The answer could not start, because {why}. Try again.")
        yield BothRuns(exercise, right, got, record, answer_child)


def _begin(stack: ExitStack, place: Place, exercise: Rewrite, source: str) -> Child:
    """Start a child and send it its code, without waiting until it has read it."""
    child = place.child()
    stack.callback(child.close_pipes)
    child.send({"code": source, **first_header(exercise, place.backend, place.device)})
    return child


def _over(outcomes: Sequence[Outcome]) -> bool:
    return bool(outcomes) and not isinstance(outcomes[-1], Returned)


def first_header(exercise: Rewrite, backend: str, device: str) -> dict[str, object]:
    """Return the header of the first request, which describes the exercise to a child."""
    names = [argument.name for argument in exercise.arguments]
    name = exercise.id.rpartition(".")[2]
    return {"parameters": names, "name": name, "backend": backend, "device": device}


def _send(child: Child, trial: Trial) -> None:
    blobs = [tensor.data for tensor in trial.tensors]
    header: dict[str, object] = {"arguments": trial.described()}
    if trial.upstream is not None:
        header["upstream"] = trial.upstream.described()
        blobs.append(trial.upstream.data)
    child.send(header, blobs)


def _stopped(reply: Message | Ending, outcomes: list[Outcome]) -> bool:
    """Return whether a reply is the last one. If so, add it to the outcomes, unless they end with a failure."""
    if isinstance(reply, Message) and "error" not in reply.header:
        return False
    if not outcomes or isinstance(outcomes[-1], Returned):
        outcomes.append(_outcome(reply))
    return True


def _outcome(reply: Message | Ending) -> Outcome:
    if not isinstance(reply, Message):
        return reply
    if sum(map(len, reply.blobs)) > _MAX_REPLY_BYTES:
        return Refused(f"its reply is larger than {_MAX_REPLY_BYTES // MIB} MiB")
    try:
        if "error" in reply.header:
            error = reply.header["error"]
            return _raised(error["type"], error["family"], error["message"], error["line"])
        blobs = list(reply.blobs)
        value = decode(reply.header["value"], blobs)
        # The order matters: each `decode` takes its blob from the front.
        gradients = tuple(decode(described, blobs) for described in reply.header.get("gradients", ()))
        inputs = tuple(decode(described, blobs) for described in reply.header["inputs"])
        return Returned(value, inputs, gradients)
    except (KeyError, TypeError, ValueError, RecursionError):
        return Refused("its reply describes no value")


def _recorded(reply: Message | Ending, before: CallRecord) -> CallRecord:
    """Add a reply's calls to the record, ignoring unknown operations, lines and functions."""
    if not isinstance(reply, Message):
        return before
    listed, called = reply.header.get("operations"), reply.header.get("called")
    calls = dict.fromkeys(before.operations)
    for entry in listed if isinstance(listed, list) else ():
        match entry:
            case [str(name), int(line)] if name in ADVICE and 0 < line <= MAX_LINES:
                calls[name, line] = None
    names = {name for name in EINOPS if isinstance(called, list) and name in called}
    return CallRecord(tuple(calls), before.called | names)


def _raised(kind: object, family: object, message: object, line: object) -> Raised:
    """Return the exception in a child's report, with printable texts."""
    if not isinstance(family, list) or not isinstance(line, int):
        raise TypeError("The reply does not describe an exception.")
    names = tuple(printable(str(name), _MAX_NAME_CHARACTERS) for name in family)
    fields = printable(str(kind), _MAX_NAME_CHARACTERS), names, printable(str(message), MAX_TEXT_CHARACTERS)
    return Raised(*fields, line if 0 <= line <= MAX_LINES else 0)


def _right(outcomes: Sequence[Outcome], exercise: Rewrite, child: Child) -> list[Returned]:
    """Return the results of the exercise's own code. Raise an error if it failed."""
    for outcome in outcomes:
        if isinstance(outcome, TimedOut) or (isinstance(outcome, Crashed) and outcome.killed):
            why = ending_sentence(outcome, "the process that checks it").rstrip(".")
            raise ReferenceEndedError(f"The answer has no verdict: {why}. Try again.")
        if not isinstance(outcome, Returned):
            why = outcome.message if isinstance(outcome, Raised) else ending_sentence(outcome, "its process")
            output = f" ({words})" if (words := last_words(child)) else ""
            kind = ReferenceEndedError if isinstance(outcome, Crashed) else MissingError
            why = f"{why}{output}".rstrip(".")
            raise kind(
                f"{exercise.id}: its own code does not run here ({why}). "
                "Update torch, numpy and einops, or try --device cpu."
            )
    return [outcome for outcome in outcomes if isinstance(outcome, Returned)]
