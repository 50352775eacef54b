"""Run the parts of the GPU checks, each in its own process with a time limit.

    python -m tests.gpu                    all parts, within nine minutes
    python -m tests.gpu bets --json FILE   one of them, its figures as JSON as well
    python -m tests.gpu --device cpu       the same scripts without a GPU, to see that they run
    python -m tests.gpu record --json FILE every bet measured twice, for `exercises/measurements/`

Ends with 1 if a check fails or a part passes its limit, and with 6 without a GPU.
"""

import argparse
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from studykit.errors import MissingError
from studykit.graders.host.place import backend_and_device
from studykit.sandbox.worker import Worker, open_worker

from .report import PartRun, Table, machine

PARTS = {"rewrites": 150, "sandbox": 80, "bets": 260}
"""Seconds that each may take: 490 together. What one leaves the next has as well, and bets can use the most."""
QUICK = {"rewrites": 30, "sandbox": 25, "bets": 26}
"""The same of a quick run: 81 together."""
RECORD = "record"
_ROOT = Path(__file__).resolve().parents[2]
_SPARE_S = 8.0  # a part stops by itself this long before it would be ended
DONE, NOT_AS_WANTED, MISSING = 0, 1, 6


def main(arguments: list[str] | None = None) -> int:
    """Run the parts that the arguments name, and return the exit code."""
    options = _parsed(arguments)
    try:
        backend_and_device(options.device)
    except MissingError as error:
        sys.stderr.write(f"left out: {error}\n")
        return MISSING
    if options.inside:
        return _inside(options.inside, options.device, options.json, limit_s=options.limit, quick=options.quick)
    if options.names == [RECORD]:
        return _record(options)
    names = options.names or list(PARTS)
    with tempfile.TemporaryDirectory(prefix="study-gpu-") as folder:
        documents = list(_each(names, options, Path(folder)))
    failed = [line for document in documents for line in document["lines"] if line["ok"] is False]
    unfinished = [document["part"] for document in documents if not document["finished"]]
    print(f"\n{len(failed)} not as wanted; unfinished: {', '.join(unfinished) or 'none'}")
    if options.json:
        options.json.write_text(json.dumps({"schema": 1, "machine": machine(), "parts": documents}, indent=1))
    return NOT_AS_WANTED if failed or unfinished else DONE


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.gpu", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PARTS)}; all without one")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--quick", action="store_true", help="a sample of each part")
    parser.add_argument("--inside", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=float, default=0.0, help="seconds for each part, in place of its own")
    options = parser.parse_args(arguments)
    if options.names == [RECORD]:
        return options if options.json else parser.error("name the file of the recording with --json FILE.")
    if unknown := [name for name in options.names if name not in PARTS]:
        parser.error(f"{unknown[0]!r} is not a part; the parts are {', '.join(PARTS)}.")
    return options


def _record(options: argparse.Namespace) -> int:
    """Record all bets in a file, compare it with the datasheet, and return the exit code."""
    from studykit.exercise.bet.recorded import read_recording, too_fast

    from . import record

    record.record(options.device, options.json, quick=options.quick)
    problems = [*too_fast(read_recording(options.json))] if options.device == "cuda" else []
    print("\n".join([f"Wrote {options.json}.", *problems]))
    return NOT_AS_WANTED if problems else DONE


def _each(names: list[str], options: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Run the parts one after another, and yield the report of each."""
    left_s = 0.0
    for name in names:
        limit_s = options.limit or (QUICK if options.quick else PARTS)[name] + left_s
        document = _apart(name, options, folder / f"{name}.json", limit_s)
        left_s = max(0.0, limit_s - document["seconds"])
        yield document


def _apart(name: str, options: argparse.Namespace, path: Path, limit_s: float) -> dict[str, Any]:
    """Run a part in a new process group, kill it at its limit, and return its report so far."""
    command = [sys.executable, "-m", "tests.gpu", "--inside", name, "--device", options.device]
    command += ["--json", str(path), "--limit", str(limit_s), *(["--quick"] if options.quick else [])]
    began = time.monotonic()
    with subprocess.Popen(command, cwd=_ROOT, start_new_session=True) as process:
        try:
            process.wait(limit_s)
        except subprocess.TimeoutExpired:
            print(f"{name} passed its limit of {limit_s:.0f} s and was ended")
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        _end_group(process)
    nothing = {"part": name, "device": options.device, "finished": False, "lines": []}
    document: dict[str, Any] = json.loads(path.read_text()) if path.exists() else nothing
    return document | {"seconds": round(time.monotonic() - began, 1)}


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill all processes that a part has left. Its workers end because their lifeline closes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _inside(name: str, device: str, path: Path | None, *, limit_s: float, quick: bool) -> int:
    """Run a part in this process, and return the exit code."""
    part = importlib.import_module(f".{name}", __package__)
    table = Table(name, device, path, partial(print, flush=True))
    table.head()
    until = time.monotonic() + (limit_s or PARTS[name]) - _SPARE_S
    part.run(PartRun(device, table, private_worker, until, quick))
    table.end()
    return DONE


def private_worker(*, wrapped: bool) -> Worker:
    """Return a worker of this part only, so that no part can spoil another."""
    return open_worker(backend="torch", shared=False, wrapped=wrapped)


if __name__ == "__main__":
    sys.exit(main())
