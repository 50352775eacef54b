"""Parse bets, and describe them: derivation, table, and the cost that a wrong bet left out."""

import math
from collections.abc import Callable, Iterator, Sequence

from studykit.errors import StudyError, UsageError
from studykit.exercise.bet.bounds import Binds, Bounds, Ceilings, Count, compute_seconds, longest, times
from studykit.exercise.bet.score import Bet, BetOutcome, binding_words
from studykit.exercise.estimate.interval import split_ends
from studykit.exercise.verdict import Close, Incorrect, NotScored, Refused
from studykit.quantity.formatting import amount, digits, seconds
from studykit.quantity.reading import MIDDLE, RANGE, BadAnswerError, read
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP, FLOP_PER_S, SECOND, target_unit
from studykit.scheduling.outcomes import WORDS
from studykit.text import counted

MAX_NEAR_FACTOR = 1.3  # a bet this near to what one reckoning gives was reckoned so
MIN_TOLD_FACTOR = 1.25  # a cost that changes the time by less is not told


def omission(outcome: BetOutcome) -> str:
    """Return a sentence on the cost that a wrong bet left out or added, or ""."""
    seconds_bet, eager, median = outcome.bet.seconds, outcome.limits.eager, outcome.measured.median
    is_near = 1 / MIN_TOLD_FACTOR < outcome.factor < MIN_TOLD_FACTOR
    if is_near or not isinstance(outcome.verdict, Close | Incorrect):
        return ""
    if outcome.factor > 1:
        is_the_bound = 1 / MAX_NEAR_FACTOR <= seconds_bet / eager <= MAX_NEAR_FACTOR
        is_cached = is_the_bound and eager > MIN_TOLD_FACTOR * median
        return "That is the time from memory; here the data stays in the caches." if is_cached else ""
    costs = [
        (abs(math.log(seconds_bet / cost_s)), words) for cost_s, words in _omitted_costs(outcome) if cost_s > 0
    ]
    if costs and min(costs)[0] <= math.log(MAX_NEAR_FACTOR):
        return min(costs)[1]
    if seconds_bet * MIN_TOLD_FACTOR < eager:
        return _name_longest_cost(outcome.count, outcome.limits)
    return f"{seconds(eager)} is the bound, and this run reached {eager / median:.0%} of it: no run reaches all."


def _omitted_costs(outcome: BetOutcome) -> Iterator[tuple[float, str]]:
    """Yield estimates in seconds that leave out one cost, each with a sentence on that cost."""
    count, ceilings, limits = outcome.count, outcome.ceilings, outcome.limits
    flops = compute_seconds(count, ceilings)
    memory = limits.shares[Binds.MEMORY]
    kernels = len(count.kernels)
    if memory > flops * MIN_TOLD_FACTOR:
        moved = f"{amount(count.bytes_moved, BYTE)} that move take {seconds(memory)}"
        yield flops, f"That is only the FLOPs; the {moved}."
        yield memory / 2, f"That is half of the traffic; what is read and what is written both count: the {moved}."
    if limits.fused * MIN_TOLD_FACTOR < limits.eager and kernels > 1:
        traffic = amount(count.bytes_moved, BYTE)
        yield limits.fused, f"That is one pass over the data; {kernels} operations move {traffic} between them."
    if limits.shares[Binds.OVERHEAD] > MIN_TOLD_FACTOR * max(flops, memory):
        without_starts = sum(
            max(times(kernel, ceilings)[Binds.MEMORY], flops / kernels) for kernel in count.kernels
        )
        yield without_starts, _name_longest_cost(count, limits)


def _name_longest_cost(count: Count, limits: Bounds) -> str:
    """Name the longest of the three costs, with its time, in a sentence."""
    time = seconds(limits.shares[limits.reason])
    match limits.reason:
        case Binds.COMPUTE:
            return f"{amount(count.flops, FLOP)} take {time} at the best speed of this device."
        case Binds.MEMORY:
            return f"{amount(count.bytes_moved, BYTE)} have to move, which takes {time} at best."
        case Binds.OVERHEAD:
            number = max(1, len(count.kernels))
            return f"Torch needs {time} to start {counted(number, 'operation')}, however small."


MAX_BET_S = 1e6
_EXACT = 1.005  # what two digits cannot show
_ONE_TIME = "give one time, such as 0.2 ms; give the interval separately"
_A_TIME = "say a time with its unit, such as 0.2 ms or 150 us"
TIME = target_unit("s")


def read_time(text: str) -> float:
    """Parse a time with its unit into seconds, or raise BadAnswerError."""
    try:
        reading = read(text, TIME)
    except BadAnswerError as error:
        if str(error) == RANGE or split_ends(text.replace(",", "")):  # 1,5 ms is none
            raise BadAnswerError(_ONE_TIME) from None
        if any(sign.isdigit() for sign in text):
            raise
        raise BadAnswerError(_A_TIME) from None
    if MIDDLE in reading.notes:
        raise BadAnswerError(_ONE_TIME)
    if reading.dimension != SECOND or not reading.unit_given:
        raise BadAnswerError(_A_TIME)
    if not 0 < reading.value < MAX_BET_S:
        raise BadAnswerError("no snippet can take that time; say a time such as 0.2 ms")
    return reading.value


def read_interval(text: str) -> tuple[float, float]:
    """Parse an interval such as `0.1 ms to 0.4 ms` or `2-5 us`, and return the lower end first."""
    if (ends := split_ends(text)) is None:
        raise BadAnswerError("write two times, such as 0.1 ms to 0.4 ms")
    low, high = sorted(map(read_time, ends))
    return low, high


def read_binds(text: str) -> Binds:
    """Parse a reason from a word or its beginning."""
    reasons = [reason for reason in Binds if text and reason.startswith(text.strip().lower())]
    if len(reasons) != 1:
        raise UsageError(f"{text!r} is not a reason. Use compute, memory or overhead.")
    return reasons[0]


def field_error(readers: Sequence[Callable[[str], object]], number: int, text: str) -> str:
    """Return why a bet's field cannot be read, or ""."""
    try:
        readers[number](text)
    except (BadAnswerError, StudyError) as error:
        return str(error).rstrip(".")
    return ""


def bet_words(bet: Bet) -> str:
    """Format a bet: `0.2 ms, memory-bound`."""
    return f"{seconds(bet.seconds)}{f', {bet.binds}-bound' if bet.binds else ''}"


def derivation(count: Count, ceilings: Ceilings) -> str:
    """Explain in one line how the eager bound adds up over the kernels."""
    if not count.kernels:
        return f"no kernel runs: one view, {seconds(ceilings.dispatch_s)}"
    shares = {reason: [k for k in count.kernels if longest(k, ceilings)[0] is reason] for reason in Binds}
    parts = []
    for reason, kernels in shares.items():
        if not kernels:
            continue
        time = sum(times(kernel, ceilings)[reason] for kernel in kernels)
        match reason:
            case Binds.COMPUTE:
                work = amount(sum(kernel.flops for kernel in kernels), FLOP)
                parts.append(f"{work} at {amount(ceilings.peak(kernels[0].dtype), FLOP_PER_S)} = {seconds(time)}")
            case Binds.MEMORY:
                moved = sum(kernel.bytes_moved for kernel in kernels)
                parts.append(f"{amount(moved, BYTE)} at {amount(moved / time, BYTE_PER_S)} = {seconds(time)}")
            case Binds.OVERHEAD:
                parts.append(f"{len(kernels)} small x {seconds(ceilings.overhead_s)} = {seconds(time)}")
    return f"{counted(len(count.kernels), 'kernel')}: {' + '.join(parts)}"


def table(outcome: BetOutcome) -> list[str]:
    """Format the outcome line by line: bet, measured, bounds, intensity, operations that could not be counted."""
    measured, limits, count = outcome.measured, outcome.limits, outcome.count
    how = counted(measured.samples, "sample") if measured.samples else "as recorded"
    how += "" if measured.cold else ", caches warm"
    spread = f"p20 {seconds(measured.p20)}, p80 {seconds(measured.p80)}"
    if measured.least:
        spread = f"the least of several batches, which vary by {measured.p80 / measured.median - 1:.0%}"
    lines = [
        f"you         {bet_words(outcome.bet)}",
        f"measured    {seconds(measured.median)}   ({spread}, {how})",
        f"eager       {seconds(limits.eager)}   {derivation(count, outcome.ceilings)}",
    ]
    if limits.is_fusible:
        lines.append(
            f"fused       {seconds(limits.fused)}   {amount(count.fused_bytes, BYTE)} if one kernel did it all"
        )
    if count.flops:
        reached = amount(count.flops / measured.median, FLOP_PER_S)
        lines.append(f"reached     {reached}, intensity {digits(count.intensity, 3)} FLOP per byte")
    elif count.bytes_moved:
        lines.append(f"reached     {amount(count.bytes_moved / measured.median, BYTE_PER_S)}, no FLOPs")
    if outcome.bet.low is not None and outcome.bet.high is not None:
        result = "contained it" if outcome.covered else "missed it"
        lines.append(f"interval    {seconds(outcome.bet.low)} to {seconds(outcome.bet.high)} {result}")
    return [*lines, *(f"counted too low: {problem}" for problem in count.problems)]


def verdict_line(outcome: BetOutcome) -> str:
    """Format the verdict in one line."""
    match outcome.verdict:
        case NotScored():
            word = "not scored"
        case Refused():
            word = "refused"
        case verdict:
            word = WORDS.get(verdict.name, "wrong")
    return f"{word}: {verdict_reason(outcome)}"


def verdict_reason(outcome: BetOutcome) -> str:
    """Return why a bet has its verdict: `1.3x too low, and memory binds it`."""
    if isinstance(outcome.verdict, NotScored | Refused):
        return outcome.verdict.why
    distance = max(outcome.factor, 1 / outcome.factor)
    way = "high" if outcome.factor > 1 else "low"
    how_far = "exact" if distance < _EXACT else f"{digits(distance, 3)}x too {way}"
    return f"{how_far}, {'and' if outcome.right_reason else 'but'} {binding_words(outcome.limits)} binds it"
