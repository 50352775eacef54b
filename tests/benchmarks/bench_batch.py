"""A class of 500 submissions of all kinds, graded while whatever grades them is killed; every result is compared.

They are right, wrong, hostile, slow, crashing, badly named or no files at all. Every few seconds a grader or a
worker is killed, at a third the run itself is, and at two thirds Ctrl-C ends it. Ends with 1 where one is wrong.

    nice -n 19 python tests/benchmarks/bench_batch.py [--count 500] [--calm]
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "support"
PAUSE_S = 20
"""Between two kills: a worker needs some to import torch again."""


def main() -> None:
    """Make, grade, compare, print."""
    sys.path.insert(0, str(SUPPORT))
    from submissions_of_a_class import make

    from studykit.sandbox.worker import has_torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--calm", action="store_true", help="kill nothing")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as home:
        folder = Path(home, "handed-in")
        folder.mkdir()
        expected = make(folder, options.count, torch=has_torch())
        began = time.monotonic()
        summary = calm_run(home) if options.calm else disturbed_run(home, options.count)
        took = time.monotonic() - began
        wrong = differences(Path(home, "r.json"), expected)
    print(summary)
    cores = len(os.sched_getaffinity(0))
    print(
        f"{options.count} submissions in {took:.0f} s on {cores} cores: {60 * options.count / took:.0f} a minute"
    )
    print(f"{len(expected) - len(wrong)} of {len(expected)} results right")
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))


def started(home: str) -> "subprocess.Popen[str]":
    environ = {name: value for name, value in os.environ.items() if not name.startswith("STUDYKIT_")}
    environ |= {"XDG_RUNTIME_DIR": home, "HOME": home, "XDG_DATA_HOME": f"{home}/data", "STUDYKIT_SEED": "7"}
    words = "-P -m studykit grade split_heads --batch handed-in --results r.json"
    command = [sys.executable, *words.split()]
    return subprocess.Popen(
        command, cwd=home, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def calm_run(home: str) -> str:
    with started(home) as run:
        return run.communicate()[0].strip()


def disturbed_run(home: str, most: int) -> str:
    """The batch, killed at a third and interrupted at two thirds; meanwhile its graders and workers are killed."""
    ends = {most // 3: signal.SIGKILL, 2 * most // 3: signal.SIGINT}
    killed: Counter[str] = Counter()
    draw, outputs = random.Random(3), []
    while True:
        with started(home) as run:
            for second in pauses(run):
                done = len(lines(home))
                if (now := next((at for at in ends if done >= at), None)) is not None:
                    run.send_signal(ends[now])
                    killed[f"the run by {ends.pop(now).name}"] += 1
                    break
                if second % PAUSE_S == 0 and (process := victim(draw, home, run.pid)) is not None:
                    pid, kind = process
                    killed[kind] += 1
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            outputs.append(run.communicate()[0].strip())
        if run.returncode not in {-signal.SIGKILL, 130}:
            return "\n".join([*filter(None, outputs), f"killed: {dict(killed)}"])


def pauses(run: "subprocess.Popen[str]") -> Iterator[int]:
    """The seconds that the run lasts, each when it is over."""
    for second in count(1):
        try:
            run.wait(1)
        except subprocess.TimeoutExpired:
            yield second
        else:
            return


def lines(home: str) -> list[str]:
    log = Path(home, "r.json.graded")
    return log.read_text().splitlines() if log.exists() else []


def victim(draw: random.Random, home: str, run: int) -> tuple[int, str] | None:
    """A grader of the run, or the worker of this home."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = entry.read_bytes().decode("utf-8", "replace").split("\0")
            parent = int(entry.with_name("stat").read_text().rpartition(")")[2].split()[1])
            if "studykit.submissions.grader" in words and parent == run:
                processes.append((int(entry.parent.name), "a grader"))
            elif any(word.startswith(f"--path={home}") for word in words):
                processes.append((int(entry.parent.name), "a worker"))
    return draw.choice(processes) if processes else None


def differences(results: Path, expected: Mapping[bytes, frozenset[str]]) -> list[str]:
    """A line for each submission whose result is not one of those wanted."""
    from studykit.text import shown_name

    details = json.loads(results.read_text(encoding="utf-8"))["submissions"]
    by_path = {each["path"]: each for each in details}
    names = {shown_name(os.fsdecode(name)): verdicts for name, verdicts in expected.items()}
    wrong = [f"{name}: not among the results" for name in names if name not in by_path]
    wrong += [f"{name}: handed in by nobody" for name in by_path if name not in names]
    for name, verdicts in names.items():
        if name in by_path and (verdict := by_path[name].get("verdict", "")) not in verdicts:
            wrong.append(f"{name}: {verdict or by_path[name]['problem']}, wanted {sorted(verdicts)}")
    return wrong


if __name__ == "__main__":
    main()
