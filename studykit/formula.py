"""Render a TeX formula as one line of Unicode, if every part of it is known.

math-core converts the TeX to MathML, and each element of that is rendered here. A wrong formula is worse than TeX,
so an unknown element or sign ends the attempt.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from studykit.text import too_deep

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MAX_CHARACTERS = 2000  # characters of TeX
_THIN_EM = 0.2  # thinner spaces are not needed in text
_MAX_RAISED_LETTERS = 2  # a longer word becomes `_word`, because a raised one is hard to read
_SUPERSCRIPTS = dict(
    zip("0123456789+-−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ", strict=True),
) | {"T": "ᵀ", "⊤": "ᵀ", "k": "ᵏ", "m": "ᵐ", "x": "ˣ", "t": "ᵗ", "d": "ᵈ", "L": "ᴸ", "N": "ᴺ", "′": "′"}
_SUBSCRIPTS = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True),
)
_RELATIONS = frozenset("=≠<>≤≥≪≫≈≃≅∼∝≡→←↔⇒⇐⇔↦∈∉⊂⊆⊃∣∥≔:") | {":="}
_BINARIES = frozenset("+−-±∓×÷⋅·∗*∘⊗⊕⊙∪∩∧∨∖@")
_UNSPACED = frozenset("/!′%")
_OPENERS, _CLOSERS = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
_BARS = frozenset("|‖")
_PUNCTUATION = frozenset(",;.")
_BIG_OPERATORS = frozenset("∑∏∫⋃⋂")
_DOTS = frozenset("…⋯⋮")
_ACCENTS = dict(zip("ˆ^¯‾˜~˙", "\u0302\u0302\u0304\u0304\u0303\u0303\u0307", strict=True))
"""Combining characters for accents over one letter."""
_APPLY = "\u2061"  # the invisible sign between a function and its argument
_OPERATORS = _RELATIONS.union(
    _BINARIES, _UNSPACED, _OPENERS, _CLOSERS, _BARS, _PUNCTUATION, _BIG_OPERATORS, _DOTS, _APPLY
)


class _NotUnderstoodError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class FormulaPart:
    """Hold the rendered text of a part of a formula, and how it joins with its neighbors."""

    text: str
    sign: str = ""  # of an operator; empty for an operand
    is_atom: bool = True  # needs no parentheses
    open_end: bool = False  # a letter right after it would read as part of it
    open_start: bool = False  # the same before it
    is_fraction: bool = False
    is_name: bool = False  # the name of a function: a space before its argument
    is_tight: bool = False  # no space around this operator here


def formula(tex: str, macros: Mapping[str, str] | None = None) -> str | None:
    """Render a formula on one line, or return None if it has something that cannot be rendered."""
    return _unicode(tex, tuple(sorted((macros or {}).items())))


@lru_cache(maxsize=1024)
def _unicode(tex: str, macros: tuple[tuple[str, str], ...]) -> str | None:
    from xml.etree import ElementTree as ET

    from math_core import LatexError, LatexToMathML

    if len(tex) > _MAX_CHARACTERS or too_deep(tex, (meaning for _, meaning in macros)):
        return None
    try:
        mathml = LatexToMathML(
            macros={name.lstrip("\\"): meaning for name, meaning in macros}
        ).convert_with_local_state(tex, displaystyle=False)
        root = ET.fromstring(mathml.replace("&ApplyFunction;", _APPLY))  # noqa: S314 - not from outside
        return _row(root).text
    except (LatexError, ET.ParseError, _NotUnderstoodError, LookupError, RecursionError, ValueError):
        return None


def _part(node: "Element") -> FormulaPart:
    """Render an element, or raise LookupError if it is unknown."""
    return _ELEMENTS[node.tag](node)


def _text(node: "Element") -> str:
    if len(node):
        raise _NotUnderstoodError
    return (node.text or "").replace("\ufe00", "").replace("\ufe01", "").replace("\u00a0", " ")


def _identifier(node: "Element") -> FormulaPart:
    text = _text(node)
    is_long = len(text) > 1
    return FormulaPart(text, open_start=is_long, open_end=is_long, is_name=is_long)


def _operator(node: "Element") -> FormulaPart:
    sign = _text(node)
    if sign not in _OPERATORS:
        raise _NotUnderstoodError
    if sign in _BIG_OPERATORS:
        return FormulaPart(sign, is_name=True, open_end=True)
    if sign in _DOTS:
        return FormulaPart(sign)
    return FormulaPart(sign, sign=sign, is_tight=node.get("rspace") == "0" and sign in _PUNCTUATION)


def _space(node: "Element") -> FormulaPart:
    width_em = float((node.get("width") or "0").removesuffix("em"))
    return FormulaPart(" " if width_em > _THIN_EM else "", sign=" ")


def _fraction(node: "Element") -> FormulaPart:
    if node.get("linethickness") is not None:
        raise _NotUnderstoodError
    top, bottom = map(_part, node)
    numerator = top.text if top.text.isalnum() else _group(top)  # 2n/3 needs no parentheses
    return FormulaPart(f"{numerator}/{_group(bottom)}", is_atom=False, is_fraction=True)


def _group(part: FormulaPart) -> str:
    is_differential = part.text[:1] == "∂" and len(part.text[1:]) == 1
    return part.text if is_differential or (part.is_atom and " " not in part.text) else f"({part.text})"


def _root(sign: str, inner: FormulaPart) -> FormulaPart:
    if len(inner.text) == 1:
        return FormulaPart(sign + inner.text, open_end=True)
    return FormulaPart(f"{sign}({inner.text})")


def _root_of_degree(node: "Element") -> FormulaPart:
    inner, degree = map(_part, node)
    return _root({"3": "∛", "4": "∜"}[degree.text], inner)  # or LookupError


def _big_scripts(node: "Element") -> FormulaPart:
    """Render scripts, or raise _NotUnderstoodError for one below a base other than a big operator or a name."""
    if node.tag.startswith("munder") and _part(node[0]).is_name is False:
        raise _NotUnderstoodError
    return _scripts(*node)


def _over(node: "Element") -> FormulaPart:
    base, accent = _part(node[0]), (node[1].text or "")
    if node.get("accent") != "true" or len(base.text) != 1 or accent not in _ACCENTS:
        raise _NotUnderstoodError
    return FormulaPart(base.text + _ACCENTS[accent])


def _scripts(base: "Element", below: "Element | None" = None, above: "Element | None" = None) -> FormulaPart:
    foot = _part(base)
    text = foot.text if foot.is_atom or foot.sign else f"({foot.text})"
    open_end = foot.open_end and foot.is_name
    for node, table, mark in ((below, _SUBSCRIPTS, "_"), (above, _SUPERSCRIPTS, "^")):
        if node is None:
            continue
        script_text, open_end = _script(_text(node) if node.tag == "mo" else _part(node).text, table, mark)
        text += script_text
    return FormulaPart(text, open_start=foot.open_start, open_end=open_end or foot.is_name, is_name=foot.is_name)


def _script(text: str, table: Mapping[str, str], mark: str) -> tuple[str, bool]:
    """Render a superscript or subscript, and return whether a letter after it would read as part of it."""
    dense = text.replace(" ", "")
    is_word = dense.isalpha() and len(dense) > _MAX_RAISED_LETTERS
    if dense and not is_word and all(sign in table for sign in dense):
        return "".join(table[sign] for sign in dense), False
    if dense.isascii() and dense.isalnum():
        return mark + dense, True
    return (mark + text if _is_enclosed(text) else f"{mark}({text})"), False


def _row(nodes: "Iterable[Element]") -> FormulaPart:
    return _join(map(_part, nodes))


_ELEMENTS: Mapping[str, "Callable[[Element], FormulaPart]"] = {
    "mn": lambda node: FormulaPart(_text(node)),
    "mi": _identifier,
    "mtext": lambda node: FormulaPart(_text(node), open_start=True, open_end=True),
    "mo": _operator,
    **dict.fromkeys(("mrow", "mstyle", "mpadded"), _row),
    "mspace": _space,
    "mfrac": _fraction,
    "msqrt": lambda node: _root("√", _row(node)),
    "mroot": _root_of_degree,
    "msub": lambda node: _scripts(node[0], below=node[1]),
    "msup": lambda node: _scripts(node[0], above=node[1]),
    **dict.fromkeys(("msubsup", "munderover", "munder"), _big_scripts),
    "mover": _over,
}
"""Functions that render the known elements of MathML."""


def _join(row: Iterable[FormulaPart]) -> FormulaPart:
    """Join the parts of a row, with spaces and parentheses where they are needed."""
    parts = [part for part in row if part.text]
    if len(parts) == 1:
        return parts[0]
    text = ""
    for before, part, after in zip([None, *parts], parts, [*parts[1:], None], strict=False):
        text += _gap(before, part) + _place_part(before, part, after)
    text = text.replace("  ", " ").strip()
    first, last = (parts[0], parts[-1]) if parts else (FormulaPart(""), FormulaPart(""))
    is_name = bool(parts) and all(part.is_name for part in parts)
    return FormulaPart(
        text, is_atom=_is_enclosed(text), open_start=first.open_start, open_end=last.open_end, is_name=is_name
    )


def _place_part(before: FormulaPart | None, part: FormulaPart, after: FormulaPart | None) -> str:
    """Return an operator with its spaces, or an operand. A fraction beside an operand, / or ! gets parentheses."""
    if part.sign:
        return _space_operator(before, part)
    beside = [other for other in (before, after) if other is not None]
    if part.is_fraction and any(other.sign in ("", "/", "!") for other in beside):
        return f"({part.text})"
    return part.text


def _space_operator(before: FormulaPart | None, part: FormulaPart) -> str:
    sign = part.sign
    is_prefix = before is None or (bool(before.sign) and before.sign not in _CLOSERS | _BARS | {"!", "′", "%"})
    if sign == _APPLY:
        return ""
    if sign in _RELATIONS or (sign in _BINARIES and not is_prefix):
        return f" {sign} "
    if sign in _PUNCTUATION and not part.is_tight:
        return f"{sign} "
    return sign


def _gap(before: FormulaPart | None, part: FormulaPart) -> str:
    """Return a space between operands that would otherwise read as one or of which one is a name, else ""."""
    if before is None or part.sign or (before.sign and before.sign != _APPLY):
        return ""
    if before.sign == _APPLY or before.is_name or part.is_name:
        return " "
    last, first = before.text[-1:], part.text[:1]
    is_touching = (before.open_end and first.isalnum()) or (part.open_start and last.isalnum())
    return " " if is_touching or (last.isdecimal() and first.isdecimal()) else ""


def _is_enclosed(text: str) -> bool:
    """Return whether one pair of parentheses encloses the whole text."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return bool(text) and text[0] == "(" and place == len(text) - 1
    return False
