"""The signs that screens draw with, and their stand-ins where only ASCII can be shown."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs; every one is a single cell."""

    rule: str
    dotted: str
    bar: str
    track: str
    bullet: str
    right: str
    wrong: str
    flag: str
    ascii: bool


UNICODE = Glyphs("─", "· ", "━", "─", "•", "✓", "✗", "⚑", ascii=False)
ASCII = Glyphs("-", ". ", "=", "-", "*", "+", "x", "*", ascii=True)

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
    """Spell common signs in ASCII, and what has no stand-in as a question mark."""
    if text.isascii():
        return text
    return plain_signs(text).encode("ascii", "replace").decode("ascii")


def plain_signs(text: str) -> str:
    """Spell common signs in ASCII. Letters, and what has no stand-in, stay."""
    return re.sub(_SCRIPT, _level, text).translate(_STAND_INS)


def _level(match: re.Match[str]) -> str:
    """Put a run of raised or lowered signs on the line, so that nothing behind it reads as part of it."""
    table, mark = (_RAISED, "^") if match[1][0] in _RAISED else (_LOWERED, "_")
    run = "".join(table[sign] for sign in match[1])
    behind = match[2] and match[2] not in _RAISED and match[2] not in _LOWERED
    if not run.isalnum():
        return f"{mark}({run})"
    return f"{mark}{run}" + (" " if behind else "")
