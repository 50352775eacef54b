"""The measuring child, seen from the process that judges: devices, ceilings, counts and times."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from studykit.cli.context import Context
from studykit.errors import BadDataError, MissingError
from studykit.exercise.bet.bounds import Ceilings, Count
from studykit.exercise.bet.score import Measurement, busy
from studykit.exercise.verdict import Crashed, Refused, TimedOut
from studykit.graders.host.measurement import counted, sung, timed, understood
from studykit.sandbox.client import Child, Worker
from studykit.sandbox.launcher import has_torch, open_worker, runtime_folder
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.wire import Message
from studykit.text import MOST_CHARACTERS, printable

PROGRAM = "run_bet"
INSTALL = (
    "torch is not installed, and only torch can be timed; see https://pytorch.org/get-started, then try again."
)
WALL_S = 60
CPU_S = WALL_S * (os.cpu_count() or 1)  # every thread counts
LIMITS = Limits(wall_s=WALL_S, cpu_s=CPU_S, memory_bytes=6144 * MIB)


@dataclass(frozen=True, slots=True)
class Snippet:
    """The code to measure, and with which sizes."""

    source: str
    path: str
    sizes: Mapping[str, Any]


@dataclass(slots=True)
class Bench:
    """A warm worker and the device that it measures; a worker that left while a learner thought is replaced."""

    worker: Worker
    device: str  # "cpu" or "cuda"
    fresh: Callable[[], Worker]

    def identity(self) -> dict[str, Any]:
        """What a set of ceilings belongs to."""
        return self._ask({"work": "identity"})

    def ceilings(self) -> Ceilings:
        """The device's ceilings, measured now; not `quiet` when something else kept the machine busy meanwhile."""
        found = self._ask({"work": "ceilings"})
        canaries = sung(found.pop("canaries"))
        steady = not busy(canaries, min(each.seconds for each in canaries))
        return Ceilings(**found, quiet=steady)

    def count(self, snippet: Snippet) -> Count:
        """The snippet counted, without running it."""
        found = self._ask({"work": "count", **_job(snippet)})
        with understood():
            return counted(found["count"])

    def time(self, snippet: Snippet) -> tuple[Count, Measurement]:
        """The snippet counted and timed."""
        found = self._ask({"work": "time", **_job(snippet)})
        with understood():
            return counted(found["count"]), timed(found["times"], found["canaries"])

    def _ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """The outcome of a job in a child of its own; refused with the reason when there is none."""
        with self._child() as child:
            match child.ask({**job, "device": self.device}):
                case Message(header=header):
                    if problem := header.get("problem"):
                        raise BadDataError(f"{printable(str(problem), MOST_CHARACTERS)}.")
                    return dict(header)
                case TimedOut(seconds):
                    raise BadDataError(f"the snippet was still running after {seconds:.0f} s; make it smaller.")
                case Crashed(why) | Refused(why):
                    raise BadDataError(f"the snippet did not finish: {why}.")

    def _child(self) -> Child:
        try:
            return self.worker.start(PROGRAM, LIMITS, device=self.device, threads=0)
        except MissingError:
            self.worker.close()
            self.worker = self.fresh()
            return self.worker.start(PROGRAM, LIMITS, device=self.device, threads=0)


@contextmanager
def bench(context: Context, wanted: str = "auto") -> Iterator[Bench]:
    """A bench for a wish of auto, cpu or cuda; refused where torch or the GPU is missing."""
    if not has_torch():
        raise MissingError(INSTALL)
    shared = context.environ.get("STUDYKIT_WORKER", "1") != "0"
    runtime = runtime_folder(context.environ.get("XDG_RUNTIME_DIR"))
    fresh = partial(open_worker, backend="torch", shared=shared, runtime=runtime)
    found = Bench(fresh(), "cpu", fresh)
    try:
        found.device = _chosen(found, wanted)
        yield found
    finally:
        found.worker.close()


def _chosen(probe: Bench, wanted: str) -> str:
    if wanted == "cpu":
        return "cpu"
    if probe.identity()["cuda"]:
        return "cuda"
    if wanted == "cuda":
        raise MissingError("torch sees no GPU here; use --device cpu.")
    return "cpu"


def _job(snippet: Snippet) -> dict[str, Any]:
    return {"source": snippet.source, "path": snippet.path, "sizes": dict(snippet.sizes)}
