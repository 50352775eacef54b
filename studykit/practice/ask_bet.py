"""Asks a timing bet: the snippet, what binds it, a time, an interval; then measures and shows."""

from collections.abc import Callable

from studykit.cards.card import Card, CardId
from studykit.cli.context import Context
from studykit.errors import StudyError
from studykit.exercise.bet.bounds import Binds
from studykit.exercise.bet.describe import judged, physics, read_interval, read_time, said, table
from studykit.exercise.bet.score import Bet
from studykit.exercise.bet.snippet import pinned_sizes
from studykit.graders.host.measure import Bench, bench
from studykit.practice import bet_run
from studykit.practice.bet_run import Stake
from studykit.quantity.reading import BadAnswerError
from studykit.terminal.pictures import bet_picture
from studykit.text import sentence
from studykit.ui import Asker, Command, ExerciseOutcome, Line, Quit, Ui

REASONS = (("c", "compute"), ("m", "memory"), ("o", "overhead"))
NOTHING = ExerciseOutcome(None, None)


def make_asker(context: Context) -> Asker:
    """The asker for cards whose exercise is a bet."""

    def ask(card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
        if card.task is None:
            return NOTHING
        exercise = bet_run.exercise_named(card.task.name)
        with bench(context) as found:
            stake = bet_run.drawn(exercise, found.device, seed, pinned_sizes(card.task.pinned))
            return put(context, found, stake, ui, card.id)

    return ask


def put(context: Context, found: Bench, stake: Stake, ui: Ui, card: CardId = bet_run.NO_CARD) -> ExerciseOutcome:
    """One bet from the question to its explanation."""
    ui.show(_question(stake, found), title=f"{stake.name} on the {_device(found)}")
    bet = _bet(ui)
    if bet is None:
        return NOTHING
    showing = bet_run.commit(context, stake, bet, card)
    ui.tell(f"read as {said(bet)}. Written down; measuring ...")
    try:
        outcome = bet_run.measure(context, found, stake, bet, ui.tell)
    except StudyError as error:
        ui.tell(f"Not measured: {error}")
        return NOTHING
    ui.tell("\n".join(["```text", *table(outcome), *bet_run.problems(outcome.count), "```"]))
    bet_picture.draw(ui, outcome)
    verdict = judged(outcome)
    ui.tell(f"**{verdict}**")
    if below := physics(outcome):
        ui.tell(f"Your bet was below the floor: {below}.")
    if stake.lesson:
        ui.tell(stake.lesson)
    grade = outcome.settled.grade
    kept = bet_run.result(showing, outcome) if grade is not None else None
    return ExerciseOutcome(grade, kept, verdict)


def _question(stake: Stake, found: Bench) -> str:
    return f"{stake.markdown}\n\nHow long does one call of `run` take on this machine's {_device(found)}?"


def _device(found: Bench) -> str:
    return "GPU" if found.device == "cuda" else "CPU"


def _bet(ui: Ui) -> Bet | None:
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
