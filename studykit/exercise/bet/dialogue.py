"""One timing bet from its question to its explanation: asked, written down, measured and judged."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.bet import FAMILY, describe, record
from studykit.exercise.bet.bounds import Binds, Count, bounds
from studykit.exercise.bet.device_numbers import device_word, known_ceilings, measure_ceilings, raise_beaten
from studykit.exercise.bet.score import Bet, BetOutcome, Measurement, after_drift, busy, drifted, settle
from studykit.exercise.bet.snippet import BetExercise, Size, Snippet, snippet_markdown
from studykit.exercise.services import Services
from studykit.quantity.formatting import seconds
from studykit.quantity.reading import BadAnswerError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.text import sentence
from studykit.ui import Command, ExerciseOutcome, Line, Quit, RunPosition, Seeded, Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.picture import Picture
    from studykit.store.store import Store

OWN = "bet.file"  # the template under which a learner's own snippets are logged
UNDO = "undo"
_T = TypeVar("_T")
REASONS = (("c", "compute"), ("m", "memory"), ("o", "overhead"), ("k", "skip"))
NOTHING = ExerciseOutcome(None, None)
CHANGED = "This machine is not what it was when it was measured"
SKIPPED = ExerciseOutcome(None, None, "skipped")
_ONE_KERNEL = 1.05  # the fused bound is shown where it is this much below the eager one


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
        return snippet_markdown(self.snippet.source, self.snippet.sizes)


def bet_named(name: str) -> BetExercise:
    """The bet of this id; NotFoundError when there is none or it is an exercise of another kind."""
    exercise = catalog.find(name)
    if not isinstance(exercise, BetExercise):
        raise NotFoundError(f"{name} is not a timing bet; see: study exercise list")
    return exercise


def draw_bet(
    exercise: BetExercise, device: str, seed: int, pinned: Mapping[str, Size] | None = None
) -> BetVariant:
    """A bet's snippet with the sizes that the seed draws for a device."""
    sizes = exercise.draw(seed, device, pinned)
    snippet = Snippet(exercise.source, exercise.id, sizes)
    return BetVariant(exercise.id, exercise.version, seed, snippet, exercise.lesson)


def commit(store: "Store", variant: BetVariant, bet: Bet, card: CardId = NO_CARD) -> Showing:
    """Write the bet down; it is on disk when this returns, and nothing of the snippet has run."""
    sizes = {**variant.snippet.sizes, **({"file": variant.snippet.path} if variant.name == OWN else {})}
    showing = record.showing_before(variant.name, variant.version, variant.seed, sizes, bet)
    store.log.record(EventKind.BET, card, showing=showing)
    return showing


def measure(
    services: Services,
    worker: "DeviceWorker",
    variant: BetVariant,
    bet: Bet,
    ui: Ui | None = None,
) -> BetOutcome:
    """Time the snippet and judge the bet; ceilings are measured when they are missing or no longer true."""
    tell = ui.tell if ui is not None else services.tell

    def timed() -> tuple[Count, Measurement]:
        with ui.busy("measuring") if ui is not None else nullcontext():
            return worker.time(variant.snippet)

    stored = known_ceilings(services.store, worker)
    ceilings = stored or measure_ceilings(services.store, worker, services.now, tell)
    count, measured = timed()
    changed = stored is not None and drifted(bounds(count, stored).binds, measured.canaries, stored)
    free_again = stored is not None and not stored.quiet and not busy(measured.canaries)
    if changed or free_again:
        ceilings = measure_ceilings(services.store, worker, services.now, tell, why=CHANGED)
        count, measured = timed()
    if any(exercise.id == variant.name for exercise in catalog.shipped(FAMILY)):
        ceilings = raise_beaten(services.store, count, measured, ceilings, tell)
    outcome = settle(bet, measured, count, ceilings)
    return after_drift(outcome) if changed else outcome


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


def converse(
    services: Services,
    worker: "DeviceWorker",
    variant: BetVariant,
    ui: Ui,
    card: CardId = NO_CARD,
    *,
    at: RunPosition | None = None,
) -> ExerciseOutcome:
    """One bet from the question to its explanation."""
    device = device_word(worker)
    question = f"{variant.markdown}\n\nHow long does one call of `run` take on this machine's {device}?"
    seeded = Seeded(variant.name, variant.seed)
    ui.show(question, title=f"{variant.name} on the {device}", place=at, seeded=seeded)
    if worker.notice:
        ui.tell(worker.notice)
    bet = _bet(ui)
    if isinstance(bet, ExerciseOutcome):
        return bet
    showing = commit(services.store, variant, bet, card)
    ui.tell(f"read as {describe.bet_words(bet)}. Written down.")
    try:
        outcome = measure(services, worker, variant, bet, ui)
    except StudyError as error:
        ui.tell(f"Not measured: {error}")
        return NOTHING
    _explain(ui, variant, outcome)
    grade = outcome.grade
    return ExerciseOutcome(
        grade, None if grade is None else record.showing_after(showing, outcome), describe.verdict_line(outcome)
    )


def _explain(ui: Ui, variant: BetVariant, outcome: BetOutcome) -> None:
    """The verdict first, as a low terminal shows only the beginning of what is new."""
    word, _, why = describe.verdict_line(outcome).partition(":")
    sign = {"right": "✓ ", "wrong": "✗ ", "close": "✗ "}.get(word, "")
    cost = describe.oversight(outcome)
    ui.tell(f"{sign}**{word}**:{sentence(why)}" + (f" {sentence(cost[0].upper() + cost[1:])}" if cost else ""))
    ui.tell("\n".join(["```text", *describe.table(outcome), *problems(outcome.count), "```"]))
    for picture in pictures(outcome):
        ui.draw(picture)
    if variant.lesson:
        ui.tell(variant.lesson)


def _bet(ui: Ui) -> Bet | ExerciseOutcome:
    """The learner's bet: what binds it, a time, perhaps an interval; an outcome when they leave or skip.

    Undo goes back by one of the three: what was answered before this bet stays.
    """
    history: list[str] = []
    while True:
        key = ui.choose("What binds it?", REASONS)
        if key is None or key == "k":
            return NOTHING if key is None else SKIPPED
        bet = _timed(ui, Binds(dict(REASONS)[key]), history)
        if bet is not None:
            return bet


def _timed(ui: Ui, reason: Binds, history: list[str]) -> Bet | ExerciseOutcome | None:
    """The bet with its time and perhaps an interval; None where what binds it is to be chosen again."""
    while True:
        value = _read(ui, f"{reason}, time", describe.read_time, history)
        if isinstance(value, ExerciseOutcome):
            return value
        if isinstance(value, Command):
            return None
        interval = _read(ui, "80% interval, e.g. 10ms 30ms", describe.read_interval, history, none="no interval")
        if isinstance(interval, ExerciseOutcome):
            return interval
        if not isinstance(interval, Command):
            return Bet(value, reason, *interval)
        if interval.key != UNDO:
            return Bet(value, reason)


def _read(
    ui: Ui, label: str, reader: Callable[[str], _T], history: list[str], none: str = ""
) -> _T | ExerciseOutcome | Command:
    """What the learner typed, read; an outcome when they leave or skip, else the command for none or undo."""
    commands = {UNDO: "undo", **({"": none} if none else {}), "k": "skip"}
    while True:
        match ui.read(label, commands, history=history):
            case Quit():
                return NOTHING
            case Command(key="k"):
                return SKIPPED
            case Command() as command:
                return command
            case Line(text):
                if none and not text.strip():
                    return Command("")
                history.append(text)
                try:
                    return reader(text)
                except BadAnswerError as error:
                    ui.tell(f"Not read: {sentence(str(error))}")
