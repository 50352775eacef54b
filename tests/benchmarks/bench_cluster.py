"""A class's submissions graded by the processes of this machine, then by three workers of a local dask scheduler.

Right and wrong rewrites by turns; both must give the same results. One worker is killed at a third.

    nice -n 19 python tests/benchmarks/bench_cluster.py [--count 5000]
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "support"
WORKERS = 3
SHOWN = 3  # differences


def main() -> None:
    """Make, grade twice, compare, print."""
    sys.path.insert(0, str(SUPPORT))
    from submissions_of_a_class import RIGHT

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5000)
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as home:
        folder = Path(home, "handed-in")
        folder.mkdir()
        for number in range(count):
            text = RIGHT if number % 3 else RIGHT.replace("(h d)", "(d h)")
            (folder / f"{number:05}.py").write_text(text)
        graded(home, "local")
        scheduler, workers, address = cluster(home)
        try:
            graded(home, "cluster", "--on", address, victim=workers[0], at=count // 3)
        finally:
            for process in (*workers, scheduler):
                process.kill()
                process.wait()
        here, there = results(home, "local"), results(home, "cluster")
    pairs = [(one, other) for one, other in zip(here, there, strict=True) if one != other]
    for one, other in pairs[:SHOWN]:
        print(f"{one}\n{other}")
    print(f"{len(pairs)} of {count} results differ")
    sys.exit(bool(pairs))


def graded(
    home: str, name: str, *words: str, victim: "subprocess.Popen[bytes] | None" = None, at: int = 0
) -> None:
    """One batch; at so many results the victim is killed."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith("STUDYKIT_")}
    environ |= {"XDG_RUNTIME_DIR": home, "HOME": home, "XDG_DATA_HOME": f"{home}/data", "STUDYKIT_SEED": "7"}
    command = [sys.executable, "-P", "-m", "studykit", "grade", "split_heads", "--batch", "handed-in"]
    log = Path(home, f"{name}.json.graded")
    began = time.monotonic()
    with subprocess.Popen([*command, "--results", f"{name}.json", *words], cwd=home, env=environ) as run:
        while run.poll() is None:
            if victim is not None and log.exists() and log.read_bytes().count(b"\n") >= at:
                victim.send_signal(signal.SIGKILL)
                victim = None
            time.sleep(0.2)
    took = time.monotonic() - began
    number = log.read_bytes().count(b"\n")
    print(f"{name}: {number} in {took:.1f} s, {60 * number / took:.0f} a minute", flush=True)


def cluster(home: str) -> "tuple[subprocess.Popen[bytes], list[subprocess.Popen[bytes]], str]":
    """A scheduler and its workers, of one thread each."""
    file = Path(home, "scheduler.json")
    local = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    scheduler = started("scheduler", *local, "--scheduler-file", str(file))
    while not file.exists() or not file.read_text():
        time.sleep(0.1)
    address = str(json.loads(file.read_text())["address"])
    words = [address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", home]
    return scheduler, [started("worker", *words) for _ in range(WORKERS)], address


def started(kind: str, *words: str) -> "subprocess.Popen[bytes]":
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-P", "-m", f"distributed.cli.dask_{kind}", *words]
    return subprocess.Popen(command, stdout=quiet, stderr=quiet)


def results(home: str, name: str) -> list[dict[str, object]]:
    """What came of each file, but for the time that it took."""
    details = json.loads(Path(home, f"{name}.json").read_text())["submissions"]
    return [{key: value for key, value in each.items() if key != "seconds"} for each in details]


if __name__ == "__main__":
    main()
