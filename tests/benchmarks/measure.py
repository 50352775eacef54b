"""Time calls, and whole processes that take turns."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles

ANKI = os.environ.get("STUDYKIT_ANKI_PYTHON")
"""An interpreter with Anki's library in it, to measure as well."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Hold the milliseconds of repeated measurements."""

    ms: tuple[float, ...]

    @property
    def p50(self) -> float:
        return median(self.ms)

    @property
    def p99(self) -> float:
        return quantiles(self.ms, n=100)[98] if len(self.ms) > 1 else self.ms[0]


@dataclass(frozen=True, slots=True)
class Command:
    """Hold a command, and the output to wait for. If `until` is empty, its end is waited for."""

    words: list[str]
    until: bytes = b""


def best_ms(call: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the milliseconds of the fastest run by `clock`, which counts seconds."""
    runs = []
    for _ in range(times):
        start = clock()
        call()
        runs.append(clock() - start)
    return 1000 * min(runs)


def interleaved(commands: Mapping[str, Command], runs: int, environment: dict[str, str]) -> dict[str, Timed]:
    """Time processes, each once a round so that a slow moment hits all alike. The first round is not counted."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            spent = waited(command, {**os.environ, **environment})
            if number:
                times[name].append(spent)
    return {name: Timed(tuple(each)) for name, each in times.items()}


def waited(command: Command, environment: dict[str, str]) -> float:
    """Return the milliseconds until a process writes the expected output, or until its end if none is expected."""
    start = time.perf_counter()
    with subprocess.Popen(
        command.words,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as process:
        output, spent = b"", 0.0
        while process.stdout and (read := process.stdout.read(4096)):
            output += read
            if command.until in output and not spent:
                spent = (time.perf_counter() - start) * 1000
        process.wait(timeout=60)
    if command.until not in output:
        raise RuntimeError(f"{' '.join(command.words)!r} ended and never wrote {command.until.decode()!r}.")
    return spent if command.until else (time.perf_counter() - start) * 1000
