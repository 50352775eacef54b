"""What is traced: a child of the worker from its fork to its last answer, or the same work without a sandbox.

Prints the process to follow, waits for a line, does the work and prints what came of it as JSON.
"""

import json
import os
import sys
from dataclasses import replace
from typing import Any

from children import children_of

from studykit.graders.host.device_worker import DeviceWorker
from studykit.graders.host.place import Place
from studykit.sandbox.worker import Worker, open_worker

from .rewrites import ON_CPU, ON_GPU, values_in_child

FORBIDDEN = "/etc/passwd"
"""A child tries to read it, so that the trace has a refusal which shows that it sees them."""

WORK = """
def f():
    results = []
    def tried(name, work):
        try:
            work()
            if {device!r} == "cuda":
                torch.cuda.synchronize()
            results.append(name + ": ok")
        except BaseException as error:
            results.append((name + ": " + type(error).__name__ + ": " + str(error))[:200].replace(chr(10), " "))
    def made(*shape, dtype=torch.float32):
        return torch.randn(*shape, device={device!r}).to(dtype)
    try:
        open({forbidden!r}).close()
    except OSError:
        pass
    tried("a kernel", lambda: made(1000).exp().sum().item())
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        tried("a matmul in " + str(dtype), lambda: made(256, 256, dtype=dtype) @ made(256, 256, dtype=dtype))
    tried("a convolution", lambda: F.conv2d(made(2, 8, 32, 32), made(8, 8, 3, 3)))
    half = torch.bfloat16 if {device!r} == "cuda" else torch.float32
    heads = [made(1, 4, 128, 64, dtype=half) for _ in range(3)]
    tried("attention", lambda: F.scaled_dot_product_attention(*heads))
    tried("a gradient", lambda: F.gelu(made(64, 64).requires_grad_()).sum().backward())
    tried("sorting", lambda: made(100000).sort())
    tried("linear algebra", lambda: torch.linalg.qr(made(64, 64)))
    tried("a Fourier transform", lambda: torch.fft.fft(made(4096)))
    tried("half a gigabyte in pieces", lambda: [made(1 << 24) for _ in range(8)])
    if {device!r} == "cuda":
        tried("pinned memory", lambda: torch.ones(1 << 20).pin_memory().to("cuda", non_blocking=True))
        tried("a second stream", lambda: torch.cuda.Stream().synchronize())
        tried("events", lambda: torch.cuda.Event(enable_timing=True).record())
    return results
"""


def main() -> None:
    """`traced_program DEVICE WAY`: bare, wrapped or plain."""
    device, way = sys.argv[1:]
    document = _plain(device) if way == "plain" else _sandboxed(device, wrapped=way == "wrapped")
    sys.stdout.write(json.dumps(document) + "\n")


def _sandboxed(device: str, *, wrapped: bool) -> dict[str, Any]:
    with open_worker(backend="torch", shared=False, wrapped=wrapped) as worker:
        limits = ON_GPU if device == "cuda" else ON_CPU
        place = Place(worker, device, replace(limits, cpu_s=30))  # it stops at each of its calls, which is slow
        values_in_child(Place(worker, limits=ON_CPU), "def f(): return ['torch is imported']")
        _let_follow(_server(worker))
        document: dict[str, Any] = {"wrapped": worker.wrapped}
        try:
            document["work"] = values_in_child(place, WORK.format(device=device, forbidden=FORBIDDEN))
        except RuntimeError as error:
            document["problem"] = str(error)
        try:
            document["bet"] = DeviceWorker(worker, device, lambda: worker).identity()
        except Exception as error:  # noqa: BLE001 - told, whatever it is
            document["bet"] = {"problem": str(error)}
        return document


def _plain(device: str) -> dict[str, Any]:
    import torch

    _let_follow(os.getpid())
    space: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
    exec(WORK.format(device=device, forbidden=FORBIDDEN), space)  # noqa: S102 - our own
    return {"work": space["f"]()}


def _let_follow(pid: int) -> None:
    sys.stdout.write(f"{pid}\n")
    sys.stdout.flush()
    sys.stdin.readline()


def _server(worker: Worker) -> int:
    """The process that forks: bubblewrap stands twice before it."""
    assert worker.process is not None
    pid = worker.process.pid
    for _ in range(2 if worker.wrapped else 0):
        pid = children_of(pid)[-1]
    return pid


if __name__ == "__main__":
    main()
