"""Test that `study doctor --gpu` names the calls that the sandbox refused a child."""

import json
import subprocess
import sys

import pytest

from studykit.sandbox import landlock, ptrace, seccomp

ASKS_FOR_MORE = """
from studykit.graders.host import gpu_refusals
from studykit.sandbox.lockdown import Limits

CODE = '''
import os, socket
def f():
    make = lambda: os.mkdir("/dev/made")
    for way in (lambda: open("/etc/passwd"), socket.socket, make, lambda: open("/dev/null")):
        try: way()
        except OSError: pass
'''

def start(worker):
    try:
        with worker.start("run_rewrite", Limits(wall_s=60, cpu_s=60)) as child:
            child.ask({"code": CODE, "parameters": None, "name": "f", "backend": "torch", "device": "cpu"})
            child.ask({"arguments": []})
    finally:
        worker.release()

gpu_refusals._start_gpu = start
gpu_refusals.main()
"""


@pytest.mark.skipif(
    not (ptrace.available() and landlock.abi() and seccomp.available()), reason="calls cannot be seen here"
)
def test_refused_calls_are_named_by_path_or_call() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKS_FOR_MORE], capture_output=True, text=True, timeout=100, check=True
    )

    result = json.loads(done.stdout)
    assert {"openat /etc/passwd (EACCES)", "socket (EPERM)", "mkdir /dev/made (EPERM)"} <= set(result)
    assert not any("/dev/null" in line for line in result)
