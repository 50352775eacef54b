"""Bets in the log: how one is kept, and what many of them say about a learner."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace

from studykit.exercise.bet.bounds import Binds
from studykit.exercise.bet.score import Bet, BetOutcome
from studykit.exercise.bet.snippet import OWN, BetVariant
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.outcomes import JUDGED

RECENT = 20  # bets with an interval whose coverage is shown
INTERVAL_SHARE = 0.8  # of the intervals should hold
UNFELT = 1.1  # a factor; ten per cent is not noticed
ALL = "all"
OUTCOME = "outcome"  # its place among the parameters
DEVICE = "device"  # the place of the card whose recording judged it; none where it was measured


@dataclass(frozen=True, slots=True)
class ScoredBet:
    """A settled bet as the log has it; seconds throughout."""

    snippet: str
    bet: float
    measured: float
    binds: frozenset[Binds]  # what bound it
    said: Binds | None
    covered: bool | None
    card: str = ""  # whose recording judged it; empty where it was measured

    @property
    def error(self) -> float:
        """Powers of ten that the bet was above the measurement; negative below."""
        return math.log10(self.bet / self.measured)


@dataclass(frozen=True, slots=True)
class Bias:
    """How a learner's bets lean: factors, 1 is even."""

    bets: int
    lean: float  # median of bet / measured: below 1, too optimistic
    off: float  # median factor, whichever way
    low: int  # bets below the measurement


@dataclass(frozen=True, slots=True)
class BettingStatistics:
    """A learner's bets, all of them and by what bound the snippet."""

    total: Bias | None  # of what was measured
    by_reason: Mapping[str, Bias]
    recorded: Mapping[str, Bias]  # of bets on a recorded GPU: of all, and by what binds them
    reasons: int  # bets that named what binds rightly
    named: int  # bets that named it at all
    covered: int  # of the last intervals, how many held the measurement
    intervals: int


def showing_before(variant: BetVariant, bet: Bet) -> Showing:
    """A bet as it is written down before anything runs."""
    return Showing(variant.name, variant.version, variant.seed, parameters_of(variant), answer=bet_text(bet))


def parameters_of(variant: BetVariant) -> str:
    """Return sizes as the log has them, with the learner's file or the card whose recording judges."""
    file = {"file": variant.snippet.path} if variant.name == OWN else {}
    return json.dumps({**variant.snippet.sizes, **file, **({DEVICE: variant.device} if variant.device else {})})


def showing_after(showing: Showing, outcome: BetOutcome) -> Showing:
    """The same bet with what came of it."""
    figures = {
        "bet": outcome.bet.seconds,
        "measured": outcome.measured.median,
        "binds": sorted(outcome.limits.binds),
        "said": outcome.bet.binds,
        "covered": outcome.covered,
        "points": outcome.points,
    }
    return replace(
        showing,
        parameters=json.dumps({**json.loads(showing.parameters), OUTCOME: figures}),
        verdict=outcome.verdict.name,
        slips=outcome.slips,
    )


def bet_text(bet: Bet) -> str:
    """A bet as text: `0.0002 s memory 0.0001 s to 0.0004 s`."""
    interval = "" if bet.low is None or bet.high is None else f" {bet.low:g} s to {bet.high:g} s"
    return f"{bet.seconds:g} s{f' {bet.binds}' if bet.binds else ''}{interval}"


def scored_bets(events: Iterable[Event]) -> tuple[ScoredBet, ...]:
    """The scored bets among events, in their order; what cannot be read is left out."""
    bets = (_scored_bet(event.showing) for event in events if event.showing and event.showing.verdict in JUDGED)
    return tuple(bet for bet in bets if bet is not None)


def statistics(bets: Iterable[ScoredBet]) -> BettingStatistics:
    """What bets say about a learner; the newest last."""
    all_bets = list(bets)
    own, recorded = ([bet for bet in all_bets if bool(bet.card) is is_recorded] for is_recorded in (False, True))
    intervals = [bet.covered for bet in all_bets if bet.covered is not None][-RECENT:]
    total = _bias(recorded)
    return BettingStatistics(
        total=_bias(own),
        by_reason=_by_reason(own),
        recorded={ALL: total, **_by_reason(recorded)} if total else {},
        reasons=sum(bet.said in bet.binds for bet in all_bets),
        named=sum(bet.said is not None for bet in all_bets),
        covered=sum(intervals),
        intervals=len(intervals),
    )


def statistics_lines(statistics: BettingStatistics) -> list[str]:
    """The form in lines, for people."""
    lines = [_leaning(statistics.total, "all bets")] if statistics.total else []
    lines += [_leaning(bias, f"{reason}-bound") for reason, bias in statistics.by_reason.items()]
    for name, bias in statistics.recorded.items():
        lines.append(_leaning(bias, "recorded bets" if name == ALL else f"recorded, {name}-bound"))
    if statistics.named:
        lines.append(f"what binds it: named rightly {statistics.reasons} of {statistics.named} times")
    if statistics.intervals:
        share = statistics.covered / statistics.intervals
        lines.append(f"80 % intervals: {statistics.covered} of the last {statistics.intervals} held ({share:.0%})")
    return lines


def document(statistics: BettingStatistics) -> dict[str, object]:
    """The form as JSON; nothing before the first bet."""
    own = {ALL: statistics.total, **statistics.by_reason} if statistics.total else {}
    recorded = {name: asdict(bias) for name, bias in statistics.recorded.items()}
    if not own and not recorded:
        return {}
    return {
        "bias": {str(name): asdict(bias) for name, bias in own.items()},
        **({"recorded": recorded} if recorded else {}),
        "reasons": {"right": statistics.reasons, "of": statistics.named},
        "intervals": {"held": statistics.covered, "of": statistics.intervals},
    }


def _leaning(bias: Bias, what: str) -> str:
    if 1 / UNFELT < bias.lean < UNFELT:
        way = "no bias"
    else:
        factor = max(bias.lean, 1 / bias.lean)
        way = f"{factor:.2g}x too {'optimistic' if bias.lean < 1 else 'pessimistic'}"
    return f"{what} ({bias.bets}): {way}, typically off by {bias.off:.2g}x, {bias.low} too low"


def _by_reason(bets: list[ScoredBet]) -> dict[str, Bias]:
    return {reason: bias for reason in Binds if (bias := _bias([bet for bet in bets if reason in bet.binds]))}


def _bias(bets: list[ScoredBet]) -> Bias | None:
    if not bets:
        return None
    errors = sorted(bet.error for bet in bets)
    away = sorted(abs(error) for error in errors)
    return Bias(len(bets), 10 ** _middle(errors), 10 ** _middle(away), sum(error < 0 for error in errors))


def _middle(ordered: list[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _scored_bet(showing: Showing) -> ScoredBet | None:
    try:
        parameters = json.loads(showing.parameters)
        outcome = parameters[OUTCOME]
        bet, measured = float(outcome["bet"]), float(outcome["measured"])
        if not (0 < bet < math.inf and 0 < measured < math.inf):
            return None
        binds = frozenset(Binds(reason) for reason in outcome["binds"])
        named = None if outcome["said"] is None else Binds(outcome["said"])
        covered = outcome["covered"]
        if covered is not None and not isinstance(covered, bool):
            return None
        return ScoredBet(showing.template, bet, measured, binds, named, covered, str(parameters.get(DEVICE, "")))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
