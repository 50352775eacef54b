"""Compare a typed answer with a card's answer."""

import contextlib
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from studykit.cards.card import Card, Kind
from studykit.cards.markdown import Markup, parse, plain_text, rewritten
from studykit.errors import BadDataError
from studykit.review.typed_formula import is_equal, letters_of

if TYPE_CHECKING:
    from difflib import SequenceMatcher

_LONE_MARK = re.compile(r"[`$]")
_SCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ₀₁₂₃₄₅₆₇₈₉", "0123456789-+n0123456789")
_TEX = (  # formulas as they are typed: `2^{30}`, `2^30`, `2**30` and `2³⁰` are one
    (re.compile(r"(?<=\w) ?\*\* ?(?=[\w(-])"), "^"),
    (re.compile(r"([\^_])\{([\w.+-]*)\}"), r"\1\2"),
    (re.compile(r"([\^_])\{([^{}]*)\}"), r"\1(\2)"),
    (re.compile(r"\\(?:text|mathrm|mathbf|mathit|operatorname)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\(?:times|cdot)(?![a-zA-Z]) ?"), "\u00d7"),
    (re.compile(r"\\approx(?![a-zA-Z]) ?"), "≈"),
    (re.compile(r"\\[,;! ]"), " "),
    (re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ]+"), lambda found: f"^{found[0].translate(_SCRIPTS)}"),
    (re.compile(r"[₀₁₂₃₄₅₆₇₈₉]+"), lambda found: f"_{found[0].translate(_SCRIPTS)}"),
)
_SIGNS = str.maketrans("\u00d7\u00b7\u22c5\u2212", "***-")  # times, dots, minus
_TIMES = re.compile(r"(?<=\w) x (?=\w)|(?<=\d) ?x ?(?=\d)", re.IGNORECASE)  # m x n, 16x16
_NUMBER_AND_WORDS = re.compile(r"(.*?\d)\s*([^\W\d_]+(?:[\s/]+[^\W\d_]+)*)")
_AMOUNT = re.compile(
    r"([-+]?\d[\d.,]*(?: ?[\u00d7x*] ?10)?(?:[e^][-+]?\d+|/\d+)?)(?: ?([^\W\d_%]+(?:/[^\W\d_]+)*|%))?",
    re.IGNORECASE,
)
_SHAPE = re.compile(
    r"(?:shape ?(?:is |= ?)?)?(?:torch\.size)?[(\[]{0,2}(\d+(?:(?:[,* ]| by )\d+){2,}),?[)\]]{0,2}"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_UNITS = re.compile(r"[A-Za-z]+(?:/[A-Za-z]+)*")
_ALIKE = 0.4  # share of the signs of two texts that go together; below, their alignment would be chance
_MAX_COMPARED_SIGNS = 12  # signs, of which each difference is seen
_HYPHENS = re.compile(r"[\s-]+")
_WORDS = re.compile(r"(?=.*[^\W\d_]{3})(?:[^\W\d_]|[\s-])+\.?")  # memory-bound, but not b h d
_SPACES = re.compile(r"\s+")
_BESIDE = re.compile(r" ?([^\w\s]) ?")  # `(15,5,1)` is `(15, 5, 1)`, and `a->b` is `a -> b`
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold the typed and the wanted answer, aligned character by character, with carets under differences.

    Texts with nothing in common, and long ones with little, are not aligned and have no carets.
    """

    same: bool
    you: str
    carets: str
    want: str


def shown(card: Card, right: str = "right", wrong: str = "wrong", either: str = "or") -> str:
    """Format the answer for a reader: alternatives joined by "or", options marked as right or wrong.

    An alternative that only repeats the beginning of another is dropped: of `16 | 16 bytes` the second stays.
    """
    if card.kind is Kind.CHOICE:
        from studykit.cards import choice

        return choice.sheet(choice.options_of(card), right, wrong)
    if not card.typed or _has_table(card.answer):
        return card.answer
    texts = alternatives(card.answer)
    beginnings = {text for text in texts if any(re.match(re.escape(text) + r"\\?\s", each) for each in texts)}
    return f" {either} ".join(text for text in texts if text not in beginnings)


def accepted(answer: str, question: str) -> Mapping[str, object]:
    """Return what a page needs to judge as `compare` does: texts, amounts, shapes, and whether to read formulas.

    Words of the question may follow a number without a unit.
    """
    readings = [reading for alternative in alternatives(answer) for reading in _readings_of(alternative)]
    words = sorted({_page_form(_stem(word)) for word in _LETTERS.findall(question)})
    units_asked = ("", *words, *(f"{word}S" for word in words))
    amounts = {
        (amount, (_page_form(unit), *[""] * _asks_for(unit, question)) if unit else units_asked)
        for reading in readings
        for amount, unit in _amounts_in(reading)
    }
    sizes = [_shape_sizes(reading) for reading in readings if reading.startswith("(")]
    return {
        "texts": sorted({_page_form(reading) for reading in readings}),
        "amounts": sorted(amounts),
        "shapes": sorted({",".join(each) for each in sizes if each}),
        "formula": any(letters_of(alternative, question) for alternative in alternatives(answer)),
    }


def _page_form(text: str) -> str:
    """Normalize a reading as the script of a page normalizes what is typed."""
    # In capitals: JavaScript has no casefold, and STRASSE is all that straße and strasse share there.
    return _normalize(unicodedata.normalize("NFKC", text)).upper().replace("**", "^")


def _amounts_in(text: str) -> Iterator[tuple[float, str]]:
    """Yield the number and the unit of an amount, if the text is one."""
    if (amount := _AMOUNT.fullmatch(text)) is not None:
        from studykit.quantity.reading import read
        from studykit.quantity.units import target_unit

        with contextlib.suppress(BadDataError):
            yield read(amount[1], target_unit("number")).value, amount[2] or ""


def compare(typed: str, answer: str, question: str = "") -> Comparison:
    """Compare a typed answer with the nearest alternative of an answer such as `a|b`.

    Case, runs of spaces and spaces beside punctuation, Markdown's signs, how a formula is typed, the form of
    accented letters and a last period make no difference; nor does how the shape `(2, 3, 4)` is bracketed, or
    whether x stands between its sizes. A number is read as in an exercise ("~990", "2,048", "6*8 = 48"), with
    units of the question, as in "2 bytes" where it asks how many bytes. Both texts count as a reader sees them
    and as they were written.
    """
    readings = [_readings_of(alternative) for alternative in alternatives(answer)] or [[""]]
    right_readings = [reading for each in readings for reading in each]
    for reading in _readings_of(typed):
        if any(
            _normalize(reading) == _normalize(each)
            or (each.startswith("(") and _shape_sizes(reading) == _shape_sizes(each) != [])
            or _is_amount(reading, each, question)
            for each in right_readings
        ):
            return Comparison(same=True, you=reading, carets="", want=reading)
    if any(is_equal(typed, alternative, question) for alternative in alternatives(answer)):
        return Comparison(same=True, you=typed, carets="", want=typed)
    ratio, nearest, reading = max(
        (_similarity(reading, each[0]), each[0], reading) for each in readings for reading in _readings_of(typed)
    )
    if (not ratio and nearest) or (ratio < _ALIKE and max(len(reading), len(nearest)) > _MAX_COMPARED_SIGNS):
        return Comparison(same=False, you=reading, carets="", want=nearest)
    you, carets, want = _align(reading, nearest)
    return Comparison(same=False, you=you, carets=carets, want=want)


def _similarity(given: str, wanted: str) -> float:
    """Return the similarity ratio, or an upper bound if the lengths already rule out a match."""
    matcher = _matcher(_casefold(given), _casefold(wanted))
    bound = matcher.real_quick_ratio()
    return bound if bound < _ALIKE and max(len(given), len(wanted)) > _MAX_COMPARED_SIGNS else matcher.ratio()


def _is_amount(typed: str, wanted: str, question: str) -> bool:
    """Return whether both are the same number, bare, in its unit, or with a unit or words of the question."""
    amount = _AMOUNT.fullmatch(wanted)
    if amount is None or not re.search(r"\d", typed):
        return False
    from studykit.quantity.reading import MIDDLE, read
    from studykit.quantity.units import SCALES, UNITS, target_unit

    words = _LETTERS.findall(question)
    with_words = _NUMBER_AND_WORDS.fullmatch(typed)
    if with_words and {_stem(word) for word in _LETTERS.findall(with_words[2])} <= {_stem(word) for word in words}:
        typed = typed if amount[2] else with_words[1]
    is_scaled = amount[2] in SCALES and amount[2] not in UNITS  # 53.3B
    for unit in [amount[2]] if amount[2] and not is_scaled else ["number", *_UNITS.findall(question)]:
        with contextlib.suppress(BadDataError, KeyError):  # an unknown unit
            target = read(amount[0] if is_scaled else amount[1], target_unit(unit))
            parsed = read(typed, target_unit(unit))
            if unit == "%" and parsed.others and math.isclose(parsed.others[0], target.value, rel_tol=1e-9):
                return True  # 0.4 for 40 %
            if (
                (parsed.unit_given == (unit != "number") or "%" in typed or _asks_for(unit, question))
                and parsed.dimension == target.dimension
                and MIDDLE not in parsed.notes
                and not parsed.has_comment
                and math.isclose(parsed.value, target.value, rel_tol=1e-9)
            ):
                return True
    return False


def _asks_for(unit: str, question: str) -> bool:
    """Return whether the question names the unit, so that a bare number is in it: how many GB?"""
    return re.search(rf"(?i)\bhow many \W*{re.escape(unit)}\b", question) is not None


def _shape_sizes(text: str) -> list[str]:
    """Return the sizes of a shape of at least three axes, such as `2, 3, 4` or `torch.Size([2, 3, 4])`, or []."""
    match = _SHAPE.fullmatch(_normalize(text))
    return re.findall(r"\d+", match[1]) if match else []


def _stem(word: str) -> str:
    return _casefold(word).removesuffix("s")


def alternatives(answer: str) -> list[str]:
    """Split an answer into its alternatives, as Markdown. A table is a single one."""
    if _has_table(answer):
        return [answer]
    # A bar in code or in a formula belongs to it. A lone dollar or backtick begins neither.
    texts = rewritten(answer, Markup.TEXT, partial(_BAR.sub, "\0")).split("\0")
    return [alternative.strip() for alternative in texts if alternative.strip()]


def with_alternatives(words: Iterable[str], answer: str) -> str:
    """Return an answer that also accepts each of these words. A table stays as it is, a single alternative."""
    if _has_table(answer):
        return answer
    escape = partial(_BAR.sub, r"\\|")
    return "|".join(rewritten(text, Markup.TEXT, escape) for text in dict.fromkeys((*words, answer)))


def _has_table(answer: str) -> bool:
    return "|" in answer and "\n" in answer and any(token.type == "table_open" for token in parse(answer))


def _readings_of(text: str) -> list[str]:
    """Return a text as rendered and as written, both without insignificant markup and spaces."""
    return list(dict.fromkeys(_strip_markup(reading) for reading in (plain_text(text) or text, text)))


def _strip_markup(text: str) -> str:
    for pattern, instead in _TEX:
        text = pattern.sub(instead, text)
    return _SPACES.sub(" ", unicodedata.normalize("NFC", _LONE_MARK.sub("", text))).strip()


def _normalize(text: str) -> str:
    text = _TIMES.sub("*", text)
    text = _HYPHENS.sub("", text) if _WORDS.fullmatch(text) else text
    return _BESIDE.sub(r"\1", _casefold(text).translate(_SIGNS)).removesuffix(".")


def _casefold(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())


def _align(given: str, wanted: str) -> tuple[str, str, str]:
    """Align both texts, filling gaps with dots, and put carets under each difference."""
    folded_given, folded_wanted = given.casefold(), wanted.casefold()
    if (len(folded_given), len(folded_wanted)) != (len(given), len(wanted)):  # folding changed the places
        folded_given, folded_wanted = given, wanted
    you = carets = want = ""
    for kind, start, end, other_start, other_end in _matcher(folded_given, folded_wanted).get_opcodes():
        given_part, wanted_part = given[start:end], wanted[other_start:other_end]
        room = max(len(given_part), len(wanted_part))
        you += given_part.ljust(room, "·")
        want += wanted_part.ljust(room, "·")
        carets += (" " if kind == "equal" else "^") * room
    return you, carets.rstrip(), want


def _matcher(left: str, right: str) -> "SequenceMatcher[str]":
    from difflib import SequenceMatcher

    # By default difflib ignores the frequent characters of texts from 200 characters on.
    return SequenceMatcher(None, left, right, autojunk=False)
