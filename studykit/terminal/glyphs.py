"""Define the signs that screens draw lines and lists with, and spell signs in ASCII."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Hold the signs for rules, bars and bullets, and whether all of them are ASCII."""

    rule: str
    dotted_rule: str
    bar: str
    track: str
    bullet: str
    ascii: bool


UNICODE = Glyphs("─", "· ", "━", "─", "•", ascii=False)
ASCII = Glyphs("-", ". ", "=", "-", "*", ascii=True)

_STAND_INS = str.maketrans(
    {
        **dict(zip("×⋅·−–—‐‑", "x**-----", strict=True)),
        **dict(zip("“”„‘’‚", "\"\"\"'''", strict=True)),
        **dict(zip("•µμ÷✓✗↵│─█\u00a0\u2009\u202f", "*uu/+x||-#   ", strict=True)),
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "≈": "~",
        "→": "->",
        "←": "<-",
        "⇒": "=>",
        "↔": "<->",
        "…": "...",
        "√": "sqrt",
        "∞": "inf",
        "±": "+-",
        "∑": "sum",
        "∏": "prod",
        "°": " deg",
    }
)
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀᵏᵐˣᵗᵈᴸᴺ", "0123456789+-=()niTkmxtdLN", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-=()aehijklmnoprstuvx", strict=True))
_SCRIPT = f"([{''.join(_RAISED)}]+|[{''.join(_LOWERED)}]+)(?=(\\w?))"


def in_ascii(text: str) -> str:
    """Spell common signs in ASCII. Other characters become question marks."""
    if text.isascii():
        return text
    return plain_signs(text).encode("ascii", "replace").decode("ascii")


def plain_signs(text: str) -> str:
    """Spell common signs in ASCII. All other characters stay."""
    return re.sub(_SCRIPT, _level, text).translate(_STAND_INS)


def _level(match: re.Match[str]) -> str:
    """Write a superscript as `^2` or a subscript as `_2`, with a space before a letter or digit."""
    table, mark = (_RAISED, "^") if match[1][0] in _RAISED else (_LOWERED, "_")
    run = "".join(table[sign] for sign in match[1])
    behind = match[2] and match[2] not in _RAISED and match[2] not in _LOWERED
    if not run.isalnum():
        return f"{mark}({run})"
    return f"{mark}{run}" + (" " if behind else "")
