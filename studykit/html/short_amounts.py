"""Amounts of a page's sets of numbers: as few digits as its judge can do with, and what is written of them."""

from collections.abc import Callable, Sequence
from itertools import count

from studykit.exercise.numeric.template import Variant
from studykit.html.set_columns import Columns
from studykit.quantity import formatting
from studykit.quantity.units import Want

_WIDEST_BAND = 0.02  # within which a slip is named
_SHARE_OF_BAND = 1 / 200  # the edge of a verdict moves by half a percent of its band at most
_EXACT = 1e-9

Known = dict[tuple[str | None, ...], tuple[int, int]]
"""Texts of a column, and from what they can be written: the place of amounts, the number of a writer."""


def columns_of(drawn: Sequence[Variant], columns: Columns) -> tuple[int, list[tuple[str, int, int]], Known]:
    """The answers' place, each slip with the place of its amounts, and what the page can write of them."""
    wanted = drawn[0].template.wanted
    answers = tuple(_answer(variant, wanted) for variant in drawn)
    written: Known = {}
    slips: list[tuple[str, int, int]] = []
    answer = _placed(answers, columns, wanted, written)
    met = {slip.id for variant in drawn for slip in variant.slips}
    for name in (rule.id for rule in drawn[0].template.slips if rule.id in met):
        values, ratios = _slip(name, drawn)
        if len(set(ratios)) < len(set(values)):
            slips.append((name, columns.place(ratios), 1))
        else:
            slips.append((name, _placed(values, columns, wanted, written), 0))
    return answer, slips, written


def _placed(
    amounts: tuple[str | None, ...],
    columns: Columns,
    wanted: Want,
    written: Known,
) -> int:
    place = columns.place(amounts)
    values = [float(amount) for amount in amounts if amount is not None]
    if len(values) == len(amounts):
        for number, write in enumerate(writers(wanted)):
            written.setdefault(tuple(write(value) for value in values), (place, number))
    return place


def writers(wanted: Want) -> tuple[Callable[[float], str], ...]:
    """How texts show amounts, in the order that the page's script knows."""
    return (formatting.digits, _scientific, lambda value: formatting.shown(value, wanted))


def _scientific(value: float) -> str:
    return formatting.scientific(value) if value else "0"


def _answer(variant: Variant, wanted: Want) -> str:
    """The answer so short that it still reads the same."""
    precise, band = variant.answer, _band(variant)
    while True:
        told = short(precise, band)
        if all(write(float(told)) == write(precise) for write in writers(wanted)):
            return told
        band = band / 10 if band > _EXACT else 0


def _slip(name: str, drawn: Sequence[Variant]) -> tuple[tuple[str | None, ...], tuple[str | None, ...]]:
    """A slip's amounts by set, and the same in answers; nothing where a set is without it."""
    found = [next((slip.value for slip in variant.slips if slip.id == name), None) for variant in drawn]
    each = list(zip(drawn, found, strict=True))
    values = tuple(None if value is None else short(value, _band(variant)) for variant, value in each)
    if not all(variant.answer for variant in drawn):
        return values, values
    ratios = (None if value is None else short(value / variant.answer, _band(variant)) for variant, value in each)
    return values, tuple(ratios)


def _band(variant: Variant) -> float:
    return min(variant.tolerance, _WIDEST_BAND) * _SHARE_OF_BAND or _EXACT


def short(value: float, band: float) -> str:
    """The shortest decimal within that share of the value: `5498e8`, `0.25`, `64`."""
    for places in count():
        mantissa, _, power = f"{value:.{places}e}".partition("e")
        if abs(float(f"{mantissa}e{power}") - value) <= band * abs(value):
            break
    whole = mantissa.replace(".", "")
    shortened = whole.rstrip("0") or "0"
    exponent = int(power) - places + len(whole) - len(shortened)
    plain = f"{float(f'{mantissa}e{power}'):.{max(0, places - int(power))}f}"
    return min(plain, f"{shortened}e{exponent}" if value else "0", key=len)
