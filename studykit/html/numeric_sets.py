"""Numeric exercises for a page: numbers drawn ahead, so that the page only fills in and judges.

A page carries one text and many sets of numbers: what stays the same is kept once, what changes is kept by set, in
as few digits as the page's judge can do with, and not at all where the page can write it from an amount.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from string import ascii_lowercase, digits

from studykit.exercise.estimate.feedback import COUNTED, asides
from studykit.exercise.estimate.template import Variant
from studykit.exercise.estimate.values import plain as written
from studykit.html.bars_svg import parts_figure
from studykit.html.card_html import Markdown
from studykit.html.roofline_svg import roofline
from studykit.html.strings import Strings, shipped
from studykit.quantity import formatting
from studykit.quantity.units import (
    AMBIGUOUS,
    DEVICES,
    DIMENSION_NAMES,
    FAMILIES,
    SCALES,
    Dimension,
    Want,
)

_PIECE = re.compile(r"\d+(?:[.,]\d+)*(?:e-?\d+)?\w*|\w+|\s+|.", re.DOTALL)
_DIGITS = digits + ascii_lowercase  # at least one for each set of a page

Parts = list[str | int]
"""Text, and places in a set's values."""
_WIDEST_BAND = 0.02  # within which a slip is named
_SHARE_OF_BAND = 1 / 200  # the edge of a verdict moves by half a percent of its band at most
_EXACT = 1e-9

WritableTexts = dict[tuple[str | None, ...], tuple[int, int]]
"""Texts of a column, and from what they can be written: the place of amounts, the number of a writer."""


class Columns:
    """The values that differ between sets, each column once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str | None, ...], int] = {}

    def place(self, values: Sequence[str | None]) -> int:
        """Return the column of these values."""
        return self._places.setdefault(tuple(values), len(self._places))

    def packed(self, sources: Mapping[tuple[str | None, ...], tuple[int, int]]) -> list[list[str | int | None]]:
        """Pack each column: a digit for each set and the values that the digits mean, or its source."""
        amounts = {place for place, _ in sources.values()}
        return [
            _packed_column(values) if place in amounts or values not in sources else list(sources[values])
            for values, place in self._places.items()
        ]


def _packed_column(values: Sequence[str | None]) -> list[str | int | None]:
    different = list(dict.fromkeys(values))
    return ["".join(_DIGITS[different.index(value)] for value in values), *different]


def solution_text(variant: Variant) -> str:
    """Format the worked steps as a Markdown list, and say how far the figures can be trusted."""
    steps = "\n".join(f"- {step}" for step in variant.solution)
    return "\n\n".join((steps, *asides(variant)))


def data(variants: tuple[Variant, ...], markdown: Markdown) -> Mapping[str, object]:
    """Return what the page needs to pose and judge these variants, each text kept once."""
    template, columns = variants[0].template, Columns()

    def texts(text: Callable[[Variant], str]) -> Parts:
        return skeleton([text(variant) for variant in variants], columns)

    def hint(number: int) -> Parts:
        return texts(lambda variant: markdown.inline(variant.hints[number]))

    headings, more = zip(*(markdown.question(each.prompt, template.id) for each in variants), strict=True)
    head = {
        "exercise": template.id,
        "version": template.version,
        "parameters": json.dumps({name: written(value) for name, value in variants[0].pinned.items()}),
        "want": {**template.wanted._asdict(), "dimension": _key(template.wanted.dimension)},
        "unit": template.unit,
        "fixed": template.unit_fixed,
        "heading": skeleton(headings, columns),
        "more": skeleton(more, columns),
        "hints": [hint(number) for number in range(len(template.hints))],
        "solution": texts(
            lambda variant: markdown.blocks(solution_text(variant)) + roofline(variant) + parts_figure(variant)
        ),
        "tolerance": columns.place([str(0 if variant.is_whole else variant.tolerance) for variant in variants]),
        "seeds": [variant.seed for variant in variants],
    }
    answer, slips, writable = _amount_columns(variants, columns)
    slip_data = [
        [name, place, times, *_slip_texts(name, variants, markdown, columns)] for name, place, times in slips
    ]
    return {**head, "answer": answer, "slips": slip_data, "columns": columns.packed(writable)}


def vocabulary(strings: Strings) -> Mapping[str, object]:
    """Return units, scales and names for the page's reader."""
    translations = {ours: strings["quantities"][key] for key, ours in shipped()["quantities"].items()}
    prefixes = list({id(sizes): sizes for sizes, _, _ in FAMILIES}.values())
    families = [
        [
            prefixes.index(sizes),
            " ".join(tails.split()),
            unit.factor,
            _key(unit.dimension),
            int(unit.flops_word),
            int(unit.noun),
        ]
        for sizes, tails, unit in FAMILIES
    ]
    return {
        "scales": SCALES,
        "prefixes": prefixes,
        "units": families,
        "ambiguous": AMBIGUOUS,
        "names": {_key(dimension): translations[name] for dimension, name in DIMENSION_NAMES.items()},
        "counted": {unit: translations[things] for unit, things in COUNTED.items()},
        "devices": sorted(DEVICES),
    }


def _slip_texts(name: str, variants: tuple[Variant, ...], markdown: Markdown, columns: Columns) -> Iterator[Parts]:
    """Yield the question and the message of one slip, for sets without it as for the first with it."""
    each = [next((slip for slip in variant.slips if slip.id == name), None) for variant in variants]
    example = next(slip for slip in each if slip is not None)
    yield skeleton([markdown.words(markdown.inline((slip or example).question)) for slip in each], columns)
    yield skeleton([markdown.words(markdown.inline((slip or example).message)) for slip in each], columns)


def _key(dimension: Dimension) -> str:
    return ",".join(map(str, dimension))


def skeleton(texts: Sequence[str], columns: Columns) -> Parts:
    """Split the texts into the parts from which each of them can be put together again."""
    parts: Parts = []
    for part in _aligned([_PIECE.findall(text) for text in texts], columns):
        if parts and isinstance(part, str) and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _aligned(split: Sequence[Sequence[str]], columns: Columns) -> Iterator[str | int]:
    if len({len(pieces) for pieces in split}) == 1:
        for pieces in zip(*split, strict=True):
            yield pieces[0] if len(set(pieces)) == 1 else columns.place(pieces)
        return
    starts = [0] * len(split)
    anchors = _anchors(split)
    for places in anchors:
        yield from _aligned(_between(split, starts, places), columns)
        yield split[0][places[0]]
        starts = [place + 1 for place in places]
    rest = _between(split, starts, [len(pieces) for pieces in split])
    if anchors:
        yield from _aligned(rest, columns)
    else:
        yield columns.place(["".join(pieces) for pieces in rest])


def _between(split: Sequence[Sequence[str]], starts: Sequence[int], ends: Sequence[int]) -> list[Sequence[str]]:
    return [pieces[start:end] for pieces, start, end in zip(split, starts, ends, strict=True)]


def _anchors(split: Sequence[Sequence[str]]) -> list[list[int]]:
    """Find pieces that every text has exactly once, as far as their order is the same in all."""
    counts = [Counter(pieces) for pieces in split]
    anchors: list[list[int]] = []
    for piece in split[0]:
        if all(count[piece] == 1 for count in counts):
            places = [pieces.index(piece) for pieces in split]
            if not anchors or all(place > last for place, last in zip(places, anchors[-1], strict=True)):
                anchors.append(places)
    return anchors


def _amount_columns(
    variants: Sequence[Variant], columns: Columns
) -> tuple[int, list[tuple[str, int, int]], WritableTexts]:
    """Return the answers' column, each slip's columns of amounts, and the texts that the page can write."""
    want = variants[0].template.wanted
    answers = tuple(_answer(variant, want) for variant in variants)
    writable: WritableTexts = {}
    slips: list[tuple[str, int, int]] = []
    answer = _placed(answers, columns, want, writable)
    met = {slip.id for variant in variants for slip in variant.slips}
    for name in (rule.id for rule in variants[0].template.slips if rule.id in met):
        values, ratios = _slip(name, variants)
        if len(set(ratios)) < len(set(values)):
            slips.append((name, columns.place(ratios), 1))
        else:
            slips.append((name, _placed(values, columns, want, writable), 0))
    return answer, slips, writable


def _placed(
    amounts: tuple[str | None, ...],
    columns: Columns,
    want: Want,
    writable: WritableTexts,
) -> int:
    place = columns.place(amounts)
    values = [float(amount) for amount in amounts if amount is not None]
    if len(values) == len(amounts):
        for number, write in enumerate(_writers(want)):
            writable.setdefault(tuple(write(value) for value in values), (place, number))
    return place


def _writers(want: Want) -> tuple[Callable[[float], str], ...]:
    """Return how texts show amounts, in the order that the page's script knows."""
    return (
        formatting.digits,
        lambda value: formatting.scientific(value) if value else "0",
        lambda value: formatting.show_amount(value, want),
    )


def _answer(variant: Variant, want: Want) -> str:
    """Write the answer as short as it can be and still read the same."""
    precise, band = variant.answer, _band(variant)
    while True:
        text = short(precise, band)
        if all(write(float(text)) == write(precise) for write in _writers(want)):
            return text
        band = band / 10 if band > _EXACT else 0


def _slip(name: str, variants: Sequence[Variant]) -> tuple[tuple[str | None, ...], tuple[str | None, ...]]:
    """Return a slip's amounts by set, and the same in answers, with None for a set without it."""
    amounts = [next((slip.value for slip in variant.slips if slip.id == name), None) for variant in variants]
    each = list(zip(variants, amounts, strict=True))
    values = tuple(None if value is None else short(value, _band(variant)) for variant, value in each)
    if not all(variant.answer for variant in variants):
        return values, values
    ratios = (None if value is None else short(value / variant.answer, _band(variant)) for variant, value in each)
    return values, tuple(ratios)


def _band(variant: Variant) -> float:
    return min(variant.tolerance, _WIDEST_BAND) * _SHARE_OF_BAND or _EXACT


def short(value: float, band: float) -> str:
    """Return the shortest decimal within that share of the value: `5498e8`, `0.25`, `64`."""
    for places in count():
        mantissa, _, power = f"{value:.{places}e}".partition("e")
        if abs(float(f"{mantissa}e{power}") - value) <= band * abs(value):
            break
    whole = mantissa.replace(".", "")
    shortened = whole.rstrip("0") or "0"
    exponent = int(power) - places + len(whole) - len(shortened)
    plain = f"{float(f'{mantissa}e{power}'):.{max(0, places - int(power))}f}"
    return min(plain, f"{shortened}e{exponent}" if value else "0", key=len)
