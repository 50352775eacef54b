"""Render TeX as MathML, without inline styles, which a strict content security policy would block."""

import re
from collections.abc import Mapping

from math_core import LatexError, LatexToMathML

from studykit.text import too_deep

_TAG = re.compile(r"<([a-z]+)([^<>]*?) style=\"([^\"<>]*)\"([^<>]*)>")
_LEVEL = re.compile(r'(<mtable(?: displaystyle="[a-z]+")?) scriptlevel="0"')  # outside what validators know
_RELATION = re.compile(r"(<mtd[^<>]*>)<mo>(?=[=<>≤≥≈≠≡∝→⇒]|&[lg]t;)")
"""A relation that begins a cell. An empty element goes before it, or browsers would not put space around it."""
_CLASSES = {
    "text-align:right": "sk-right",
    "text-align:left": "sk-left",
    "padding-right:0": "sk-r0",
    "padding-left:0": "sk-l0",
    "padding-left:1em": "sk-l1",
    "border-left:0.05emsolidcurrentcolor": "sk-rule-l",
    "border-right:0.05emsolidcurrentcolor": "sk-rule-r",
    "border-top:0.05emsolidcurrentcolor": "sk-rule-t",
    "border-bottom:0.05emsolidcurrentcolor": "sk-rule-b",
}
_MAX_TEX_CHARACTERS = 20_000


class TexError(ValueError):
    """Raised for a formula that is not valid TeX. The message does not say where the formula is."""


class UnknownTexError(TexError):
    """Raised for a command or environment that the converter does not know. Pages show its formula as TeX."""


class Tex:
    """Render formulas with one deck's macros."""

    def __init__(self, macros: Mapping[str, str]) -> None:
        self.macros = dict(macros)
        if too_deep("", self.macros.values()):
            raise TexError("the deck's macros are nested too deep")
        names = {name.removeprefix("\\"): text for name, text in macros.items()}
        try:
            self._converter = LatexToMathML(macros=names, fancy_error=False)
        except LatexError as error:
            raise TexError(f"a macro does not parse: {_message(error)}") from None

    def mathml(self, tex: str, *, block: bool = False) -> str:
        """Render a formula as a `math` element, or raise TexError if it does not parse."""
        if len(tex) > _MAX_TEX_CHARACTERS:
            raise TexError(f"it has {len(tex):,} characters; {_MAX_TEX_CHARACTERS:,} are allowed")
        if too_deep(tex, self.macros.values()):
            raise TexError("it is nested too deep")
        try:
            html = self._converter.convert_with_local_state(tex, displaystyle=block)
        except LatexError as error:
            message = _message(error)
            raise (UnknownTexError if message.startswith("Unknown ") else TexError)(message) from None
        return _RELATION.sub(r"\1<mi></mi><mo>", _TAG.sub(_replace_style, _LEVEL.sub(r"\1", html)))


def _message(error: LatexError) -> str:
    return re.sub(r"^(macro\d+:)?\d+: ", "", str(error)).rstrip(".")


def _replace_style(match: re.Match[str]) -> str:
    tag, before, style, after = match.groups()
    classes, color = [], ""
    for declaration in style.split(";"):
        plain = declaration.replace(" ", "")
        if plain in _CLASSES:
            classes.append(_CLASSES[plain])
        elif re.fullmatch(r"color:#[0-9A-Fa-f]{6}", plain):
            color = f' mathcolor="{plain.removeprefix("color:")}"'
    attribute = f' class="{" ".join(classes)}"' if classes else ""
    return f"<{tag}{before}{attribute}{color}{after}>"
