"""Draw a picture of an exercise as text lines, or as a sentence for those who listen to it."""

from itertools import zip_longest
from textwrap import wrap

from studykit.picture import Bars, Difference, Picture, Roofline, Ruler, TimeAxis
from studykit.terminal.pictures import log_axis, roofline
from studykit.terminal.spans import cell_count, clean

_MAX_BAR = 40  # columns
_MIN_BAR = 8  # columns; with less room only the sentence is left
_MAX_TYPED_CHARACTERS = 500  # of a text that hardly resembles the right one
_LABELS = ("you   ", "      ", "want  ")
_MIN_COLUMNS = 8


def lines(picture: Picture, *, width: int, ascii: bool) -> list[str]:
    """Return the lines of the picture, at most `width` columns wide, or none if it does not fit."""
    match picture:
        case Ruler(answer, tries):
            return log_axis.ruler(answer, tries, width=width, ascii=ascii)
        case Roofline():
            return roofline.lines(picture, width=width, ascii=ascii)
        case TimeAxis(marks):
            return log_axis.time_axis(marks, width=width, ascii=ascii)
        case Bars():
            return _bars(picture, width, "#" if ascii else "█")
        case Difference():
            return _difference(picture, max(_MIN_COLUMNS, width - len(_LABELS[0])))


def sentence(picture: Picture) -> str:
    """Describe what the picture shows, in Markdown."""
    match picture:
        case Ruler(answer, tries):
            return log_axis.description(answer, tries)
        case Roofline():
            return roofline.sentence(picture)
        case TimeAxis():
            return picture.sentence
        case Bars():
            return "\n".join([f"{picture.title}.", "", *(f"- {bar.name}: {bar.words}" for bar in picture.parts)])
        case Difference():
            you, want = (clean(text.replace("·", "")) for text in (picture.you, picture.want))
            return f"You typed: {you}\n\nWanted: {want}"


def _bars(bars: Bars, width: int, sign: str) -> list[str]:
    """Return the title and a line for each size, or [] if they do not fit."""
    name_width = max(len(bar.name) for bar in bars.parts)
    size_width = max(len(bar.words) for bar in bars.parts)
    room = min(_MAX_BAR, width - name_width - size_width - 4)
    if room < _MIN_BAR or len(bars.title) > width:
        return []
    largest = max(bar.size for bar in bars.parts)
    rows = [
        f"{bar.name:<{name_width}}  {bar.words:>{size_width}}  {sign * max(1, round(room * bar.size / largest))}"
        for bar in bars.parts
    ]
    return [bars.title, *rows]


def _difference(difference: Difference, room: int) -> list[str]:
    """Return both texts, with carets between them if there are any, in pieces if they are long."""
    you, want = clean(difference.you), clean(difference.want)
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
    indent = " " * len(label)
    return wrap(text, room + len(label), initial_indent=label, subsequent_indent=indent) or [label]
