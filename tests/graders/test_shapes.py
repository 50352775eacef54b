"""The shapes of what calls give, known from patterns alone."""

from collections.abc import Callable

import pytest

from studykit.graders.rewrite import shapes
from studykit.graders.rewrite.products import Size, axis, number
from studykit.graders.rewrite.shapes import Axis, MixedError, PatternError, Shape

B, S, H, D = (axis(name) for name in "bshd")
LENGTHS = {
    "b": B,
    "s": S,
    "h": H,
    "d": D,
    "1": number(1),
    "2": number(2),
    "3": number(3),
    "4": number(4),
    "-1": number(-1),
}


def merged(text: str) -> Axis:
    """The axis of `b*s`, merged of these, of `h+d`, one behind the other, or of `3`."""
    pieces = [Axis.of(*(LENGTHS[name] for name in part.split("*"))) for part in text.split("+")]
    return shapes.together(pieces)


def size(text: str) -> Size:
    return merged(text).length


def shape(text: str) -> Shape:
    return tuple(merged(one) for one in text.split())


def lengths_of(text: str) -> list[Size]:
    return [LENGTHS[one] if one in LENGTHS else size(one) for one in text.split()]


def shown(make: Callable[[], Shape]) -> Shape | None:
    """What is made; None for a pattern that does not fit."""
    try:
        return make()
    except MixedError:
        raise
    except PatternError:
        return None


def are_alike(one: Shape, other: Shape) -> bool:
    return shapes.common_shape(one, other) is not None


def is_shape(found: Shape | None, text: str | None) -> bool:
    return (found is None) == (text is None) and (found is None or are_alike(found, shape(text or "")))


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
        ("b … -> … b", "b s d", "", None),
        (f"{'a_long_name ' * 20}- -> b", "b", "", None),
        ("b (c h d) -> b c h d", "b s*h*d+b*h*d", "h d", "b s+b h d"),
        ("b s -> b s .", "b s", "", None),
        ("b, s -> b s", "b s", "", None),
        ("... -> ... ...", "b s", "", None),
        ("b s -> b s b", "b s", "", None),
        (f"b -> b {'1 ' * 63}", "b", "", f"b {'1 ' * 63}"),
        (f"b -> b {'1 ' * 64}", "b", "", None),
        ("b s -> b s ²", "b s", "", None),
        ("b ٣ -> b 3", "b 3", "", "b 3"),
        ("n -> n", "h+d", "", "h+d"),
        ("(n k) -> n k", "b*3", "n=b", "b 3"),
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

    assert is_shape(shown(lambda: shapes.moved(pattern, shape(given), known)), made)


@pytest.mark.parametrize(
    ("pattern", "given"),
    [
        ("(d b) -> b d", "b*d"),
        ("(s b d) -> b s d", "b*s*d"),
        ("(b d s) -> b d s", "b*s*d"),
        ("(d b 2) -> b d", "2*b*d"),
        ("(b n) -> b n", "s+h*b"),
        ("a a -> a", "b*d d*b"),
    ],
)
def test_a_merged_axis_is_taken_apart_in_its_order(pattern: str, given: str) -> None:
    known = {name: LENGTHS[name] for name in "bds" if name in pattern}

    with pytest.raises(PatternError if "+" in given else MixedError):
        shapes.moved(pattern, shape(given), known)


@pytest.mark.parametrize(
    ("pattern", "given", "made"),
    [
        ("(b s d) -> s b d", "b*s*d", "s b d"),
        ("(n d) -> n d", "b*s*d", "b*s d"),
        ("(b n) -> n b", "b*s*d", "s*d b"),
        ("(2 n) -> n", "2*b*d", "b*d"),
        ("(2 n) -> n 2", "2*2*d", "2*d 2"),
        ("(n d) -> n d", "2*2*d", "2*2 d"),
    ],
)
def test_parts_of_a_merged_axis_stay_together_or_come_apart(pattern: str, given: str, made: str) -> None:
    known = {name: LENGTHS[name] for name in "bds" if name in pattern}

    assert is_shape(shapes.moved(pattern, shape(given), known), made)


@pytest.mark.parametrize(
    ("pattern", "given", "made"),
    [
        ("b s d, h d -> b s h", ("b s d", "h d"), "b s h"),
        ("b i i -> b", ("b s s",), "b"),
        ("... i d, ... j d -> ... i j", ("b h s d", "b h 3 d"), "b h s 3"),
        ("a b, b -> a", ("b s", "d"), None),
        ("a b, b -> a", ("b s",), None),
        ("... a, ... a -> ...", ("b s d", "s d"), "b s"),
        ("..., ... -> ...", ("d", "b s d"), "b s d"),
        ("... a, ... a -> ...", ("b s d", "b d"), None),
        ("b s d, b s d -> b s d", ("b 1 d", "b s d"), "b s d"),
        ("b s d, b s d -> b s d", ("b 1 d", "b 1 1"), "b 1 d"),
        ("a, a -> b", ("d", "d"), None),
        ("... a -> a", ("s d",), None),
    ],
)
def test_an_einsum_gives_a_shape_where_equal_names_are_equal_lengths(
    pattern: str, given: tuple[str, ...], made: str | None
) -> None:
    assert is_shape(shown(lambda: shapes.multiplied(pattern, [shape(one) for one in given])), made)


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
    if whole is None:
        with pytest.raises(PatternError):
            shapes.packed(pattern, [shape(one) for one in given])
    else:
        found, each = shapes.packed(pattern, [shape(one) for one in given])
        assert is_shape(found, whole)
        assert all(map(is_shape, each, parts))


@pytest.mark.parametrize(
    ("given", "parts", "made"),
    [
        ("b s+h d", ("s", "h"), ["b s d", "b h d"]),
        ("b s+h d", ("s", "-1"), ["b s d", "b h d"]),
        ("b s+h*d d", ("s", "h -1"), ["b s d", "b h d d"]),
        ("b 1+s d", ("", "s"), ["b d", "b s d"]),
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
    if made is None:
        with pytest.raises(PatternError):
            shapes.unpacked("b * d", shape(given), [lengths_of(one) for one in parts])
    else:
        found = shapes.unpacked("b * d", shape(given), [lengths_of(one) for one in parts])
        assert len(found) == len(made)
        assert all(map(is_shape, found, made))


@pytest.mark.parametrize(
    ("given", "parts"),
    [("s+h", "h s"), ("s+h*d", "s+h h*d"), ("2*d", "1 d+d"), ("d*2", "d d"), ("b+s+h", "b+h s")],
)
def test_what_was_packed_is_unpacked_in_its_order(given: str, parts: str) -> None:
    with pytest.raises(PatternError):
        shapes.unpacked("*", shape(given), [[size(one)] for one in parts.split()])


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("2*d", "d d"),
        ("3*d", "2*d d"),
        ("b+s+h", "b+s h"),
        ("b+s+h", "b s+h"),
        ("1+1+d", "2 d"),
        ("2*b*d", "b*d b*d"),
    ],
)
def test_pieces_are_unpacked_one_by_one_or_some_together(given: str, parts: str) -> None:
    found = shapes.unpacked("*", shape(given), [[size(one)] for one in parts.split()])

    assert all(is_shape(one, text) for one, text in zip(found, parts.split(), strict=True))


def test_a_part_of_several_axes_is_taken_apart_in_its_order() -> None:
    assert is_shape(shapes.unpacked("*", shape("s+h*d"), [[S], [H, D]])[1], "h d")
    with pytest.raises(MixedError):
        shapes.unpacked("*", shape("s+h*d"), [[S], [D, H]])


def test_rows_are_merged_with_their_columns_and_taken_apart_again() -> None:
    rows = shapes.moved("b n d -> b (n d)", shape("b s+h d"), {})
    columns = shapes.moved("b n d -> b (d n)", shape("b s+h d"), {})

    assert are_alike(rows, shape("b s*d+h*d"))
    assert list(map(is_shape, shapes.unpacked("b *", rows, [[S, D], [H, D]]), ("b s d", "b h d"))) == [True, True]
    with pytest.raises(MixedError):
        shapes.unpacked("b *", columns, [[D, S], [D, H]])
    with pytest.raises(MixedError):
        shapes.moved("b (d n) -> b d n", rows, {"d": D})


def test_rows_of_rows_end_with_what_all_of_them_end_with() -> None:
    inner = shapes.moved("n h -> (n h)", shape("s+b h"), {})
    whole = shapes.moved("n d -> (n d)", (shapes.together([*inner, merged("h")]), *shape("d")), {})

    assert are_alike(whole, shape("s*h*d+b*h*d+h*d"))
    assert are_alike(shapes.moved("(n h d) -> n h d", whole, {"h": H, "d": D}), shape("s+b+1 h d"))


def test_no_axis_has_more_than_64_pieces_at_whatever_depth() -> None:
    many = merged("b+s" + "+b+s" * 31)
    with pytest.raises(PatternError):
        shapes.together([many, merged("b")])
    deep = merged("b+s")
    for _ in range(4):  # the length stays a multiple of one sum
        deep = shapes.together([Axis((number(2), *deep.parts)), Axis((*deep.parts, number(2)))])
    with pytest.raises(PatternError):
        shapes.together([Axis((number(2), *deep.parts)), Axis((*deep.parts, number(2)))])


def test_what_has_no_length_is_no_piece() -> None:
    nothing = Axis((number(0),))

    assert shapes.together([nothing, merged("b"), nothing]) == merged("b")
    assert shapes.together([nothing] * 100) == nothing


def test_the_length_of_one_piece_is_bounded_as_that_of_several() -> None:
    wide = merged("b+s+h+d+3")
    with pytest.raises(PatternError):
        shapes.packed("*", [(merged("b"), wide, wide, wide)])


def test_a_part_of_no_length_is_empty() -> None:
    assert [one.length.constant for (one,) in shapes.unpacked("*", shape("2"), [[number(2)], [number(0)]])] == [
        2,
        0,
    ]


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
    assert is_shape(shown(lambda: shapes.broadcast(shape(one), shape(other))), made)


def test_what_copies_meet_gives_them_its_order() -> None:
    copies, merged_axis = Axis((size("b*s"),)), merged("b*s")
    other = merged("s*b")
    assert are_alike((copies,), (merged_axis,))
    assert are_alike((copies,), (other,))
    for made in (
        shapes.broadcast((copies,), (merged_axis,)),
        shapes.multiplied("n, n -> n", [(copies,), (merged_axis,)]),
        shapes.packed("n *", [(copies, *shape("d")), (merged_axis, *shape("h"))])[0][:1],
    ):
        assert not are_alike(made, (other,))
        with pytest.raises(MixedError):
            shapes.moved("(s b) -> s b", made, {"s": S})


def test_axes_that_were_merged_in_other_orders_do_not_meet() -> None:
    with pytest.raises(MixedError):
        shapes.broadcast(shape("b*d"), shape("d*b"))
    with pytest.raises(MixedError):
        shapes.multiplied("n, n -> n", [shape("b*d"), shape("d*b")])
    with pytest.raises(MixedError):
        shapes.packed("n *", [shape("b*d s"), shape("d*b s")])


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("b s", "b s", True),
        ("b s", "b", False),
        ("b*s", "b*s", True),
        ("b*s", "s*b", False),
        ("2*2*d", "4*d", True),
        ("4*d", "2*2*d", True),
        ("b*2", "2*b", False),
        ("b+s", "b+s", True),
        ("b+s", "s+b", False),
        ("d+d", "2*d", True),
        ("b+s", "b", False),
        ("b*d", "b", False),
        ("2*d+d", "3*d", True),
        ("s*h*d+d", "s*h*d+1*d", True),
        ("s*d+h*d", "d*s+d*h", False),
        ("b+2", "b+1+1", False),
    ],
)
def test_shapes_are_alike_part_by_part(one: str, other: str, *, are: bool) -> None:
    assert are_alike(shape(one), shape(other)) is are
