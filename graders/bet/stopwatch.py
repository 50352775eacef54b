"""Set up clocks, caches and allocators, so that times are comparable."""

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
DEFAULT_CACHE_BYTES = 32 << 20  # if the system does not tell
MAX_FLUSH_BYTES = 1 << 30
GPU_FLUSH = 256 << 20


def fix_allocator() -> bool:
    """Keep freed memory in this process, so that new outputs cause no page faults. Return whether it worked."""
    # glibc returns every large block to the system and requests it again, which makes an elementwise operation on
    # the CPU five times as slow. CUDA has a caching allocator of its own.
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(M_MMAP_THRESHOLD, 1 << 30)) and bool(mallopt(M_TRIM_THRESHOLD, 2**31 - 1))


def cache_bytes(device: str) -> int:
    """Return the size of the last cache before memory, summed over all groups of cores that have their own."""
    if device == "cuda":
        return int(torch.cuda.get_device_properties(0).L2_cache_size)
    return last_cache(Path("/sys/devices/system/cpu")) or DEFAULT_CACHE_BYTES


def last_cache(cpus: Path) -> int:
    """Return the total size of the last cache level from Linux's /sys, or 0."""
    sizes: dict[int, dict[str, int]] = {}  # by level, then by the cores that share the cache
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
    """Return a function that flushes the caches by reading or writing an array larger than they are."""
    if device == "cuda":
        scratch = torch.empty(GPU_FLUSH, dtype=torch.int8, device="cuda")
        return scratch.zero_
    size = min(2 * cache, MAX_FLUSH_BYTES)
    scratch = torch.zeros(size // 8, dtype=torch.int64)
    return scratch.sum


def timer_for(call: Callable[[], Any], device: str, cache: int = 0) -> Timer:
    """Return a timer with a wall clock on the CPU, or events on a GPU. Without `cache` a CPU is not flushed."""
    timed = _on_gpu(call) if device == "cuda" else _on_cpu(call)
    flush = flusher(device, cache) if cache or device == "cuda" else lambda: None
    return Timer(now=time.perf_counter, timed=timed, flush=flush, faults=_faults)


def without_gc(work: Callable[[], Any]) -> Any:
    """Call `work` with Python's garbage collector switched off, and return its result."""
    gc.collect()
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


def driver(device: str) -> str:
    """Return CUDA's version and the GPU's capability, or for a CPU the operating system's kernel."""
    if device == "cuda":
        return f"CUDA {torch.version.cuda}, sm_{''.join(map(str, torch.cuda.get_device_capability(0)))}"
    return f"{platform.system()} {platform.release()}"


def device_name(device: str) -> str:
    """Return the device's marketing name."""
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
    """Return a function that times calls by CUDA events."""
    # The events are queued after a flush, which is still running, so launching the first kernel costs no time.

    def timed(calls: int) -> float:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        start.record()
        for _ in range(calls):
            call()
        end.record()
        torch.cuda.synchronize()
        return float(start.elapsed_time(end)) / 1e3

    return timed


def _faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _readable(path: Path) -> bool:
    return os.access(path, os.R_OK)
