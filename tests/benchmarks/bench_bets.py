"""Timing bets on this machine: speed of counting and measuring, agreement of repeats, bounds, busy machines.

    python tests/benchmarks/bench_bets.py              how fast, and every snippet three times beside its bounds
    python tests/benchmarks/bench_bets.py --busy 10    how often a machine made busy on purpose is noticed

Snippets that were measured while the machine was busy are marked and left out of the summary.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace

from studykit.cli.context import Context
from studykit.exercise import catalog
from studykit.exercise.bet.bounds import Bounds, Ceilings, bounds
from studykit.exercise.bet.score import Measurement, busy, noise_of, unfit
from studykit.exercise.bet.snippet import CLASS, BetExercise, Snippet
from studykit.graders.host.device_worker import DeviceWorker, device_worker
from studykit.quantity.formatting import seconds

SEED = 7
HOG = "while True: pass"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="measure N times beside busy processes")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tries", type=int, default=4, help="tries at a free moment for each repeat")
    parser.add_argument("only", nargs="*", help="ids of snippets")
    chosen = parser.parse_args()
    with device_worker(Context.from_environment().open_worker) as worker:
        if chosen.busy:
            beside_hogs(worker, chosen.busy)
            return
        quickness(worker)
        ceilings = free_ceilings(worker, chosen.tries)
        say(f"{ceilings}\n")
        able = [x for x in catalog.of_set("timing") if isinstance(x, BetExercise)]
        able = [x for x in able if CLASS[worker.device] in x.sizes and (not chosen.only or x.id in chosen.only)]
        report([one(worker, exercise, ceilings, chosen.repeats, chosen.tries) for exercise in able])


def quickness(worker: DeviceWorker) -> None:
    """What a learner waits for."""
    exercise = catalog.find("bet.training_step")
    assert isinstance(exercise, BetExercise)
    job = Snippet(exercise.source, exercise.id, exercise.draw(SEED, worker.device))
    for name, call in (("count", lambda: worker.count(job)), ("count and time", lambda: worker.time(job))):
        say(f"{name:16} {min(took(call) for _ in range(5)) * 1e3:8.1f} ms")
    say(f"{'ceilings':16} {took(worker.ceilings):8.2f} s")


def took(call: object) -> float:
    began = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - began


def free_ceilings(worker: DeviceWorker, tries: int) -> Ceilings:
    """The best of a few ceilings from free moments."""
    ceilings = worker.ceilings()
    for _ in range(tries):
        again = worker.ceilings()
        ceilings = best(ceilings, again) if again.quiet else ceilings
    if not ceilings.quiet:
        say("the machine was never free: these ceilings are too low")
    return ceilings


def best(one: Ceilings, other: Ceilings) -> Ceilings:
    """The best that two measurements of one device saw; `other` where the first was made on a busy machine."""
    if not one.quiet or not other.quiet:
        return other
    names = [each.name for each in fields(Ceilings)]
    speeds = [name for name in names if name.endswith("bytes_per_s")]
    costs = [name for name in names if name.endswith("_s") and name not in {*speeds, "flops_per_s"}]
    return replace(
        other,
        flops_per_s={dtype: max(speed, other.peak(dtype)) for dtype, speed in one.flops_per_s.items()},
        **{name: max(getattr(one, name), getattr(other, name)) for name in speeds},
        **{name: min(getattr(one, name), getattr(other, name)) for name in costs},
    )


Row = tuple[str, list[Measurement], int, Bounds]


def one(worker: DeviceWorker, exercise: BetExercise, ceilings: Ceilings, repeats: int, tries: int) -> Row:
    """A snippet measured several times in free moments, as far as there were any."""
    job = Snippet(exercise.source, exercise.id, exercise.draw(SEED, worker.device))
    measurements: list[Measurement] = []
    refused = 0
    for _ in range(repeats * tries):
        if len(measurements) == repeats:
            break
        count, measured = worker.time(job)
        if unfit(measured, count, ceilings):
            refused += 1
        else:
            measurements.append(measured)
    limits = bounds(count, ceilings)
    medians = [measured.median for measured in measurements]
    times = "busy" if not medians else f"{seconds(min(medians)):>10} x{max(medians) / min(medians):.2f}"
    ratios = "" if not medians else f"{min(medians) / limits.eager:6.2f} {min(medians) / limits.fused:8.2f}"
    noise = (
        ""
        if not measurements
        else f"{max(noise_of(measured, ceilings, limits.binds) for measured in measurements):.2f}"
    )
    binds = "/".join(sorted(limits.binds))
    say(f"{exercise.id:26} {times:>18} {seconds(limits.eager):>10} {ratios:16} {binds:10} {noise:>5} {refused:3}")
    return exercise.id, measurements, refused, limits


def report(rows: Sequence[Row]) -> None:
    whole = [(name, measurements, limits) for name, measurements, _, limits in rows if len(measurements) > 1]
    apart = [
        max(m.median for m in measurements) / min(m.median for m in measurements) for _, measurements, _ in whole
    ]
    below = [name for name, measurements, limits in whole if min(m.median for m in measurements) < limits.eager]
    say(f"\n{len(whole)} of {len(rows)} snippets measured at least twice in free moments")
    if apart:
        steady = sum(ratio <= 1.25 for ratio in apart)
        say(f"repeats within 1.25x: {steady} of {len(apart)}; worst {max(apart):.2f}x")
    say(f"measured below the eager bound: {', '.join(below) or 'none'}")


def beside_hogs(worker: DeviceWorker, times: int) -> None:
    exercise = catalog.find("bet.add")
    assert isinstance(exercise, BetExercise)
    job = Snippet(exercise.source, exercise.id, exercise.draw(SEED, worker.device))
    noticed = 0
    with hogs(os.cpu_count() or 1):
        for _ in range(times):
            _, measured = worker.time(job)
            noticed += bool(busy(measured.canaries))
    say(f"noticed {noticed} of {times} times beside {os.cpu_count()} busy processes")


@contextmanager
def hogs(number: int) -> Iterator[None]:
    """Busy processes beside what is measured, ended with the block."""
    started = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(number)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
