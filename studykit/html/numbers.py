"""Numeric exercises for a page: numbers drawn ahead, so that the page only fills in and judges."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from studykit import catalog
from studykit.exercise import Template, Variant, draw
from studykit.feedback import tolerance, unit_label
from studykit.html.markdown import Markdown, plain
from studykit.html.skeleton import Columns, Parts, skeleton
from studykit.quantity import Want
from studykit.units import DIMENSION_NAMES, SCALES, UNITS, Dimension
from studykit.written import Value

SETS = 24
"""Sets of numbers that a page carries for each exercise; fewer where the parameters give no more."""

_SEEDS = 400


def variants(template: Template, pinned: Mapping[str, Value]) -> tuple[Variant, ...]:
    """Different variants by the first seeds, always the same ones."""
    found: dict[str, Variant] = {}
    for seed in range(_SEEDS):
        variant = draw(template, seed, pinned)
        found.setdefault(repr(sorted(variant.parameters.items())), variant)
        if len(found) == SETS or (pinned and len(pinned) == len(template.grid)):
            break
    return tuple(found.values())


def solution_text(variant: Variant) -> str:
    """The worked steps as a Markdown list."""
    return "\n".join(f"- {step}" for step in variant.solution)


def data(drawn: tuple[Variant, ...], markdown: Markdown) -> Mapping[str, object]:
    """What the page needs to pose and judge these variants, each text kept once."""
    template, columns = drawn[0].template, Columns()

    def texts(text: Callable[[Variant], str]) -> Parts:
        return skeleton([text(variant) for variant in drawn], columns)

    questions = [markdown.question(variant.prompt, template.id) for variant in drawn]
    heading = skeleton([question.heading for question in questions], columns)
    more = skeleton([question.more for question in questions], columns)
    hints = [texts(lambda variant, n=n: markdown.inline(variant.hints[n])) for n in range(len(template.hints))]  # type: ignore[misc]
    solution = texts(lambda variant: markdown.blocks(solution_text(variant)))
    asked = texts(lambda variant: f"{unit_label(variant)}, {tolerance(variant)}")
    names = list(dict.fromkeys(slip.id for variant in drawn for slip in variant.slips))
    slips = [[name, *_slip_texts(name, drawn, markdown, columns)] for name in names]
    rows = columns.rows(len(drawn))
    return {
        "asked": asked,
        "want": _want(template.wanted),
        "unit": template.unit,
        "fixed": template.unit_fixed,
        "heading": heading,
        "more": more,
        "hints": hints,
        "solution": solution,
        "slips": slips,
        "sets": [
            [variant.answer, variant.tolerance, [_value(variant, name) for name in names], row]
            for variant, row in zip(drawn, rows, strict=True)
        ],
    }


def vocabulary() -> Mapping[str, object]:
    """Units, scales and names for the page's reader, taken from ours, and what the judge says of a ratio alone."""
    notes = list(dict.fromkeys(unit.note for unit in UNITS.values()))
    groups: dict[tuple[Any, ...], list[str]] = {}
    for word, unit in UNITS.items():
        mark = (unit.factor, _key(unit.dimension), notes.index(unit.note), int(unit.flops_word), int(unit.noun))
        groups.setdefault(mark, []).append(word)
    return {
        "scales": SCALES,
        "notes": notes,
        "units": [[*mark, " ".join(words)] for mark, words in groups.items()],
        "names": {_key(dimension): name for dimension, name in DIMENSION_NAMES.items()},
        "generic": catalog.grader("number").GENERIC,
    }


def _slip_texts(name: str, drawn: tuple[Variant, ...], markdown: Markdown, columns: Columns) -> Iterator[Parts]:
    """The question and the message of one slip, for sets without it as for the first with it."""
    each = [next((slip for slip in variant.slips if slip.id == name), None) for variant in drawn]
    known = next(slip for slip in each if slip is not None)
    yield skeleton([plain(markdown.inline((slip or known).question)) for slip in each], columns)
    yield skeleton([plain(markdown.inline((slip or known).message)) for slip in each], columns)


def _value(variant: Variant, name: str) -> float | None:
    return next((slip.value for slip in variant.slips if slip.id == name), None)


def _want(wanted: Want) -> Mapping[str, object]:
    return {
        "dimension": _key(wanted.dimension),
        "unit": wanted.unit,
        "factor": wanted.factor,
        "bits": wanted.bits,
    }


def _key(dimension: Dimension) -> str:
    return ",".join(map(str, dimension))
