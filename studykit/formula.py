"""A TeX formula as one line of Unicode, or nothing where it is not fully understood.

math-core reads the TeX; here its MathML is walked. A formula that is shown wrongly is worse than TeX, so every
element and every sign that is not known by name ends the attempt.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from studykit.text import too_deep

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MAX_CHARACTERS = 2000  # characters of TeX
_THIN_EM = 0.2  # thinner spaces separate what is already separate in text
_MAX_RAISED_LETTERS = 2  # letters in a row that are raised or lowered; a longer word is written out
_SUPERSCRIPTS = dict(
    zip("0123456789+-−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ", strict=True),
) | {"T": "ᵀ", "⊤": "ᵀ", "k": "ᵏ", "m": "ᵐ", "x": "ˣ", "t": "ᵗ", "d": "ᵈ", "L": "ᴸ", "N": "ᴺ", "′": "′"}
_SUBSCRIPTS = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True),
)
_RELATIONS = frozenset("=≠<>≤≥≪≫≈≃≅∼∝≡→←↔⇒⇐⇔↦∈∉⊂⊆⊃∣∥≔:") | {":="}
_BINARIES = frozenset("+−-±∓×÷⋅·∗*∘⊗⊕⊙∪∩∧∨∖@")
_TIGHT = frozenset("/!′%")
_OPENING, _CLOSING = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
_BARS = frozenset("|‖")
_PUNCTUATION = frozenset(",;.")
_BIG = frozenset("∑∏∫⋃⋂")
_DOTS = frozenset("…⋯⋮")
_ACCENTS = dict(zip("ˆ^¯‾˜~˙", "\u0302\u0302\u0304\u0304\u0303\u0303\u0307", strict=True))
"""Combining characters that go over one letter."""
_APPLY = "\u2061"  # the invisible sign between a function and its argument
_OPERATORS = _RELATIONS.union(_BINARIES, _TIGHT, _OPENING, _CLOSING, _BARS, _PUNCTUATION, _BIG, _DOTS, _APPLY)


class _NotUnderstoodError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class FormulaPart:
    """Text of a part of a formula, and what it needs from its neighbors."""

    text: str
    sign: str = ""  # of an operator; empty for an operand
    atom: bool = True  # stands for one thing without parentheses
    open_end: bool = False  # a letter put right behind it would read as part of it
    open_start: bool = False  # the same before it
    fraction: bool = False
    named: bool = False  # the name of a function: a space before its argument
    tight: bool = False  # no space around this operator here


def formula(tex: str, macros: Mapping[str, str] | None = None) -> str | None:
    """Render a formula on one line, or return None if only its TeX is sure to be right."""
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
    except (LatexError, ET.ParseError, _NotUnderstoodError, RecursionError, ValueError):
        return None


def _part(node: "Element") -> FormulaPart:
    """Render an element as text, or refuse one whose name is unknown."""
    read = _ELEMENTS.get(node.tag)
    if read is None:
        raise _NotUnderstoodError
    return read(node)


def _text(node: "Element") -> str:
    if len(node):
        raise _NotUnderstoodError
    return (node.text or "").replace("\ufe00", "").replace("\ufe01", "").replace("\u00a0", " ")


def _identifier(node: "Element") -> FormulaPart:
    text = _text(node)
    long = len(text) > 1
    return FormulaPart(text, open_start=long, open_end=long, named=long)


def _operator(node: "Element") -> FormulaPart:
    sign = _text(node)
    if sign not in _OPERATORS:
        raise _NotUnderstoodError
    if sign in _BIG:
        return FormulaPart(sign, named=True, open_end=True)
    if sign in _DOTS:
        return FormulaPart(sign)
    return FormulaPart(sign, sign=sign, tight=node.get("rspace") == "0" and sign in _PUNCTUATION)


def _space(node: "Element") -> FormulaPart:
    wide = float((node.get("width") or "0").removesuffix("em"))
    return FormulaPart(" " if wide > _THIN_EM else "", sign=" ")


def _fraction(node: "Element") -> FormulaPart:
    if node.get("linethickness") is not None:
        raise _NotUnderstoodError
    top, bottom = map(_part, node)
    above_it = top.text if top.text.isalnum() else _grouped(top)  # a product needs no parentheses there
    return FormulaPart(f"{above_it}/{_grouped(bottom)}", atom=False, fraction=True)


def _grouped(part: FormulaPart) -> str:
    differential = part.text[:1] == "∂" and len(part.text[1:]) == 1
    return part.text if differential or (part.atom and " " not in part.text) else f"({part.text})"


def _root(sign: str, inner: FormulaPart) -> FormulaPart:
    if len(inner.text) == 1:
        return FormulaPart(sign + inner.text, open_end=True)
    return FormulaPart(f"{sign}({inner.text})")


def _rooted(node: "Element") -> FormulaPart:
    inner, degree = node
    sign = {"3": "∛", "4": "∜"}.get(_part(degree).text)
    if sign is None:
        raise _NotUnderstoodError
    return _root(sign, _part(inner))


def _big_scripts(node: "Element") -> FormulaPart:
    """Return scripts over and under, or refuse a base that is not a big operator."""
    if node.tag.startswith("munder") and _part(node[0]).named is False:
        raise _NotUnderstoodError
    return _scripts(*node)


def _over(node: "Element") -> FormulaPart:
    base, accent = _part(node[0]), (node[1].text or "")
    if node.get("accent") != "true" or len(base.text) != 1 or accent not in _ACCENTS:
        raise _NotUnderstoodError
    return FormulaPart(base.text + _ACCENTS[accent])


def _scripts(base: "Element", below: "Element | None" = None, above: "Element | None" = None) -> FormulaPart:
    foot = _part(base)
    text = foot.text if foot.atom or foot.sign else f"({foot.text})"
    open_end = foot.open_end and foot.named
    for node, table, mark in ((below, _SUBSCRIPTS, "_"), (above, _SUPERSCRIPTS, "^")):
        if node is None:
            continue
        script_text, open_end = _script(_text(node) if node.tag == "mo" else _part(node).text, table, mark)
        text += script_text
    return FormulaPart(text, open_start=foot.open_start, open_end=open_end or foot.named, named=foot.named)


def _script(text: str, table: Mapping[str, str], mark: str) -> tuple[str, bool]:
    """Render a script, and return whether a letter behind it would read as part of it."""
    dense = text.replace(" ", "")
    word = dense.isalpha() and len(dense) > _MAX_RAISED_LETTERS
    if dense and not word and all(sign in table for sign in dense):
        return "".join(table[sign] for sign in dense), False
    if dense.isascii() and dense.isalnum():
        return mark + dense, True
    return (mark + text if _is_enclosed(text) else f"{mark}({text})"), False


def _row(nodes: "Iterable[Element]") -> FormulaPart:
    return _joined(map(_part, nodes))


_ELEMENTS: Mapping[str, "Callable[[Element], FormulaPart]"] = {
    "mn": lambda node: FormulaPart(_text(node)),
    "mi": _identifier,
    "mtext": lambda node: FormulaPart(_text(node), open_start=True, open_end=True),
    "mo": _operator,
    **dict.fromkeys(("mrow", "mstyle", "mpadded"), _row),
    "mspace": _space,
    "mfrac": _fraction,
    "msqrt": lambda node: _root("√", _row(node)),
    "mroot": _rooted,
    "msub": lambda node: _scripts(node[0], below=node[1]),
    "msup": lambda node: _scripts(node[0], above=node[1]),
    **dict.fromkeys(("msubsup", "munderover", "munder"), _big_scripts),
    "mover": _over,
}
"""How each element of MathML that is known is read."""


def _joined(row: Iterable[FormulaPart]) -> FormulaPart:
    """Join the parts of a row, with spaces and parentheses where the eye needs them."""
    parts = [part for part in row if part.text]
    if len(parts) == 1:
        return parts[0]
    text = ""
    for before, part, after in zip([None, *parts], parts, [*parts[1:], None], strict=False):
        text += _joint(before, part) + _standing(before, part, after)
    text = text.replace("  ", " ").strip()
    first, last = (parts[0], parts[-1]) if parts else (FormulaPart(""), FormulaPart(""))
    is_name = bool(parts) and all(part.named for part in parts)
    return FormulaPart(
        text, atom=_is_enclosed(text), open_start=first.open_start, open_end=last.open_end, named=is_name
    )


def _standing(before: FormulaPart | None, part: FormulaPart, after: FormulaPart | None) -> str:
    """Put an operand in parentheses where a fraction would swallow its neighbor, or space an operator."""
    if part.sign:
        return _spaced(before, part)
    beside = [other for other in (before, after) if other is not None]
    if part.fraction and any(other.sign in ("", "/", "!") for other in beside):
        return f"({part.text})"
    return part.text


def _spaced(before: FormulaPart | None, part: FormulaPart) -> str:
    sign = part.sign
    prefix = before is None or (bool(before.sign) and before.sign not in _CLOSING | _BARS | {"!", "′", "%"})
    if sign == _APPLY:
        return ""
    if sign in _RELATIONS or (sign in _BINARIES and not prefix):
        return f" {sign} "
    if sign in _PUNCTUATION and not part.tight:
        return f"{sign} "
    return sign


def _joint(before: FormulaPart | None, part: FormulaPart) -> str:
    """Return a space between two operands that would otherwise read as one."""
    if before is None or part.sign or (before.sign and before.sign != _APPLY):
        return ""
    if before.sign == _APPLY or before.named or part.named:
        return " "
    last, first = before.text[-1:], part.text[:1]
    touching = (before.open_end and first.isalnum()) or (part.open_start and last.isalnum())
    return " " if touching or (last.isdecimal() and first.isdecimal()) else ""


def _is_enclosed(text: str) -> bool:
    """Return whether one pair of parentheses holds the whole text."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return bool(text) and text[0] == "(" and place == len(text) - 1
    return False
