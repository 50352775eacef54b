"""The shapes of what calls give, known from patterns alone."""

import pytest

from studykit.graders.rewrite import products, shapes
from studykit.graders.rewrite.products import Size, axis, number
from studykit.graders.rewrite.shapes import Shape

B, S, H, D = (axis(name) for name in "bshd")
LENGTHS = {"b": B, "s": S, "h": H, "d": D, "1": number(1), "2": number(2), "3": number(3), "-1": number(-1)}


def size(text: str) -> Size:
    """The size of `b*s`, `h+d` or `3`."""
    total = number(0)
    for part in text.split("+"):
        made = number(1)
        for name in part.split("*"):
            made = products.times(made, LENGTHS[name])
        total = products.plus(total, made)
    return total


def shape(text: str) -> Shape:
    return tuple(size(one) for one in text.split())


def is_shape(found: Shape | None, text: str | None) -> bool:
    return found is None if found is None or text is None else shapes.alike(found, shape(text))


@pytest.mark.parametrize(
    ("pattern", "given", "lengths", "made"),
    [
        ("b s (h d) -> b h s d", "b s h*d", "h", "b h s d"),
        ("b s (h d) -> b h s d", "b s h*d", "d", "b h s d"),
        ("b s w -> (b s w)", "b s h*d", "", "b*s*h*d"),
        ("b s d -> b s 1", "b s d", "", "b s 1"),
        ("b s d -> b () s d", "b s d", "", "b 1 s d"),
        ("b s -> b s d", "b s", "d", "b s d"),
        ("b s -> ", "b s", "", ""),
        ("... d -> d ...", "b s d", "", "d b s"),
        ("b ... -> b (...)", "b s d", "", "b s*d"),
        ("... -> (...) 1", "b s d", "", "b*s*d 1"),
        ("b 1 d -> b d", "b 1 d", "", "b d"),
        ("b (2 d) -> 2 b d", "b 2*d", "", "2 b d"),
        ("n -> n n1", "h+d", "", None),
        ("b ² -> ² b", "b s", "", None),
        ("b s -> … b s", "b s", "", None),
        ("b s -> b s .", "b s", "", None),
        ("b, s -> b s", "b s", "", None),
        ("... -> ... ...", "b s", "", None),
        ("b s -> b s b", "b s", "", None),
        (f"b -> b {'1 ' * 63}", "b", "", f"b {'1 ' * 63}"),
        (f"b -> b {'1 ' * 64}", "b", "", None),
        ("b s -> b s ²", "b s", "", None),
        ("b ٣ -> b 3", "b 3", "", "b 3"),
        ("n -> n", "h+d", "", "h+d"),
        ("(n k) -> n k", "3*b", "n=b", "b 3"),
        ("b s (h d) -> b h s d", "b s h*d", "", None),
        ("b s (h d) -> b h s d", "b s h*d", "h=2", None),
        ("b s (h d) -> b h s d", "b s d", "h", None),
        ("b s -> s b", "b s d", "", None),
        ("b b -> b", "s d", "", None),
        ("b 1 d -> b d", "b s d", "", None),
        ("(n k) -> n k", "h+d", "k=2", None),
        ("b s d", "b s d", "", None),
        ("b ... s d -> b", "b s", "", None),
    ],
)
def test_a_pattern_gives_a_shape_for_all_sizes_or_none(
    pattern: str, given: str, lengths: str, made: str | None
) -> None:
    pairs = [each.partition("=") for each in lengths.split()]
    known = {name: size(value or name) for name, _, value in pairs}

    assert is_shape(shapes.moved(pattern, shape(given), known), made)


def test_what_is_made_of_no_shape_has_none() -> None:
    assert shapes.moved("a -> a", None, {}) is None
    assert shapes.multiplied("a -> a", [None]) is None
    assert shapes.packed("* a", [None, shape("b")]) is None
    assert shapes.unpacked("* a", None, [shape("b")]) is None


@pytest.mark.parametrize(
    ("pattern", "given", "made"),
    [
        ("b s d, h d -> b s h", ("b s d", "h d"), "b s h"),
        ("b i i -> b", ("b s s",), "b"),
        ("... i d, ... j d -> ... i j", ("b h s d", "b h 3 d"), "b h s 3"),
        ("a b, b -> a", ("b s", "d"), None),
        ("a b, b -> a", ("b s",), None),
        ("... a, ... a -> ...", ("b s d", "s d"), None),
        ("a, a -> b", ("d", "d"), None),
        ("... a -> a", ("s d",), None),
    ],
)
def test_an_einsum_gives_a_shape_where_equal_names_are_equal_lengths(
    pattern: str, given: tuple[str, ...], made: str | None
) -> None:
    assert is_shape(shapes.multiplied(pattern, [shape(one) for one in given]), made)


@pytest.mark.parametrize(
    ("pattern", "given", "whole", "parts"),
    [
        ("b * d", ("b d", "b s h d"), "b 1+s*h d", ["", "s h"]),
        ("*", ("b s",), "b*s", ["b s"]),
        ("b *", ("b d", "s d"), None, []),
        ("b * d", ("b", "b s d"), None, []),
        ("b d", ("b d",), None, []),
        ("*", (), None, []),
    ],
)
def test_what_is_packed_is_as_long_as_its_parts(
    pattern: str, given: tuple[str, ...], whole: str | None, parts: list[str]
) -> None:
    made = shapes.packed(pattern, [shape(one) for one in given])

    assert is_shape(made and made[0], whole)
    assert made is None or all(map(is_shape, made[1], parts))


@pytest.mark.parametrize(
    ("given", "parts", "made"),
    [
        ("b s+h d", ("s", "h"), ["b s d", "b h d"]),
        ("b s+h d", ("s", "-1"), ["b s d", "b h d"]),
        ("b s+h*d d", ("s", "h -1"), ["b s d", "b h d d"]),
        ("b s+1 d", ("", "s"), ["b d", "b s d"]),
        ("b s+h d", ("s", "s"), None),
        ("b s+h d", ("-1", "-1"), None),
        ("b s+h d", ("s", "-1 -1"), None),
        ("b s+h d", ("d", "-1"), None),
        ("b s d", ("s", "-1"), None),
        ("b s d", ("s", "h", "-1"), None),
        ("b s+h*d d", ("s", "b -1"), None),
        ("b s", ("s",), None),
    ],
)
def test_what_is_left_over_is_a_length_where_it_is_a_product(
    given: str, parts: tuple[str, ...], made: list[str] | None
) -> None:
    found = shapes.unpacked("b * d", shape(given), [shape(one) for one in parts])

    assert (found is None) == (made is None)
    assert all(map(is_shape, found or [], made or []))


@pytest.mark.parametrize(
    ("one", "other", "made"),
    [
        ("b s d", "b s d", "b s d"),
        ("b s d", "b s 1", "b s d"),
        ("1 d", "b s 1", "b s d"),
        ("d", "", "d"),
        ("b s", "s b", None),
        ("b s", "b", None),
    ],
)
def test_two_tensors_meet_where_axes_are_equal_or_one(one: str, other: str, made: str | None) -> None:
    assert is_shape(shapes.broadcast(shape(one), shape(other)), made)


def test_shapes_are_alike_length_by_length() -> None:
    assert shapes.alike(shape("b s"), shape("b s"))
    assert not shapes.alike(shape("b s"), shape("b"))
    assert not shapes.alike(shape("b s"), None)
