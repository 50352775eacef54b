"""The program with a worker whose figures are given, so that a bet's picture is the same on every machine."""

import fcntl
import termios
from contextlib import nullcontext
from dataclasses import asdict
from typing import Any

from studykit.__main__ import main
from studykit.exercise.bet.bounds import Ceilings, Count, Kernel
from studykit.exercise.bet.score import Canary, Measurement
from studykit.graders.host import device_worker

CEILINGS = Ceilings(
    device="AMD EPYC",
    kind="cpu",
    driver="Linux 6.12",
    torch="2.8.0",
    threads=2,
    flops_per_s={"float32": 190e9, "bfloat16": 790e9},
    copy_bytes_per_s=30e9,
    triad_bytes_per_s=36e9,
    update_bytes_per_s=36e9,
    read_bytes_per_s=34e9,
    fill_bytes_per_s=34e9,
    overhead_s=0.9e-6,
    dispatch_s=0.3e-6,
    canary_s=5e-3,
    cache_bytes=32_000_000,
)
_N = 25_165_824  # as the seed draws it
_COUNT = Count((Kernel("add.Tensor", _N, 12 * _N, "float32"),), 12 * _N, (f"float32 ({_N})", f"float32 ({_N})"))
_FREE = Canary(5e-3, 1.98, 2)
_MEASURED = Measurement(9.9e-3, 9.7e-3, 10.4e-3, samples=41, calls=1, cold=True, canaries=(_FREE,))


class GivenWorker:
    """A machine that is always free."""

    device = "cpu"
    notice = ""

    def identity(self) -> dict[str, Any]:
        same = ("device", "kind", "driver", "torch", "threads")
        return {name: value for name, value in asdict(CEILINGS).items() if name in same} | {"cuda": False}

    def ceilings(self) -> Ceilings:
        return CEILINGS

    def count(self, _snippet: object) -> Count:
        return _COUNT

    def time(self, _snippet: object) -> tuple[Count, Measurement]:
        return _COUNT, _MEASURED


if __name__ == "__main__":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    device_worker.device_worker = lambda *_, **__: nullcontext(GivenWorker())  # type: ignore[assignment]
    main()
