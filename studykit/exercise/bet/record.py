"""Convert bets to and from log entries, and compute a learner's betting statistics."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from statistics import median

from studykit.exercise.bet.bounds import Binds
from studykit.exercise.bet.score import Bet, BetOutcome
from studykit.exercise.bet.snippet import OWN, BetVariant
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.outcomes import JUDGED

RECENT = 20  # bets with an interval whose coverage is shown
UNFELT = 1.1  # a factor; ten per cent is not noticed
ALL = "all"
MEASURED, RECORDED, COUNTED = "bias", "recorded", "counted"
"""What bets are judged by, as JSON names their bias."""
_COUNT = "count."  # what the ids of counted bets begin with
OUTCOME = "outcome"  # its place among the parameters
DEVICE = "device"  # the place of the card whose recording judged it; none where it was measured


@dataclass(frozen=True, slots=True)
class ScoredBet:
    """Hold a settled bet from the log, in seconds, or in bytes or another count for a counted bet."""

    snippet: str
    bet: float
    measured: float
    binds: frozenset[Binds]  # what bound it
    said: Binds | None
    covered: bool | None
    card: str = ""  # whose recording judged it, or `COUNTED`; empty where it was measured

    @property
    def origin(self) -> str:
        """Return what judged the bet: a measurement, a recording or a count."""
        return (COUNTED if self.card == COUNTED else RECORDED) if self.card else MEASURED

    @property
    def error(self) -> float:
        """Return by how many powers of ten the bet was too high, negative if too low."""
        return math.log10(self.bet / self.measured)


@dataclass(frozen=True, slots=True)
class Bias:
    """Hold the bias of a learner's bets, as factors. 1 means no bias."""

    bets: int
    lean: float  # median of bet / measured: below 1, too optimistic
    off: float  # median factor, whichever way
    low: int  # bets below the measurement


@dataclass(frozen=True, slots=True)
class BettingStatistics:
    """Hold statistics of a learner's bets, with measured, recorded and counted ones separate."""

    biases: Mapping[str, Mapping[str, Bias]]  # by origin: of all, and by what binds them
    reasons: int  # bets that named what binds rightly
    named: int  # bets that named it at all
    covered: int  # of the last intervals, how many held the measurement
    intervals: int


def showing_of(variant: BetVariant, answer: str, verdict: str = "", slips: tuple[str, ...] = ()) -> Showing:
    """Return the log entry of a bet, with its sizes and the learner's file or the recorded device."""
    parameters = dict(variant.snippet.sizes)
    if variant.name == OWN:
        parameters["file"] = variant.snippet.path
    if variant.device:
        parameters[DEVICE] = variant.device
    version, seed = variant.version, variant.seed
    return Showing(variant.name, version, seed, json.dumps(parameters), answer, verdict, slips)


def showing_after(variant: BetVariant, outcome: BetOutcome) -> Showing:
    """Return the log entry of a settled bet, with its outcome."""
    showing = showing_of(variant, bet_text(outcome.bet), outcome.verdict.name, outcome.slips)
    figures = {
        "bet": outcome.bet.seconds,
        "measured": outcome.measured.median,
        "binds": sorted(outcome.limits.binds),
        "said": outcome.bet.binds,
        "covered": outcome.covered,
    }
    return replace(showing, parameters=json.dumps({**json.loads(showing.parameters), OUTCOME: figures}))


def bet_text(bet: Bet) -> str:
    """Format a bet: `0.0002 s memory 0.0001 s to 0.0004 s`."""
    interval = "" if bet.low is None or bet.high is None else f" {bet.low:g} s to {bet.high:g} s"
    return f"{bet.seconds:g} s{f' {bet.binds}' if bet.binds else ''}{interval}"


def scored_bets(
    events: Iterable[Event], counted_bet: Callable[[Showing], ScoredBet | None] = lambda _showing: None
) -> tuple[ScoredBet, ...]:
    """Return the scored bets among events, in order, without unreadable ones and repeated counted questions.

    `counted_bet` judges the logged answer to a counted bet, since the log keeps nothing but its text.
    """
    bets: list[ScoredBet | None] = []
    judged_questions: set[tuple[str, int, str]] = set()
    for event in events:
        showing = event.showing
        if showing is None or showing.verdict not in JUDGED:
            continue
        if not showing.template.startswith(_COUNT):
            bets.append(_scored_bet(showing))
        elif (question := (showing.template, showing.seed, showing.parameters)) not in judged_questions:
            judged_questions.add(question)  # asked again, its answer is known
            bets.append(counted_bet(showing))
    return tuple(filter(None, bets))


def statistics(bets: Iterable[ScoredBet]) -> BettingStatistics:
    """Compute the statistics of bets, given oldest first."""
    all_bets = list(bets)
    intervals = [bet.covered for bet in all_bets if bet.covered is not None][-RECENT:]
    of_origins = {
        origin: [bet for bet in all_bets if bet.origin == origin] for origin in (MEASURED, RECORDED, COUNTED)
    }
    return BettingStatistics(
        biases={origin: _biases_of(bets) for origin, bets in of_origins.items()},
        reasons=sum(bet.said in bet.binds for bet in all_bets),
        named=sum(bet.said is not None for bet in all_bets),
        covered=sum(intervals),
        intervals=len(intervals),
    )


def statistics_lines(statistics: BettingStatistics) -> list[str]:
    """Format the statistics as lines."""
    lines = []
    for origin, biases in statistics.biases.items():
        of_all, prefix = ("all bets", "") if origin == MEASURED else (f"{origin} bets", f"{origin}, ")
        lines += [
            _bias_line(bias, of_all if name == ALL else f"{prefix}{name}-bound") for name, bias in biases.items()
        ]
    if statistics.named:
        lines.append(f"what binds it: named rightly {statistics.reasons} of {statistics.named} times")
    if statistics.intervals:
        share = statistics.covered / statistics.intervals
        lines.append(f"80 % intervals: {statistics.covered} of the last {statistics.intervals} held ({share:.0%})")
    return lines


def document(statistics: BettingStatistics) -> dict[str, object]:
    """Return the statistics as JSON, or {} before the first bet."""
    biases = {
        origin: {str(name): asdict(bias) for name, bias in of.items()} for origin, of in statistics.biases.items()
    }
    if not any(biases.values()):
        return {}
    return {
        **{origin: of for origin, of in biases.items() if of or origin == MEASURED},
        "reasons": {"right": statistics.reasons, "of": statistics.named},
        "intervals": {"held": statistics.covered, "of": statistics.intervals},
    }


def _bias_line(bias: Bias, what: str) -> str:
    if 1 / UNFELT < bias.lean < UNFELT:
        way = "no bias"
    else:
        factor = max(bias.lean, 1 / bias.lean)
        way = f"{factor:.2g}x too {'optimistic' if bias.lean < 1 else 'pessimistic'}"
    return f"{what} ({bias.bets}): {way}, typically off by {bias.off:.2g}x, {bias.low} too low"


def _biases_of(bets: list[ScoredBet]) -> dict[str, Bias]:
    """Return the bias of all bets, and of those bound by each reason."""
    groups = [(ALL, bets), *((reason, [bet for bet in bets if reason in bet.binds]) for reason in Binds)]
    return {name: _bias_of(some) for name, some in groups if some}


def _bias_of(bets: list[ScoredBet]) -> Bias:
    errors = [bet.error for bet in bets]
    distances = [abs(error) for error in errors]
    return Bias(len(bets), 10 ** median(errors), 10 ** median(distances), sum(error < 0 for error in errors))


def _scored_bet(showing: Showing) -> ScoredBet | None:
    try:
        parameters = json.loads(showing.parameters)
        outcome = parameters[OUTCOME]
        bet, measured = float(outcome["bet"]), float(outcome["measured"])
        # Errors are logarithms, so zero or infinity in a damaged entry would spoil the statistics.
        if not (0 < bet < math.inf and 0 < measured < math.inf):
            return None
        binds = frozenset(Binds(reason) for reason in outcome["binds"])
        choice = None if outcome["said"] is None else Binds(outcome["said"])
        covered = outcome["covered"]
        if covered is not None and not isinstance(covered, bool):
            return None
        return ScoredBet(showing.template, bet, measured, binds, choice, covered, str(parameters.get(DEVICE, "")))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
