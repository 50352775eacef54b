"""Measuring side by side: whole processes and repeated calls, told as ratios of one run."""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

ANKI = os.environ.get("STUDYKIT_ANKI_PYTHON")
"""An interpreter with Anki's library in it, to be measured beside."""


@dataclass(frozen=True)
class Timed:
    """Milliseconds of one thing, measured several times."""

    name: str
    ms: tuple[float, ...]
    cpu_ms: tuple[float, ...] = ()

    @property
    def p50(self) -> float:
        return median(self.ms)

    @property
    def p99(self) -> float:
        return quantiles(self.ms, n=100)[98] if len(self.ms) > 1 else self.ms[0]

    def line(self, base: "Timed | None" = None) -> str:
        """One line of a report, as a ratio of `base`."""
        ratio = f"{self.p50 / base.p50:8.2f} x" if base else ""
        cpu = ""
        if self.cpu_ms:
            own = median(self.cpu_ms)
            cpu = f"  cpu {own:8.2f} ms" + (f" {own / median(base.cpu_ms):6.2f} x" if base else "")
        return f"{self.name:<40} p50 {self.p50:9.3f}  min {min(self.ms):9.3f}  p99 {self.p99:9.3f} ms{ratio}{cpu}"


@dataclass(frozen=True)
class Command:
    """A process, and what to wait for in what it writes; empty: its end."""

    words: list[str]
    until: bytes = b""


def arguments(description: str, *, cards: int = 10_000, reviews: int = 100_000) -> argparse.Namespace:
    """Options that the benchmarks share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--cards", type=int, default=cards)
    parser.add_argument("--reviews", type=int, default=reviews)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/studykit-bench"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def repeated(name: str, call: Callable[[], object], runs: int) -> Timed:
    """The call timed several times, after one that is not counted."""
    call()
    return Timed(name, tuple(_timed(call) for _ in range(runs)))


def interleaved(commands: Mapping[str, Command], runs: int, environment: dict[str, str]) -> dict[str, Timed]:
    """Whole processes, each once per round, so that the machine's moods reach them all alike."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            before = _children_ms()
            spent = waited(command, {**os.environ, **environment})
            if number:
                times[name].append((spent, _children_ms() - before))
    return {name: Timed(name, *map(tuple, zip(*both, strict=True))) for name, both in times.items()}


def _children_ms() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def waited(command: Command, environment: dict[str, str]) -> float:
    """Milliseconds until a process has written the sign that it is waited for, or until it has ended."""
    start = time.perf_counter()
    with subprocess.Popen(
        command.words,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as process:
        output = b""
        while process.stdout and (read := process.stdout.read(4096)):
            output += read
            if command.until and command.until in output:
                spent = (time.perf_counter() - start) * 1000
                process.communicate(timeout=60)
                return spent
        process.wait(timeout=60)
    return (time.perf_counter() - start) * 1000


def report(timed: Sequence[Timed], base: Timed | None = None) -> None:
    """Print a line for each."""
    for one in timed:
        sys.stdout.write(one.line(base) + "\n")
    sys.stdout.flush()


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000
