"""Test which facts are read from the text of an answer, and which texts are refused."""

import pytest
from rewrite_files import rows

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite.rewrite import as_source
from studykit.graders.rewrite import answer_text
from studykit.graders.rewrite.answer_text import AnswerText, Literal, UnreadableError
from studykit.graders.rewrite.operations import allowed_in, plain_name

HEADS = task("split_heads")


def read(body: str) -> AnswerText:
    return answer_text.read(f"def f(x, h):\n    {body}\n", HEADS)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("split_heads", "rearrange(x", "line 1: '(' was never closed"),
        ("split_heads", "b s (h d) => b h s d", "an arrow is written ->, in one piece"),
        ("split_heads", "b s (h d)", "a pattern has two sides with an arrow between"),
        ("split_heads", "b, s, (h, d) -> b, h, s, d", "axes are separated by spaces"),
        ("split_heads", "rearrange(x, b s (h d) -> b h s d, h=h)", "the pattern stands in quotes"),
        ("split_heads", "b s (h d) -> b h s d h=h", "a size stands behind a comma"),
        ("split_heads", "b * d", "a pattern has two sides with an arrow between"),
        ("prepend_token", "b * d", "a pattern is not enough here, write the whole call: pack(..., '...')"),
        ("split_heads", "import einops\nprint(1)", "the answer defines no function; write `def f(x, h):`"),
        ("split_heads", "x\x07", "line 1: '\\x07' is a control character; delete it"),
        ("split_heads", "x" * 20_001, "the answer has 20,001 characters; 20,000 are allowed"),
        ("split_heads", "def f(x, h):\n  return " + "-" * 150 + "x", "too deeply nested"),
        ("split_heads", "(" * 5000, "line 1: too many nested parentheses"),
    ],
)
def test_unreadable_answer_says_why(name: str, text: str, why: str) -> None:
    with pytest.raises(UnreadableError) as raised:
        answer_text.read(as_source(task(name), text), task(name))

    assert why in str(raised.value)


def test_unreadable_line_is_shown_with_a_caret() -> None:
    with pytest.raises(UnreadableError) as raised:
        answer_text.read(as_source(HEADS, "rearrange(x 'a -> a')"), HEADS)

    assert raised.value.shown == "  rearrange(x 'a -> a')\n              ^"


@pytest.mark.parametrize("row", rows("typed"))
def test_short_answer_becomes_a_function(row: dict[str, str]) -> None:
    assert as_source(task(row["exercise"]), row["typed"]) == row["source"]


def test_patterns_are_those_that_run() -> None:
    text = read('"""a -> b"""\n    y: "c -> d" = rearrange(x, \'a b -> b a\')\n    return f"{h} -> b"')

    assert text.patterns == ((3, "a b -> b a"),)


def test_written_sizes_are_found() -> None:
    text = read("return einops.rearrange(x, 'b s (h 3) -> b h s 3', h=8, b=1, d=h)")

    assert text.literals == (Literal(2, "h", 8), Literal(2, "", 3), Literal(2, "", 3))
    assert text.sizes == (("d", "h"),)


def test_unused_tensors_are_those_of_the_only_function() -> None:
    assert read("return h").unused == ("x",)
    assert answer_text.read("def f(x, h): return h\ndef g(x, h): return x\n", HEADS).unused == ()


def test_asserts_and_prints_are_idle() -> None:
    body = "assert x.all()\n    print(\n        x.sum())\n    log.info(x.T)\n    assert h; y = x\n    return y"

    assert read(body).idle_lines == {2, 3, 4, 5}


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("permute", "permute"),
        ("aten::sum.dim_IntList", "sum"),
        ("squeeze_", "squeeze"),
        ("linalg_norm", "norm"),
        ("__setitem__", "index"),
        ("__array__", "__array__"),
        ("softmax", "softmax"),
    ],
)
def test_operation_has_its_name_in_the_table(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("name", "operations"),
    [
        ("split_heads", set()),
        ("batch_dot", {"einsum"}),
        ("rope_halves", {"unbind"}),
        ("multi_head_attention", {"unbind", "einsum"}),
    ],
)
def test_operations_of_solutions_are_allowed(name: str, operations: set[str]) -> None:
    assert allowed_in(task(name)) == operations
