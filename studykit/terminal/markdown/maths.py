"""A TeX formula as one line of Unicode, or nothing where it is not fully understood.

math-core reads the TeX; here its MathML is walked. A formula that is shown wrongly is worse than TeX, so every
element and every sign that is not known by name ends the attempt.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from studykit.terminal.glyphs import in_ascii
from studykit.terminal.markdown import maths_signs as signs
from studykit.terminal.markdown.maths_pieces import APPLY, Piece, is_enclosed, joined
from studykit.text import too_deep

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LONGEST = 2000  # characters of TeX
_THIN_EM = 0.2  # thinner spaces only set things apart that are told apart here by other means
_LEGIBLE = 2  # letters in a row that are raised or lowered; a longer word is written out


class _NotUnderstoodError(Exception):
    pass


def formula(tex: str, macros: Mapping[str, str] | None = None, *, ascii: bool = False) -> str | None:  # noqa: A002
    """The formula on one line, or None where only the TeX itself is sure to be right."""
    shown = _unicode(tex, tuple(sorted((macros or {}).items())))
    if shown is None or not ascii:
        return shown
    plain = in_ascii(shown)
    return None if "?" in plain or "sqrt" in plain else plain


@lru_cache(maxsize=1024)
def _unicode(tex: str, macros: tuple[tuple[str, str], ...]) -> str | None:
    from xml.etree import ElementTree as ET

    from math_core import LatexError, LatexToMathML

    if len(tex) > _LONGEST or too_deep(tex, (meaning for _, meaning in macros)):
        return None
    try:
        mathml = LatexToMathML(
            macros={name.lstrip("\\"): meaning for name, meaning in macros}
        ).convert_with_local_state(tex, displaystyle=False)
        root = ET.fromstring(mathml.replace("&ApplyFunction;", APPLY))  # noqa: S314 - not from outside
        return _row(list(root)).text
    except (LatexError, ET.ParseError, _NotUnderstoodError, RecursionError, ValueError):
        return None


def _piece(node: "Element") -> Piece:  # noqa: C901, PLR0911, PLR0912 - one line for each element that is known
    children = list(node)
    match node.tag:
        case "mn":
            return Piece(_text(node))
        case "mi":
            return _identifier(_text(node))
        case "mtext":
            return Piece(_text(node), open_start=True, open_end=True)
        case "mo":
            return _operator(node)
        case "mrow" | "mstyle" | "mpadded":
            return _row(children)
        case "mspace":
            return _space(node)
        case "mfrac" if node.get("linethickness") is None:
            return _fraction(*children)
        case "msqrt":
            return _root("√", _row(children))
        case "mroot":
            return _rooted(*children)
        case "msub":
            return _scripts(children[0], below=children[1])
        case "msup":
            return _scripts(children[0], above=children[1])
        case "msubsup" | "munderover":
            return _scripts(*_with_big_base(node, children))
        case "munder":
            return _scripts(*_with_big_base(node, children))
        case "mover":
            return _over(node, children)
        case _:
            raise _NotUnderstoodError


def _text(node: "Element") -> str:
    if len(node):
        raise _NotUnderstoodError
    return (node.text or "").replace("\ufe00", "").replace("\ufe01", "").replace("\u00a0", " ")


def _identifier(text: str) -> Piece:
    long = len(text) > 1
    return Piece(text, open_start=long, open_end=long, named=long)


def _operator(node: "Element") -> Piece:
    sign = _text(node)
    known = (
        signs.RELATIONS | signs.BINARIES | signs.TIGHT | signs.OPENING | signs.CLOSING | signs.BARS
        | signs.PUNCTUATION | signs.BIG | signs.DOTS | {APPLY}
    )  # fmt: skip
    if sign not in known:
        raise _NotUnderstoodError
    if sign in signs.BIG:
        return Piece(sign, named=True, open_end=True)
    if sign in signs.DOTS:
        return Piece(sign)
    return Piece(sign, sign=sign, tight=node.get("rspace") == "0" and sign in signs.PUNCTUATION)


def _space(node: "Element") -> Piece:
    wide = float((node.get("width") or "0").removesuffix("em"))
    return Piece(" " if wide > _THIN_EM else "", sign=" ")


def _fraction(above: "Element", below: "Element") -> Piece:
    top, bottom = _piece(above), _piece(below)
    above_it = top.text if top.text.isalnum() else _grouped(top)  # a product needs no parentheses there
    return Piece(f"{above_it}/{_grouped(bottom)}", atom=False, fraction=True)


def _grouped(piece: Piece) -> str:
    differential = piece.text[:1] == "∂" and len(piece.text) == 2  # noqa: PLR2004 - the sign and its letter
    return piece.text if differential or (piece.atom and " " not in piece.text) else f"({piece.text})"


def _root(sign: str, inner: Piece) -> Piece:
    if len(inner.text) == 1:
        return Piece(sign + inner.text, open_end=True)
    return Piece(f"{sign}({inner.text})")


def _rooted(inner: "Element", degree: "Element") -> Piece:
    sign = {"3": "∛", "4": "∜"}.get(_piece(degree).text)
    if sign is None:
        raise _NotUnderstoodError
    return _root(sign, _piece(inner))


def _with_big_base(node: "Element", children: "Sequence[Element]") -> "tuple[Element, ...]":
    """The children, refused where a sign would be set over or under something that is no big operator."""
    if node.tag.startswith("munder") and _piece(children[0]).named is False:
        raise _NotUnderstoodError
    return tuple(children)


def _over(node: "Element", children: "Sequence[Element]") -> Piece:
    base, accent = _piece(children[0]), (children[1].text or "")
    if node.get("accent") != "true" or len(base.text) != 1 or accent not in signs.ACCENTS:
        raise _NotUnderstoodError
    return Piece(base.text + signs.ACCENTS[accent])


def _scripts(base: "Element", below: "Element | None" = None, above: "Element | None" = None) -> Piece:
    foot = _piece(base)
    text = foot.text if foot.atom or foot.sign else f"({foot.text})"
    open_end = foot.open_end and foot.named
    for node, table, mark in ((below, signs.SUBSCRIPTS, "_"), (above, signs.SUPERSCRIPTS, "^")):
        if node is None:
            continue
        shown, open_end = _script(_script_text(node), table, mark)
        text += shown
    return Piece(text, open_start=foot.open_start, open_end=open_end or foot.named, named=foot.named)


def _script_text(node: "Element") -> str:
    return Piece(_text(node)).text if node.tag == "mo" else _piece(node).text


def _script(text: str, table: Mapping[str, str], mark: str) -> tuple[str, bool]:
    """The script, and whether a letter behind it would read as part of it."""
    dense = text.replace(" ", "")
    word = dense.isalpha() and len(dense) > _LEGIBLE
    if dense and not word and all(sign in table for sign in dense):
        return "".join(table[sign] for sign in dense), False
    if dense.isascii() and dense.isalnum():
        return mark + dense, True
    return (mark + text if is_enclosed(text) else f"{mark}({text})"), False


def _row(nodes: "Sequence[Element]") -> Piece:
    return joined(map(_piece, nodes))
