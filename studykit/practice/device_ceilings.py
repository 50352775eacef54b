"""The ceilings of a device: kept in the store, measured when they are missing or out of date."""

from collections.abc import Callable
from datetime import datetime

from studykit.exercise.bet import device_cards
from studykit.exercise.bet.bounds import Ceilings
from studykit.graders.host.measure import Bench
from studykit.scheduling.study_day import microseconds, moment_of
from studykit.store.ceiling_table import Ceiling
from studykit.store.store import Store


def kept(store: Store, bench: Bench) -> Ceilings | None:
    """What the store knows of the bench's device; None when it was never measured as it now is."""
    identity = bench.identity()
    found = store.ceilings.of(device_cards.key(identity))
    return device_cards.ceilings_of(identity, {name: ceiling.value for name, ceiling in found.items()})


def measured_at(store: Store, bench: Bench) -> str | None:
    """When that was, as ISO 8601 in UTC."""
    found = store.ceilings.of(device_cards.key(bench.identity()))
    return moment_of(max(each.measured for each in found.values())).isoformat() if found else None


def measure(store: Store, bench: Bench, clock: Callable[[], datetime], tell: Callable[[str], None]) -> Ceilings:
    """Measure the device now and keep what it reached, though something else kept the machine busy."""
    name = "GPU" if bench.device == "cuda" else "CPU"
    tell(f"Measuring what this {name} can reach; once, about ten seconds ...")
    ceilings = bench.ceilings()
    at = microseconds(clock())
    found = {name: Ceiling(value, at) for name, value in device_cards.values(ceilings).items()}
    store.ceilings.put(device_cards.key(bench.identity()), found)
    if not ceilings.quiet:
        tell("The machine was busy meanwhile: these ceilings are too low, and will be measured again.")
    return ceilings
