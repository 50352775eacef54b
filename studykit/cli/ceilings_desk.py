"""The ceilings of a device: kept in the store, measured when they are missing or out of date."""

from collections.abc import Callable
from datetime import datetime

from studykit import ownnumbers
from studykit.bounds import Ceilings
from studykit.cli.bench import Bench
from studykit.store.shelf import Ceiling
from studykit.store.store import Store
from studykit.studyday import microseconds, moment_of


def kept(store: Store, bench: Bench) -> Ceilings | None:
    """What the store knows of the bench's device; None when it was never measured as it now is."""
    identity = bench.identity()
    found = store.ceilings(ownnumbers.key(identity))
    return ownnumbers.ceilings_of(identity, {name: ceiling.value for name, ceiling in found.items()})


def measured_at(store: Store, bench: Bench) -> str | None:
    """When that was, as ISO 8601 in UTC."""
    found = store.ceilings(ownnumbers.key(bench.identity()))
    return moment_of(max(each.measured for each in found.values())).isoformat() if found else None


def measure(store: Store, bench: Bench, clock: Callable[[], datetime], tell: Callable[[str], None]) -> Ceilings:
    """Measure the device now and keep what it reached, though something else kept the machine busy."""
    name = "GPU" if bench.device == "cuda" else "CPU"
    tell(f"Measuring what this {name} can reach; once, about ten seconds ...")
    ceilings = bench.ceilings()
    at = microseconds(clock())
    found = {name: Ceiling(value, at) for name, value in ownnumbers.values(ceilings).items()}
    store.keep_ceilings(ownnumbers.key(bench.identity()), found)
    if not ceilings.quiet:
        tell("The machine was busy meanwhile: these ceilings are too low, and will be measured again.")
    return ceilings
