"""Clocks, caches and allocators: what must be right before a time means anything."""

import ctypes
import gc
import os
import platform
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from studykit.graders.bet.sampling import Timer

M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
CACHE_BYTES = 32 << 20  # where the system does not say
MAX_FLUSH_BYTES = 1 << 30
GPU_FLUSH = 256 << 20


def fix_allocator() -> bool:
    """Keep freed memory in this process, so that a fresh output costs no page faults. Return whether it worked.

    glibc gives every big block back to the system and takes it again: without this an elementwise operation on the
    CPU is timed at five times its cost. CUDA has a caching allocator of its own.
    """
    if not gives_memory_back():
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(M_MMAP_THRESHOLD, 1 << 30)) and bool(mallopt(M_TRIM_THRESHOLD, 2**31 - 1))


def gives_memory_back() -> bool:
    """Return whether the C library gives freed memory back unless asked to keep it, as glibc does."""
    return platform.libc_ver()[0] == "glibc"


def cache_bytes(device: str) -> int:
    """Return the bytes of the last cache before memory, of all of them if groups of cores have one each."""
    if device == "cuda":
        return int(torch.cuda.get_device_properties(0).L2_cache_size)
    return last_cache(Path("/sys/devices/system/cpu")) or CACHE_BYTES


def last_cache(cpus: Path) -> int:
    """Return the bytes of the last level of cache by Linux's own list, or 0."""
    sizes: dict[int, dict[str, int]] = {}  # size by the cores that share it, by level
    for folder in cpus.glob("cpu[0-9]*/cache/index[0-9]*"):
        files = [folder / name for name in ("level", "shared_cpu_list", "size")]
        if all(map(_readable, files)):
            level, shared, size = (path.read_text().strip() for path in files)
            sizes.setdefault(int(level), {})[shared] = _size(size)
    return sum(sizes[max(sizes)].values()) if sizes else 0


def _size(text: str) -> int:
    """Parse the bytes of `32M` or `512K`."""
    size = text.strip()
    return int(size[:-1]) << {"K": 10, "M": 20}[size[-1]] if size[-1:] in {"K", "M"} else int(size or 0)


def flusher(device: str, cache: int) -> Callable[[], object]:
    """Return a function that flushes the caches."""
    if device == "cuda":
        scratch = torch.empty(GPU_FLUSH, dtype=torch.int8, device="cuda")
        return scratch.zero_
    size = min(2 * cache, MAX_FLUSH_BYTES)
    scratch = torch.zeros(size // 8, dtype=torch.int64)
    return scratch.sum


def timer_for(call: Callable[[], Any], device: str, cache: int = 0) -> Timer:
    """Return a device's timer: a wall clock on the CPU, events on a GPU. Nothing is flushed without a cache."""
    timed = _on_gpu(call) if device == "cuda" else _on_cpu(call)
    flush = flusher(device, cache) if cache else nothing
    return Timer(now=time.perf_counter, timed=timed, flush=flush, faults=_faults)


def without_gc(work: Callable[[], Any]) -> Any:
    """Do the work without the garbage collector coming between."""
    gc.collect()
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


def driver(device: str) -> str:
    """Return what drives the device: CUDA's version and the GPU's capability, or the system's kernel."""
    if device == "cuda":
        return f"CUDA {torch.version.cuda}, sm_{''.join(map(str, torch.cuda.get_device_capability(0)))}"
    return f"{platform.system()} {platform.release()}"


def device_name(device: str) -> str:
    """Return the device's name from its maker."""
    if device == "cuda":
        return str(torch.cuda.get_device_name(0))
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if _readable(path) else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _on_cpu(call: Callable[[], Any]) -> Callable[[int], float]:
    clock = time.perf_counter

    def timed(calls: int) -> float:
        began = clock()
        for _ in range(calls):
            call()
        return clock() - began

    return timed


def _on_gpu(call: Callable[[], Any]) -> Callable[[int], float]:
    """Time by events behind a flush in the stream, which hides the launch of the first kernel."""

    def timed(calls: int) -> float:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        start.record()
        for _ in range(calls):
            call()
        end.record()
        torch.cuda.synchronize()
        return float(start.elapsed_time(end)) / 1e3

    return timed


def nothing() -> None:
    """Flush nothing."""


def _faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _readable(path: Path) -> bool:
    return os.access(path, os.R_OK)
