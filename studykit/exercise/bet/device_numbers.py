"""Load, measure, save and report a device's ceilings."""

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING

from studykit.exercise.bet.bounds import IDENTITY, Ceilings, ceilings_key, ceilings_of
from studykit.exercise.kind import Report
from studykit.exercise.services import Services
from studykit.quantity.formatting import amount, seconds
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP_PER_S
from studykit.scheduling.study_day import microseconds, moment_of
from studykit.store.ceiling_table import Ceiling

if TYPE_CHECKING:  # a quiz and a page ask for bets and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.store.store import Store


def known_ceilings(store: "Store", worker: "DeviceWorker") -> Ceilings | None:
    """Return the saved ceilings of the worker's device, or None if this setup was never measured."""
    identity = worker.identity()
    values = {name: ceiling.value for name, ceiling in store.ceilings.of(ceilings_key(identity)).items()}
    return ceilings_of(identity, values)


def measure_ceilings(
    services: Services, worker: "DeviceWorker", tell: Callable[[str], None], why: str = ""
) -> Ceilings:
    """Measure the device and save its ceilings, which record whether the machine was busy.

    `tell` shows one line first, which begins with `why` if that is given.
    """
    line = f"{why}: measuring it again" if why else f"Measuring what this {device_word(worker)} can reach; once"
    tell(f"{line}, ten seconds to a minute ...")
    ceilings = worker.ceilings()
    at, values = microseconds(services.now()), ceilings.values()
    device = ceilings_key(worker.identity())
    services.store.ceilings.put(device, {name: Ceiling(value, at) for name, value in values.items()})
    return ceilings


def device_word(worker: "DeviceWorker") -> str:
    """Return "GPU" or "CPU", whichever the worker measures."""
    return "GPU" if worker.device == "cuda" else "CPU"


def device_report(services: Services, device: str, zone: tzinfo, *, again: bool = False) -> Report:
    """Report a device's ceilings, measured now if unknown or if `again`."""
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker, device) as worker:
        if worker.notice:
            services.tell(worker.notice)
        ceilings = None if again else known_ceilings(services.store, worker)
        if ceilings is None:
            ceilings = measure_ceilings(services, worker, services.tell)
        stored = services.store.ceilings.of(ceilings_key(worker.identity())).values()
        measured = moment_of(max(each.measured for each in stored))
    document = {
        **{name: getattr(ceilings, name) for name in IDENTITY},
        "measured": measured.isoformat(),
        "quiet": ceilings.quiet,
        "ceilings": ceilings.values(),
    }
    busy = "" if ceilings.quiet else ", while the machine was busy: too low"
    threads = f", {ceilings.threads} threads" if ceilings.threads else ""
    lines = [
        f"{ceilings.device} ({ceilings.driver}; torch {ceilings.torch}{threads})",
        f"measured {measured.astimezone(zone):%d %b %Y, %H:%M}{busy}",
        "",
        *(f"  {name:<28}{value:>16}" for name, value in listed(ceilings)),
    ]
    return Report(document, "\n".join(lines))


def listed(ceilings: Ceilings) -> list[tuple[str, str]]:
    """Return names and formatted values of the ceilings, for a table."""
    streams = ("copy", "triad", "update", "read", "fill", *(("link",) if ceilings.link_bytes_per_s else ()))
    return [
        *((f"matmul {dtype}", amount(speed, FLOP_PER_S)) for dtype, speed in ceilings.flops_per_s.items()),
        *((name, amount(getattr(ceilings, f"{name}_bytes_per_s"), BYTE_PER_S)) for name in streams),
        ("ridge in float32", f"{ceilings.peak('float32') / ceilings.bytes_per_s:.3g} FLOP/byte"),
        ("overhead of an operation", seconds(ceilings.overhead_s)),
        ("overhead of a view", seconds(ceilings.dispatch_s)),
        ("last cache", amount(ceilings.cache_bytes, BYTE)),
        ("canary", seconds(ceilings.canary_s)),
    ]
