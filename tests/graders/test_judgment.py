"""Test the verdict, checks and diagnosis for each way in which an answer can go wrong."""

# ruff: noqa: E501 - messages are quoted as they come
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite.trial import Items, Other, Plain, Tensor, Trial, WireValue, tensor
from studykit.exercise.verdict import Correct, Crashed, Incorrect, Malformed, Refused, TimedOut, Verdict
from studykit.graders.rewrite import answer_text
from studykit.graders.rewrite.answer_text import AnswerText, Literal
from studykit.graders.rewrite.judge import (
    CallRecord,
    CheckResult,
    Fault,
    Judgment,
    Outcome,
    Raised,
    Returned,
    agrees,
    ending_sentence,
    faults_in,
    first_difference,
    judge,
    same,
    with_method,
)

HEADS = task("split_heads")  # x of axes b s (h e), and h
X = tensor("float32", (1, 1, 4), [0, 1, 2, 3])
OTHER = tensor("float32", (1, 1, 4), [9, 1, 2, 3])
TRIAL = Trial({"b": 1, "s": 1, "h": 2, "e": 2}, (X, 2))
RIGHT = Returned(tensor("float32", (1, 2, 1, 2), [0, 1, 2, 3]), (X,))
WRONG = Returned(tensor("float32", (1, 2, 1, 2), [0, 2, 1, 3]), (X,))
CASE = "Case: x of shape (1, 1, 4) (b s w), h = 2"
HONEST = AnswerText()
FAULT = Fault("line 3 uses `permute`", "Use einops.")
MIXED = """2 of 4 elements are wrong.
First wrong element [0, 0, 0, 1]: got input element 2, expected 1.
In the input's axes that is h=1 instead of 0, e=0 instead of 1.
The composite is in the wrong order: yours acts as (e h), not (h e).
The first name in parentheses is the slow axis, the last one the fast."""
NO_METHOD = CheckResult("method", passed=False, detail="line 3 uses `permute`")


def judged(
    *got: Outcome, text: AnswerText = HONEST, wanted: Returned = RIGHT, faults: Sequence[Fault] = ()
) -> Judgment:
    count = max(2, len(got))
    return with_method(judge(HEADS, text, [TRIAL] * count, [wanted] * count, got), got, faults)


def passed(*names: str) -> tuple[CheckResult, ...]:
    return tuple(CheckResult(name, passed=True) for name in names)


def test_a_right_answer_has_passed_every_check() -> None:
    assert judged(RIGHT, RIGHT) == Judgment(
        Correct(), passed("runs", "shape", "dtype", "values", "inputs", "method")
    )


def test_a_right_gradient_is_a_check_more() -> None:
    with_gradient = replace(RIGHT, gradients=(X,))

    assert judged(with_gradient, wanted=with_gradient).checks == passed(
        "runs", "shape", "dtype", "values", "inputs", "gradient", "method"
    )


def test_right_values_by_another_operation_are_wrong() -> None:
    why = "The values are right, but line 3 uses `permute`."

    assert judged(RIGHT, faults=[FAULT]) == Judgment(
        Incorrect(why=why),
        (*passed("runs", "shape", "dtype", "values", "inputs"), NO_METHOD),
        f"{why}\nUse einops.",
    )


def test_wrong_values_are_explained_with_the_operation_besides() -> None:
    assert judged(WRONG, faults=[FAULT]) == Judgment(
        Incorrect(why="The composite is in the wrong order: yours acts as (e h), not (h e)."),
        (
            *passed("runs", "shape", "dtype"),
            CheckResult("values", passed=False, detail="2 of 4 elements are wrong."),
            NO_METHOD,
        ),
        f"{CASE}\n{MIXED}\nBesides, line 3 uses `permute`. Use einops.",
    )


@pytest.mark.parametrize(
    ("operations", "called", "faults"),
    [
        ((), {"rearrange"}, []),
        ((("permute", 2), ("view", 2), ("sum", 3)), {"rearrange"}, ["line 2 uses `permute` and `view`", "line 3 uses `sum`"]),
        ((("unbind", 1), ("matmul", 1)), {"rearrange"}, ["line 1 uses iteration or an index of a tensor and `@` (matmul)"]),
        ((("permute", 9),), {"rearrange"}, []),
        ((), {"reduce", "repeat"}, ["the answer calls reduce and repeat"]),
        ((), set(), ["the answer never calls rearrange on its input"]),
    ],
    ids=["none", "two lines", "signs", "in an assert", "another function", "no function"],
)  # fmt: skip
def test_faults_name_lines(operations: tuple[tuple[str, int], ...], called: set[str], faults: list[str]) -> None:
    text = AnswerText(idle_lines=frozenset({9}))

    result = faults_in(HEADS, text, CallRecord(operations, frozenset(called)), RIGHT)

    assert [fault.what for fault in result] == faults


def test_what_solutions_call_is_allowed() -> None:
    record = CallRecord((("unbind", 1), ("einsum", 2)), frozenset({"rearrange", "einsum"}))

    assert faults_in(task("multi_head_attention"), AnswerText(), record, RIGHT) == []
    assert [fault.what for fault in faults_in(HEADS, AnswerText(), record, RIGHT)] == [
        "line 1 uses iteration or an index of a tensor",
        "line 2 uses `einsum`",
    ]


def test_first_wrong_trial_is_reported() -> None:
    assert judged(RIGHT, WRONG).diagnosis == f"{CASE}\n{MIXED}"
    assert judged(RIGHT, TimedOut(1.0)).verdict == TimedOut(1.0)
    assert judged(WRONG, TimedOut(1.0)).diagnosis == f"{CASE}\n{MIXED}"


QKV = Returned(X, (X, X, X), (X, X, X))  # of attention


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (
            replace(QKV, inputs=(OTHER, X, OTHER)),
            "The answer changed its input q and v; make a new tensor instead.",
        ),
        (replace(QKV, gradients=(X, OTHER, X)), "the gradient of k is not: is it cut off somewhere?"),
    ],
    ids=["inputs", "gradient"],
)
def test_each_wrong_input_is_named(got: Returned, words: str) -> None:
    judgment = judge(task("attention"), HONEST, [Trial({}, (X, X, X))], [QKV], [got])

    assert judgment.diagnosis.endswith(words)


def test_last_outcome_stands_for_later_trials() -> None:
    expected = [RIGHT, RIGHT, RIGHT]

    assert judge(HEADS, HONEST, [TRIAL] * 3, expected, [RIGHT, WRONG]).diagnosis == f"{CASE}\n{MIXED}"


@pytest.mark.parametrize(
    ("error", "verdict", "diagnosis"),
    [
        (
            Raised("ValueError", ("ValueError",), "odd\nmore", 1),
            Crashed("ValueError on line 1: odd"),
            f"{CASE}\nValueError on line 1: odd",
        ),
        (
            Raised("EinopsError", ("EinopsError",), "Error while\n bad pattern", 1),
            Incorrect(why="einops on line 1: bad pattern"),
            f"{CASE}\neinops on line 1: bad pattern",
        ),
        (
            Raised("PermissionError", ("PermissionError", "OSError"), "no", 3),
            Refused("The sandbox refused what the answer tried on line 3: no"),
            "The sandbox refused what the answer tried on line 3: no",
        ),
        (
            Raised("PermissionError", ("OSError",), "no", 0),
            Refused("The sandbox refused what the answer tried: no"),
            "The sandbox refused what the answer tried: no",
        ),
        (
            Raised("MemoryError", ("MemoryError",), "", 2),
            Crashed("The answer asked for more memory than it may have on line 2."),
            "The answer asked for more memory than it may have on line 2.",
        ),
        (
            Raised("OutOfMemoryError", ("OutOfMemoryError", "RuntimeError"), "CUDA out of memory.", 2),
            Crashed("The answer asked for more memory than it may have on line 2."),
            "The answer asked for more memory than it may have on line 2.",
        ),
        (
            Raised("RuntimeError", ("RuntimeError",), "DefaultCPUAllocator: can't allocate memory: 9", 0),
            Crashed("The answer asked for more memory than it may have."),
            "The answer asked for more memory than it may have.",
        ),
    ],
    ids=lambda value: value.type if isinstance(value, Raised) else "",
)
def test_an_exception_is_judged_by_its_family(error: Raised, verdict: Verdict, diagnosis: str) -> None:
    first = diagnosis.removeprefix(f"{CASE}\n")
    check = CheckResult("runs", passed=False, detail=first)

    assert judged(error) == Judgment(verdict, (check,), diagnosis)
    assert judged(error, faults=[FAULT]) == Judgment(
        verdict, (check, NO_METHOD), f"{diagnosis}\nBesides, line 3 uses `permute`. Use einops."
    )


def test_unknown_name_hides_other_faults() -> None:
    error = Raised("NameError", ("NameError",), "name 'q' is not defined", 1)

    assert judged(error, faults=[FAULT]).diagnosis == (
        f"{CASE}\nNameError on line 1: name 'q' is not defined\nDefine it first: the function is given x and h."
    )
    assert "Besides" not in judged(RIGHT, error, faults=[FAULT]).diagnosis


@pytest.mark.parametrize(
    ("kind", "family", "message"),
    [
        ("SyntaxError", ["SyntaxError"], "'return' outside function"),
        ("EinopsError", ["EinopsError", "RuntimeError"], "Unknown character '#'"),
        ("EinopsError", ["EinopsError", "RuntimeError"], 'Imbalanced parentheses in expression: "b s (h e "'),
        ("ValueError", ["ValueError"], "not enough values to unpack (expected 2, got 1)"),
        ("NoFunctionError", ["NoFunctionError", "Exception"], "no function takes x, h"),
    ],
)
def test_unreadable_pattern_is_malformed(kind: str, family: list[str], message: str) -> None:
    source = "def f(x, h):\n    return rearrange(x, 'b s -> (h e) -> b h s e', h=h)\n"

    judgment = judged(Raised(kind, tuple(family), message, 2), text=answer_text.read(source, HEADS))

    assert isinstance(judgment.verdict, Malformed)
    assert judgment.diagnosis


def test_swapped_sizes_are_named() -> None:
    exercise = task("max_pool")
    source = exercise.solution.replace("p=p, q=q", "p=q, q=p")
    error = Raised(
        "EinopsError", ("EinopsError",), "Shape mismatch, can't divide axis of length 91 in chunks of 3", 2
    )

    trial = Trial({}, (X, 2, 3))
    judgment = judge(exercise, answer_text.read(source, exercise), [trial], [Returned(Plain(1))], [error])

    assert "p=q and q=p are swapped: write p=p, q=q." in judgment.diagnosis


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        (TimedOut(10.0), "The answer did not finish within 10 s."),
        (TimedOut(0.5, of_cpu=True), "The answer did not finish within 0.5 s of CPU time."),
        (Crashed("it ended"), "The answer was stopped: it ended."),
        (Refused("it printed"), "The answer was stopped: it printed."),
    ],
)
def test_ending_is_described_in_a_sentence(ending: TimedOut | Crashed | Refused, sentence: str) -> None:
    assert ending_sentence(ending) == sentence
    assert judged(ending) == Judgment(ending, (CheckResult("runs", passed=False, detail=sentence),), sentence)


@pytest.mark.parametrize(
    ("literals", "note"),
    [
        (
            (Literal(2, "h", 8), Literal(3, "", 9)),
            "Line 2 fixes a size: h=8. The judge draws other sizes; write h=h.",
        ),
        ((Literal(2, "e", 8),), "Line 2 fixes a size: e=8. The judge draws other sizes."),
        ((Literal(2, "x", 8),), "Line 2 fixes a size: x=8. The judge draws other sizes."),
        ((Literal(4, "", 8),), "Line 4 fixes a size: 8 in the pattern. Name that axis instead."),
    ],
)
def test_fixed_size_is_noted_on_wrong_answers(literals: tuple[Literal, ...], note: str) -> None:
    text = AnswerText(literals)

    assert judged(WRONG, text=text).diagnosis == f"{CASE}\n{MIXED}\n{note}"
    assert judged(Raised("ValueError", (), "odd", 1), text=text).diagnosis.splitlines()[-1] == note
    assert judged(RIGHT, text=text).diagnosis == ""


@pytest.mark.parametrize(
    ("outcome", "name", "what"),
    [
        (replace(RIGHT, inputs=(OTHER,)), "inputs", "The answer changed its input x; make a new tensor instead."),
        (replace(RIGHT, inputs=()), "inputs", "The answer changed its input x; make a new tensor instead."),
        (
            replace(RIGHT, gradients=(OTHER,)),
            "gradient",
            "The values are right, but the gradient of x is not: is it cut off somewhere?",
        ),
        (replace(RIGHT, gradients=()), "gradient", "The values are right, but no gradient comes back."),
    ],
)
def test_right_values_with_something_else_wrong(outcome: Returned, name: str, what: str) -> None:
    checks = ["runs", "shape", "dtype", "values", "inputs", "gradient"]

    assert judged(outcome, wanted=replace(RIGHT, gradients=(X,))) == Judgment(
        Incorrect(why=what),
        (*passed(*checks[: checks.index(name)]), CheckResult(name, passed=False, detail=what), *passed("method")),
        f"{CASE}\n{what}",
    )


@pytest.mark.parametrize(
    ("want", "got", "difference"),
    [
        (X, X, None),
        (Plain(1), Plain(1), None),
        (Plain(1), Plain(2), ("values", "The result holds 2, wanted 1.")),
        (Plain(1), Plain(1.0), ("shape", "The result is 1.0, wanted 1.")),
        (X, Plain(None), ("shape", "The result is nothing, wanted a tensor of shape (1, 1, 4).\nReturn the result: the last line of the function begins with `return`.")),
        (X, Other("Size"), ("shape", "The result is a Size, wanted a tensor of shape (1, 1, 4).\nReturn the tensor itself.")),
        (X, Items("list", (Plain(1), X)), ("shape", "The result is a list of 2, wanted a tensor of shape (1, 1, 4).\nReturn its element [1].")),
        (X, Items("list", (Plain(1),)), ("shape", "The result is a list of 1, wanted a tensor of shape (1, 1, 4).\nReturn the tensor itself.")),
        (X, tensor("int64", (1, 1, 4), [0, 1, 2, 3]), ("dtype", "The result is int64, wanted float32: the dtype of the input is kept.")),
        (Items("list", (X, Plain(1))), Items("list", (X, Plain(1))), None),
        (Items("list", (X, Plain(1))), Items("list", (X, Plain(3))), ("values", "The result holds 3, wanted 1.")),
        (Items("list", (Plain(1), Plain(2))), Items("list", (Plain(3), Plain(4))), ("values", "The result holds 3, wanted 1.")),
        (Items("list", (X,)), Items("tuple", (X,)), None),
        (Items("list", (X,)), Items("dict", (X,)), ("shape", "The result is a dict of 1, wanted a list of 1.")),
        (Items("list", (X,)), Items("list", (X, X)), ("shape", "The result is a list of 2, wanted a list of 1.")),
    ],
)  # fmt: skip
def test_first_difference_of_values(want: WireValue, got: WireValue, difference: tuple[str, str] | None) -> None:
    assert first_difference(HEADS, TRIAL, want, got) == difference


def test_tensor_in_a_list_is_explained() -> None:
    want, got = (Items("list", (Plain(1), one.value)) for one in (RIGHT, WRONG))

    name, told = first_difference(HEADS, TRIAL, want, got) or ("", "")
    assert (name, told) == ("values", MIXED)


def sizes(**lengths: int) -> Items:
    return Items("dict", tuple(Items("tuple", (Plain(name), Plain(length))) for name, length in lengths.items()))


@pytest.mark.parametrize(
    ("got", "told"),
    [
        (sizes(b=2, s=3), None),
        (sizes(s=3, b=2), "Your sizes are s=3, b=2; wanted b=2, s=3.\nThe names follow the order of the axes."),
        (sizes(b=2, s=3, e=5), "Your sizes are b=2, s=3, e=5; wanted b=2, s=3.\nAn axis named _ in the pattern is passed over."),
        (sizes(b=3, s=2, e=5), "Your sizes are b=3, s=2, e=5; wanted b=2, s=3.\nAn axis named _ in the pattern is passed over.\nThe names follow the order of the axes."),
        (sizes(), "Your sizes are none; wanted b=2, s=3.\nThe names follow the order of the axes."),
        (Items("dict", (Items("tuple", (Plain("b\x1b"), Other("Size"))), Plain(1))), "Your sizes are b=?; wanted b=2, s=3.\nThe names follow the order of the axes."),
    ],
)  # fmt: skip
def test_two_dictionaries_of_sizes(got: Items, told: str | None) -> None:
    difference = first_difference(task("read_shape"), TRIAL, sizes(b=2, s=3), got)

    assert difference == (None if told is None else ("values", told))


@pytest.mark.parametrize(
    "got",
    [
        sizes(**{f"{n:05}" + "x" * 1900: n for n in range(500)}),
        Items("dict", (Items("tuple", (Plain(1),) * 80_000),)),
    ],
    ids=["many long names", "a pair of many"],
)
def test_few_of_a_million_sizes_are_shown(got: Items) -> None:
    name, told = first_difference(task("read_shape"), TRIAL, sizes(b=2, s=3), got) or ("", "")

    assert name == "values"
    assert told.startswith("Your sizes are ")
    assert len(told) < 4000


def test_tensor_instead_of_sizes_names_parse_shape() -> None:
    difference = first_difference(task("read_shape"), TRIAL, sizes(b=2), X)

    assert difference == (
        "shape",
        "The result is a tensor of shape (1, 1, 4), wanted a dict of 1.\nReturn what parse_shape gives.",
    )


def floats(*numbers: float) -> Tensor:
    return tensor("float64", (len(numbers),), numbers)


@pytest.mark.parametrize(
    ("want", "got", "tolerance", "equal"),
    [
        (floats(1, 2), floats(1, 2), 0.0, True),
        (floats(0.0), floats(-0.0), 0.0, True),
        (floats(1, 2), floats(1, 2 + 1e-12), 0.0, False),
        (floats(1, 2), floats(1, 2 + 1e-12), 1e-9, True),
        (floats(1, 2), floats(1, 2.019), 0.01, True),  # by the largest number
        (floats(1, 2), floats(1, 2.021), 0.01, False),
        (floats(0.1, 0.1), floats(0.1, 0.109), 0.01, True),  # and by no less than one
        (floats(0.1, 0.1), floats(0.1, 0.111), 0.01, False),
        (floats(-4, 0), floats(-4, 0.039), 0.01, True),
        (floats(1.0), floats(math.nan), 0.01, False),
        (floats(math.nan), floats(1.0), 0.01, True),
        (floats(1.0), floats(math.inf), 0.01, False),
        (floats(math.inf), floats(math.inf), 0.01, True),  # the same bytes
        (floats(1, 2), floats(1, 2, 3), 0.01, False),
        (tensor("int64", (1,), [1]), floats(1), 0.01, False),
        (floats(), floats(), 0.01, True),
        (Tensor("bfloat16", (1,), b"ab"), Tensor("bfloat16", (1,), b"ab"), 0.0, True),
        (Tensor("bfloat16", (1,), b"ab"), Tensor("bfloat16", (1,), b"ac"), 0.0, False),
        (Tensor("bfloat16", (1,), b"ab"), Tensor("bfloat16", (1,), b"ac"), 0.01, False),
        (floats(0), floats(0.01), 0.01, True),
        (floats(math.inf, 0.0), floats(math.inf, -0.0), 0.0, True),
        (floats(1), Plain(1.0), 0.01, False),
        (Plain(1), Plain(1), 0.0, True),
        (Plain(1), Plain(2), 10.0, False),
    ],
)
def test_when_two_values_are_equal(want: WireValue, got: WireValue, tolerance: float, equal: bool) -> None:  # noqa: FBT001 - a table's column
    assert same(want, got, tolerance) is equal


PAIR = Returned(Items("list", (X, Plain(1))))
ONE = Returned(floats(1.0))


@pytest.mark.parametrize(
    ("wanted", "got", "is_right"),
    [
        (RIGHT, RIGHT, True),
        (RIGHT, WRONG, False),
        (RIGHT, replace(RIGHT, inputs=()), True),
        (RIGHT, Raised("ValueError", (), "", 1), False),
        (RIGHT, TimedOut(1.0), False),
        (PAIR, PAIR, True),
        (PAIR, Returned(Items("tuple", (X, Plain(1)))), True),
        (PAIR, Returned(Items("dict", (X, Plain(1)))), False),
        (PAIR, Returned(Items("list", (X, Plain(2)))), False),
        (PAIR, RIGHT, False),
        (ONE, Returned(floats(1.001)), False),
    ],
)
def test_whether_a_call_gave_the_right_values(wanted: Returned, got: Outcome, *, is_right: bool) -> None:
    assert agrees(HEADS, wanted, got) is is_right


def test_numbers_agree_within_the_tolerance_of_the_exercise() -> None:
    assert agrees(replace(HEADS, tolerance=0.01), ONE, Returned(floats(1.001)))
