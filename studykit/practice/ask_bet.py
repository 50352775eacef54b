"""Asks a timing bet: the snippet, what binds it, a time, an interval; then measures and shows."""

from collections.abc import Callable

from studykit.cards.card import Card, CardId
from studykit.cli.context import World
from studykit.errors import StudyError
from studykit.exercise.bet.bet import Bet
from studykit.exercise.bet.bounds import Binds
from studykit.exercise.bet.describe import judged, physics, read_interval, read_time, said, table
from studykit.exercise.bet.snippet import pinned_sizes
from studykit.graders.host.measure import Bench, bench
from studykit.practice import bet_run
from studykit.practice.bet_run import Stake
from studykit.quantity.tokens import BadAnswerError
from studykit.terminal.pictures import bet_picture
from studykit.text import sentence
from studykit.ui import Asked, Asker, Command, Face, Left, Line

REASONS = (("c", "compute"), ("m", "memory"), ("o", "overhead"))
NOTHING = Asked(None, None)


def make_asker(world: World) -> Asker:
    """The asker for cards whose exercise is a bet."""

    def ask(card: Card, face: Face, seed: int) -> Asked:
        if card.task is None:
            return NOTHING
        exercise = bet_run.exercise_named(card.task.name)
        with bench(world) as found:
            stake = bet_run.drawn(exercise, found.device, seed, pinned_sizes(card.task.pinned))
            return put(world, found, stake, face, card.id)

    return ask


def put(world: World, found: Bench, stake: Stake, face: Face, card: CardId = bet_run.NO_CARD) -> Asked:
    """One bet from the question to its explanation."""
    face.show(_question(stake, found), title=f"{stake.name} on the {_device(found)}")
    bet = _bet(face)
    if bet is None:
        return NOTHING
    showing = bet_run.commit(world, stake, bet, card)
    face.tell(f"read as {said(bet)}. Written down; measuring ...")
    try:
        outcome = bet_run.measure(world, found, stake, bet, face.tell)
    except StudyError as error:
        face.tell(f"Not measured: {error}")
        return NOTHING
    face.tell("\n".join(["```text", *table(outcome), *bet_run.problems(outcome.count), "```"]))
    bet_picture.draw(face, outcome)
    verdict = judged(outcome)
    face.tell(f"**{verdict}**")
    if below := physics(outcome):
        face.tell(f"Your bet was below the floor: {below}.")
    if stake.lesson:
        face.tell(stake.lesson)
    grade = outcome.settled.grade
    kept = bet_run.result(showing, outcome) if grade is not None else None
    return Asked(grade, kept, verdict)


def _question(stake: Stake, found: Bench) -> str:
    return f"{stake.markdown}\n\nHow long does one call of `run` take on this machine's {_device(found)}?"


def _device(found: Bench) -> str:
    return "GPU" if found.device == "cuda" else "CPU"


def _bet(face: Face) -> Bet | None:
    key = face.choose("What binds it?", REASONS)
    if key is None:
        return None
    value = _read(face, "time", read_time)
    if not isinstance(value, float):
        return None
    interval = _read(face, "80 % sure between", read_interval, skip="no interval")
    if interval is False:
        return None
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return Bet(value, Binds(dict(REASONS)[key]), low, high)


def _read(
    face: Face, label: str, reader: Callable[[str], float | tuple[float, float]], skip: str = ""
) -> float | tuple[float, float] | bool:
    """What the learner typed, read; False when they leave, True when they skip what may be skipped."""
    while True:
        match face.read(label, {"": skip} if skip else {}):
            case Left():
                return False
            case Command():
                return True
            case Line(text):
                if skip and not text.strip():
                    return True
                try:
                    return reader(text)
                except BadAnswerError as error:
                    face.tell(f"Not read: {sentence(str(error))}")
