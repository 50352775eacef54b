"""The numbers that stand in a question, as amounts: what an answer can leave out, or take twice."""

import re

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])((?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?(?:e-?[0-9]+)?)"
    r"([KMBT](?![A-Za-z0-9]))?(\s?%)?"
)
_SCALES = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}

LEAST, NEAR_ONE = 2.9, 0.9
"""Numbers between these say little: 1 changes nothing, and 2 is in too many formulas."""


def prompt_numbers(prompt: str) -> tuple[float, ...]:
    """The numbers of a question that change an answer enough to be missed, each once: 16 GPUs, 70B, 40 %."""
    found = (
        float(digits.replace(",", "")) * _SCALES.get(scale, 1.0) / (100.0 if share else 1.0)
        for digits, scale, share in _NUMBER.findall(prompt)
    )
    return tuple(dict.fromkeys(value for value in found if value >= LEAST or 0 < value <= NEAR_ONE))
