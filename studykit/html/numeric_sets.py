"""Numeric exercises for a page: numbers drawn ahead, so that the page only fills in and judges."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from studykit.exercise.numeric.feedback import GENERIC_SLIPS, doubts, tolerance, unit_label
from studykit.exercise.numeric.template import Variant
from studykit.exercise.numeric.values import plain as written
from studykit.html.card_html import Markdown, plain
from studykit.html.roofline_svg import roofline
from studykit.html.set_columns import Columns, Parts, skeleton
from studykit.html.short_amounts import columns_of
from studykit.quantity.expression import DEEPEST, LARGEST
from studykit.quantity.reading import Want
from studykit.quantity.tokens import LONGEST
from studykit.quantity.units import DIMENSION_NAMES, SCALES, UNITS, Dimension


def solution_text(variant: Variant) -> str:
    """The worked steps as a Markdown list, and how far the figures can be trusted."""
    steps = "\n".join(f"- {step}" for step in variant.solution)
    return "\n\n".join((steps, *doubts(variant)))


def data(drawn: tuple[Variant, ...], markdown: Markdown) -> Mapping[str, object]:
    """What the page needs to pose and judge these variants, each text kept once."""
    template, columns = drawn[0].template, Columns()

    def texts(text: Callable[[Variant], str]) -> Parts:
        return skeleton([text(variant) for variant in drawn], columns)

    def hint(number: int) -> Parts:
        return texts(lambda variant: markdown.inline(variant.hints[number]))

    questions = [markdown.question(variant.prompt, template.id) for variant in drawn]
    made = {
        "exercise": template.id,
        "version": template.version,
        "parameters": json.dumps({name: written(value) for name, value in drawn[0].pinned.items()}),
        "asked": texts(lambda variant: f"{unit_label(variant)}, {tolerance(variant)}"),
        "want": _want(template.wanted),
        "unit": template.unit,
        "fixed": template.unit_fixed,
        "heading": skeleton([question.heading for question in questions], columns),
        "more": skeleton([question.more for question in questions], columns),
        "hints": [hint(number) for number in range(len(template.hints))],
        "solution": texts(lambda variant: markdown.blocks(solution_text(variant)) + roofline(variant)),
        "tolerance": columns.place([str(variant.tolerance) for variant in drawn]),
        "seeds": [variant.seed for variant in drawn],
    }
    answer, slips, known = columns_of(drawn, columns)
    told = [[name, place, times, *_slip_texts(name, drawn, markdown, columns)] for name, place, times in slips]
    return {**made, "answer": answer, "slips": told, "columns": columns.packed(known)}


def vocabulary() -> Mapping[str, object]:
    """Units, scales and names for the page's reader, taken from ours, and what the judge says of a ratio alone."""
    notes = list(dict.fromkeys(unit.note for unit in UNITS.values()))
    groups: dict[tuple[Any, ...], list[str]] = {}
    for word, unit in UNITS.items():
        mark = (unit.factor, _key(unit.dimension), notes.index(unit.note), int(unit.flops_word), int(unit.noun))
        groups.setdefault(mark, []).append(word)
    return {
        "limits": [LONGEST, DEEPEST, LARGEST],
        "scales": SCALES,
        "notes": notes,
        "units": [[*mark, " ".join(words)] for mark, words in groups.items()],
        "names": {_key(dimension): name for dimension, name in DIMENSION_NAMES.items()},
        "generic": GENERIC_SLIPS,
    }


def _slip_texts(name: str, drawn: tuple[Variant, ...], markdown: Markdown, columns: Columns) -> Iterator[Parts]:
    """The question and the message of one slip, for sets without it as for the first with it."""
    each = [next((slip for slip in variant.slips if slip.id == name), None) for variant in drawn]
    known = next(slip for slip in each if slip is not None)
    yield skeleton([plain(markdown.inline((slip or known).question)) for slip in each], columns)
    yield skeleton([plain(markdown.inline((slip or known).message)) for slip in each], columns)


def _want(wanted: Want) -> Mapping[str, object]:
    return {
        "dimension": _key(wanted.dimension),
        "unit": wanted.unit,
        "factor": wanted.factor,
        "bits": wanted.bits,
    }


def _key(dimension: Dimension) -> str:
    return ",".join(map(str, dimension))
