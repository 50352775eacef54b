"""Check bets on the GPU: ceilings against the datasheet and other timers, repeated snippets, clocks, load."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import torch

from studykit.errors import BadDataError, StudyError
from studykit.exercise import catalog
from studykit.exercise.bet.bench import bet_named
from studykit.exercise.bet.bench import listed as listed_ceilings
from studykit.exercise.bet.bounds import Ceilings, Count, bounds, floor
from studykit.exercise.bet.score import TRUSTED, Measurement, drifted, unfit
from studykit.exercise.bet.snippet import CLASS, BetExercise, Snippet
from studykit.exercise.estimate.hardware import DTYPE_NAMES, named_by_driver
from studykit.exercise.verdict import NotScored
from studykit.graders.bet.ceilings import SIDES
from studykit.graders.child import run_bet
from studykit.graders.host import device_worker as host
from studykit.graders.host.device_worker import DeviceWorker
from studykit.quantity.formatting import amount, seconds
from studykit.quantity.units import BYTE_PER_S, FLOP_PER_S, Dimension
from studykit.sandbox.channel import Message

from . import clocks, other_timers
from .report import PartRun

SEED = 7
REPEATS, WITHIN, WITHIN_ON_HOST = 3, 1.05, 1.1
SAMPLES_S = 0.15  # of a repeat: a third of what a learner's bet takes
AGREE = 1.1  # a ceiling and another timer
LEAST_OF_SHEET, MOST_OF_SHEET = 0.5, 1.05
_ELEMENTS = {"cpu": 1 << 25, "cuda": 1 << 28}
LOAD = """
import sys, torch
device = sys.argv[1]
square = torch.ones(4096, 4096, device=device)
square @ square
print("ready", flush=True)
while True:
    for _ in range(20):
        square @ square
    if device == "cuda":
        torch.cuda.synchronize()
"""


def run(part: PartRun) -> None:
    """Measure ceilings first, because all else is judged by them, and the long table last, if time permits."""
    part.table.add("clocks at rest", clocks.sentence(clocks.readings()), figures=dict(clocks.readings()))
    with part.open_worker(wrapped=False) as worker, part.table.step("ceilings"):
        device_worker, ceilings = measured_ceilings(part, DeviceWorker(worker, part.device, lambda: worker))
        steps: dict[str, Callable[[PartRun, DeviceWorker, Ceilings], None]] = {
            "the datasheet": beside_the_datasheet,
            "other timers": beside_other_timers,
            "a busy device": busy_device,
            "snippets": snippets,
        }
        for name, step in steps.items():
            with part.table.step(name):
                step(part, device_worker, ceilings)
    part.table.add("clocks in the end", clocks.sentence(clocks.readings()), figures=dict(clocks.readings()))


class InProcessDevice(DeviceWorker):
    """Run a device worker's jobs in this process, for machines on which the GPU does not work in the sandbox."""

    def _ask(self, job: dict[str, Any]) -> dict[str, Any]:
        header = run_bet.perform({**job, "device": self.device})
        if "problem" in header:
            raise BadDataError(str(header["problem"]))
        answer: dict[str, Any] = json.loads(json.dumps(header))  # as it comes through a channel
        return answer


def measured_ceilings(part: PartRun, confined: DeviceWorker) -> tuple[DeviceWorker, Ceilings]:
    """Measure the ceilings, and return them with the worker that was able to measure them."""
    worker = confined
    try:
        ceilings = worker.ceilings()
    except StudyError as error:
        part.table.add("ceilings in the sandbox", str(error), "measured", ok=False)
        run_bet.prepare(part.device, 0)
        worker = InProcessDevice(confined.worker, part.device, confined.fresh)
        ceilings = worker.ceilings()
        part.table.add("all that follows", "is measured without the sandbox")
    for name, text in listed_ceilings(ceilings):
        part.table.add(f"study device: {name}", text)
    device_words = f"{ceilings.device}, {ceilings.driver}, torch {ceilings.torch}"
    quiet = ceilings.quiet if part.on_gpu else None
    part.table.add("measured", device_words, "a free machine", ok=quiet, figures=asdict(ceilings))
    return worker, ceilings


def beside_the_datasheet(part: PartRun, _: DeviceWorker, ceilings: Ceilings) -> None:
    """Report which share of each datasheet value the ceilings reach."""
    device = named_by_driver(ceilings.device)
    if device is None:
        part.table.add("the datasheet", f"{ceilings.device} is not in the table")
        return
    names = {name: DTYPE_NAMES[name] for name in ceilings.flops_per_s}
    promised = {name: device.peak(short) for name, short in names.items() if device.has(short)}
    rates = {f"matmul {name}": (ceilings.flops_per_s[name], peak, FLOP_PER_S) for name, peak in promised.items()}
    rates["bandwidth"] = ceilings.bytes_per_s, device.bandwidth, BYTE_PER_S
    for name, (reached, peak, unit) in rates.items():
        share = reached / peak
        part.table.add(
            f"{name} of {device}",
            f"{amount(reached, unit)} of {amount(peak, unit)}: {share:.0%}",
            f"{LEAST_OF_SHEET:.0%} to {MOST_OF_SHEET:.0%}",
            ok=LEAST_OF_SHEET <= share <= MOST_OF_SHEET,
            figures={"reached": reached, "promised": peak},
        )


def beside_other_timers(part: PartRun, _: DeviceWorker, ceilings: Ceilings) -> None:
    """Compare each ceiling with another timer's measurement of the same work on random numbers."""
    small = part.quick and not part.on_gpu  # on a GPU, small work is slowed by its launch or helped by the cache
    side = SIDES[part.device][0 if small else -1]
    for name, reached in ceilings.flops_per_s.items():
        dtype = getattr(torch, name)
        call = product(*(torch.randn(side, side, device=part.device).to(dtype) for _ in range(2)))
        rate = 2 * side**3 / other_timers.quickest(call, part.device)
        _agreed(part, f"matmul {name}", (reached, rate), FLOP_PER_S)
    source = torch.rand(_ELEMENTS[part.device] >> (4 * small), device=part.device)
    target = torch.empty_like(source)
    rate = 2 * source.nbytes / other_timers.quickest(lambda: target.copy_(source), part.device)
    _agreed(part, "copy", (ceilings.copy_bytes_per_s, rate), BYTE_PER_S)
    rate = source.nbytes / other_timers.quickest(source.sum, part.device)
    _agreed(part, "read", (ceilings.read_bytes_per_s, rate), BYTE_PER_S)
    rate = target.nbytes / other_timers.quickest(lambda: target.fill_(1.0), part.device)
    _agreed(part, "fill", (ceilings.fill_bytes_per_s, rate), BYTE_PER_S)


def product(first: torch.Tensor, second: torch.Tensor) -> Callable[[], Any]:
    """Return a call that multiplies two matrices into memory allocated beforehand."""
    out = torch.empty_like(first)
    return lambda: torch.mm(first, second, out=out)


def _agreed(part: PartRun, what: str, rates: tuple[float, float], unit: Dimension) -> None:
    """Report whether a ceiling agrees with the rate that another timer measured."""
    ceiling, other = rates
    factor = ceiling / other
    part.table.add(
        f"by hand: {what}",
        f"{amount(other, unit)}, the ceiling is x{factor:.2f}",
        f"within x{AGREE}",
        ok=1 / AGREE <= factor <= AGREE if part.on_gpu else None,
        figures={"ceiling": ceiling, "other": other},
    )


def busy_device(part: PartRun, worker: DeviceWorker, ceilings: Ceilings) -> None:
    """Check that a measurement is not scored beside another load, and is scored when the device is free."""
    if part.quick:
        return
    job = _snippet("bet.matmul", part.device)
    with load(part.device):
        part.table.add("clocks under load", clocks.sentence(clocks.readings()), figures=dict(clocks.readings()))
        count, measured = worker.time(job)
    _noticed(part, "beside another process", count, measured, ceilings, expected=True)
    count, measured = worker.time(job)
    _noticed(part, "free again", count, measured, ceilings, expected=False)


def _noticed(
    part: PartRun, what: str, count: Count, measured: Measurement, ceilings: Ceilings, *, expected: bool
) -> None:
    verdict = unfit(measured, count, ceilings)
    noticed = isinstance(verdict, NotScored)
    part.table.add(
        f"a bet {what}",
        f"not scored: {verdict.why}" if isinstance(verdict, NotScored) else f"{seconds(measured.median)} counts",
        "not scored" if expected else "it counts",
        ok=noticed == expected if part.on_gpu else None,
    )


@contextmanager
def load(device: str) -> Iterator[None]:
    """Keep the device busy in another process."""
    command = [sys.executable, "-c", LOAD, device]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise RuntimeError("The process that loads the device did not start.")
            yield
        finally:
            process.kill()


def snippets(part: PartRun, worker: DeviceWorker, ceilings: Ceilings) -> None:
    """Time each snippet three times until the part's time is over, and report how many are steady."""
    able = [x for x in catalog.of_set("timing") if isinstance(x, BetExercise) and CLASS[part.device] in x.sizes]
    sample, reached, steady, under = part.some(able, 1), 0, 0, []
    longest = 0.0
    for exercise in sample:
        before = part.left_s
        if before < longest:
            break
        with part.table.step(exercise.id):
            agree, limit = repeated(part, worker, ceilings, exercise.id)
            steady += agree
            under += [exercise.id] if limit else []
        reached += 1
        longest = max(longest, before - part.left_s)
    missing = [exercise.id for exercise in sample[reached:]]
    part.table.add(
        f"{len(sample)} snippets",
        f"{reached} reached, {steady} of them steady, under their bound: {', '.join(under) or 'none'}",
        f"all within x{WITHIN}, or x{WITHIN_ON_HOST} where the host binds; none under",
        ok=steady == len(sample) and not under if part.on_gpu else None,
        figures={"reached": reached, "steady": steady, "under": under, "missing": missing},
    )


def repeated(part: PartRun, worker: DeviceWorker, ceilings: Ceilings, name: str) -> tuple[bool, bool]:
    """Return whether the repeats agree, and whether one was far below its bound. Report if one is not scored."""
    job = _snippet(name, part.device)
    runs = list(measurements(worker, job, 2 if part.quick else REPEATS))
    medians = [measured.median for _, measured in runs]
    count, middle = runs[0][0], sorted(medians)[len(medians) // 2]
    limits, least = bounds(count, ceilings), floor(count, ceilings)
    spread, under = max(medians) / min(medians), min(medians) * TRUSTED < least
    agree = spread <= (WITHIN_ON_HOST if runs[0][1].least else WITHIN)
    unscored = [verdict.why for _, m in runs if (verdict := unfit(m, count, ceilings))]
    words = [f"{seconds(middle)} (x{spread:.3f} over {len(medians)})", *(["under its bound"] if under else [])]
    words += ["clocks have changed"] if any(drifted(limits.binds, m.canaries, ceilings) for _, m in runs) else []
    part.table.add(
        name,
        ", ".join([*words, *unscored[:1]]),
        f"eager {seconds(limits.eager)}, fused {seconds(limits.fused)}",
        ok=agree and not under and not unscored if part.on_gpu else None,
        figures={
            "medians": medians,
            "sizes": dict(job.sizes),
            "eager": limits.eager,
            "fused": limits.fused,
            "floor": least,
            "binds": sorted(limits.binds),
            "flops": count.flops,
            "bytes": count.bytes_moved,
            "canaries": [asdict(each) for _, measured in runs for each in measured.canaries],
        },
    )
    return agree, under


def measurements(worker: DeviceWorker, job: Snippet, repeats: int) -> Iterator[tuple[Count, Measurement]]:
    """Time a snippet repeatedly in one child, as a bet does once, but with fewer samples."""
    request = {"work": "time", **asdict(job), "device": worker.device, "wanted_s": SAMPLES_S}
    for reply in replies(worker, request, repeats):
        count = host.read_count(reply["count"])
        yield count, host.read_measurement(reply["times"], reply["canaries"])


def replies(worker: DeviceWorker, request: dict[str, Any], repeats: int) -> Iterator[dict[str, Any]]:
    """Send the same job repeatedly, and yield its replies."""
    if isinstance(worker, InProcessDevice):
        yield from (worker._ask(request) for _ in range(repeats))
        return
    with worker.worker.start(host.PROGRAM, host.LIMITS, device=worker.device, threads=0) as child:
        for _ in range(repeats):
            reply = child.ask(request)
            if not isinstance(reply, Message) or "problem" in reply.header:
                raise BadDataError(str(reply.header["problem"] if isinstance(reply, Message) else reply))
            yield reply.header


def _snippet(name: str, device: str) -> Snippet:
    exercise = bet_named(name)
    return Snippet(exercise.source, exercise.id, exercise.draw(SEED, device))
