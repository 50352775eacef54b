"""Load the words of slips by id, and define formulas that many slips share."""

import json
from collections.abc import Callable
from pathlib import Path

from studykit.exercise import BYTES_PER_ELEMENT, SlipRule, Values

WORDS: dict[str, list[str]] = json.loads(Path(__file__).with_name("_slips.json").read_text("utf-8"))
"""Texts by slip id: its name in lists, the question about it, and the message that explains it."""

ABOVE_ONE = (
    "Can an MFU be above 1, and whose peak is that?",
    "You divided by the peak of one device. An MFU above 1 is impossible: there are {G}.",
)
"""How to ask about an MFU of many devices over the peak of one, and what to say."""


def slip(
    slip_id: str,
    formula: Callable[[Values], float | None],
    question: str = "",
    message: str = "",
    *,
    approximate: bool = False,
) -> SlipRule:
    """Return a slip with its own texts, or with the shared texts of its id."""
    name, *shared = WORDS[slip_id]
    return SlipRule(slip_id, formula, question or shared[0], message or shared[1], approximate, name)


def elements(width: int | str) -> SlipRule:
    """Return the slip of counting elements, not bytes. `width` is the bytes of each, or a parameter's name."""
    formula, shown = (
        (over(width), f"{{{width}}} bytes") if isinstance(width, str) else (scaled(1 / width), f"{width} bytes")
    )
    return slip("elements_only", formula, WORDS["elements_only"][1], f"You counted elements; each takes {shown}.")


SIZE = {"size": lambda v: BYTES_PER_ELEMENT[v.dt], "other": lambda v: 4 if v.dt == "bf16" else 2}
"""Bytes of an element in the drawn dtype, and in another that may be taken for it."""

OTHER_DTYPE = slip("other_dtype", lambda v: v.answer * v.size / v.other)
"""The slip of an intensity that was computed with the bytes of another dtype."""


def sparse(factor: float) -> SlipRule:
    """Return the slip of using the sparse peak of a device that has one: `factor` times the answer."""
    return slip("sparse_peak", lambda v: v.answer * factor if v.hw.sparse else None)


def scaled(factor: float) -> Callable[[Values], float]:
    """Return the formula of the right answer times a factor."""
    return lambda v: float(v.answer * factor)


def over(name: str) -> Callable[[Values], float]:
    """Return the formula of the right answer divided by a parameter."""
    return lambda v: float(v.answer / getattr(v, name))


def by(name: str) -> Callable[[Values], float]:
    """Return the formula of the right answer multiplied by a parameter."""
    return lambda v: float(v.answer * getattr(v, name))
