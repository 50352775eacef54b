"""Timing bets as a kind of exercise: asked, written down, measured and judged, as a card or one after another."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId
from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.bet import device_cards, record
from studykit.exercise.bet.bounds import Binds, Ceilings, Count, bounds
from studykit.exercise.bet.describe import (
    BetOutcome,
    bet_words,
    physics,
    read_interval,
    read_time,
    table,
    verdict_line,
)
from studykit.exercise.bet.score import Bet, after_drift, busy, drifted, settle
from studykit.exercise.bet.snippet import BetExercise, Size, Snippet, pinned_sizes, shown
from studykit.exercise.entry import PageCard
from studykit.practice.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.practice.services import Services
from studykit.quantity.formatting import seconds
from studykit.quantity.reading import BadAnswerError
from studykit.scheduling.events import EventKind, Showing
from studykit.scheduling.study_day import microseconds, moment_of
from studykit.store.ceiling_table import Ceiling
from studykit.store.store import Store
from studykit.text import sentence
from studykit.ui import Command, ExerciseOutcome, Line, Quit, Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.picture import Picture

SET = "timing"
OWN = "bet.file"  # the template under which a learner's own snippets are logged
NO_CARD = CardId("")
LONGEST_SOURCE = 100_000  # characters
REASONS = (("c", "compute"), ("m", "memory"), ("o", "overhead"))
AGAIN = (("n", "next snippet"), ("r", "this one with fresh sizes"), ("q", "leave"))
NOTHING = ExerciseOutcome(None, None)
_ONE_KERNEL = 1.05  # the fused bound is told where it is this much below the eager one


@dataclass(frozen=True, slots=True)
class BetVariant:
    """What is bet on: a snippet with its sizes, and the name that the log knows it by."""

    name: str
    version: int
    seed: int
    snippet: Snippet
    lesson: str = ""

    @property
    def markdown(self) -> str:
        """The snippet as it is shown."""
        return shown(self.snippet.source, self.snippet.sizes)


@dataclass(frozen=True, slots=True)
class SettledBet:
    """A bet that was measured, and what the log keeps of it."""

    variant: BetVariant
    outcome: BetOutcome
    showing: Showing


def bet_named(name: str) -> BetExercise:
    """The bet of this id; NotFoundError when there is none or it is an exercise of another kind."""
    exercise = catalog.find(name)
    if not isinstance(exercise, BetExercise):
        raise NotFoundError(f"{name} is no timing bet; see: study exercise list")
    return exercise


def drawn(exercise: BetExercise, device: str, seed: int, pinned: Mapping[str, Size] | None = None) -> BetVariant:
    """A bet's snippet with the sizes that the seed draws for a device."""
    sizes = exercise.draw(seed, device, pinned)
    snippet = Snippet(exercise.source, exercise.id, sizes)
    return BetVariant(exercise.id, exercise.version, seed, snippet, exercise.lesson)


def any_bet(device: str, seed: int) -> BetExercise:
    """One of the bets that a device can run, drawn by a seed."""
    able = [exercise for exercise in catalog.of_set(SET) if isinstance(exercise, BetExercise)]
    able = [exercise for exercise in able if ("gpu" if device == "cuda" else "cpu") in exercise.sizes]
    return random.Random(f"timing:{seed}").choice(able)


def own(path: Path) -> BetVariant:
    """The learner's own file as a snippet; refused when it cannot be read."""
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFoundError(f"there is no exercise and no file {str(path)!r}; see: study exercise list") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadDataError(f"{path} cannot be read: {error}.") from None
    if len(source) > LONGEST_SOURCE:
        raise BadDataError(f"{path} is too long for a snippet; keep it under {LONGEST_SOURCE:,} characters.")
    return BetVariant(OWN, 1, 0, Snippet(source, str(path), {}))


def variant_named(services: Services, name: str, device: str, seed: int | None) -> BetVariant:
    """The bet of that id with sizes for a device, or the learner's own file."""
    if name.startswith("bet.") and not Path(name).exists():
        return drawn(bet_named(name), device, services.seed() if seed is None else seed)
    return own(Path(name))


def commit(store: Store, variant: BetVariant, bet: Bet, card: CardId = NO_CARD) -> Showing:
    """Write the bet down; it is on disk when this returns, and nothing of the snippet has run."""
    sizes = {**variant.snippet.sizes, **({"file": variant.snippet.path} if variant.name == OWN else {})}
    showing = record.showing_before(variant.name, variant.version, variant.seed, sizes, bet)
    store.log.record(EventKind.BET, card, showing=showing)
    return showing


def known_ceilings(store: Store, worker: "DeviceWorker") -> Ceilings | None:
    """What the store knows of the worker's device; None when it was never measured as it now is."""
    identity = worker.identity()
    values = {name: ceiling.value for name, ceiling in store.ceilings.of(device_cards.key(identity)).items()}
    return device_cards.ceilings_of(identity, values)


def measured_at(store: Store, worker: "DeviceWorker") -> str | None:
    """When the device's ceilings were measured, as ISO 8601 in UTC."""
    ceilings = store.ceilings.of(device_cards.key(worker.identity()))
    return moment_of(max(each.measured for each in ceilings.values())).isoformat() if ceilings else None


def measure_ceilings(
    store: Store, worker: "DeviceWorker", now: Callable[[], datetime], tell: Callable[[str], None]
) -> Ceilings:
    """Measure the device and keep what it reached, though something else kept the machine busy."""
    tell(f"Measuring what this {_device(worker)} can reach; once, about ten seconds ...")
    ceilings = worker.ceilings()
    at = microseconds(now())
    values = {name: Ceiling(value, at) for name, value in device_cards.values(ceilings).items()}
    store.ceilings.put(device_cards.key(worker.identity()), values)
    if not ceilings.quiet:
        tell("The machine was busy meanwhile: these ceilings are too low, and will be measured again.")
    return ceilings


def measure(
    services: Services, worker: "DeviceWorker", variant: BetVariant, bet: Bet, tell: Callable[[str], None]
) -> BetOutcome:
    """Time the snippet and judge the bet; ceilings are measured when they are missing or no longer true."""
    known = known_ceilings(services.store, worker)
    ceilings = known or measure_ceilings(services.store, worker, services.now, tell)
    count, measured = worker.time(variant.snippet)
    changed = known is not None and drifted(bounds(count, known).binds, measured.canaries, known)
    free_again = known is not None and not known.quiet and not busy(measured.canaries)
    if changed or free_again:
        tell("This machine is not what it was when it was measured.")
        ceilings = measure_ceilings(services.store, worker, services.now, tell)
        count, measured = worker.time(variant.snippet)
    settled = settle(bet, measured, count, ceilings)
    limits = bounds(count, ceilings)
    return BetOutcome(bet, measured, count, ceilings, limits, after_drift(settled) if changed else settled)


def result(showing: Showing, outcome: BetOutcome) -> Showing:
    """The committed bet with its outcome, for the log."""
    return record.showing_after(showing, outcome.bet, outcome.measured, outcome.settled, outcome.limits)


def settled_bet(services: Services, worker: "DeviceWorker", variant: BetVariant, bet: Bet) -> SettledBet:
    """The bet committed before anything runs, then measured, judged and logged."""
    showing = commit(services.store, variant, bet)
    outcome = measure(services, worker, variant, bet, services.tell)
    after = result(showing, outcome)
    services.store.log.record(EventKind.PRACTICE, NO_CARD, showing=after)
    return SettledBet(variant, outcome, after)


def question_document(variant: BetVariant, count: Count, device: str) -> dict[str, object]:
    """What is to be bet on, as JSON."""
    return {
        "snippet": variant.name,
        "seed": variant.seed,
        "source": variant.snippet.source,
        "sizes": dict(variant.snippet.sizes),
        "inputs": list(count.inputs),
        "device": device,
    }


def document(settled: SettledBet) -> dict[str, object]:
    """An outcome as JSON."""
    variant, outcome = settled.variant, settled.outcome
    measured, judgment, bet = outcome.measured, outcome.settled, outcome.bet
    return {
        "snippet": variant.name if variant.name != OWN else variant.snippet.path,
        "seed": variant.seed,
        "sizes": dict(variant.snippet.sizes),
        "bet": bet.seconds,
        "binds": bet.binds,
        "interval": None if bet.low is None else [bet.low, bet.high],
        "measured": {"median": measured.median, "p20": measured.p20, "p80": measured.p80},
        "samples": measured.samples,
        "flops": outcome.count.flops,
        "bytes": outcome.count.bytes_moved,
        "intensity": outcome.count.intensity,
        "bound": max(outcome.limits.shares, key=lambda reason: outcome.limits.shares[reason]),
        "reasons": sorted(outcome.limits.binds),
        "floor": outcome.limits.fused,
        "bounds": {"eager": outcome.limits.eager, "fused": outcome.limits.fused},
        "ceilings": device_cards.values(outcome.ceilings),
        "factor": judgment.factor,
        "device": outcome.ceilings.device,
        "verdict": judgment.verdict.name,
        "grade": None if judgment.grade is None else int(judgment.grade),
        "points": judgment.points,
        "covered": judgment.covered,
        "slips": list(settled.showing.slips),
        "message": verdict_line(outcome),
    }


def problems(count: Count) -> list[str]:
    """What the count could not count, as warnings."""
    return [f"counted too low: {problem}" for problem in count.problems]


def pictures(outcome: BetOutcome) -> Iterator["Picture"]:
    """Bet, measurement and both bounds on one axis; and the roofline, where anything was computed."""
    from studykit.picture import Roofline, RooflinePoint, TimeAxis, TimeMark

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
    yield TimeAxis(marks if limits.fused > limits.eager / _ONE_KERNEL else [fused, *marks], in_words)
    count, ceilings = outcome.count, outcome.ceilings
    if count.flops and count.bytes_moved:
        dtype = max(count.kernels, key=lambda kernel: kernel.flops).dtype
        point = RooflinePoint(count.intensity, count.flops / measured.median, "measured")
        yield Roofline(ceilings.peak(dtype), ceilings.bytes_per_s, [point])


def ask(services: Services, exercise: BetExercise, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask the bet of a card, with the sizes that it pins."""
    pinned = pinned_sizes(card.task.pinned if card.task else ())
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker) as worker:
        return converse(services, worker, drawn(exercise, worker.device, seed, pinned), ui, card.id)


def converse(
    services: Services, worker: "DeviceWorker", variant: BetVariant, ui: Ui, card: CardId = NO_CARD
) -> ExerciseOutcome:
    """One bet from the question to its explanation."""
    device = _device(worker)
    question = f"{variant.markdown}\n\nHow long does one call of `run` take on this machine's {device}?"
    ui.show(question, title=f"{variant.name} on the {device}")
    bet = _bet(ui)
    if bet is None:
        return NOTHING
    showing = commit(services.store, variant, bet, card)
    ui.tell(f"read as {bet_words(bet)}. Written down; measuring ...")
    try:
        outcome = measure(services, worker, variant, bet, ui.tell)
    except StudyError as error:
        ui.tell(f"Not measured: {error}")
        return NOTHING
    _explain(ui, variant, outcome)
    grade = outcome.settled.grade
    return ExerciseOutcome(grade, None if grade is None else result(showing, outcome), verdict_line(outcome))


def converse_once(
    services: Services, worker: "DeviceWorker", variant: BetVariant, *, plain: bool
) -> ExerciseOutcome:
    """One bet in a Ui of its own, logged without a grade."""
    with services.open_ui(plain=plain) as ui:
        outcome = converse(services, worker, variant, ui)
        if outcome.showing is not None:
            services.store.log.record(EventKind.PRACTICE, NO_CARD, showing=outcome.showing)
        if outcome.message:
            ui.read("Enter to go on", {"": "done"})
    return outcome


def _explain(ui: Ui, variant: BetVariant, outcome: BetOutcome) -> None:
    ui.tell("\n".join(["```text", *table(outcome), *problems(outcome.count), "```"]))
    for picture in pictures(outcome):
        ui.draw(picture)
    ui.tell(f"**{verdict_line(outcome)}**")
    if below := physics(outcome):
        ui.tell(f"Your bet was below the floor: {below}.")
    if variant.lesson:
        ui.tell(variant.lesson)


def _device(worker: "DeviceWorker") -> str:
    return "GPU" if worker.device == "cuda" else "CPU"


def _bet(ui: Ui) -> Bet | None:
    """The learner's bet: what binds it, a time, perhaps an interval; None when they leave."""
    key = ui.choose("What binds it?", REASONS)
    if key is None:
        return None
    value = _read(ui, "time", read_time)
    if not isinstance(value, float):
        return None
    interval = _read(ui, "80 % sure between", read_interval, skip="no interval")
    if interval is False:
        return None
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return Bet(value, Binds(dict(REASONS)[key]), low, high)


def _read(
    ui: Ui, label: str, reader: Callable[[str], float | tuple[float, float]], skip: str = ""
) -> float | tuple[float, float] | bool:
    """What the learner typed, read; False when they leave, True when they skip what may be skipped."""
    while True:
        match ui.read(label, {"": skip} if skip else {}):
            case Quit():
                return False
            case Command():
                return True
            case Line(text):
                if skip and not text.strip():
                    return True
                try:
                    return reader(text)
                except BadAnswerError as error:
                    ui.tell(f"Not read: {sentence(str(error))}")


def practise(services: Services, request: SetRequest) -> int:
    """Ask bets until the learner leaves, the named one first. The exit code."""
    seed = services.seed() if request.seed is None else request.seed
    first = None if request.name in {"", SET, "bet"} else bet_named(request.name)
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker) as worker:
        exercise = first or any_bet(worker.device, seed)
        with services.open_ui(plain=request.plain) as ui:
            while (key := _practised(services, worker, exercise, ui, seed)) is not None:
                seed += 1
                if key == "n":
                    exercise = any_bet(worker.device, seed)
    return 0


def _practised(services: Services, worker: "DeviceWorker", exercise: BetExercise, ui: Ui, seed: int) -> str | None:
    """One bet, logged; the key of what the learner wants next, None to leave."""
    outcome = converse(services, worker, drawn(exercise, worker.device, seed), ui)
    if outcome.showing is not None:
        services.store.log.record(EventKind.PRACTICE, NO_CARD, grade=outcome.grade, showing=outcome.showing)
    elif not outcome.message:
        return None
    key = ui.choose("What next?", AGAIN)
    return key if key in {"n", "r"} else None


def page(exercise: BetExercise, pinned: Pinned) -> PageCard:
    """Snippet and lesson to read."""
    card = read_on_page(exercise, pinned)
    question = "How long does this take, and what binds it?"
    return PageCard(f"{question}\n\n{card.prompt}", card.solution, card.command)


BET = ExerciseKind(ask=ask, practise=practise, answered_by="study time {id} --bet TIME", page=page)
