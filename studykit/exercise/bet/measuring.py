"""Find a bet's exercise, log the bet, measure its snippet, and draw the outcome."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import NotFoundError
from studykit.exercise import catalog
from studykit.exercise.bet import record
from studykit.exercise.bet.bounds import Ceilings, Count, bounds
from studykit.exercise.bet.device_numbers import known_ceilings, measure_ceilings
from studykit.exercise.bet.score import Bet, BetOutcome, Measurement, busy, drifted, settle
from studykit.exercise.bet.snippet import BetExercise, BetVariant
from studykit.exercise.services import Services
from studykit.quantity.formatting import seconds
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.ui import Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.picture import Picture
    from studykit.store.store import Store

CHANGED = "This machine is not what it was when it was measured"


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
