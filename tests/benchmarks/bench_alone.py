"""Timing bets beside `torch.utils.benchmark`, which runs each snippet in a process of its own.

    python tests/benchmarks/bench_alone.py             every snippet that this device can run
    python tests/benchmarks/bench_alone.py bet.add     some of them

Both lines of a bet, kept memory and by itself, are divided by the time of the benchmark: one of the two should be
within 1.25. The benchmark runs before and after the bet. Where both runs differ, or the bet saw a busy machine,
the snippet is marked and left out of the summary: what others do to a CPU tells nothing about the instrument.
"""

import argparse
import math
import subprocess
import sys

from studykit.cli.context import Context
from studykit.exercise import catalog
from studykit.exercise.bet.score import Measurement, busy
from studykit.exercise.bet.snippet import CLASS, BetExercise, Snippet
from studykit.graders.host.device_worker import DeviceWorker, device_worker
from studykit.quantity.formatting import seconds

SEED = 7
AGREED = 1.25
STEADY = 1.15  # what two runs of the benchmark may differ by on a machine that is free
TRIES = 3
REFERENCE = """
import sys, torch, torch.nn.functional as F
from torch.utils.benchmark import Timer
names = {"torch": torch, "F": F}
exec(sys.argv[1], names)
torch.manual_seed(0)
with torch.device(sys.argv[3]):
    inputs = names["setup"](**eval(sys.argv[2]))
inputs = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
timer = Timer("run(*inputs)", globals={"run": names["run"], "inputs": inputs}, num_threads=torch.get_num_threads())
print(timer.blocked_autorange(min_run_time=0.5).median)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="ids of snippets")
    options = parser.parse_args()
    with device_worker(Context.from_environment().open_worker) as worker:
        able = [x for x in catalog.of_set("timing") if isinstance(x, BetExercise)]
        able = [x for x in able if CLASS[worker.device] in x.sizes and (not options.only or x.id in options.only)]
        say(f"{'snippet':26} {'benchmark':>11} {'measured':>11} {'':5} {'by itself':>11}")
        rows = [compared(worker, exercise) for exercise in able]
    free = [off for off, is_busy in rows if not is_busy]
    agreed = sum(off <= AGREED for off in free)
    say(f"\n{len(free)} of {len(rows)} snippets in free moments; within {AGREED}x: {agreed}")
    say(f"all, busy moments too: within {AGREED}x: {sum(off <= AGREED for off, _ in rows)} of {len(rows)}")


def compared(worker: DeviceWorker, exercise: BetExercise) -> tuple[float, bool]:
    """How far the nearer line is from the benchmark, and whether the machine was busy at each try."""
    job = Snippet(exercise.source, exercise.id, exercise.draw(SEED, worker.device))
    for _ in range(TRIES):
        before = reference(job, worker.device)
        _, measured = worker.time(job)
        after = reference(job, worker.device)
        alone = min(before, after)
        off = min(apart(line, alone) for line in lines(measured))
        is_busy = bool(busy(measured.canaries)) or apart(before, after) > STEADY
        if not is_busy and off <= AGREED:
            break
    fresh = (
        ""
        if measured.fresh is None
        else f"{seconds(measured.fresh.median):>11} x{measured.fresh.median / alone:.2f}"
    )
    mark = "busy" if is_busy else "" if off <= AGREED else "APART"
    say(
        f"{exercise.id:26} {seconds(alone):>11} {seconds(measured.median):>11} x{measured.median / alone:.2f} "
        f"{fresh:17} {mark}"
    )
    return off, is_busy


def lines(measured: Measurement) -> list[float]:
    return [measured.median] + ([measured.fresh.median] if measured.fresh else [])


def apart(one: float, other: float) -> float:
    return math.exp(abs(math.log(one / other)))


def reference(job: Snippet, device: str) -> float:
    """Seconds of a call by torch's own benchmark, in a process that does nothing else."""
    command = [sys.executable, "-c", REFERENCE, job.source, repr(dict(job.sizes)), device]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
