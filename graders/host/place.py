"""Where answers run, and what they do there: an answer and the exercise's own code, each in a child of its own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from studykit.errors import MissingError, UsageError
from studykit.exercise.rewrite.rewrite import EINOPS, Rewrite
from studykit.exercise.rewrite.rewrite import MAX_ANSWER_CHARACTERS as MAX_LINES
from studykit.exercise.rewrite.trial import ForgedError, Trial, decode
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
"""What the search for a wrong answer's mistakes may take."""
LIMITS = Limits(wall_s=10.0, cpu_s=5)
CUDA_LIMITS = Limits(wall_s=60.0, cpu_s=30, memory_bytes=16 << 30)
_NAME_CHARACTERS = 80
_MAX_REPLY_BYTES = 16 * MIB  # to one trial, for all are held until the verdict; no exercise's takes 2


class ReferenceEndedError(MissingError):
    """The child that runs the exercise's own code has ended: nothing is known of an answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer runs."""

    worker: Worker
    device: str = "cpu"
    limits: Limits = LIMITS
    search_s: float = SEARCH_S  # on what one or two small things would make a wrong answer right
    note: str = ""  # why it is not on the GPU that is there
    notice: str = ""
    """Why it is not there, or not in the sandbox: for the learner to hear before anything is graded."""
    confined: bool = True  # in the sandbox
    fresh: Callable[[], Worker] | None = None  # opens a worker to replace one that ended

    @property
    def backend(self) -> str:
        """Return torch, or numpy if torch is not installed."""
        return self.worker.backend

    @property
    def held(self) -> Containment:
        """Return what contains an answer."""
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
    """Choose where answers run: on torch, on the GPU if there is one, or on numpy without torch.

    Raises MissingError where the sandbox does not hold here, or the GPU that is asked for does not work in it,
    without `permission` to run outside it. The place's `notice` is shown to the learner before anything is graded.
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
    """Choose library and device, or refuse a named device that is not available."""
    if device is not None and device not in DEVICES:
        raise UsageError(f"there is no device {device!r}; give cpu or cuda.")
    backend = "torch" if has_torch() else "numpy"
    if device == "cuda" and backend == "numpy":
        raise MissingError("torch is not installed, and cuda needs it; see: https://pytorch.org/get-started")
    chosen = device or ("cuda" if has_cuda() else "cpu")
    require_gpu(chosen)
    return backend, chosen


def require_gpu(device: str) -> None:
    """Refuse the GPU where none can be used."""
    if device == "cuda" and not has_cuda():
        raise MissingError(f"No GPU can be used here ({unused()}); use --device cpu.")


def gpu_trouble(place: Place) -> str:
    """Return why the GPU does not work there, or "": one kernel, in a child like all others."""
    described = {"dtype": "float32", "shape": [1]}
    with place.child() as child:
        code = {"code": "def f(x): return (x + x).sum()", "parameters": None, "name": "f"}
        ready = child.ask({**code, "backend": place.backend, "device": place.device})
        reply = child.ask({"arguments": [described]}, [bytes(4)]) if isinstance(ready, Message) else ready
        if isinstance(reply, Message):
            return "" if "value" in reply.header else str(reply.header.get("error", {}).get("message", "no value"))
        return last_words(child) or ending_sentence(reply, "its process").rstrip(".")


def last_words(child: Child) -> str:
    """Return the last line that a child printed: the error that ended it before its code ran."""
    return next(reversed(child.shown().strip().splitlines()), "")[:MAX_TEXT_CHARACTERS]


def reference(exercise: Rewrite, backend: str) -> str:
    """Return the code whose results are right: the exercise's own on torch, its solution on numpy."""
    return exercise.code if backend == "torch" else exercise.solution


def expected(place: Place, exercise: Rewrite, trials: Sequence[Trial]) -> list[Returned]:
    """Return the results of the exercise's own code."""
    with place.child() as child:
        return _right(run(child, place, exercise, reference(exercise, place.backend), trials), exercise, child)


def run(child: Child, place: Place, exercise: Rewrite, source: str, trials: Sequence[Trial]) -> list[Outcome]:
    """Run an answer on each trial in a fresh child, up to the first that gives nothing."""
    found: list[Outcome] = []
    reply = child.ask({"code": source, **first_header(exercise, place.backend, place.device)})
    for one in trials:
        if _stopped(reply, found):
            return found
        _send(child, one)
        reply = child.receive()
        found.append(_outcome(reply))
    return found


@dataclass(frozen=True, slots=True)
class BothRuns:
    """What the exercise's own code and an answer gave, and what the answer called; its child is still there."""

    exercise: Rewrite
    wanted: list[Returned]
    got: list[Outcome]
    record: CallRecord
    answering: Child

    def is_right_without(self, name: str, one: Trial) -> bool:
        """Return whether the first trial stays right when the results of a function are replaced."""
        header = {"arguments": one.described(), "replaced": name}
        reply = self.answering.ask(header, [tensor.data for tensor in one.tensors])
        return agrees(self.exercise, self.wanted[0], _outcome(reply))


@contextmanager
def side_by_side(place: Place, exercise: Rewrite, source: str, trials: Sequence[Trial]) -> Iterator[BothRuns]:
    """Start the answer and the reference at once, so that neither waits for the other."""
    with ExitStack() as stack:
        ours, theirs = (
            _begun(stack, place, exercise, code) for code in (reference(exercise, place.backend), source)
        )
        wanted: list[Outcome] = []
        got: list[Outcome] = []
        record = CallRecord()
        ready, reply = ours.receive(), theirs.receive()
        _stopped(ready, wanted)
        _stopped(reply, got)
        for one in trials:
            for child, found in ((ours, wanted), (theirs, got)):
                if not _over(found):
                    _send(child, one)
            for child, found in ((ours, wanted), (theirs, got)):
                if not _over(found):
                    reply = child.receive()
                    found.append(_outcome(reply))
                    record = _recorded(reply, record) if child is theirs else record
            if _over(wanted) or _over(got):
                break
        right = _right(wanted, exercise, ours)
        if not theirs.begun and theirs.ending is not None:  # the answer has not run
            why = ending_sentence(theirs.ending, "a child of the sandbox").rstrip(".")
            raise WorkerEndedError(f"the answer did not begin, {why}; try again.")
        yield BothRuns(exercise, right, got, record, theirs)


def _begun(stack: ExitStack, place: Place, exercise: Rewrite, source: str) -> Child:
    """Start a child that reads its code while the next one is forked."""
    child = place.child()
    stack.callback(child.close_pipes)
    child.send({"code": source, **first_header(exercise, place.backend, place.device)})
    return child


def _over(found: Sequence[Outcome]) -> bool:
    return bool(found) and not isinstance(found[-1], Returned)


def first_header(exercise: Rewrite, backend: str, device: str) -> dict[str, object]:
    """Return the first header: what a child needs to know of the exercise."""
    names = [argument.name for argument in exercise.arguments]
    name = exercise.id.rpartition(".")[2]
    return {"parameters": names, "name": name, "backend": backend, "device": device}


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
    if sum(map(len, reply.blobs)) > _MAX_REPLY_BYTES:
        return Refused(f"its reply is larger than {_MAX_REPLY_BYTES // MIB} MiB")
    try:
        if "error" in reply.header:
            error = reply.header["error"]
            return _raised(error["type"], error["family"], error["message"], error["line"])
        blobs = list(reply.blobs)
        value = decode(reply.header["value"], blobs)
        gradients = tuple(decode(one, blobs) for one in reply.header.get("gradients", ()))
        return Returned(value, tuple(decode(one, blobs) for one in reply.header["inputs"]), gradients)
    except (ForgedError, KeyError, TypeError, ValueError, RecursionError):
        return Refused("its reply describes no value")


def _recorded(reply: Message | Ending, before: CallRecord) -> CallRecord:
    """Read the record of one more run, without what names no operation, line or function."""
    if not isinstance(reply, Message):
        return before
    listed, called = reply.header.get("operations"), reply.header.get("called")
    calls = dict.fromkeys(before.operations)
    for one in listed if isinstance(listed, list) else ():
        match one:
            case [str(name), int(line)] if name in ADVICE and 0 < line <= MAX_LINES:
                calls[name, line] = None
    names = {name for name in EINOPS if isinstance(called, list) and name in called}
    return CallRecord(tuple(calls), before.called | names)


def _raised(kind: object, family: object, message: object, line: object) -> Raised:
    """Make an exception from a child's report, fit to be shown."""
    if not isinstance(family, list) or not isinstance(line, int):
        raise ForgedError("no exception")
    names = tuple(printable(str(name), _NAME_CHARACTERS) for name in family)
    fields = printable(str(kind), _NAME_CHARACTERS), names, printable(str(message), MAX_TEXT_CHARACTERS)
    return Raised(*fields, line if 0 <= line <= MAX_LINES else 0)


def _right(found: Sequence[Outcome], exercise: Rewrite, child: Child) -> list[Returned]:
    """Keep only what was returned.

    A failure of the exercise's own code is this machine's fault, never the learner's.
    """
    for outcome in found:
        if isinstance(outcome, TimedOut) or (isinstance(outcome, Crashed) and outcome.killed):
            why = ending_sentence(outcome, "the process that checks it").rstrip(".")
            raise ReferenceEndedError(f"the answer has no verdict, {why}; try again.")
        if not isinstance(outcome, Returned):
            why = outcome.message if isinstance(outcome, Raised) else ending_sentence(outcome, "its process")
            output = f" ({words})" if (words := last_words(child)) else ""
            kind = ReferenceEndedError if isinstance(outcome, Crashed) else MissingError
            raise kind(f"{exercise.id}: its own code does not run here, try --device cpu: {why}{output}")
    return [outcome for outcome in found if isinstance(outcome, Returned)]
