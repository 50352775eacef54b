"""Test how a child's memory and processor time are measured where the kernel's own limits do not count them."""

import mmap
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest
from attacks import PARTS, memory
from children import call

from studykit.exercise.verdict import Crashed, Refused
from studykit.graders.child.usage import ProcessFiles, Usage, data_bytes
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.worker import Worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")

FIRST_THREAD_ENDS = """
import ctypes, threading, time
buffer = bytearray(32 << 20)
threading.Thread(target=time.sleep, args=(60,)).start()
print("ready", flush=True)
ctypes.CDLL(None).syscall({exit}, 0)
"""
EXIT = {"x86_64": 60, "aarch64": 93}


_HELD = """
import time
inner = f
def f():
    value = inner()
    time.sleep(2)
    return value
"""
"""It is looked at twenty times a second, less often where the machine is busy."""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the attack names calls by x86_64's numbers")
def test_memory_in_the_place_of_libraries_is_counted(torch_worker: Worker) -> None:
    attack = "SCENE = {'folder': '', 'victim': 0, 'parent': 0}\n" + memory(PARTS["in the place of libraries"])
    attack += _HELD

    with torch_worker.start("run_rewrite", Limits(wall_s=20.0, memory_bytes=64 * MIB)) as child:
        ending = call(child, attack, backend="torch")

    import torch

    # Torch's build with CUDA may end as its libraries are taken from under it, before the limit is met.
    is_crash = torch.version.cuda is not None and isinstance(ending, Crashed)
    assert is_crash or ending == Refused("it took more than 64 MiB of memory")


def test_usage_of_this_process_is_measured() -> None:
    before = ProcessFiles.of(os.getpid()).usage()
    buffer = mmap.mmap(-1, 32 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # never memory of earlier tests
    buffer.write(bytes(len(buffer)).replace(b"\0", b"x"))
    began = time.process_time()
    while time.process_time() - began < 0.1:
        pass

    after = ProcessFiles.of(os.getpid()).usage()
    assert after.written_bytes - before.written_bytes >= 24 * MIB
    assert after.cpu_s - before.cpu_s >= 0.08
    assert data_bytes(os.getpid()) >= after.written_bytes - 16 * MIB >= len(buffer) - 16 * MIB
    assert 0 < after.tables_bytes < 64 * MIB


def test_process_without_first_thread_is_seen() -> None:
    code = FIRST_THREAD_ENDS.format(exit=EXIT[platform.machine()])
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        until = time.monotonic() + 10
        while "Z" not in Path(f"/proc/{process.pid}/stat").read_text() and time.monotonic() < until:
            time.sleep(0.01)
        try:
            assert ProcessFiles.of(process.pid).usage().written_bytes >= 32 * MIB
        finally:
            process.kill()


def test_missing_process_uses_nothing() -> None:
    assert ProcessFiles.of(1 << 30).usage() == Usage(0, 0, 0.0, 0)
    assert data_bytes(1 << 30) == 0
