"""Test what code inside bubblewrap can reach, and that nothing stays when it ends."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from children import call, processes_of

from studykit.sandbox import bubblewrap, gpu
from studykit.sandbox.channel import Message
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import open_worker

LIMITS = Limits(wall_s=20, cpu_s=2)
LOOK = """
import json, os, socket, sys
def writes(path):
    try:
        open(path, "w").close()
        return True
    except OSError:
        return False
print(json.dumps({
    "secret": os.path.exists(sys.argv[1]),
    "kept": writes(sys.argv[2] + "/kept"),
    "elsewhere": [x for x in ("/usr/x", "/lib/x", "/sys/devices/system/x", sys.prefix + "/x") if writes(x)],
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "network": [name for _, name in socket.if_nameindex()],
    "exercises": [os.path.exists(path) for path in sys.argv[3:]],
}))
"""


def test_inside_bubblewrap_nothing_is_reachable(tmp_path: Path, runtime: Path) -> None:
    secret = tmp_path / "secret"
    secret.touch()
    root = Path(bubblewrap.__file__).parents[2]
    hidden = [str(root / "exercises"), str(root / "decks"), str(root / "tests")]
    looking = [sys.executable, "-E", "-P", "-c", LOOK, str(secret), str(runtime), *hidden]

    wrapping = bubblewrap.command(runtime, "numpy")
    done = subprocess.run([*wrapping, *looking], capture_output=True, text=True, timeout=30, check=True)

    assert json.loads(done.stdout) == {
        "secret": False,
        "kept": True,
        "elsewhere": [],
        "processes": 2,
        "network": ["lo"],
        "exercises": [False, False, False],
    }


def test_an_answer_runs_inside_it() -> None:
    with open_worker(backend="numpy", shared=False) as worker, worker.start("run_rewrite", LIMITS) as child:
        code = "import os\ndef f(): return os.getpid() < 100"  # of this namespace's few
        reply = call(child, code)

    assert worker.wrapped
    assert isinstance(reply, Message)
    assert reply.header["value"] == {"plain": True}


def test_nothing_of_it_stays() -> None:
    with open_worker(backend="numpy", shared=False) as worker:
        worker.start("run_rewrite", LIMITS).close()
        assert len(processes_of(worker)) >= 2

    until = time.monotonic() + 20  # the kernel clears a namespace a moment later
    while processes_of(worker):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_unwrapped_worker_is_not_reused(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setenv("PATH", str(runtime))
        first = open_worker(backend="numpy", runtime=runtime)
        again = open_worker(backend="numpy", runtime=runtime)

    second = open_worker(backend="numpy", runtime=runtime)
    try:
        assert (first.wrapped, again.path == first.path) == (False, True)
        assert second.wrapped
        assert second.path != first.path
    finally:
        for worker in (first, second):
            worker.path.unlink()


def test_bwrap_failing_with_python_is_tried_once(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def unfit(_: Path, backend: str) -> list[str]:
        tried.append(backend)
        return []

    monkeypatch.setattr(bubblewrap, "command", unfit)

    first = open_worker(backend="numpy", runtime=runtime)
    again = open_worker(backend="numpy", runtime=runtime)
    first.path.unlink()

    assert (first.wrapped, again.path) == (False, first.path)
    assert len(tried) == 1


def test_beside_a_gpu_it_stays(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = {"/dev/nvidiactl", "/dev/nvidia0"}
    monkeypatch.setattr(gpu, "drivers", lambda: gpu.DRIVERS[:1])
    monkeypatch.setattr(gpu, "files", lambda patterns: sorted(nodes) if nodes & set(patterns) else [])

    words = bubblewrap.command(runtime, "numpy")

    assert words[words.index("/dev/nvidia0") - 1] == "--dev-bind-try"
    assert words.index("--dev") < words.index("/dev/nvidia0")  # which would hide it


def test_unwrapped_worker_runs_without_bubblewrap() -> None:
    with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
        assert worker.process is not None
        assert Path(f"/proc/{worker.process.pid}/exe").resolve() == Path(sys.executable).resolve()
        assert not worker.wrapped
