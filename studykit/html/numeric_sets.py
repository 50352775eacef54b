"""Encode numeric exercises for a page, whose script fills in a set of numbers and judges the answers.

A page has one text and many sets of numbers. Only what differs is stored for each set, with as few digits as the
page's judge needs.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from string import ascii_lowercase, digits

from studykit.exercise.estimate.feedback import caveats, full_answer, unit_label
from studykit.exercise.estimate.template import Variant
from studykit.exercise.estimate.values import plain as plain_value
from studykit.html.bars_svg import parts_figure
from studykit.html.card_html import Markdown
from studykit.html.roofline_svg import roofline
from studykit.quantity import units
from studykit.quantity.units import TargetUnit

_PIECE = re.compile(r"\d+(?:[.,]\d+)*(?:e-?\d+)?\w*|\w+|\s+|.", re.DOTALL)
_DIGITS = digits + ascii_lowercase  # a page has fewer sets

Parts = list[str | int]
"""Pieces of text, and numbers of columns for the values between them."""
_WIDEST_BAND = 0.02  # relative difference within which a slip is recognized
_SHARE_OF_BAND = 1 / 200  # rounding moves the edge of a verdict by at most half a percent of its band
_EXACT = 1e-9
_KINDS = {
    units.NUMBER: "number",
    units.FLOP: "flop",
    units.BYTE: "byte",
    units.SECOND: "second",
    units.DOLLAR: "dollar",
    units.FLOP_PER_S: "flop/second",
    units.BYTE_PER_S: "byte/second",
    units.FLOP_PER_BYTE: "flop/byte",
    units.PER_SECOND: "number/second",
    units.JOULE: "joule",
    units.WATT: "watt",
}
_DEVICE_HOURS = " ".join(sorted(units.DEVICE_HOURS))


class Columns:
    """Collect the values that differ between sets, each distinct column once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str | None, ...], int] = {}

    def place(self, values: Sequence[str | None]) -> int:
        """Return the number of the column with these values, after adding it if it is new."""
        return self._places.setdefault(tuple(values), len(self._places))

    def encoded(self) -> list[list[str | None]]:
        """Encode each column as a string with a digit for each set, and the values of the digits."""
        return [
            ["".join(_DIGITS[different.index(value)] for value in values), *different]
            for values in self._places
            for different in [list(dict.fromkeys(values))]
        ]


def solution_text(variant: Variant) -> str:
    """Format the worked steps as a Markdown list, and add how far the figures can be trusted."""
    steps = "\n".join(f"- {step}" for step in variant.solution)
    return "\n\n".join((steps, *caveats(variant)))


def figures(variant: Variant) -> str:
    """Draw the pictures of an answer, or return ""."""
    return roofline(variant) + parts_figure(variant)


def data(variants: tuple[Variant, ...], markdown: Markdown) -> Mapping[str, object]:
    """Return what the page needs to pose and judge these variants, with each text only once."""
    template, columns = variants[0].template, Columns()
    target = template.target

    def texts(text: Callable[[Variant], str]) -> Parts:
        return skeleton([text(variant) for variant in variants], columns)

    def hint(number: int) -> Parts:
        return texts(lambda variant: markdown.inline(variant.hints[number]))

    def solution(variant: Variant) -> str:
        return markdown.blocks(solution_text(variant)) + figures(variant)

    headings, more = zip(*(markdown.question(each.prompt, template.id) for each in variants), strict=True)
    return {
        "exercise": template.id,
        "version": template.version,
        "parameters": json.dumps({name: plain_value(value) for name, value in variants[0].pinned.items()}),
        "want": {"kind": _kind(target), "unit": target.unit, "factor": target.factor},
        "unit": template.unit,
        "fixed": template.unit_fixed,
        "label": unit_label(variants[0]) if target.unit else "",
        "texts": [skeleton(headings, columns), skeleton(more, columns), texts(solution), texts(full_answer)],
        "hints": [hint(number) for number in range(len(template.hints))],
        "tolerance": columns.place([str(0 if variant.is_whole else variant.tolerance) for variant in variants]),
        "seeds": [variant.seed for variant in variants],
        "answer": columns.place([short(variant.answer, _band(variant)) for variant in variants]),
        "slips": list(_slips(variants, markdown, columns)),
        "columns": columns.encoded(),
    }


def vocabulary() -> Mapping[str, object]:
    """Return the scales, prefixes and units that the page's script reads, by kind of amount."""
    prefixes = list({id(sizes): sizes for sizes, _, _ in units.FAMILIES}.values())
    families: dict[str, list[tuple[int, str, float]]] = {}
    for sizes, tails, unit in units.FAMILIES:
        names = {_KINDS[unit.dimension]} | ({"flop", "flop/second"} if unit.flops_word else set())
        if tails == _DEVICE_HOURS:
            names = {"device"}
        elif unit.dimension == units.SECOND:
            names.add("device")
        for kind in names if unit.noun or unit.dimension != units.NUMBER else ():
            families.setdefault(kind, []).append((prefixes.index(sizes), tails, unit.factor))
    families["bit"] = [(0, "b bit bits", 1)]
    scales = {word: size for word, size in units.SCALES.items() if word not in "bt"}  # bits, tokens
    kinds = dict(sorted(families.items()))
    return {"scales": _pairs(scales), "prefixes": list(map(_pairs, prefixes)), "units": kinds}


def _pairs(sizes: Mapping[str, float]) -> str:
    return " ".join(f"{word}{short(size, 0)}" for word, size in sizes.items())


def _kind(target: TargetUnit) -> str:
    """Return the name of the kind of amount that a question asks for, by which the page finds its units."""
    return {"bit": "bit", "GPU-hour": "device"}.get(target.unit) or _KINDS[target.dimension]


def skeleton(texts: Sequence[str], columns: Columns) -> Parts:
    """Return the pieces that the texts share, with columns for the pieces that differ."""
    parts: Parts = []
    for part in _align([_PIECE.findall(text) for text in texts], columns):
        if parts and isinstance(part, str) and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _align(split: Sequence[Sequence[str]], columns: Columns) -> Iterator[str | int]:
    if len({len(pieces) for pieces in split}) == 1:
        for pieces in zip(*split, strict=True):
            yield pieces[0] if len(set(pieces)) == 1 else columns.place(pieces)
        return
    anchors = _anchors(split)
    if not anchors:
        yield columns.place(["".join(pieces) for pieces in split])
        return
    starts = [0] * len(split)
    for ends in (*anchors, [len(pieces) for pieces in split]):
        between = [pieces[start:end] for pieces, start, end in zip(split, starts, ends, strict=True)]
        yield from _align(between, columns)
        yield from split[0][ends[0] : ends[0] + 1]  # the anchor, which all texts share
        starts = [end + 1 for end in ends]


def _anchors(split: Sequence[Sequence[str]]) -> list[list[int]]:
    """Find pieces that every text has exactly once, in the same order in all texts."""
    counts = [Counter(pieces) for pieces in split]
    anchors: list[list[int]] = []
    for piece in split[0]:
        if all(count[piece] == 1 for count in counts):
            places = [pieces.index(piece) for pieces in split]
            if not anchors or all(place > last for place, last in zip(places, anchors[-1], strict=True)):
                anchors.append(places)
    return anchors


def _slips(variants: Sequence[Variant], markdown: Markdown, columns: Columns) -> Iterator[list[object]]:
    """Yield each slip: its id, its column of amounts or of ratios, whether these are ratios, question and message.

    Ratios to the answers are stored if fewer of them differ. A set without the slip has no amount, and has the
    texts of the first set with it.
    """
    for rule in variants[0].template.slips:
        slips = [next((slip for slip in variant.slips if slip.id == rule.id), None) for variant in variants]
        if (example := next(filter(None, slips), None)) is None:
            continue
        pairs = list(zip(variants, slips, strict=True))
        values = [None if slip is None else short(slip.value, _band(variant)) for variant, slip in pairs]
        ratios = values
        if all(variant.answer for variant in variants):
            ratios = [
                None if slip is None else short(slip.value / variant.answer, _band(variant))
                for variant, slip in pairs
            ]
        is_ratio = len(set(ratios)) < len(set(values))
        place = columns.place(ratios if is_ratio else values)
        questions = [markdown.words(markdown.inline((slip or example).question)) for slip in slips]
        messages = [markdown.words(markdown.inline((slip or example).message)) for slip in slips]
        yield [rule.id, place, int(is_ratio), skeleton(questions, columns), skeleton(messages, columns)]


def _band(variant: Variant) -> float:
    return min(variant.tolerance, _WIDEST_BAND) * _SHARE_OF_BAND or _EXACT


def short(value: float, band: float) -> str:
    """Return the shortest decimal that differs by at most the share `band`: `5498e8`, `0.25`, `64`."""
    for places in count():
        mantissa, _, power = f"{value:.{places}e}".partition("e")
        if abs(float(f"{mantissa}e{power}") - value) <= band * abs(value):
            break
    whole = mantissa.replace(".", "")
    significand = whole.rstrip("0") or "0"
    exponent = int(power) - places + len(whole) - len(significand)
    plain = f"{float(f'{mantissa}e{power}'):.{max(0, places - int(power))}f}"
    return min(plain, f"{significand}e{exponent}" if value else "0", key=len)
