"""Ask a child to measure: devices, ceilings, counts and times.

Check everything in its replies: a snippet runs in the same process and may have forged them.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from studykit.errors import BadDataError, MissingError
from studykit.exercise.bet.bounds import Ceilings, Count, Kernel, MemoryPattern
from studykit.exercise.bet.score import DRIFT, Canary, Measurement, busy
from studykit.exercise.bet.snippet import Snippet
from studykit.exercise.bet.step_count import DEPTHS, StepCount, extended
from studykit.exercise.verdict import Crashed, Ending, Refused, TimedOut
from studykit.graders.host.place import last_words, require_gpu
from studykit.sandbox.channel import Message
from studykit.sandbox.confinement import Permission, place_on_gpu, require_enforcement
from studykit.sandbox.gpu import drivers, has_cuda
from studykit.sandbox.lockdown import MIB, Limits, containment
from studykit.sandbox.worker import Worker, has_torch
from studykit.text import MAX_TEXT_CHARACTERS, printable

if TYPE_CHECKING:
    from studykit.ui import Ui

PROGRAM = "run_bet"
INSTALL = (
    "torch is not installed, and only torch can be timed. See https://pytorch.org/get-started, then try again."
)
WALL_S = 60
CPU_S = WALL_S * (os.cpu_count() or 1)  # every thread counts
LIMITS = Limits(wall_s=WALL_S, cpu_s=CPU_S, memory_bytes=6144 * MIB)
_MAX_AMOUNT = 1 << 80  # FLOPs or bytes
_MIN_S, _MAX_S = 1e-12, 1e6
_MAX_CANARIES = 16
_MAX_LINES = 1000
_MAX_NAME_CHARACTERS = 200
_Record = TypeVar("_Record", Kernel, Count, StepCount, Measurement, Canary)


@dataclass(slots=True)
class DeviceWorker:
    """Measure a device through a warm worker, which is replaced if it ends."""

    worker: Worker
    device: str  # "cpu" or "cuda"
    fresh: Callable[[], Worker]
    confined: bool = True  # its children are in the sandbox
    notice: str = ""  # tells the learner why the GPU is not used, or not in the sandbox

    def check_own_file(self, permission: Permission) -> None:
        """Raise MissingError if the sandbox cannot be enforced here and the learner does not permit that."""
        if self.confined:
            require_enforcement(containment(wrapped=self.worker.wrapped), permission)

    def identity(self) -> dict[str, Any]:
        """Return the identity of device and software, to which a set of ceilings belongs."""
        return self._ask({"work": "identity"})

    def ceilings(self) -> Ceilings:
        """Measure the device's ceilings. Not `quiet` if something else kept the machine busy."""
        reply = self._ask({"work": "ceilings"})
        canaries = read_canaries(reply.pop("canaries"))
        seconds = [each.seconds for each in canaries]
        return Ceilings(**reply, quiet=not busy(canaries) and max(seconds) <= DRIFT * min(seconds))

    def count(self, snippet: Snippet) -> Count:
        """Count the snippet's FLOPs and bytes on fake tensors."""
        reply = self._ask({"work": "count", **asdict(snippet)})
        with refuse_nonsense():
            return read_count(reply["count"])

    def time(self, snippet: Snippet) -> tuple[Count, Measurement]:
        """Count the snippet's FLOPs and bytes, and time it."""
        reply = self._ask({"work": "time", **asdict(snippet)})
        with refuse_nonsense():
            return read_count(reply["count"]), read_measurement(reply["times"], reply["canaries"])

    def count_step(self, snippet: Snippet, advance: Callable[[int], object], *, block: int = 1) -> StepCount:
        """Count the bytes and FLOPs of a step. With too many layers, extrapolate from three smaller depths."""
        job = {"work": "step", "block": block, **asdict(snippet)}
        reply = self._ask(job)
        if "depth" not in reply:
            advance(len(DEPTHS))
            return read_step_count(reply)
        with refuse_nonsense():
            name, layers = _line(reply["depth"][0], _MAX_NAME_CHARACTERS), _amount(reply["depth"][1])
        counts = []
        for depth in DEPTHS:
            counts.append(read_step_count(self._ask({**job, "sizes": {**snippet.sizes, name: depth}})))
            advance(1)
        return extended(counts, layers)

    def peak_memory(self, snippet: Snippet) -> int:
        """Run a step on the GPU and return its peak of allocated bytes."""
        reply = self._ask({"work": "memory", **asdict(snippet)})
        with refuse_nonsense():
            return _amount(reply["bytes"])

    def _ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a job in a new child. Raise BadDataError if it fails."""
        try:
            reply, has_begun = self._reply(job)
        except MissingError:
            reply, has_begun = self._retry(job)
        else:
            # Try once more if something other than the snippet may have ended the child.
            if not has_begun or (isinstance(reply, Crashed) and reply.killed):
                reply, has_begun = self._retry(job)
        what = "snippet did not finish" if has_begun else "measurement did not begin"
        match reply:
            case Message(header=header):
                if problem := header.get("problem"):
                    raise BadDataError(f"{_line(problem, MAX_TEXT_CHARACTERS).rstrip('.')}.")
                return dict(header)
            case TimedOut(seconds):
                raise BadDataError(
                    f"The measurement was still running after {seconds:.0f} s. "
                    "Make the snippet smaller, or try again when the machine is free."
                )
            case Crashed(why) | Refused(why):
                raise BadDataError(
                    f"The {what}: {why}. {'Change the snippet or try' if has_begun else 'Try'} again."
                )

    def _retry(self, job: dict[str, Any]) -> tuple[Message | Ending, bool]:
        self.worker.close()
        self.worker = self.fresh()
        return self._reply(job)

    def _reply(self, job: dict[str, Any]) -> tuple[Message | Ending, bool]:
        """Return the reply, and whether the child had begun to run the snippet."""
        with self.worker.start(PROGRAM, LIMITS, device=self.device, threads=0, confined=self.confined) as child:
            reply = child.ask({**job, "device": self.device})
            if isinstance(reply, Crashed) and not child.begun and (words := last_words(child)):
                reply = replace(reply, why=f"{reply.why} ({words})")
            return reply, child.begun


@contextmanager
def device_worker(
    open_worker: Callable[[str], Worker],
    wanted: str = "auto",
    permission: Permission | None = None,
    ui: "Ui | None" = None,
) -> Iterator[DeviceWorker]:
    """Open a worker for a device: auto, cpu or cuda. Raise MissingError without torch or the required GPU.

    Its `notice` tells why an existing GPU is not used, or is used outside the sandbox by `permission`.
    """
    if not has_torch():
        raise MissingError(INSTALL)
    require_gpu(wanted)
    opened: list[DeviceWorker] = []

    def of(opener: Callable[[str], Worker], *, device: str, confined: bool = True) -> DeviceWorker:
        fresh = partial(opener, "torch")
        opened.append(DeviceWorker(fresh(), device, fresh, confined))
        return opened[-1]

    try:
        if wanted == "cpu" or not has_cuda():
            yield of(open_worker, device="cpu")
            return
        inside = of(open_worker, device="cuda")
        choice = place_on_gpu(
            inside,
            lambda given: of(given.open_worker, device="cuda", confined=False),
            gpu_trouble,
            permission,
            ui,
            required=wanted == "cuda",
        )
        on_gpu, _, notice = choice
        chosen = on_gpu or inside
        chosen.device = "cuda" if on_gpu else "cpu"
        chosen.notice = notice
        yield chosen
    finally:
        for each in opened:
            each.worker.close()


def tried_gpu(open_worker: Callable[[str], Worker]) -> tuple[str, str]:
    """Return the GPU's name and "", or its maker and why it does not work in the sandbox."""
    with open_worker("torch") as opened:
        try:
            return str(DeviceWorker(opened, "cuda", lambda: opened).identity()["device"]), ""
        except (BadDataError, MissingError) as error:
            return " and ".join(driver.maker for driver in drivers()), str(error).rstrip(".")


def gpu_trouble(worker: DeviceWorker) -> str:
    """Return why the GPU cannot be measured by this worker, or ""."""
    try:
        return "" if worker.identity()["cuda"] else "torch finds no GPU there"
    except (BadDataError, KeyError) as error:
        return str(error).rstrip(".")


@contextmanager
def refuse_nonsense() -> Iterator[None]:
    """Turn an error in parsing a reply into BadDataError."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadDataError(
            f"The measurement returned invalid values. Run at most {_MAX_LINES:,} operations, and do not patch "
            "torch or Python."
        ) from None


def read_count(data: Mapping[str, Any]) -> Count:
    """Parse a count from the child. Raise ValueError or TypeError for anything else."""
    return _record(Count, data)


def read_step_count(reply: Mapping[str, Any]) -> StepCount:
    """Parse the count of a step from the child. Raise BadDataError if it is invalid."""
    with refuse_nonsense():
        return _record(StepCount, reply["count"])


def read_measurement(times: Mapping[str, Any], canaries: Sequence[Mapping[str, Any]]) -> Measurement:
    """Parse times from the child. Raise ValueError or TypeError if they cannot be times."""
    measured = _record(Measurement, times)
    if not _MIN_S <= measured.p20 <= measured.median <= measured.p80:
        raise ValueError("times are too short or out of order")
    return replace(measured, canaries=read_canaries(canaries))


def read_canaries(canaries: Sequence[Mapping[str, Any]]) -> tuple[Canary, ...]:
    """Parse canaries from the child. Raise ValueError or TypeError if they are invalid or too many."""
    if not 0 < len(canaries) <= _MAX_CANARIES:
        raise ValueError("invalid number of canaries")
    return tuple(_record(Canary, each) for each in canaries)


def _record(kind: type[_Record], data: Mapping[str, Any]) -> _Record:
    """Parse a record of numbers, names, patterns and lists of them from the child."""
    types = get_type_hints(kind)
    return kind(**{name: _READERS[types[name]](value) for name, value in data.items()})


def _amount(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_AMOUNT:
        raise ValueError("invalid amount")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not 0 <= value <= _MAX_S:  # false for NaN, too
        raise ValueError("invalid number")
    return float(value)


_READERS: Mapping[Any, Callable[[Any], Any]] = {
    int: _amount,
    float: _number,
    bool: bool,
    str: lambda value: _line(value, _MAX_NAME_CHARACTERS),
    MemoryPattern: MemoryPattern,
    tuple[str, ...]: lambda value: tuple(map(_READERS[str], _listed(value))),
    tuple[Kernel, ...]: lambda value: tuple(_record(Kernel, kernel) for kernel in value),
    Mapping[str, int]: lambda value: {_READERS[str](name): _amount(n) for name, n in _listed(value.items())},
}


def _listed(values: Iterable[Any]) -> list[Any]:
    if isinstance(values, str) or len(rows := list(values)) > _MAX_LINES:
        raise TypeError("invalid lines")
    return rows


def _line(value: object, max_characters: int) -> str:
    """Return a text on one line, so that a snippet cannot forge our output lines."""
    return " ".join(printable(str(value), max_characters).split())
