"""Parts of a formula put side by side, so that what is written reads as what is meant."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studykit.terminal.markdown import maths_signs as signs

APPLY = "\u2061"
"""The invisible sign between a function and its argument."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of a part of a formula, and what it needs from its neighbours."""

    text: str
    sign: str = ""  # of an operator; empty for an operand
    atom: bool = True  # stands for one thing without parentheses
    open_end: bool = False  # a letter put right behind it would read as part of it
    open_start: bool = False  # the same before it
    fraction: bool = False
    named: bool = False  # the name of a function: a space before its argument
    tight: bool = False  # no space around this operator here


def joined(given: Iterable[Piece]) -> Piece:
    """The pieces of a row as one, with spaces and parentheses where the eye needs them."""
    pieces = [piece for piece in given if piece.text]
    if len(pieces) == 1:
        return pieces[0]
    text = ""
    for before, piece, after in zip([None, *pieces], pieces, [*pieces[1:], None], strict=False):
        text += _joint(before, piece) + _standing(before, piece, after)
    text = text.replace("  ", " ").strip()
    first, last = (pieces[0], pieces[-1]) if pieces else (Piece(""), Piece(""))
    return Piece(
        text, atom=is_enclosed(text), open_start=first.open_start, open_end=last.open_end, named=_is_name(pieces)
    )


def _is_name(pieces: Sequence[Piece]) -> bool:
    return bool(pieces) and all(piece.named for piece in pieces)


def _standing(before: Piece | None, piece: Piece, after: Piece | None) -> str:
    """An operand, in parentheses where a fraction would swallow its neighbour; an operator with its spaces."""
    if piece.sign:
        return _spaced(before, piece)
    beside = [other for other in (before, after) if other is not None]
    if piece.fraction and any(other.sign in ("", "/", "!") and not _is_wall(other) for other in beside):
        return f"({piece.text})"
    return piece.text


def _is_wall(piece: Piece) -> bool:
    return bool(piece.sign) and piece.sign in signs.OPENING | signs.CLOSING | signs.BARS


def _spaced(before: Piece | None, piece: Piece) -> str:
    sign = piece.sign
    prefix = before is None or (bool(before.sign) and not _ends_operand(before))
    if sign == APPLY:
        return ""
    if sign in signs.RELATIONS or (sign in signs.BINARIES and not prefix):
        return f" {sign} "
    if sign in signs.PUNCTUATION and not piece.tight:
        return f"{sign} "
    return sign


def _ends_operand(piece: Piece) -> bool:
    return piece.sign in signs.CLOSING | signs.BARS | {"!", "′", "%"}


def _joint(before: Piece | None, piece: Piece) -> str:
    """A space between two operands that would read as one."""
    if before is None or piece.sign or (before.sign and before.sign != APPLY):
        return ""
    if before.sign == APPLY or before.named or piece.named:
        return " "
    last, first = before.text[-1:], piece.text[:1]
    touching = (before.open_end and first.isalnum()) or (piece.open_start and last.isalnum())
    return " " if touching or (last.isdecimal() and first.isdecimal()) else ""


def is_enclosed(text: str) -> bool:
    """Whether one pair of parentheses holds the whole text."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return bool(text) and text[0] == "(" and place == len(text) - 1
    return False
