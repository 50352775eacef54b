"""Compare a typed formula with a card's: `2*k*n*m` equals `2mnk`."""

import math
import random
import re
from collections.abc import Sequence

from studykit.errors import BadDataError
from studykit.quantity import letter_formula, reading
from studykit.quantity.units import target_unit

MAX_RUN_LETTERS = 6  # side by side; a longer word is a word
PLACES = 12
_MARKED = re.compile(r"`[^`]+`|\$[^$]+\$")
_COMMANDS = re.compile(r"\\(?:text|mathrm)\{(\w+)\}|\\[A-Za-z]+")
_WORD = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+)*")
_UNIT_BEHIND = re.compile(r"(?<=[\w$`)]) (FLOP|byte|param|parameter|element|token)s?$", re.IGNORECASE)
_PATTERN = re.compile(r"`.*[\w)] +[\w(].*`")  # `b (h d)` of einops; a formula in TeX has such spaces
_SIGN_OF_FORMULA = re.compile(r"\d|[\^/+√]|\b(?:sqrt|log2|log|ln)\b")
_LETTER = re.compile(r"(?<![A-Za-z'])[A-Za-z](?![A-Za-z'])|(?<=\d)[A-Za-z]{1,6}(?![A-Za-z])")  # m, and mnk in 2mnk


def letters_of(wanted: str, question: str) -> Sequence[str]:
    """Return the letters of a card's formula, or none if its answer is an amount, a shape or words."""
    wanted = _UNIT_BEHIND.sub("", wanted)
    if not _SIGN_OF_FORMULA.search(wanted) or _PATTERN.fullmatch(wanted):
        return ()
    names: dict[str, None] = {}
    for word in _WORD.findall(_COMMANDS.sub(r" \1 ", wanted)):
        if word in letter_formula.FUNCTIONS:
            continue
        is_name = "_" in word or word.lower() in letter_formula.NAMES
        if len(word) > MAX_RUN_LETTERS and not is_name:
            return ()
        names |= dict.fromkeys([word.lower()] if is_name else word)
    known_letters = {*"".join(_LETTER.findall(f"{question} {wanted}")), *letter_formula.NAMES}
    is_formula = _MARKED.fullmatch(wanted) or (known_letters >= names.keys() and not _is_amount(wanted))
    return tuple(names) if is_formula else ()


def is_equal(typed: str, wanted: str, question: str) -> bool:
    """Return whether the card's answer is a formula and the typed one equals it."""
    units = {unit[1].casefold() for text in (typed, wanted) if (unit := _UNIT_BEHIND.search(text))}
    letters = letters_of(wanted, question) if len(units) <= 1 else ()
    try:
        trees = [letter_formula.read(text, letters).tree for text in (typed, wanted)] if letters else []
    except BadDataError:
        return False
    generator = random.Random(0)  # noqa: S311 - to be repeated, not secret
    places = [{name: math.exp(generator.uniform(1, 4.5)) for name in letters} for _ in range(PLACES)]
    return bool(trees) and letter_formula.equal(*(letter_formula.values(tree, places) for tree in trees))


def _is_amount(text: str) -> bool:
    try:
        reading.read(text, target_unit("number"))
    except BadDataError:
        return False
    return True
