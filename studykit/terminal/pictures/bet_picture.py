"""Pictures of a bet's outcome: the times on one axis, and the point under the roofline."""

from studykit.exercise.bet.describe import Outcome
from studykit.quantity.formatting import seconds
from studykit.terminal.pictures.roofline import Point, described, roofline
from studykit.terminal.pictures.time_axis import AxisMark, scale
from studykit.ui import Ui


def axis(found: Outcome, *, width: int, ascii: bool) -> list[str]:
    """Bet, measurement and both bounds on one log axis."""
    measured, limits, bet = found.measured, found.limits, found.bet
    marks = [
        AxisMark("○", limits.fused, f"fused {seconds(limits.fused)}"),
        AxisMark("◆", limits.eager, f"eager {seconds(limits.eager)}"),
        AxisMark("●", measured.median, f"measured {seconds(measured.median)}", measured.p20, measured.p80),
        AxisMark("▲", bet.seconds, f"you {seconds(bet.seconds)}", bet.low, bet.high, solid=False),
    ]
    if limits.fused > limits.eager / 1.05:
        marks = marks[1:]
    return scale(marks, width=width, ascii=ascii)


def in_words(found: Outcome) -> str:
    """The same in a sentence."""
    limits, measured = found.limits, found.measured
    return (
        f"Times: fused bound {seconds(limits.fused)}, eager bound {seconds(limits.eager)}, "
        f"measured {seconds(measured.median)} between {seconds(measured.p20)} and {seconds(measured.p80)}, "
        f"your bet {seconds(found.bet.seconds)}."
    )


def roof(found: Outcome, *, width: int, ascii: bool) -> tuple[list[str], str]:
    """The roofline with the measured point, and its description; nothing where nothing is computed."""
    count, ceilings = found.count, found.ceilings
    if not count.flops or not count.bytes_moved:
        return [], ""
    dtype = max(count.kernels, key=lambda kernel: kernel.flops).dtype
    point = Point(count.intensity, count.flops / found.measured.median, "measured")
    peak, bandwidth = ceilings.peak(dtype), ceilings.bytes_per_s
    return (
        roofline(peak, bandwidth, [point], width=width, ascii=ascii),
        described(peak, bandwidth, [point]),
    )


def draw(ui: Ui, found: Outcome) -> None:
    """Put both pictures before the learner."""
    ui.draw(axis(found, width=ui.width, ascii=ui.ascii), described=in_words(found))
    lines, said = roof(found, width=ui.width, ascii=ui.ascii)
    if said:
        ui.draw(lines, described=said)
