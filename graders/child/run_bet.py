"""Do the work behind a timing bet in a child, one job at a time: identify the device, count, measure.

Jobs and results are plain JSON, so that the judging process never sees an object made by the snippet.
"""

import linecache
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException

from studykit.errors import line_in
from studykit.exercise.bet.bounds import Count
from studykit.graders.bet import canary, ceilings, sampling, stopwatch
from studykit.graders.bet.counting import faked, host_bound, listed
from studykit.graders.count.step import Program, TooDeepError, count_step, measured_peak
from studykit.graders.count.storages import CUDA, OtherDeviceError
from studykit.sandbox.channel import pack, receive

MAX_JOB_BYTES = 1 << 20
PARTS = ("setup", "run")
STEP_PARTS = ("build", "step")
SETUP_SEED = 0
_VALUE_ERRORS = (DataDependentOutputException, DynamicOutputShapeException)
_NO_CUDA = "PyTorch is not linked with support for cuda devices"  # what `.cuda()` of a fake tensor raises
_MACHINE: dict[str, Any] = {}  # facts that cannot be read after the lock-down


class BadSnippetError(Exception):
    """Raised if a snippet lacks a required function, or if a job is unknown."""


def prepare(device: str, threads: int) -> None:
    """Set the threads (0: torch's choice), read the device's facts and start the GPU, before the lock-down."""
    if threads:
        torch.set_num_threads(threads)
    _MACHINE.update(
        identity=ceilings.identity(device), cache=stopwatch.cache_bytes(device), cuda=torch.cuda.is_available()
    )
    if device == "cuda":
        canary.measure(device)


def warm() -> None:
    """Count a trivial snippet, so that torch imports what it needs for counting before any child is forked.

    This must not start the GPU's driver: after that, no forked child could start it again.
    """
    with _driver_at_rest():
        faked(lambda: (torch.ones(2, 2), torch.ones(2)), lambda a, b: torch.relu(a @ b).sum(), {}, "cpu")


@contextmanager
def _driver_at_rest() -> Iterator[None]:
    """Keep torch's counting mode from starting the driver, which it does on builds for a GPU."""
    available, guard = torch.cuda.is_available, getattr(torch._C, "_ensureCUDADeviceGuardSet", None)
    torch.cuda.is_available = lambda: False
    torch._C._ensureCUDADeviceGuardSet = lambda: None
    try:
        yield
    finally:
        torch.cuda.is_available = available
        if guard is None:
            del torch._C._ensureCUDADeviceGuardSet
        else:
            torch._C._ensureCUDADeviceGuardSet = guard


def main(channel: socket.socket) -> None:
    """Answer each job with its result until the channel is closed."""
    while (frame := receive(channel, MAX_JOB_BYTES)) is not None:
        channel.sendall(pack(perform(dict(frame.header))))


def perform(job: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a job, with an error of the snippet or the machine under `problem`."""
    path = job.get("path", "snippet.py") if "source" in job else "the measurement"
    try:
        return _outcome(job, str(job.get("device", "cpu")))
    except BadSnippetError as error:
        return {"problem": str(error)}
    except BaseException as error:  # including SystemExit
        return {"problem": _problem(error, path)}


def _outcome(job: dict[str, Any], device: str) -> dict[str, Any]:
    match job["work"]:
        case "identity":
            if device == "cuda":
                canary.measure(device)  # the GPU may have worked only before the lock-down
            return {**_MACHINE["identity"], "cuda": _MACHINE["cuda"]}
        case "ceilings":
            return {**_MACHINE["identity"], **ceilings.measured(device, _MACHINE["cache"])}
        case "count":
            return {"count": asdict(_counted(job, device))}
        case "step":
            return _step_counted(job, device)
        case "memory":
            return {"bytes": measured_peak(lambda: _program(job), job["sizes"])}
        case "time":
            count = _counted(job, device)
            least = device == "cuda" and host_bound(count)
            return {"count": asdict(count), **_timed(job, device, least=least)}
        case other:
            raise BadSnippetError(f"{other!r} is not a job")


def loaded(
    source: str, path: str = "snippet.py", *pairs: tuple[str, str]
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Load a pair of a snippet's functions, by default `PARTS`, with torch as `torch` and its functions as `F`."""
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    names: dict[str, Any] = {"__name__": "snippet", "torch": torch, "F": torch.nn.functional}
    exec(compile(source, path, "exec"), names)  # running the snippet is this child's work
    pairs = pairs or (PARTS,)
    for first, second in pairs:
        if callable(names.get(first)) and callable(names.get(second)):
            return names[first], names[second]
    raise BadSnippetError(
        f"{path} needs {', or '.join(f'{first}() and {second}(...)' for first, second in pairs)}"
    )


def _counted(job: dict[str, Any], device: str) -> Count:
    setup, run = loaded(job["source"], job.get("path", "snippet.py"))
    return faked(setup, run, job.get("sizes", {}), job.get("pretend", device))


def _program(job: dict[str, Any]) -> Program:
    return Program(*loaded(job["source"], job["path"], PARTS, STEP_PARTS))


def _step_counted(job: dict[str, Any], device: str) -> dict[str, Any]:
    try:
        count = count_step(lambda: _program(job), job["sizes"], device=device, block=job["block"])
    except TooDeepError as deep:
        return {"depth": deep.args}
    return {"count": asdict(count)}


def _problem(error: BaseException, path: str) -> str:
    """Return why a snippet cannot be counted or timed, and what to change."""
    if isinstance(error, OtherDeviceError):
        return f"{_place(error, path)}: {error}"
    line = _error_line(error, path)
    if line.endswith(_NO_CUDA):
        return f"{_place(error, path)}: {CUDA.format('cuda')}"
    if isinstance(error, _VALUE_ERRORS) or line.endswith(".numpy() is not supported for tensor subclasses."):
        return (
            f"{line}; a snippet may not look at values (.item(), if tensor, nonzero, boolean masks) while counted"
        )
    if type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
        return f"{_place(error, path)}: torch.compile does not work in the sandbox; time the function without it"
    return line


def _timed(job: dict[str, Any], device: str, *, least: bool) -> dict[str, Any]:
    wanted_s = job.get("wanted_s", sampling.WANTED_S)
    stopwatch.fix_allocator()
    timer = _timer(job, device)
    result: dict[str, Any] = stopwatch.without_gc(lambda: _watched(timer, device, wanted_s, least=least))
    return result


def _timer(job: dict[str, Any], device: str) -> sampling.Timer:
    """Return a timer for the snippet. Its arguments are made anew, from the same random seed each time."""
    setup, run = loaded(job["source"], job.get("path", "snippet.py"))
    torch.manual_seed(SETUP_SEED)
    with torch.device(device):
        arguments = listed(setup(**job.get("sizes", {})))
    return stopwatch.timer_for(lambda: run(*arguments), device, _MACHINE["cache"])


def _watched(timer: sampling.Timer, device: str, wanted_s: float, *, least: bool) -> dict[str, Any]:
    before = canary.measure(device)
    flush = canary.FlushWithCanary(timer.flush, device)
    times = sampling.sample(replace(timer, flush=flush.flush), wanted_s, least=least)
    after = canary.measure(device)
    canaries = [before, *flush.canaries(after), after]
    numbers = {name: value for name, value in asdict(times).items() if name != "canaries"}
    return {"times": numbers, "canaries": [asdict(each) for each in canaries]}


def _place(error: BaseException, path: str) -> str:
    """Return `path:line` of the snippet's line that raised an error, or only its path."""
    line = line_in(error, path)
    return f"{path}:{line}" if line else path


def _error_line(error: BaseException, path: str) -> str:
    """Format an error on one line, with the snippet's own line if known."""
    try:
        words = str(error.msg if isinstance(error, SyntaxError) else error).strip().splitlines()
    except BaseException:  # a forged exception whose text raises
        words = []
    return f"{_place(error, path)}: {type(error).__name__}: {words[0][:300] if words else 'no message'}"
