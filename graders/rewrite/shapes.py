"""The shapes of what einops' calls give, as products of axes: known from the patterns, without a run.

What is known here holds for axes of every length; PatternError says that a pattern does not fit what it is given
for all sizes alike. Of each axis it is known too what it was merged of, in order. To read `(b d)` as `(d b)` fits
all sizes, and moves the numbers by a rule that depends on both: done often enough it is nothing for some of them,
so that is a MixedError.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from studykit.graders.rewrite import products
from studykit.graders.rewrite.products import Size, number

_WORD = re.compile(r"\(|\)|\w+")
_SIDE = re.compile(r"[\w()\s]*")  # beside an ellipsis
_DOTS, _STAR = "...", "*"
_MOST_AXES = 64  # torch and numpy have no more
_MOST_PIECES = 64  # of one axis, and of its pieces; no exercise has more than three


class PatternError(Exception):
    """A pattern does not fit what it is given, or not for all sizes."""


class MixedError(PatternError):
    """An axis is taken apart, or meets another, otherwise than it was merged."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis was merged of, the slowest first; nothing of length 1."""

    parts: tuple["Size | Packed", ...] = ()

    @property
    def length(self) -> Size:
        """The product of its parts' lengths."""
        return _product([_length(part) for part in self.parts])

    @classmethod
    def of(cls, *sizes: Size) -> "Axis":
        """An axis merged of others that are of one piece."""
        return cls(tuple(size for size in sizes if size.constant != 1))


@dataclass(frozen=True, slots=True)
class Packed:
    """Axes one behind the other, as `pack` puts them; they do not all end with the same part."""

    pieces: tuple[Axis, ...]


Shape = tuple[Axis, ...]
Lengths = Mapping[str, Size]
"""Lengths by name."""


def moved(text: str, given: Shape, lengths: Lengths) -> Shape:
    """What rearrange, reduce and repeat give."""
    left, right = _sides(text)
    if any(size.constant is not None and size.constant < 1 for size in lengths.values()):
        raise PatternError  # torch repeats nothing -1 times, and numpy refuses to
    if _DOTS in right and _DOTS not in left:
        raise PatternError
    (dots,) = _dots([left], [given])
    return _made(_groups(right, dots), _bound(_groups(left, dots), given, lengths, {}), lengths)


def multiplied(text: str, given: Sequence[Shape]) -> Shape:
    """What einsum gives."""
    _, right, known = named_axes(text, given)
    return _made(right, known, {})


def between(text: str, given: Sequence[Shape]) -> Iterator[Shape]:
    """What einsum makes of its first two inputs, of the first three and so on: torch takes them from the left."""
    sides, right, known = named_axes(text, given)
    for count in range(2, len(sides)):
        wanted = {name for side in (right, *sides[count:]) for group in side for name in group}
        made = dict.fromkeys(name for side in sides[:count] for group in side for name in group if name in wanted)
        yield tuple(known[name] for name in made)


def named_axes(
    text: str, given: Sequence[Shape]
) -> tuple[list[list[list[str]]], list[list[str]], dict[str, Axis]]:
    """The names on each side of an einsum, and the axes that they stand for.

    An axis of length 1 that has the name of a longer one is passed over, as signs do.
    """
    left, right = _sides(text)
    each = left.split(",")
    dots = _dots(each, given)
    if len(each) != len(given) or (_DOTS in left) != (_DOTS in right):
        raise PatternError  # torch sums over an ellipsis that is left out, numpy does not
    known: dict[str, Axis] = {}
    most = max(dots, default=0)  # the shorter ones are the last of the longest
    sides = [_named_alone(_groups(side, count, most - count)) for side, count in zip(each, dots, strict=True)]
    pairs = [pair for side, shape in zip(sides, given, strict=True) for pair in zip(side, shape, strict=False)]
    longer = {name for names, axis in pairs if axis.parts for name in names}
    for place, shape in enumerate(given):
        if len(sides[place]) == len(shape):
            both = zip(sides[place], shape, strict=True)
            sides[place] = [names if axis.parts or not longer.issuperset(names) else [] for names, axis in both]
        known = _bound(sides[place], shape, {}, known)
    return sides, _groups(right, most), known


def summed(text: str, given: Sequence[Shape]) -> Mapping[str, int]:
    """The names that an einsum sums over, each with how many inputs have it; one of length 1 is nothing to sum."""
    try:
        sides, right, known = named_axes(text, given)
    except PatternError:
        left, _, result = text.partition("->")
        return Counter(set(re.findall(r"\w+", left)) - set(re.findall(r"\w+", result)))
    kept = {name for group in right for name in group}
    names = (name for side in sides for name in {name for group in side for name in group} - kept)
    return Counter(name for name in names if known[name].parts)


def _named_alone(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """Without the numbers: einsum takes a 1 beside a name."""
    return [[name for name in names if not name.isdecimal()] for names in groups]


def packed(text: str, given: Sequence[Shape]) -> tuple[Shape, list[Shape]]:
    """What pack gives: the shape of the whole, and what it packed of each tensor."""
    before, behind = _around(text)
    if not given or any(len(shape) < before + behind for shape in given):
        raise PatternError
    parts = [shape[before : len(shape) - behind] for shape in given]
    ends = [(shape[:before], shape[len(shape) - behind :]) for shape in given]
    first, last = ends[0]
    for begin, end in ends[1:]:
        first, last = _met(first, begin), _met(last, end)
    return (*first, together(map(_merged, parts)), *last), parts


def unpacked(text: str, given: Shape, parts: Sequence[Sequence[Size]]) -> list[Shape]:
    """What unpack gives; a length of -1 is what the others leave, where that is a product of axes."""
    before, behind = _around(text)
    if len(given) != before + 1 + behind:
        raise PatternError
    pieces = _pieces(given[before])
    found = []
    for part in _filled(given[before].length, parts):
        piece = together(_first(pieces, _product(part)))
        found.append((*given[:before], *_apart(piece, part), *given[before + 1 :]))
    return found


def broadcast(one: Shape, other: Shape) -> Shape:
    """The shape of a sum or a product of two tensors; an axis of length 1 is as long as the other."""
    made: list[Axis] = []
    for mine, theirs in zip_longest(reversed(one), reversed(other), fillvalue=Axis()):
        made += _met((mine,), (theirs,)) if mine.parts and theirs.parts else [mine if mine.parts else theirs]
    return tuple(reversed(made))


def together(pieces: Iterable[Axis]) -> Axis:
    """An axis of others, one behind the other: rows, where they all end with the same parts."""
    each = [one for piece in pieces for one in _pieces(piece, whole=True) if one.length.terms]
    if sum(map(_count, each)) > _MOST_PIECES:
        raise PatternError
    if not each:
        return Axis((number(0),))
    if len(each) == 1:
        return each[0]
    rows, ends = _rows(each)
    count = _sum(row.length for row in rows).constant
    made = Axis((Packed(rows) if count is None else number(int(count)), *ends))
    _short(made.length)
    return made


def common_shape(one: Shape, other: Shape) -> Shape | None:
    """The shape of two that are equal whatever the sizes are, and their axes merged in one order; else None.

    It has the parts of both: an axis that repeat made `b * s` long may be read in any order, no merged one may.
    """
    made = [*map(_common_axis, one, other)] if len(one) == len(other) else [None]
    found = tuple(each for each in made if each is not None)
    return found if len(found) == len(made) else None


def equal(one: Size, other: Size) -> bool:
    """Whether two lengths are equal whatever the sizes are."""
    return one.terms == other.terms


def _met(one: Shape, other: Shape) -> Shape:
    """The shape of both; MixedError where they are not merged alike."""
    lengths = [axis.length.terms for axis in one]
    if one == other and all(lengths):  # the most usual case, and the quickest
        return one
    if lengths != [axis.length.terms for axis in other]:
        raise PatternError
    if (made := common_shape(one, other)) is None:
        raise MixedError
    return made


def _common_axis(one: Axis, other: Axis) -> Axis | None:
    """An axis that both are, with the parts of both."""
    mine, theirs, made = list(one.parts), list(other.parts), list[Size | Packed]()
    while mine and theirs:
        match mine.pop(0), theirs.pop(0):
            case Packed(pieces), Packed(others) if rows := common_shape(pieces, others):
                made.append(Packed(rows))
            case Size() as size, Size() as another:
                if isinstance(rest := products.made("//", size, another), Size):
                    mine[:0] = Axis.of(rest).parts
                    made.append(another)
                elif isinstance(rest := products.made("//", another, size), Size):
                    theirs[:0] = Axis.of(rest).parts
                    made.append(size)
                else:
                    return None
            case _:
                return None
    return None if mine or theirs else Axis(tuple(made))


def _length(part: Size | Packed) -> Size:
    return part if isinstance(part, Size) else _sum(piece.length for piece in part.pieces)


def _merged(shape: Shape) -> Axis:
    return Axis(tuple(part for one in shape for part in one.parts))


def _pieces(axis: Axis, *, whole: bool = False) -> list[Axis]:
    """What stands one behind the other in an axis: of two rows of `d` each of them, unless it is left `whole`."""
    match axis.parts:
        case (Packed(rows), *ends):
            return [_merged((row, Axis(tuple(ends)))) for row in rows]
        case (Size(constant=Fraction() as count), *rest) if not whole and count <= _MOST_PIECES:
            return [Axis(tuple(rest))] * int(count)
    return [axis]


def _count(piece: Axis) -> int:
    """How many pieces it is, those of its parts too."""
    return 1 + sum(_count(one) for part in piece.parts if isinstance(part, Packed) for one in part.pieces)


def _rows(pieces: Sequence[Axis]) -> tuple[tuple[Axis, ...], list[Size | Packed]]:
    """How many rows each is, and the parts that all of them end with, which are a row."""
    left = [list(piece.parts) for piece in pieces]
    ends: list[Size | Packed] = []
    while all(left) and (end := _end([parts[-1] for parts in left])):
        ends.insert(0, end)
        for parts in left:
            if isinstance(last := parts.pop(), Size):
                parts.extend(Axis.of(_quotient(last, _length(end))).parts)
    return tuple(Axis(tuple(parts)) for parts in left), ends


def _end(parts: Sequence[Size | Packed]) -> Size | Packed | None:
    """What each of them is, or a multiple of."""
    for part in parts:
        if isinstance(part, Packed):
            found: Axis | None = Axis((part,))
            for one in parts:
                found = found and _common_axis(found, Axis((one,)))
            return found.parts[0] if found else None
        if all(isinstance(one, Size) and isinstance(products.made("//", one, part), Size) for one in parts):
            return part
    return None


def _first(pieces: list[Axis], length: Size) -> list[Axis]:
    """The first of the pieces, which are together so long and are taken out."""
    taken = []
    while length.terms:
        if not pieces:
            raise MixedError
        piece = pieces.pop(0)
        left = products.plus(length, piece.length, -1)
        if all(factor > 0 for factor in left.terms.values()):
            taken.append(piece)
            length = left
        elif (smaller := _pieces(piece)) != [piece]:
            pieces[:0] = smaller
        else:
            raise MixedError
    return taken


def _apart(axis: Axis, lengths: Sequence[Size]) -> Shape:
    """Axes of these lengths that one was merged of."""
    if len(lengths) == 1:
        return (axis,)
    made, parts = [], axis.parts
    for length in lengths:
        taken: list[Size | Packed] = []
        left = length
        while left.constant != 1:
            part, parts = _next(parts, left)
            taken.append(part)
            left = _quotient(left, _length(part))
        made.append(Axis(tuple(taken)))
    return tuple(made)


def _next(parts: tuple[Size | Packed, ...], most: Size) -> tuple[Size | Packed, tuple[Size | Packed, ...]]:
    """The first part, or so much of it as fits in a length, and what is behind."""
    if not parts:
        raise MixedError
    first, *rest = parts
    if isinstance(products.made("//", most, _length(first)), Size):
        return first, tuple(rest)
    left = products.made("//", first, most) if isinstance(first, Size) else ""
    if isinstance(left, str):
        raise MixedError
    return most, (left, *rest)


def _sides(text: str) -> tuple[str, str]:
    left, arrow, right = text.partition("->")
    if not arrow:
        raise PatternError
    return left, right


def _dots(sides: Sequence[str], given: Sequence[Shape]) -> list[int]:
    """How many axes an ellipsis stands for in each input."""
    pairs = zip(sides, given, strict=False)
    counts = [len(shape) - len(_groups(side, 0)) if _DOTS in side else 0 for side, shape in pairs]
    if any(count < 0 for count in counts):
        raise PatternError
    return counts


def _groups(side: str, dots: int, first: int = 0) -> list[list[str]]:
    """The names of each axis of a side; an ellipsis as so many names, numbered from the first."""
    if not _SIDE.fullmatch(side.replace(_DOTS, " ", 1)):
        raise PatternError
    groups: list[list[str]] = []
    inside = False
    for word in _WORD.findall(side.replace(_DOTS, " ".join(f" dots{first + n}_ " for n in range(dots)))):
        if word == "(":
            groups.append([])
        elif inside and word != ")":
            groups[-1].append(word)
        elif word != ")":
            groups.append([word])
        inside = word == "(" or (inside and word != ")")
    return groups


def _bound(
    groups: Sequence[Sequence[str]], shape: Shape, lengths: Lengths, known: Mapping[str, Axis]
) -> dict[str, Axis]:
    """The axes of a tensor by name, beside those that were known."""
    if len(groups) != len(shape):
        raise PatternError
    found = dict(known)
    for names, axis in zip(groups, shape, strict=True):
        new = [name for name in names if not name.isdecimal() and name not in lengths and name not in found]
        old = {name: _known(name, lengths, found) for name in names if name not in new}
        rest = _product(list(old.values()))
        if len(new) > 1 or (not new and not equal(axis.length, rest)):
            raise PatternError
        each = [old[name] if name in old else _quotient(axis.length, rest) for name in names]
        for name, one in zip(names, _apart(axis, each), strict=True):
            if not name.isdecimal():
                (found[name],) = _met((found.get(name, one),), (one,))
    return found


def _known(name: str, lengths: Lengths, found: Mapping[str, Axis]) -> Size:
    if name.isdecimal():
        return number(int(name))
    return lengths[name] if name in lengths else found[name].length


def _made(groups: Sequence[Sequence[str]], known: Mapping[str, Axis], lengths: Lengths) -> Shape:
    names = [name for each in groups for name in each if not name.isdecimal()]
    if len(set(names)) < len(names) or len(groups) > _MOST_AXES:
        raise PatternError
    made = tuple(_merged(tuple(_named(name, known, lengths) for name in each)) for each in groups)
    for axis in made:
        _short(axis.length)
    return made


def _named(name: str, known: Mapping[str, Axis], lengths: Lengths) -> Axis:
    if name.isdecimal():
        return Axis.of(number(int(name)))
    if name not in {*known, *lengths} or not name.isidentifier():
        raise PatternError
    return known[name] if name in known else Axis.of(lengths[name])


def _product(sizes: Sequence[Size]) -> Size:
    made = number(1)
    for size in sizes:
        made = _short(products.times(made, size))
    return made


def _sum(sizes: Iterable[Size]) -> Size:
    made = number(0)
    for size in sizes:
        made = _short(products.plus(made, size))
    return made


def _short(size: Size) -> Size:
    """The same length; PatternError for a sum of more parts than any exercise needs."""
    if len(size.terms) > products.MOST_TERMS:
        raise PatternError
    return size


def _quotient(size: Size, other: Size) -> Size:
    made = products.made("//", size, other)
    if isinstance(made, str):
        raise PatternError
    return made


def _around(text: str) -> tuple[int, int]:
    """How many axes stand before the star, and how many behind it."""
    before, star, behind = text.partition(_STAR)
    if not star:
        raise PatternError
    return len(before.split()), len(behind.split())


def _filled(whole: Size, parts: Sequence[Sequence[Size]]) -> Iterator[Sequence[Size]]:
    """The parts with what a length of -1 is; PatternError where that is no product."""
    open_parts = [part for part in parts if any(size.constant == -1 for size in part)]
    rest = whole
    for part in parts:
        rest = rest if part in open_parts else products.plus(rest, _product(part), -1)
    if not open_parts:
        if rest.terms:
            raise PatternError
        return iter(parts)
    (part, *others), left = open_parts, rest.product
    known = [size for size in part if size.constant != -1]
    if others or len(known) + 1 != len(part) or left is None or left[1] < 0:
        raise PatternError
    length = _quotient(rest, _product(known))
    return (
        tuple(length if size.constant == -1 else size for size in one) if one is part else one for one in parts
    )
