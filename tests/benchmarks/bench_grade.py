"""Grading a rewrite: the first grade compared with importing torch, the second one warm, and without torch.

The verdict is timed at the moment its line is printed; what the log loads afterwards comes on top ("whole").
Medians; ratios in one run count, absolute times drift.

    python tests/benchmarks/bench_grade.py [--rounds 5]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ANSWER = "from einops import rearrange\n\ndef f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
PROGRAM = "from studykit.__main__ import main; main()"
WITHOUT_TORCH = f"import studykit.graders.host.place as g; g.has_torch = lambda: False; {PROGRAM}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    first, warm, bare, bare_warm, floor, nothing = [], [], [], [], [], []
    inside, bare_inside = [], []
    for _ in range(rounds):
        floor.append(timed("import torch, einops"))
        nothing.append(timed("import typer"))
        with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as folder:
            first.append(grade(folder, PROGRAM))
            warm += [grade(folder, PROGRAM) for _ in range(3)]
            inside += [seconds_inside(folder, PROGRAM) for _ in range(3)]
        with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as folder:
            bare.append(grade(folder, WITHOUT_TORCH))
            bare_warm += [grade(folder, WITHOUT_TORCH) for _ in range(3)]
            bare_inside += [seconds_inside(folder, WITHOUT_TORCH) for _ in range(3)]
    base = median(floor)
    show("import torch, einops", base, base)
    show("python and typer", median(nothing), base)
    show("first grade: verdict", verdict(first), base)
    show("warm grade: verdict", verdict(warm), base)
    show("warm grade: whole", whole(warm), base)
    show("warm grade: in the worker, 5 shapes", median(inside), base)
    show("numpy, first: verdict", verdict(bare), base)
    show("numpy, warm: verdict", verdict(bare_warm), base)
    show("numpy, warm: in the worker", median(bare_inside), base)


def show(name: str, seconds: float, base: float) -> None:
    print(f"{name:38} {seconds:7.3f} s   {seconds / base:6.3f} x import torch, einops")


def verdict(times: Sequence[tuple[float, float]]) -> float:
    return median(time_[0] for time_ in times)


def whole(times: Sequence[tuple[float, float]]) -> float:
    return median(time_[1] for time_ in times)


def timed(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    return time.perf_counter() - began


def started(folder: str, program: str, *more: str) -> subprocess.Popen[str]:
    file = Path(folder, "mine.py")
    file.write_text(ANSWER)
    environ = dict(os.environ, XDG_RUNTIME_DIR=folder, STUDYKIT_DB=str(Path(folder, "s.db")))
    environ.pop("STUDYKIT_WORKER", None)
    command = [sys.executable, "-c", program, "grade", "rewrite.split_heads", str(file), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)


def grade(folder: str, program: str) -> tuple[float, float]:
    """Seconds until the verdict's line, and until the command has ended."""
    began = time.perf_counter()
    with started(folder, program) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Passed"):
                break
        verdict_s = time.perf_counter() - began
        process.communicate(timeout=60)
    return verdict_s, time.perf_counter() - began


def seconds_inside(folder: str, program: str) -> float:
    with started(folder, program, "--json") as process:
        output, _ = process.communicate(timeout=60)
    return float(json.loads(output)["seconds"])


if __name__ == "__main__":
    main()
