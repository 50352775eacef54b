"""What is said of an exception of an answer: where it was raised, and what to do about it."""

# ruff: noqa: E501 - messages are quoted as they come
import pytest
from rewrites import task

from studykit.graders.rewrite.diagnosis.exceptions import exception_text

PACK = "pack gives a tensor and the shapes of its parts, unpack a tensor for each shape that it is told."
LENGTHS = "einsum(): subscript {} has size 3 for operand {} which does not broadcast with previously seen size 5"
EINOPS = ' Error while processing rearrange-reduction pattern "{}".\n Input tensor shape: (2, 3, 10).\n {}'


def told(name: str, kind: str, message: str, line: int = 2, *patterns: tuple[int, str]) -> list[str]:
    """The lines of what is said."""
    return exception_text(task(name), kind, message, line, patterns).splitlines()


def advice(name: str, kind: str, message: str, *patterns: tuple[int, str]) -> str:
    """What stands below the exception itself."""
    first, *rest = told(name, kind, message, 2, *patterns)
    assert first == f"{kind} on line 2: {message}"
    return "\n".join(rest)


def drawn(name: str, complaint: str, pattern: str) -> list[str]:
    """What stands below a complaint of einops: the pattern, the carets, the advice."""
    first, *rest = told(name, "EinopsError", EINOPS.format(pattern, complaint))
    assert first == f"einops on line 2: {complaint}"
    return rest


@pytest.mark.parametrize(
    ("message", "line", "lines"),
    [
        ("odd\nmore", 0, ["ValueError: odd"]),
        ("odd", 3, ["ValueError on line 3: odd"]),
        ("", 3, ["ValueError on line 3: no message"]),
    ],
)
def test_an_exception_is_told_by_its_first_line(message: str, line: int, lines: list[str]) -> None:
    assert told("split_heads", "ValueError", message, line) == lines


@pytest.mark.parametrize(
    ("exercise", "name", "expected"),
    [
        ("split_heads", "w", "w is an axis; its size is `x.shape[2]`."),
        ("split_heads", "b", "b is an axis; its size is `x.shape[0]`."),
        ("masked_attention", "j", "j is an axis; its size is `k.shape[2]`."),
        ("split_heads", "mean", "The operation of reduce stands in quotes: 'mean'."),
        ("split_heads", "rearange", "Did you mean rearrange?"),
        ("split_heads", "repeet", "Did you mean repeat?"),
        ("rms_norm", "sqr", "Did you mean sqrt?"),
        ("split_heads", "sqr", "Define it first: the function is given x and h."),
        ("attention", "z", "Define it first: the function is given q, k and v."),
    ],
)
def test_an_unknown_name_is_explained(exercise: str, name: str, expected: str) -> None:
    message = f"name '{name}' is not defined"

    assert advice(exercise, "NameError", message) == expected
    assert advice(exercise, "TypeError", message) == ""


@pytest.mark.parametrize(
    ("exercise", "name", "expected"),
    [
        ("split_heads", "rearrange", "rearrange is not a method of a tensor: write rearrange(x, ...)."),
        ("rms_norm", "sqrt", "sqrt is not a method of a tensor: write sqrt(x, ...)."),
        ("split_heads", "sqrt", ""),
        ("split_heads", "shap", "Did you mean shape?"),
        ("split_heads", "shp", "Did you mean shape?"),
        ("split_heads", "foo", ""),
    ],
)
def test_an_unknown_attribute_is_explained(exercise: str, name: str, expected: str) -> None:
    assert advice(exercise, "AttributeError", f"'Tensor' object has no attribute '{name}'") == expected


def test_pack_takes_one_list() -> None:
    message = "pack() takes 2 positional arguments but 3 were given"

    assert advice("split_heads", "TypeError", message) == (
        "pack takes its tensors as one list: pack([x, y], '...')."
    )


@pytest.mark.parametrize(
    ("exercise", "letter", "operand", "pattern", "expected"),
    [
        ("attention", "b", 1, "b s, s d -> b d", "The axis s is 3 long in the second input and 5 before it."),
        (
            "attention_scores",
            "b",
            1,
            "b s, s d -> b d",
            "The axis s is 3 long in the second input and 5 before it. y has the axes b h k d, in that order.",
        ),
        (
            "attention_scores",
            "a",
            0,
            "b s, s d -> b d",
            "The axis b is 3 long in the first input and 5 before it. x has the axes b h q d, in that order.",
        ),
        ("bilinear", "c", 2, "b i, o i j, b o -> b", "The axis o is 3 long in the third input and 5 before it. y has the axes b j, in that order."),
        ("attention_scores", "b", 3, "a, b, c, d, e b -> a", "The axis b is 3 long in the fourth input and 5 before it."),
        ("attention_scores", "b", 4, "a, b, c, d, e b -> a", "The axis b is 3 long in the last input and 5 before it."),
        ("attention_scores", "a", 0, "B s, s d -> B d", "The axis B is 3 long in the first input and 5 before it. x has the axes b h q d, in that order."),
        ("attention_scores", "b", 2, "a, b, c, d -> a", "The axis b is 3 long in the third input and 5 before it."),
        ("attention_scores", "d", 1, "b s, s d -> b e", ""),
        ("attention_scores", "z", 1, "b s, s d -> b d", ""),
        ("attention_scores", "d", 1, "b s, s d -> b d", ""),
        ("attention_scores", "b", 2, "b s, s d -> b d", ""),
        ("attention_scores", "A", 1, "b s, s d -> b d", ""),
    ],
)  # fmt: skip
def test_an_axis_of_two_lengths_is_told_by_the_name_that_the_answer_gave_it(
    exercise: str, letter: str, operand: int, pattern: str, expected: str
) -> None:
    message = LENGTHS.format(letter, operand)

    assert advice(exercise, "RuntimeError", message, (1, "a -> a"), (2, pattern)) == expected
    assert advice(exercise, "RuntimeError", message, (1, pattern)) == ""


@pytest.mark.parametrize(
    ("exercise", "complaint", "pattern", "expected"),
    [
        (
            "split_heads",
            "Identifiers only on one side of expression (should be on both): {'d', 'e'}",
            "b s (h d) -> b h s e",
            [
                "  b s (h d) -> b h s e",
                "         ^           ^",
                "Each name stands on both sides; only reduce drops names, and only repeat adds them.",
            ],
        ),
        (
            "split_heads",
            "Identifiers only on one side of expression (should be on both): {'bs'}",
            "bs (h d) -> b h s d",
            ["  bs (h d) -> b h s d", "  ^^", "Names are separated by spaces: b s, or (b s) to merge them."],
        ),
        (
            "split_heads",
            "Identifiers only on one side of expression (should be on both): {'bx'}",
            "bx (h d) -> b h s d",
            [
                "  bx (h d) -> b h s d",
                "  ^^",
                "Each name stands on both sides; only reduce drops names, and only repeat adds them.",
            ],
        ),
        (
            "split_heads",
            "Identifiers only on one side of expression (should be on both): {'x'}",
            "x (h d) -> b h s d",
            ["  x (h d) -> b h s d", "  ^", "x is the tensor; a pattern names its axes, here b s w."],
        ),
        (
            "attention_scores",
            "Identifiers only on one side of einsum (should be on both): {'bh'}",
            "bh q d -> b h q",
            ["  bh q d -> b h q", "  ^^", "Names are separated by spaces: b h."],
        ),
        (
            "split_heads",
            "Identifiers only on one side of expression (should be on both): {'hd'}",
            "b s hd -> b h s d",
            ["  b s hd -> b h s d", "      ^^", "Names are separated by spaces: h d, or (h d) to merge them."],
        ),
        (
            "attention",
            "Identifiers only on one side of expression (should be on both): {'bh'}",
            "bh i d -> b h i d",
            ["  bh i d -> b h i d", "  ^^", "Names are separated by spaces: b h, or (b h) to merge them."],
        ),
        (
            "split_heads",
            "Wrong shape: expected 2 dims. Received 3-dim tensor.",
            "b s",
            ["  b s", "  ^^^", "The left side names 2 axes, the tensor has 3: b s w."],
        ),
        (
            "batch_dot",
            "Identifiers only on one side of expression (should be on both): {'bd'}",
            "bd -> b",
            ["  bd -> b", "  ^^", "Names are separated by spaces: b d, or (b d) to merge them."],
        ),
        (
            "split_heads",
            'Imbalanced parentheses in expression: "(h"',
            "(h -> b (h",
            ["  (h -> b (h", "  ^^", "Each ( needs its ), as in (h d)."],
        ),
        (
            "split_heads",
            "Wrong shape: expected 4 dims. Received 3-dim tensor.",
            "b s h d -> b h s d",
            [
                "  b s h d -> b h s d",
                "  ^^^^^^^",
                "The left side names 4 axes, the tensor has 3: b s w. An axis that is cut in parts stands in parentheses, as in (h d).",
            ],
        ),
        (
            "split_heads",
            "Wrong shape: expected 1 dims. Received 3-dim tensor.",
            "b -> b",
            ["  b -> b", "  ^", "The left side names 1 axis, the tensor has 3: b s w."],
        ),
        (
            "attention_scores",
            "Wrong shape: expected 2 dims. Received 3-dim tensor.",
            "b c -> b",
            ["  b c -> b", "  ^^^", "The left side names 2 axes, the tensor has 3."],
        ),
        (
            "rms_norm",
            "Wrong shape: expected 2 dims. Received 3-dim tensor.",
            "b c -> b",
            ["  b c -> b", "  ^^^", "The left side names 2 axes, the tensor has 3."],
        ),
        (
            "split_heads",
            "Shape mismatch, can't divide axis of length 15 in chunks of 8",
            "b s (h d) -> b (h s) d",
            [
                "  b s (h d) -> b (h s) d",
                "      ^^^^^",
                "A composite's parts multiply to its length: is a size fixed, or on the wrong axis?",
            ],
        ),
        (
            "split_heads",
            "Shape mismatch, 3 != 4",
            "b s d -> b s d",
            [
                "  b s d -> b s d",
                "  ^^^^^",
                "An axis is longer or shorter than its size: is it a composite, as in (h d)?",
            ],
        ),
        (
            "split_heads",
            'Imbalanced parentheses in expression: "(h d "',
            "b s (h d -> b h s d",
            ["  b s (h d -> b h s d", "      ^^^^", "Each ( needs its ), as in (h d)."],
        ),
        (
            "split_heads",
            'Imbalanced parentheses in expression: "zz"',
            "b s (h d -> b h s d",
            ["  b s (h d -> b h s d", "Each ( needs its ), as in (h d)."],
        ),
        (
            "split_heads",
            "Unknown axis s, and axis d",
            "b s (h d) -> b h s d",
            ["  b s (h d) -> b h s d", "    ^    ^         ^ ^"],
        ),
        ("split_heads", "Axis h is odd", "b (h) -> b", ["  b (h) -> b", "     ^"]),
    ],
)
def test_a_complaint_of_einops_is_drawn_under_its_pattern(
    exercise: str, complaint: str, pattern: str, expected: list[str]
) -> None:
    assert drawn(exercise, complaint, pattern) == expected


@pytest.mark.parametrize(
    ("message", "line", "patterns", "lines"),
    [
        ("bad", 3, ((2, "a b"), (3, "c d")), ["einops on line 3: bad", "  c d"]),
        ("bad", 4, ((2, "a b"), (3, "c d")), ["einops on line 4: bad"]),
        ("bad", 4, ((2, "a b"),), ["einops on line 4: bad", "  a b"]),
        (
            'No *-axis in unpack(..., "a b")',
            4,
            ((2, "a b -> b a"),),
            [
                'einops on line 4: No *-axis in unpack(..., "a b")',
                "  a b",
                "Put a * where the tensors differ: it stands for the axes that are packed, none or several.",
            ],
        ),
        ("bad", 2, (), ["einops on line 2: bad"]),
        ("", 0, (), ["einops: the pattern does not fit"]),
        (" \n ", 2, (), ["einops on line 2: the pattern does not fit"]),
        ("first\n last ", 2, (), ["einops on line 2: last"]),
        (
            "first\n Unknown character '\n'",
            2,
            (),
            [
                "einops on line 2: Unknown character '\\n'",
                "A pattern has names, spaces and parentheses only, as in (h d).",
            ],
        ),
        (
            "first\n Unknown character '\xa0'",
            2,
            (),
            [
                "einops on line 2: Unknown character '\\xa0'",
                "A pattern has names, spaces and parentheses only, as in (h d).",
            ],
        ),
        (
            "could not split axis of size 3 into requested [[1], [-1, -1]]",
            2,
            (),
            [
                "einops on line 2: could not split axis of size 3 into requested [[1], [-1, -1]]",
                "One length of one part may be -1, which is what the others leave.",
            ],
        ),
    ],
)
def test_a_complaint_without_its_pattern_gets_that_of_its_line(
    message: str, line: int, patterns: tuple[tuple[int, str], ...], lines: list[str]
) -> None:
    assert told("split_heads", "EinopsError", message, line, *patterns) == lines


@pytest.mark.parametrize(
    ("message", "pattern", "expected"),
    [
        (
            "too many values to unpack (expected 2)",
            "b s d -> (b s d) -> n",
            "A pattern has one arrow: '... -> ...'.",
        ),
        ("not enough values to unpack (expected 3, got 2)", "b * d", PACK),
        ("tuple index out of range", "b * d", PACK),
        ("list index out of range", "* d", PACK),
        (
            "tuple index out of range",
            "b s -> s b",
            "Axes are counted from 0, or from the end: the last is `.shape[-1]`.",
        ),
    ],
)
def test_what_einops_gives_is_told_where_its_parts_are_counted_wrongly(
    message: str, pattern: str, expected: str
) -> None:
    assert advice("image_tokens", "IndexError", message, (2, pattern)) == expected


@pytest.mark.parametrize(
    "message",
    [
        "einsum(): subscript b is repeated for operand 0 but the sizes don't match, 5 != 1",
        "dimensions in operand 0 for collapsing index 'b' don't match (5 != 1)",
    ],
)
def test_an_axis_that_stands_twice_is_told_by_its_own_name(message: str) -> None:
    said = advice("trace", "RuntimeError", message, (2, "b i i i -> b"))

    assert said.startswith("The axis i stands twice in the first input, 5 and 1 long. x has the axes ")


def test_of_two_patterns_on_a_line_nobody_knows_which_one_is_meant() -> None:
    inner, outer = (2, "b h i d, b h d j -> b h i j"), (2, "b h i j, b h j e -> b h i e")

    assert advice("attention", "RuntimeError", LENGTHS.format("d", 1), outer, inner) == ""


def test_an_underscore_is_an_axis_of_einsum() -> None:
    said = advice("weighted_sum", "RuntimeError", LENGTHS.format("b", 1), (2, "_ s, s s d -> _ d"))

    assert said.startswith("The axis s is 3 long in the second input and 5 before it.")
