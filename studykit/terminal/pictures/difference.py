"""Draw a typed text above the right one, with carets under what differs."""

from itertools import zip_longest
from textwrap import wrap

from studykit.picture import Difference
from studykit.terminal.spans import cell_count, clean

_MAX_TYPED_CHARACTERS = 500  # of a text that hardly resembles the right one
_LABELS = ("you   ", "      ", "want  ")
_MIN_COLUMNS = 8


def lines(difference: Difference, *, width: int) -> list[str]:
    """Return both texts, with carets between them if there are any, in pieces if they are long."""
    you, want, room = clean(difference.you), clean(difference.want), max(_MIN_COLUMNS, width - len(_LABELS[0]))
    if not difference.carets:
        answer = you if len(you) <= _MAX_TYPED_CHARACTERS else you[:_MAX_TYPED_CHARACTERS] + "…"
        return [*_labeled(_LABELS[0], answer, room), *_labeled(_LABELS[2], want, room)]
    pieces: list[list[str]] = [["", "", ""]]
    cells_used = 0
    for signs in zip_longest(you, difference.carets, want, fillvalue=" "):
        cells = max(map(cell_count, signs))  # signs below a wide one are padded to its width
        if cells_used + cells > room:
            pieces.append(["", "", ""])
            cells_used = 0
        for place, sign in enumerate(signs):
            cell_text = sign * cells if sign == "^" else sign
            pieces[-1][place] += cell_text + " " * (cells - cell_count(cell_text))
        cells_used += cells
    return [label + text.rstrip() for piece in pieces for label, text in zip(_LABELS, piece, strict=True)]


def _labeled(label: str, text: str, room: int) -> list[str]:
    first, *rest = wrap(text, room) or [""]
    return [label + first, *(" " * len(label) + row for row in rest)]


def sentence(difference: Difference) -> str:
    """Return both texts in words."""
    you, want = (clean(text.replace("·", "")) for text in (difference.you, difference.want))
    return f"You typed: {you}\n\nWanted: {want}"
