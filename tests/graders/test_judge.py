"""The judge without a sandbox: what a wrong result is told, and what an answer may be made of."""

# ruff: noqa: E501 - answers and messages are quoted as they come
import random

import pytest
from rewrites import task

from studykit.exercise.rewrite import pattern, trial
from studykit.exercise.rewrite.rewrite import as_source
from studykit.exercise.rewrite.trial import ForgedError, Items, Other, Plain, Tensor, Trial, decode, tensor
from studykit.exercise.verdict import Correct, Crashed, Incorrect, Malformed, Refused, TimedOut
from studykit.graders.rewrite import answer_text
from studykit.graders.rewrite.judge import Judgment, Outcome, Raised, Returned, judge

EMPTY = answer_text.AnswerText()


def applied(text: str, one: Trial) -> Tensor:
    """What a rearrange by this pattern returns for the first input."""
    read = pattern.parse(text)
    starts, _ = pattern.sources(read.inputs[0], read.output, one.sizes)
    given = one.tensors[0]
    return tensor(given.dtype, pattern.shape(read.output, one.sizes), [given.numbers[i] for i in starts])


def returned(one: Trial, text: str) -> Returned:
    return Returned(applied(text, one), one.tensors)


def told(name: str, mine: str, *, seed: int = 1) -> Judgment:
    exercise = task(name)
    trials = trial.draw(exercise, random.Random(seed), 2)
    wanted = [returned(one, exercise.canonical) for one in trials]
    got: list[Outcome] = [returned(one, mine) for one in trials]
    return judge(exercise, EMPTY, trials, wanted, got)


def raised(error: Raised, source: str = "") -> Judgment:
    exercise = task("split_heads")
    trials = trial.draw(exercise, random.Random(1), 2)
    wanted = [returned(one, exercise.canonical) for one in trials]
    read = answer_text.read(source, exercise) if source else EMPTY
    return judge(exercise, read, trials, wanted, [error])


def test_equal_bytes_are_correct() -> None:
    judgment = told("split_heads", "b s (h d) -> b h s d")

    assert judgment.verdict == Correct()
    assert judgment.diagnosis == ""


def test_swapped_axes_are_named_from_the_shape() -> None:
    judgment = told("split_heads", "b s (h d) -> b s h d")

    assert judgment.verdict == Incorrect(why="The axes h and s are swapped.")


def test_a_composite_in_the_wrong_order_is_named() -> None:
    judgment = told("split_heads", "b s (d h) -> b h s d")

    assert "yours acts as (d h), not (h d)" in judgment.diagnosis
    assert "First wrong element [0, 0, 0, 1]: got input element 11, expected 1." in judgment.diagnosis


def test_a_wrong_order_on_the_right_of_the_arrow_is_named_too() -> None:
    assert "yours acts as (d h), not (h d)" in told("merge_heads", "b h s d -> b s (d h)").diagnosis


def test_a_reshape_that_moves_nothing_is_recognised() -> None:
    exercise = task("merge_heads")
    trials = trial.draw(exercise, random.Random(1), 2)
    wanted = [returned(one, exercise.canonical) for one in trials]
    got = []
    for one, want in zip(trials, wanted, strict=True):
        assert isinstance(want.value, Tensor)
        got.append(Returned(Tensor(want.value.dtype, want.value.shape, one.tensors[0].data), one.tensors))

    judgment = judge(exercise, EMPTY, trials, wanted, got)

    assert judgment.verdict == Incorrect(
        why="The elements still lie in the input's order: it was reshaped, and no axis has moved."
    )


def test_another_grouping_is_told_apart_from_swapped_axes() -> None:
    judgment = told("merge_heads", "b h s d -> b h (s d)")

    assert (
        "The axes are grouped differently: s and d are merged, and stay apart in what is wanted; h and d"
        in judgment.diagnosis
    )


def test_an_input_that_was_changed_is_named() -> None:
    exercise = task("channels_last")
    trials = trial.draw(exercise, random.Random(1), 2)
    wanted = [returned(one, exercise.canonical) for one in trials]
    zeroed = [Tensor(t.dtype, t.shape, bytes(len(t.data))) for t in trials[0].tensors]
    got = [Returned(wanted[0].value, tuple(zeroed))]

    judgment = judge(exercise, EMPTY, trials, wanted, got)

    assert judgment.diagnosis.endswith("The answer changed its input x; make a new tensor instead.")
    assert [check.name for check in judgment.checks if not check.passed] == ["inputs"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            Plain(None),
            "The result is nothing, wanted a tensor of shape (3, 11, 7, 2).\nReturn the result: the last line of the function begins with `return`.",
        ),
        (Other("Size"), "The result is a Size"),
        (Items("list", ()), "The result is a list of 0"),
        (Plain(3), "The result is 3"),
    ],
)
def test_a_result_that_is_no_tensor_is_called_what_it_is(value: Plain | Other | Items, message: str) -> None:
    exercise = task("channels_last")
    trials = trial.draw(exercise, random.Random(1), 2)
    wanted = [returned(one, exercise.canonical) for one in trials]

    judgment = judge(exercise, EMPTY, trials, wanted, [Returned(value)])

    assert message in judgment.diagnosis


def test_another_dtype_is_named() -> None:
    exercise = task("channels_last")
    trials = trial.draw(exercise, random.Random(1), 2)
    wanted = [returned(one, exercise.canonical) for one in trials]
    want = wanted[0].value
    assert isinstance(want, Tensor)
    double = tensor("float64", want.shape, want.numbers)

    judgment = judge(exercise, EMPTY, trials, wanted, [Returned(double, trials[0].tensors)])

    assert "The result is float64, wanted float32" in judgment.diagnosis


def test_sum_for_mean_is_named() -> None:
    exercise = task("mean_pool")
    one = Trial({"b": 1, "s": 2, "d": 2}, (tensor("float64", (1, 2, 2), [1, 2, 3, 6]),))
    want = Returned(tensor("float64", (1, 2), [2, 4]), one.tensors)
    got = Returned(tensor("float64", (1, 2), [4, 8]), one.tensors)

    judgment = judge(exercise, EMPTY, [one], [want], [got])

    assert "These are the values of 'sum', wanted 'mean'." in judgment.diagnosis


def test_the_wrong_axis_of_a_reduction_is_named() -> None:
    exercise = task("mean_pool")
    one = Trial({"b": 2, "s": 3, "d": 5}, (tensor("float64", (2, 3, 5), range(30)),))
    want = Returned(tensor("float64", (2, 5), range(10)), one.tensors)
    got = Returned(tensor("float64", (2, 3), range(6)), one.tensors)

    judgment = judge(exercise, EMPTY, [one], [want], [got])

    assert judgment.verdict == Incorrect(why="d is gone and s is still there: the wrong axis was reduced.")


def test_a_constant_factor_is_named_by_the_axis_it_comes_from() -> None:
    exercise = task("attention_scores")
    sizes = {"b": 1, "h": 1, "q": 1, "k": 2, "d": 7}
    x, y = tensor("float64", (1, 1, 1, 7), range(7)), tensor("float64", (1, 1, 2, 7), range(14))
    one = Trial(sizes, (x, y))
    want = Returned(tensor("float64", (1, 1, 1, 2), [91, 238]), one.tensors)
    got = Returned(tensor("float64", (1, 1, 1, 2), [91 * 7, 238 * 7]), one.tensors)

    judgment = judge(exercise, EMPTY, [one], [want], [got])

    assert judgment.verdict == Incorrect(
        why="Every element is d times what is wanted: a factor too many, or too few."
    )


def test_minus_zero_is_zero_and_not_a_number_is_nothing() -> None:
    exercise = task("attention_scores")
    x, y = tensor("float64", (1, 1, 1, 1), [1]), tensor("float64", (1, 1, 2, 1), [0, 1])
    one = Trial({"b": 1, "h": 1, "q": 1, "k": 2, "d": 1}, (x, y))
    want = Returned(tensor("float64", (1, 1, 1, 2), [0.0, 1.0]), one.tensors)
    minus = Returned(tensor("float64", (1, 1, 1, 2), [-0.0, 1.0]), one.tensors)
    none = Returned(tensor("float64", (1, 1, 1, 2), [float("nan"), 1.0]), one.tensors)

    same = judge(exercise, EMPTY, [one], [want], [minus])
    other = judge(exercise, EMPTY, [one], [want], [none])

    assert same.verdict == Correct()
    assert isinstance(other.verdict, Incorrect)


def test_einops_errors_show_their_pattern_with_carets() -> None:
    message = (
        ' Error while processing rearrange-reduction pattern "b s (h d) -> b h s e".\n Input tensor shape: (2, 3, 10).\n'
        " Identifiers only on one side of expression (should be on both): {'d', 'e'}"
    )

    judgment = raised(Raised("EinopsError", ("EinopsError",), message, 2))

    lines = judgment.diagnosis.splitlines()
    assert lines[2:4] == ["  b s (h d) -> b h s e", "         ^           ^"]
    assert "Each name stands on both sides" in lines[4]


def test_a_size_written_as_a_number_is_pointed_out() -> None:
    source = "def f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=8)\n"

    judgment = raised(
        Raised("EinopsError", ("EinopsError",), "can't divide axis of length 15 in chunks of 8", 2), source
    )

    assert "Line 2 fixes a size: h=8." in judgment.diagnosis


@pytest.mark.parametrize(
    ("error", "verdict", "words"),
    [
        (
            Raised("PermissionError", ("PermissionError", "OSError"), "Operation not permitted", 3),
            Refused,
            "on line 3",
        ),
        (Raised("MemoryError", ("MemoryError",), "", 2), Crashed, "more memory"),
        (Raised("RuntimeError", ("RuntimeError",), "can't allocate memory: 6 GB", 2), Crashed, "more memory"),
        (
            Raised("OutOfMemoryError", ("OutOfMemoryError", "RuntimeError"), "CUDA out of memory.", 2),
            Crashed,
            "more memory",
        ),
        (Raised("TypeError", ("TypeError",), "no", 2), Crashed, "TypeError on line 2: no"),
    ],
)
def test_each_kind_of_exception_has_its_verdict(error: Raised, verdict: type, words: str) -> None:
    judgment = raised(error)

    assert isinstance(judgment.verdict, verdict)
    assert words in judgment.diagnosis


def test_a_timeout_of_the_processor_is_told_as_one() -> None:
    exercise = task("split_heads")
    trials = trial.draw(exercise, random.Random(1), 1)

    judgment = judge(exercise, EMPTY, trials, [Returned(Plain(0))], [TimedOut(5, of_cpu=True)])

    assert judgment.diagnosis == "The answer did not finish within 5 s of CPU time."


def test_a_timeout_is_told_in_seconds() -> None:
    exercise = task("split_heads")
    trials = trial.draw(exercise, random.Random(1), 1)

    judgment = judge(exercise, EMPTY, trials, [Returned(Plain(0))], [TimedOut(10)])

    assert judgment.diagnosis == "The answer did not finish within 10 s."


@pytest.mark.parametrize(
    ("kind", "message", "advice"),
    [
        ("NameError", "name 'w' is not defined", "w is an axis; its size is `x.shape[2]`."),
        ("NameError", "name 't' is not defined", "Define it first: the function is given x and h."),
        (
            "RuntimeError",
            "The size of tensor a (7) must match the size of tensor b (2) at non-singleton dimension 2",
            "Shapes line up from the right: write 1 for a reduced axis to keep its place.",
        ),
        (
            "ValueError",
            "The last argument passed to `einops.einsum` must be a string, representing the einsum pattern.",
            "einops takes the tensors first and the pattern last: einsum(x, y, '...').",
        ),
        ("TypeError", "no", "TypeError on line 2: no"),
    ],
)
def test_an_exception_is_told_with_what_to_do(kind: str, message: str, advice: str) -> None:
    judgment = raised(Raised(kind, (kind,), message, 2))

    assert judgment.diagnosis.splitlines()[-1] == advice


@pytest.mark.parametrize(
    ("kind", "family", "message"),
    [
        ("SyntaxError", ["SyntaxError"], "'return' outside function"),
        ("EinopsError", ["EinopsError", "RuntimeError"], "Unknown character '#'"),
        ("EinopsError", ["EinopsError", "RuntimeError"], 'Imbalanced parentheses in expression: "b s (h d "'),
        ("ValueError", ["ValueError"], "not enough values to unpack (expected 2, got 1)"),
        ("NoFunctionError", ["NoFunctionError", "Exception"], "no function takes x, h"),
    ],
)
def test_unreadable_code_or_pattern_costs_no_try(kind: str, family: list[str], message: str) -> None:
    source = "def f(x, h):\n    return rearrange(x, 'b s -> (h d) -> b h s d', h=h)\n"

    judgment = raised(Raised(kind, tuple(family), message, 2), source)

    assert isinstance(judgment.verdict, Malformed)
    assert judgment.diagnosis


def test_swapped_sizes_are_named_where_einops_raises() -> None:
    exercise = task("max_pool")
    source = exercise.solution.replace("p=p, q=q", "p=q, q=p")
    trials = trial.draw(exercise, random.Random(1), 2)
    error = Raised(
        "EinopsError", ("EinopsError",), "Shape mismatch, can't divide axis of length 91 in chunks of 3", 2
    )

    judgment = judge(exercise, answer_text.read(source, exercise), trials, [Returned(Plain(1))] * 2, [error])

    assert "p=q and q=p are swapped: write p=p, q=q." in judgment.diagnosis


def test_the_tensor_in_a_tuple_is_pointed_at() -> None:
    exercise = task("prepend_token")
    one = trial.draw(exercise, random.Random(1), 1)[0]
    wanted = Returned(one.tensors[0], one.tensors)
    got = Returned(Items("tuple", (one.tensors[0], Plain(1))), one.tensors)

    judgment = judge(exercise, EMPTY, [one], [wanted], [got])

    assert judgment.diagnosis.endswith("Return its element [0].")


def test_a_wrong_element_of_several_inputs_is_told_by_its_input() -> None:
    exercise = task("prepend_token")
    one = trial.draw(exercise, random.Random(1), 1)[0]
    x, y = one.tensors
    wanted = Returned(tensor(x.dtype, (2,), [x.numbers[0], y.numbers[0]]), one.tensors)
    got = Returned(tensor(x.dtype, (2,), [y.numbers[0], x.numbers[0]]), one.tensors)

    judgment = judge(exercise, EMPTY, [one], [wanted], [got])

    assert "First wrong element [0]: got y[0, 0, 0], expected x[0, 0]." in judgment.diagnosis


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "b s (h d) -> b h s d",
            "def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=h)\n",
        ),
        (
            "'b s (n d) -> b n s d', n=h",
            "def f(x, h): return rearrange(x, 'b s (n d) -> b n s d', n=h)\n",
        ),
        ("b s d -> b d s", "def f(x, h): return rearrange(x, 'b s d -> b d s')\n"),
        (
            "b s (h d) -> b h s d, d=(x.shape[-1]//h)",
            "def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', d=(x.shape[-1]//h))\n",
        ),
        (
            "\N{HORIZONTAL ELLIPSIS} -> (\N{HORIZONTAL ELLIPSIS})",
            "def f(x, h): return rearrange(x, '... -> (...)')\n",
        ),
        ("return rearrange(x, 'a -> a')", "def f(x, h): return rearrange(x, 'a -> a')\n"),
        ("\ufeff# mine\r\nb s d -> b d s\r\n", "def f(x, h): return rearrange(x, 'b s d -> b d s')\n"),
        ("rearrange(\n    x,\n    'a -> a',\n)", "def f(x, h): return (rearrange(\n    x,\n    'a -> a',\n))\n"),
        ("lambda x, h: x", "f = lambda x, h: x\n"),
        ("f = lambda x, h: x", "f = lambda x, h: x\n"),
        ("rearrange(x 'a -> a'", "def f(x, h): return rearrange(x 'a -> a'\n"),
        ("x" * 20_001, "x" * 20_001),
        ("def f(x, h):\n    return x", "def f(x, h):\n    return x\n"),
    ],
)
def test_a_short_answer_becomes_a_function(text: str, source: str) -> None:
    assert as_source(task("split_heads"), text) == source


@pytest.mark.parametrize(
    "header",
    [
        None,
        {},
        {"tensor": {"dtype": "float32"}},
        {"tensor": {"dtype": "float32", "shape": [2]}},
        {"tensor": {"dtype": "float32", "shape": [-1]}},
        {"tensor": {"dtype": "float32", "shape": ["2"]}},
        {"plain": {}},
        {"what": 1},
        {"list": 3},
    ],
)
def test_a_reply_that_describes_no_value_is_not_believed(header: object) -> None:
    with pytest.raises(ForgedError):
        decode(header, [b"1234"])


@pytest.mark.parametrize("plain", ["x" * 2001, 1 << 63, -(10**400), [1], {}])
def test_a_value_that_nobody_could_want_is_none(plain: object) -> None:
    with pytest.raises(ForgedError):
        decode({"plain": plain}, [])


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ({"other": "\x1b[31mSet\u202e" + "x" * 200}, Other("[31mSet" + "x" * 71)),
        ({"tensor": {"dtype": "\x1b]0;t\x07", "shape": [1]}}, Tensor("]0;t", (1,), b"1234")),
    ],
    ids=["type", "dtype"],
)
def test_a_name_of_strangers_is_fit_to_be_shown(header: dict[str, object], value: object) -> None:
    assert decode(header, [b"1234"]) == value


def test_values_of_all_kinds_are_read() -> None:
    header = {"list": [{"tensor": {"dtype": "int8", "shape": [2]}}, {"plain": 3}, {"other": "Size"}]}

    assert decode(header, [b"\x01\x02"]) == Items(
        "list", (Tensor("int8", (2,), b"\x01\x02"), Plain(3), Other("Size"))
    )
