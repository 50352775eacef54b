"""Find this machine's GPU by its driver's files, without importing torch."""

import importlib.util
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

NO_GPU = "the GPU cannot be used inside the sandbox"


@dataclass(frozen=True, slots=True)
class Driver:
    """Describe a kind of GPU: its vendor, the build of torch that uses it, and its driver's files."""

    maker: str
    build: str  # as torch's version file names it
    nodes: tuple[str, ...]  # the first exists if the driver is loaded
    facts: tuple[str, ...] = ()  # files that the driver reads about the machine and itself


_NVIDIA_FACTS = ("/proc/driver/nvidia", "/proc/devices", "/sys/module/nvidia*", "/sys/bus/pci/devices/*/numa_node")
_AMD_FACTS = ("/sys/class/kfd", "/sys/devices/virtual/kfd", "/sys/module/amdgpu", "/opt/rocm*")
DRIVERS = (
    Driver(
        "NVIDIA",
        "cuda",
        ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps", "/dev/nvidia[0-9]*"),
        (*_NVIDIA_FACTS, "/proc/sys/vm/mmap_min_addr"),
    ),
    Driver("NVIDIA under WSL 2", "cuda", ("/dev/dxg",), ("/usr/lib/wsl", "/proc/sys/vm/mmap_min_addr")),
    Driver("AMD", "hip", ("/dev/kfd", "/dev/dri/renderD*"), _AMD_FACTS),
)
"""Only the first one, NVIDIA on Linux, has been tested."""


def drivers() -> list[Driver]:
    """List the GPU drivers of this machine."""
    return [driver for driver in DRIVERS if Path(driver.nodes[0]).exists()]


def files(patterns: tuple[str, ...]) -> list[str]:
    """List the existing files and folders that match these patterns."""
    matches = (Path("/").glob(pattern.lstrip("/")) for pattern in patterns)
    return [str(path) for paths in matches for path in sorted(paths)]


def has_cuda() -> bool:
    """Return whether torch can use a GPU here as device `cuda`, which includes AMD's."""
    return any(driver.build in _builds() for driver in drivers())


def _builds() -> set[str]:
    """Return which of `cuda` and `hip` torch was built for."""
    # torch.version would tell, but importing torch takes seconds.
    spec = importlib.util.find_spec("torch")
    with suppress(OSError):
        version = (
            Path(spec.origin).with_name("version.py").read_text(encoding="utf-8") if spec and spec.origin else ""
        )
        return set(re.findall(r"^(cuda|hip)\b[^=]*=\s*['\"]", version, re.MULTILINE))
    return set()


def unused() -> str:
    """Return why no GPU is used, or "" if torch can use one."""
    if sys.platform == "darwin" and os.uname().machine == "arm64":
        return "Apple's is not used"
    gpu_drivers = drivers()
    if not gpu_drivers:
        return "none found"
    if has_cuda():
        return ""
    makers = " and ".join(driver.maker for driver in gpu_drivers)
    built = "torch is not built for it" if importlib.util.find_spec("torch") else "torch is not installed"
    return f"{makers}, but {built}: see https://pytorch.org/get-started"
