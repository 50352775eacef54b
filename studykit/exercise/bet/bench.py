"""Choose where a bet is settled, on this machine's device or by a GPU's recorded measurements, and measure it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import NotFoundError
from studykit.exercise import catalog
from studykit.exercise.bet import record
from studykit.exercise.bet.bounds import IDENTITY, Ceilings, Count, bounds, ceilings_key, ceilings_of
from studykit.exercise.bet.recorded import CARDS, Recording, recording
from studykit.exercise.bet.score import Bet, BetOutcome, Measurement, busy, drifted, settle
from studykit.exercise.bet.snippet import BetExercise, BetVariant, Sizes, Snippet
from studykit.exercise.kind import Report
from studykit.exercise.services import Services
from studykit.quantity.formatting import amount, seconds
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP_PER_S
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.study_day import microseconds, moment_of
from studykit.store.ceiling_table import Ceiling
from studykit.ui import Ui

if TYPE_CHECKING:  # a quiz and a page ask for bets and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.picture import Picture
    from studykit.sandbox.confinement import Permission
    from studykit.store.store import Store

AUTO = "auto"
CHANGED = "This machine is not what it was when it was measured"


@dataclass(frozen=True, slots=True)
class OwnDevice:
    """Measure each bet on this machine's device."""

    services: Services
    worker: "DeviceWorker"
    name: str  # the word for `--device`
    place: str  # where the snippet will run, in words
    notice: str  # why it is not the GPU that is there, or not in the sandbox

    def draw(self, exercise: BetExercise, seed: int, pinned: Sizes | None = None) -> BetVariant:
        """Draw a bet with sizes for this device, the same for the same seed."""
        snippet = Snippet(exercise.source, exercise.id, exercise.draw(seed, self.worker.device, pinned))
        return BetVariant(exercise.id, exercise.version, seed, snippet, exercise.lesson)

    def count(self, variant: BetVariant) -> Count:
        """Count the snippet's FLOPs and bytes without running it."""
        return self.worker.count(variant.snippet)

    def outcome(self, variant: BetVariant, bet: Bet, ui: Ui | None = None) -> BetOutcome:
        """Measure the snippet and judge the bet."""
        return measure(self.services, self.worker, variant, bet, ui)


Bench = OwnDevice | Recording


def chosen(services: Services, device: str | None = None) -> str:
    """Return the name of the device that settles bets, from the argument or else the settings.

    If neither names one and there is no GPU, it is a recorded H100, because a CPU does not show what the lecture
    teaches.
    """
    from studykit.sandbox.gpu import has_cuda

    device_name = device or str(services.settings("bet").get("device", AUTO))
    return CARDS[0] if device_name == AUTO and not has_cuda() else device_name


@contextmanager
def open_bench(services: Services, device: str, permission: "Permission", ui: Ui | None = None) -> Iterator[Bench]:
    """Open the device that settles bets. Only this machine's own device needs torch."""
    if device in CARDS:
        yield recording(device)
        return
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker, device, permission, ui) as worker:
        yield OwnDevice(services, worker, worker.device, f"this machine's {device_word(worker)}", worker.notice)


def bet_named(name: str) -> BetExercise:
    """Return the bet with this id, or raise NotFoundError."""
    exercise = catalog.find(name)
    if not isinstance(exercise, BetExercise):
        raise NotFoundError(f"{name!r} is not a timing bet. Find one with", "study exercise list")
    return exercise


def commit(store: "Store", variant: BetVariant, bet: Bet, card: CardId = NO_CARD) -> Event:
    """Log the bet before any of the snippet runs, and return its event. A bet just logged is not logged twice."""
    showing = record.showing_of(variant, record.bet_text(bet))
    for event in store.log.undoable():
        if (event.kind, event.card, event.showing) == (EventKind.BET, card, showing):
            return event  # its measurement failed, or was stopped or killed
    return store.log.record(EventKind.BET, card, showing=showing).event


def measure(
    services: Services,
    worker: "DeviceWorker",
    variant: BetVariant,
    bet: Bet,
    ui: Ui | None = None,
) -> BetOutcome:
    """Time the snippet and judge the bet, measuring the device's ceilings if they are missing or outdated."""
    busy_with: Callable[[str], AbstractContextManager[object]] = nullcontext if ui is None else ui.busy

    def timed() -> tuple[Count, Measurement]:
        with busy_with("measuring"):
            return worker.time(variant.snippet)

    def measured_ceilings(why: str = "") -> Ceilings:
        with busy_with("measuring the device"):
            tell = services.tell if ui is None else ui.tell
            return measure_ceilings(services, worker, tell, why)

    stored = known_ceilings(services.store, worker)
    ceilings = stored or measured_ceilings()
    count, measured = timed()
    changed = stored is not None and drifted(bounds(count, stored).binds, measured.canaries, stored)
    free_again = stored is not None and not stored.quiet and not busy(measured.canaries)
    if changed or free_again:
        ceilings = measured_ceilings(CHANGED)
        count, measured = timed()
    return settle(bet, measured, count, ceilings)


def pictures(outcome: BetOutcome) -> Iterator["Picture"]:
    """Yield a picture of bet, measurement and bounds on one axis, and a roofline if there are FLOPs."""
    from studykit.picture import Roofline, TimeAxis, TimeMark

    measured, limits, bet = outcome.measured, outcome.limits, outcome.bet
    fused = TimeMark("○", limits.fused, f"fused {seconds(limits.fused)}")
    marks = [
        TimeMark("◆", limits.eager, f"eager {seconds(limits.eager)}"),
        TimeMark("●", measured.median, f"measured {seconds(measured.median)}", measured.p20, measured.p80),
        TimeMark("▲", bet.seconds, f"you {seconds(bet.seconds)}", bet.low, bet.high, solid=False),
    ]
    in_words = (
        f"Times: fused bound {seconds(limits.fused)}, eager bound {seconds(limits.eager)}, "
        f"measured {seconds(measured.median)} between {seconds(measured.p20)} and {seconds(measured.p80)}, "
        f"your bet {seconds(bet.seconds)}."
    )
    yield TimeAxis([fused, *marks] if limits.is_fusible else marks, in_words)
    count, ceilings = outcome.count, outcome.ceilings
    if count.flops and count.bytes_moved:
        peak, speed = ceilings.peak(count.dtype), count.flops / measured.median
        yield Roofline(peak, ceilings.bytes_per_s, count.intensity, speed, "measured")


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
