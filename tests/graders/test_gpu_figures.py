"""What an H100 and an H200 measured of the shipped bets, against the bounds of today: no run beats its bound."""

import json
from pathlib import Path
from typing import Any

import pytest

from studykit.exercise.bet.bounds import Ceilings, Count, bounds
from studykit.exercise.bet.device_ceilings import MOST_RAISED, raised
from studykit.exercise.bet.measuring import bet_named
from studykit.exercise.bet.score import Measurement, unfit
from studykit.exercise.estimate.hardware import device
from studykit.graders.host.device_worker import LIMITS, PROGRAM, DeviceWorker, read_count
from studykit.sandbox.channel import Message

FIGURES = json.loads((Path(__file__).parents[1] / "data" / "bets_on_gpus.json").read_text())
SHEET = {"h100": "H100 SXM", "h200": "H200 SXM"}
WITHIN = 1.002  # the p20 and p80 of these runs are further apart


def ceilings_of(card: dict[str, Any]) -> Ceilings:
    reached = card["ceilings"]
    return Ceilings(
        device=card["device"],
        kind="cuda",
        driver="CUDA",
        torch=card["torch"],
        threads=0,
        flops_per_s={name: reached[f"matmul_{name}_random"] for name in ("float32", "float16", "bfloat16")},
        copy_bytes_per_s=reached["copy"],
        triad_bytes_per_s=reached["add"],
        update_bytes_per_s=reached["update"],
        read_bytes_per_s=reached["read"],
        fill_bytes_per_s=reached["fill"],
        overhead_s=reached["operation_s"],
        dispatch_s=1e-6,
        launch_s=3e-6,
        touch_s_per_byte=0.0,
        canary_s=1e-3,
        cache_bytes=card["l2_bytes"],
        link_bytes_per_s=reached["h2d_pinned"],
    )


def counted(worker: DeviceWorker, name: str, sizes: dict[str, Any]) -> Count:
    """The count as a GPU makes it; fused attention, gradients and strides count alike on the CPU."""
    exercise = bet_named(f"bet.{name}")
    if "dtype" in exercise.sizes["gpu"]:
        sizes = {**sizes, "dtype": "float32"}
    job = {"work": "count", "device": "cpu", "source": exercise.source, "sizes": sizes}
    with worker.worker.start(PROGRAM, LIMITS, device="cpu", threads=0) as child:
        reply = child.ask({**job, "pretend": "cuda"} if name == "device_to_host" else job)
    assert isinstance(reply, Message)
    return read_count(reply.header["count"])


@pytest.mark.parametrize("card", SHEET)
def test_no_measured_bet_is_below_its_bound(cpu_worker: DeviceWorker, card: str) -> None:
    ceilings = measured = ceilings_of(FIGURES[card])
    below = []
    for name, sizes, median in FIGURES[card]["median_s"]:
        count = counted(cpu_worker, name, sizes)
        ceilings = raised(count, median, ceilings)
        run = Measurement(median, median, median, samples=9, calls=1, cold=True)
        if unfit(run, count, ceilings) or median * WITHIN < bounds(count, ceilings).eager:
            below.append((name, sizes, median, bounds(count, ceilings)))

    assert below == []
    assert 1 < max(ceilings.raised.values()) <= MOST_RAISED
    assert ceilings.bytes_per_s <= device(SHEET[card]).bandwidth
    assert ceilings.peak("float32") / measured.peak("float32") == pytest.approx(
        ceilings.raised["flops_per_s.float32"]
    )
