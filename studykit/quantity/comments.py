"""Remove the words around an amount: `16 gradient accumulation steps`, `41 (40.5 rounded up)`, `40.4, so 41`."""

import re

from studykit.quantity.expression import FUNCTIONS, TIMES, known_word, near_names
from studykit.quantity.units import AMBIGUOUS, SCALES, UNITS

KNOWN = frozenset((*UNITS, *SCALES, *FUNCTIONS, *TIMES, *AMBIGUOUS, "per", "zero"))
_MAX_WORDS, _MIN_LETTERS = 12, 3
_SMALL_WORDS = frozenset("a an as at by for from i in is it of on so the to we with".split())  # noqa: SIM905
"""Words that begin a comment and are not a unit."""
_VALUE_WORDS = frozenset(
    """hundred hundreds thousands dozen dozens lakh crore half halves third thirds quarter quarters double
    twice triple thrice squared cubed root over under divided multiplied plus minus or not no neither either
    both except without least most than between two three four five six seven eight nine ten apiece pair
    pairs node nodes server servers rack racks business working
    doubled tripled quadrupled halved negative below above beyond exceeding never nor inverse reciprocal
    eleven twelve twenty thirty forty fifty hundredths thousandths tenths tenth fourths fifths eighths myriad
    permille ppm basis cents log ln faster shorter fewer idle
    lost wasted""".split()  # noqa: SIM905
)
"""Words that change an amount. A text that has one is refused, because without the word it would be wrong."""

_PREFIX_APART = re.compile(
    r"(?i)\b(kilo|mega|giga|tera|peta|exa|zetta|yotta|milli|micro|nano|[kmgt][ei]bi)[ -](?=flop|b[iy]t|sec|batch)"
)  # 640 giga bytes
_COMMENTS = re.compile(
    r"[ ,]+(?:or so|or thereabouts|give or take|more or less|roughly|approximately|about|exactly)(?![\w-])"
    r"|[ ,]+(?:(?:since|because|rounded (?:up |down )?from)\b|# ?).*$"
    r"|(?<=\s)(?:in|for|at|of|on|to|over|within) (?:a|an|the|each|every|one) ([A-Za-z-]+)"
    r"|(?<=[\w%$)])\s+\((?![-+*/^x±])(?=[^()]*[\s\d-]|[A-Za-z]{3})[^()]*\)$"
    r"|^.*(?:\b(?:so|thus|hence|therefore|that is|which is|round(?:s|ed)? (?:up |down )?to)\b"
    r"|i\.e\.|;|->|=>|→|⇒),?\s*(?=.*\d)"
)
_WORD = re.compile(r"(?:(?<=\s)|^)(per )?((?:bf|fp|tf|int)\d+|e\dm\d|[A-Za-z]+(?:['-][A-Za-z]+)*)([,.:]*)(?=\s|$)")


def without_comments(text: str) -> tuple[str, str, bool]:
    """Return the amount without its comments, the comments, and whether an unknown word took a unit's place."""
    comments: list[str] = []

    def drop(match: re.Match[str]) -> str:
        kind = _kind(text, match) if match.re is _WORD else match[1] not in _VALUE_WORDS and match[1] not in SCALES
        if kind:
            comments.append(match[0].strip(" ,:;()"))
        return " " if kind else match[0]

    text = _COMMENTS.sub(drop, _PREFIX_APART.sub(lambda prefix: prefix[1].lower(), text)).strip()
    text = re.sub(r",(?=\s+[A-Za-z]|$)", "", text)
    replaces_unit = any(_kind(text, match) == "unit" for match in _WORD.finditer(text))
    rest = _WORD.sub(drop, text).strip()  # with its spaces, or 18 out of 100 would be 18 100
    # With more words than that the text is left as it is, so that `reading` refuses it.
    return (rest if len(comments) <= _MAX_WORDS else text), " ".join(comments), replaces_unit


def _kind(text: str, match: re.Match[str]) -> str:
    """Classify a word: `comment`, `unit` for an unknown word where a unit belongs, or "" for part of the amount.

    Part of the amount are units, misspelled units and letters of a formula.
    """
    word, lower, unit = match[2], match[2].lower(), UNITS.get(known_word(match[2]))
    is_first = not re.search(r"\d", text[: match.start()])
    is_label = (
        unit is not None
        and not unit.prefixed
        and (":" in match[3] or (unit.noun and is_first and lower != "each"))
    )  # MFU: 30 %
    if lower in _VALUE_WORDS or (known_word(word.partition("-")[0]) in KNOWN and not is_label):
        return ""
    if lower in _SMALL_WORDS or is_label or (match[1] and len(word) >= _MIN_LETTERS):
        return "comment"
    before = text[: match.start()].split()
    if len(word) < _MIN_LETTERS:
        return "comment" if before and before[-1].lower() in _SMALL_WORDS else ""
    if not before or before[-1][-1] not in "0123456789KMBT":
        return "comment"
    return "" if near_names(word) else "unit"
