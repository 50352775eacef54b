"""Load, measure, save and report a device's ceilings, and write them as a deck of cards."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise.bet import device_ceilings
from studykit.exercise.bet.bounds import Ceilings
from studykit.exercise.kind import Report
from studykit.exercise.services import Services
from studykit.ordinary_file import replace_file
from studykit.scheduling.study_day import microseconds, moment_of
from studykit.store.ceiling_table import Ceiling
from studykit.text import counted

if TYPE_CHECKING:  # a quiz and a page ask for bets and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.store.store import Store


def known_ceilings(store: "Store", worker: "DeviceWorker") -> Ceilings | None:
    """Return the saved ceilings of the worker's device, or None if this setup was never measured."""
    identity = worker.identity()
    values = {name: ceiling.value for name, ceiling in store.ceilings.of(device_ceilings.key(identity)).items()}
    return device_ceilings.ceilings_of(identity, values)


def measure_ceilings(
    store: "Store", worker: "DeviceWorker", now: Callable[[], datetime], tell: Callable[[str], None], why: str = ""
) -> Ceilings:
    """Measure the device and save its ceilings, even if the machine was busy.

    One line is told, which begins with `why`. The ceilings record that the machine was busy.
    """
    line = f"{why}: measuring it again" if why else f"Measuring what this {device_word(worker)} can reach; once"
    tell(f"{line}, ten seconds to a minute ...")
    ceilings = worker.ceilings()
    at = microseconds(now())
    device = device_ceilings.key(worker.identity())
    values = device_ceilings.values(ceilings)
    store.ceilings.put(device, {name: Ceiling(value, at) for name, value in values.items()})
    return ceilings


def device_word(worker: "DeviceWorker") -> str:
    """Return "GPU" or "CPU", whichever the worker measures."""
    return "GPU" if worker.device == "cuda" else "CPU"


def device_report(
    services: Services, device: str, zone: tzinfo, *, again: bool = False, deck: Path | None = None
) -> Report:
    """Report a device's ceilings, measured now if unknown or if `again`. `deck` is a file to write.

    With a deck, the report is not printed.
    """
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker, device) as worker:
        if worker.notice:
            services.tell(worker.notice)
        ceilings = None if again else known_ceilings(services.store, worker)
        if ceilings is None:
            ceilings = measure_ceilings(services.store, worker, services.now, services.tell)
        stored = services.store.ceilings.of(device_ceilings.key(worker.identity())).values()
        measured = moment_of(max(each.measured for each in stored)).isoformat() if stored else None
    if deck is not None:
        services.tell(_write_deck(deck, ceilings))
    return Report(_as_json(ceilings, measured), "" if deck else "\n".join(_as_lines(ceilings, measured, zone)))


def _as_json(ceilings: Ceilings, measured: str | None) -> dict[str, object]:
    return {
        **{name: getattr(ceilings, name) for name in device_ceilings.IDENTITY},
        "measured": measured,
        "quiet": ceilings.quiet,
        "ceilings": device_ceilings.values(ceilings),
    }


def _as_lines(ceilings: Ceilings, measured: str | None, zone: tzinfo) -> list[str]:
    threads = f", {ceilings.threads} threads" if ceilings.threads else ""
    when = f"{datetime.fromisoformat(measured).astimezone(zone):%d %b %Y, %H:%M}" if measured else "just now"
    return [
        f"{ceilings.device} ({ceilings.driver}; torch {ceilings.torch}{threads})",
        f"measured {when}{'' if ceilings.quiet else ', while the machine was busy: too low'}",
        "",
        *(f"  {name:<28}{value:>16}" for name, value in device_ceilings.listed(ceilings)),
    ]


def _write_deck(path: Path, ceilings: Ceilings) -> str:
    """Write the deck, and return a sentence about it."""
    if not ceilings.quiet:
        raise StudyError("The machine was busy while it was measured, so no cards were made. Try again.")
    try:
        replace_file(path, device_ceilings.deck(ceilings).encode())
    except OSError as error:
        raise StudyError(f"{path} cannot be written: {error.strerror}.") from None
    number = counted(len(device_ceilings.cards(ceilings)), "card")
    return f"Wrote {number}; add them with: study deck add {path}"
