"""Test that a child locked down as for a GPU can do what a GPU's driver does. A small program stands in for it."""

import subprocess
import sys
from pathlib import Path

import pytest
from children import call

from studykit.graders.child.usage import ProcessFiles
from studykit.sandbox import landlock, seccomp
from studykit.sandbox.landlock import Grants
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.worker import Worker

pytestmark = pytest.mark.skipif(not (landlock.abi() and seccomp.available()), reason="needs Landlock and seccomp")

DRIVER = """
import mmap, os, sys, threading
from studykit.sandbox import landlock, lockdown
from studykit.sandbox.lockdown import Limits, MIB

def tried(name, work):
    try:
        work()
        print(name, flush=True)
    except OSError as error:
        print(name, error.strerror, flush=True)

def named(own):
    opened = os.open(f"/proc/self/task/{own}/comm", os.O_WRONLY | os.O_TRUNC)
    os.write(opened, b"cuda")
    os.close(opened)

def shared():
    mmap.mmap(-1, MIB, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS).write(b"x" * MIB)

status = lockdown.confine(landlock.grants(sys.path).ruleset(cuda=True), cuda=True)
tried("names its thread", lambda: named(threading.get_native_id()))
for file in ("maps", "status"):
    tried(f"reads its {file}", lambda: open(f"/proc/self/{file}").read())
tried("reads another's", lambda: open(f"/proc/{os.getppid()}/status").read())
lockdown.lock(Limits(memory_bytes=256 * MIB), status, threads=True, cuda=True, pinned=sys.argv[1] == "bet")
tried("reads its maps again", lambda: open("/proc/self/maps").read())
tried("shares memory", shared)
"""


@pytest.mark.parametrize(("program", "shared"), [("bet", "shares memory"), ("rewrite", "shares memory *")])
def test_child_lets_the_driver_start(program: str, shared: str) -> None:
    command = [sys.executable, "-c", DRIVER, program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[:3] == ["names its thread", "reads its maps", "reads its status"]
    assert lines[3] == "reads another's Permission denied"
    assert lines[4] == "reads its maps again"
    assert lines[5] == shared.replace("*", "Operation not permitted")


def test_refused_rule_names_its_path(tmp_path: Path) -> None:
    every_right = (1 << 40) - 1
    (rule,) = landlock._rules([str(tmp_path)], every_right)

    with pytest.raises(OSError, match="Landlock refuses a rule") as caught:
        Grants(landlock.abi(), (rule,)).ruleset()

    assert caught.value.filename == str(tmp_path)


WRITES_SHARED = """
import mmap, time
shared = mmap.mmap(-1, 32 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
shared.write(b"x" * (32 << 20))
print("ready", flush=True)
time.sleep(60)
"""


def test_shared_memory_counts_as_written() -> None:
    with subprocess.Popen([sys.executable, "-c", WRITES_SHARED], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        files = ProcessFiles.of(process.pid)
        before = files.usage().written_bytes
        files.close()
        process.kill()

    assert before > 32 * MIB


COUNTING = """
import getpass, os
def f():
    from torch._inductor.runtime.cache_dir_utils import cache_dir
    return [getpass.getuser(), cache_dir(), os.environ["CUDA_CACHE_DISABLE"]]
"""


def test_counts_need_no_user_and_no_cache(torch_worker: Worker) -> None:
    pytest.importorskip("torch")
    with torch_worker.start("run_rewrite", Limits(wall_s=60, cpu_s=60)) as child:
        reply = call(child, COUNTING, backend="torch")

    assert reply.header["value"] == {"list": [{"plain": "learner"}, {"plain": "/"}, {"plain": "1"}]}  # type: ignore[union-attr]


IGNORES = """
import signal, sys
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1, signal.SIGPIPE, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import open_worker
with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1, signal.SIGPIPE, signal.SIGQUIT):
        code = f"import os\\ndef f(): os.kill(os.getpid(), {int(number)}); return 0"
        with worker.start("run_rewrite", Limits()) as child:
            child.ask({"code": code, "parameters": None, "name": "f", "backend": "numpy", "device": "cpu"})
            print(number.name, child.ask({"arguments": []}).__class__.__name__)
"""


def test_child_has_default_signals_whoever_started_the_worker() -> None:
    done = subprocess.run([sys.executable, "-c", IGNORES], capture_output=True, text=True, timeout=120, check=True)

    assert done.stdout.split()[1::2] == ["Crashed"] * 5
