"""One bet from its promise to its outcome: write it down, measure, judge."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.errors import BadDataError, NotFoundError
from studykit.exercise import catalog
from studykit.exercise.bet import record
from studykit.exercise.bet.bounds import Count, bounds
from studykit.exercise.bet.describe import Outcome
from studykit.exercise.bet.score import Bet, after_drift, busy, drifted, settle
from studykit.exercise.bet.snippet import BetExercise, Size, shown
from studykit.graders.host.measure import Bench, Snippet
from studykit.practice import device_ceilings
from studykit.scheduling.events import EventKind, Showing

OWN = "bet.file"  # the template under which a learner's own snippets are logged
NO_CARD = CardId("")
LONGEST_SOURCE = 100_000  # characters


@dataclass(frozen=True, slots=True)
class Stake:
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


def exercise_named(name: str) -> BetExercise:
    """The bet of this id; NotFoundError when there is none or it is an exercise of another kind."""
    found = catalog.find(name)
    if not isinstance(found, BetExercise):
        raise NotFoundError(f"{name} is no timing bet; see: study exercise list")
    return found


def drawn(exercise: BetExercise, device: str, seed: int, pinned: Mapping[str, Size] | None = None) -> Stake:
    """A bet's snippet with the sizes that the seed draws for a device."""
    sizes = exercise.draw(seed, device, pinned)
    snippet = Snippet(exercise.source, exercise.id, sizes)
    return Stake(exercise.id, exercise.version, seed, snippet, exercise.lesson)


def any_exercise(device: str, seed: int) -> BetExercise:
    """One of the bets that a device can run, drawn by a seed."""
    able = [found for found in catalog.of_set("timing") if isinstance(found, BetExercise)]
    able = [found for found in able if ("gpu" if device == "cuda" else "cpu") in found.sizes]
    return random.Random(f"timing:{seed}").choice(able)  # noqa: S311 - an exercise, not a secret


def own(path: Path) -> Stake:
    """The learner's own file as a snippet; refused when it cannot be read."""
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFoundError(f"there is no exercise and no file {str(path)!r}; see: study exercise list") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadDataError(f"{path} cannot be read: {error}.") from None
    if len(source) > LONGEST_SOURCE:
        raise BadDataError(f"{path} is too long for a snippet; keep it under {LONGEST_SOURCE:,} characters.")
    return Stake(OWN, 1, 0, Snippet(source, str(path), {}))


def commit(context: Context, stake: Stake, bet: Bet, card: CardId = NO_CARD) -> Showing:
    """Write the bet down; it is on disk when this returns, and nothing of the snippet has run."""
    sizes = {**stake.snippet.sizes, **({"file": stake.snippet.path} if stake.name == OWN else {})}
    showing = record.showing_before(stake.name, stake.version, stake.seed, sizes, bet)
    context.store.log.record(EventKind.BET, card, showing=showing)
    return showing


def measure(context: Context, bench: Bench, stake: Stake, bet: Bet, tell: Callable[[str], None]) -> Outcome:
    """Time the snippet and judge the bet; ceilings are measured when they are missing or no longer true."""
    known = device_ceilings.kept(context.store, bench)
    ceilings = known or device_ceilings.measure(context.store, bench, context.now, tell)
    count, measured = bench.time(stake.snippet)
    changed = known is not None and drifted(bounds(count, known).binds, measured.canaries, known)
    free_again = known is not None and not known.quiet and not busy(measured.canaries)
    if changed or free_again:
        tell("This machine is not what it was when it was measured.")
        ceilings = device_ceilings.measure(context.store, bench, context.now, tell)
        count, measured = bench.time(stake.snippet)
    settled = settle(bet, measured, count, ceilings)
    limits = bounds(count, ceilings)
    return Outcome(bet, measured, count, ceilings, limits, after_drift(settled) if changed else settled)


def result(showing: Showing, found: Outcome) -> Showing:
    """The committed bet with its outcome, for the log."""
    return record.showing_after(showing, found.bet, found.measured, found.settled, found.limits)


def problems(count: Count) -> list[str]:
    """What the count could not count, as warnings."""
    return [f"counted too low: {problem}" for problem in count.problems]
