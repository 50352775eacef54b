"""The shapes of what einops' calls give, as products of axes: known from the patterns, without a run.

A shape is None where a pattern does not fit what it is given for all sizes alike. What is known here holds for
axes of every length.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from studykit.graders.rewrite import products
from studykit.graders.rewrite.products import Size, number

Shape = tuple[Size, ...]
Lengths = Mapping[str, Size]
"""Axes by name; a number that stands in a pattern is its own name."""

_WORD = re.compile(r"\(|\)|\w+")
_SIDE = re.compile(r"(\w+|\(|\)|\.\.\.|\s)*")
_DOTS, _STAR = "...", "*"
_MOST_AXES = 64  # torch and numpy have no more


class PatternError(Exception):
    """A pattern does not fit what it is given, or not for all sizes."""


def moved(text: str, given: Shape | None, lengths: Lengths) -> Shape | None:
    """What rearrange, reduce and repeat give."""
    try:
        left, right = _sides(text)
        if any(size.constant is not None and size.constant < 1 for size in lengths.values()):
            return None  # torch repeats nothing -1 times, and numpy refuses to
        dots = _dots([left], [given])
        known = _bound(_groups(left, dots), given, dict(lengths))
        return _made(_groups(right, dots), known)
    except PatternError:
        return None


def multiplied(text: str, given: Sequence[Shape | None]) -> Shape | None:
    """What einsum gives."""
    try:
        left, right = _sides(text)
        each = left.split(",")
        dots = _dots(each, given)
        if len(each) != len(given) or (_DOTS in left) != (_DOTS in right):
            return None  # torch sums over an ellipsis that is left out, numpy does not
        known: dict[str, Size] = {}
        for side, shape in zip(each, given, strict=True):
            known = _bound(_groups(side, dots), shape, known)
        return _made(_groups(right, dots), known)
    except PatternError:
        return None


def packed(text: str, given: Sequence[Shape | None]) -> tuple[Shape, list[Shape]] | None:
    """What pack gives: the shape of the whole, and what it packed of each tensor."""
    known = [shape for shape in given if shape is not None]
    try:
        before, behind = _around(text)
    except PatternError:
        return None
    if not known or len(known) < len(given) or any(len(shape) < before + behind for shape in known):
        return None
    parts = [shape[before : len(shape) - behind] for shape in known]
    ends = [(shape[:before], shape[len(shape) - behind :]) for shape in known]
    if not all(alike(one, other) for each in ends[1:] for one, other in zip(ends[0], each, strict=True)):
        return None
    try:
        whole = _sum(map(_product, parts))
    except PatternError:
        return None
    return (*ends[0][0], whole, *ends[0][1]), parts


def unpacked(text: str, given: Shape | None, parts: Sequence[Shape]) -> list[Shape] | None:
    """What unpack gives; a length of -1 is what the others leave, where that is a product of axes."""
    try:
        before, behind = _around(text)
        if given is None or len(given) != before + 1 + behind:
            return None
        known = _filled(given[before], parts)
    except PatternError:
        return None
    return [(*given[:before], *part, *given[before + 1 :]) for part in known]


def broadcast(one: Shape, other: Shape) -> Shape | None:
    """The shape of a sum or a product of two tensors; an axis of length 1 is as long as the other."""
    pairs = list(zip_longest(reversed(one), reversed(other), fillvalue=number(1)))
    if not all(equal(*pair) or any(map(_is_one, pair)) for pair in pairs):
        return None
    return tuple(mine if _is_one(theirs) else theirs for mine, theirs in reversed(pairs))


def alike(one: Shape, other: Shape | None) -> bool:
    """Whether two shapes are equal whatever the sizes are."""
    return other is not None and len(one) == len(other) and all(map(equal, one, other))


def equal(one: Size, other: Size) -> bool:
    """Whether two lengths are equal whatever the sizes are."""
    return one.terms == other.terms


def _is_one(size: Size) -> bool:
    return size.constant == 1


def _sides(text: str) -> tuple[str, str]:
    left, arrow, right = text.partition("->")
    if not arrow:
        raise PatternError
    return left, right


def _dots(sides: Sequence[str], given: Sequence[Shape | None]) -> int:
    """How many axes an ellipsis stands for, in all inputs alike."""
    counts = {
        len(shape) - len(_groups(side, 0))
        for side, shape in zip(sides, given, strict=False)
        if _DOTS in side and shape is not None
    }
    if len(counts) > 1 or any(count < 0 for count in counts):
        raise PatternError
    return counts.pop() if counts else 0


def _groups(side: str, dots: int) -> list[list[str]]:
    """The names of each axis of a side; an ellipsis as so many names."""
    if not _SIDE.fullmatch(side) or side.count(_DOTS) > 1:
        raise PatternError
    groups: list[list[str]] = []
    inside = False
    for word in _WORD.findall(side.replace(_DOTS, " ".join(f" dots{n}_ " for n in range(dots)))):
        if word == "(":
            groups.append([])
        elif inside and word != ")":
            groups[-1].append(word)
        elif word != ")":
            groups.append([word])
        inside = word == "(" or (inside and word != ")")
    return groups


def _bound(groups: Sequence[Sequence[str]], shape: Shape | None, known: dict[str, Size]) -> dict[str, Size]:
    """The lengths of all axes of a tensor, beside those that were known."""
    if shape is None or len(groups) != len(shape):
        raise PatternError
    for names, size in zip(groups, shape, strict=True):
        new = [name for name in names if not name.isdecimal() and name not in known]
        rest = _product([_length(name, known) for name in names if name not in new])
        if len(new) > 1 or (not new and not equal(size, rest)):
            raise PatternError
        if new:
            known[new[0]] = _quotient(size, rest)
    return known


def _made(groups: Sequence[Sequence[str]], known: Lengths) -> Shape:
    names = [name for each in groups for name in each if not name.isdecimal()]
    if len(set(names)) < len(names) or len(groups) > _MOST_AXES:
        raise PatternError
    return tuple(_product([_length(name, known) for name in names]) for names in groups)


def _length(name: str, known: Lengths) -> Size:
    if name.isdecimal():
        return number(int(name))
    if name not in known or not name.isidentifier():
        raise PatternError
    return known[name]


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


def _filled(whole: Size, parts: Sequence[Shape]) -> Iterator[Shape]:
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
