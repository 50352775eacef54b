"""What an answer called as it ran is told beside what was wrong; it can be forged, and never changes a verdict."""

# ruff: noqa: E501 - tables of calls, a row a case
import random
from collections.abc import Sequence

import pytest

from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.graders.rewrite import traced_calls
from studykit.graders.rewrite.judge import Judgment
from studykit.graders.rewrite.traced_calls import Call
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker

ONE = {"line": 2, "name": "permute", "shapes": [[2, 3]], "over": [0]}
FORGER = """import os, json
def f(x, h):
    if not torch.overrides._get_current_function_mode():
        return x.reshape(*x.shape[:2], h, -1).transpose(1, 2)
    header = json.dumps({"header": {"calls": [%s], "value": {"plain": 1}}, "blobs": []}).encode()
    os.write(3, len(header).to_bytes(8, "big") + header)
    os._exit(0)
"""  # it behaves until it is traced


@pytest.fixture
def place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=0.0)


def judged(place: Place, name: str, source: str) -> Judgment:
    exercise = catalog.find(f"rewrite.{name}")
    assert isinstance(exercise, Rewrite)
    return grade(place, exercise, source, random.Random(3)).judgment


def test_a_call_behind_getattr_is_named_with_its_line(place: Place) -> None:
    source = (
        "def f(x, h):\n    y = x.reshape(*x.shape[:2], h, -1)\n    return getattr(y, 'per' + 'mute')(0, 2, 1, 3)\n"
    )

    assert judged(place, "split_heads", source).diagnosis.endswith("\nAs it ran, line 3 called `permute`.")


def test_calls_behind_eval_are_named_with_the_line_that_ran_them(place: Place) -> None:
    source = "def f(x, h):\n    return eval('x.view(*x.shape[:2], h, -1).transpose(1, 2)')\n"

    told = judged(place, "split_heads", source).diagnosis

    assert told.endswith("\nAs it ran, line 2 called `view`, line 2 called `transpose`.")


def test_a_call_that_hides_from_functions_is_seen_as_an_operator(place: Place) -> None:
    source = (
        "def f(x, h):\n    with torch._C.DisableTorchFunction():\n"
        "        return eval('x.view(*x.shape[:2], h, -1).tran' + 'spose(1, 2)')\n"
    )

    assert "line 3 called `transpose`" in judged(place, "split_heads", source).diagnosis


def test_what_the_rule_has_named_already_is_not_said_again(place: Place) -> None:
    source = "def f(x, h):\n    return x.view(*x.shape[:2], h, -1).transpose(1, 2)\n"

    assert "As it ran" not in judged(place, "split_heads", source).diagnosis


def test_shapes_that_do_not_meet_are_told_with_their_axes(place: Place) -> None:
    source = "def f(x, g):\n    return x * rsqrt(reduce(x * x, 'b s d -> b s', 'mean')) * g\n"

    lines = judged(place, "rms_norm", source).diagnosis.splitlines()

    assert lines[0].startswith("RuntimeError on line 2")
    assert lines[1] == "There `*` met (3, 11, 7), which is b s d, and (3, 11), which is b s."


def test_an_unexplained_answer_is_told_what_its_reductions_ran_over(place: Place) -> None:
    source = (
        "def f(q, k, v):\n    a = softmax(2 * einsum(q, k, 'b h i d, b h j d -> b h i j'), dim=1)\n"
        "    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n"
    )

    assert judged(place, "attention", source).diagnosis.startswith(
        "As it ran, softmax on line 2 ran over h.\n"
        "`einsum` on line 2 gives what it should; look at what comes after it, or beside it."
    )


def test_what_the_extra_run_prints_is_not_shown(place: Place) -> None:
    source = "def f(x, h):\n    print('run')\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
    exercise = catalog.find("rewrite.split_heads")
    assert isinstance(exercise, Rewrite)

    assert grade(place, exercise, source, random.Random(3)).printed.count("run") == 5


@pytest.mark.parametrize(
    "call",
    [
        '{"line": 1, "name": "\\x1b[2Jpassed", "shapes": [], "over": []}',
        '{"line": 1, "name": "' + "passed" * 300 + '", "shapes": [], "over": []}',
        '{"line": 1, "name": "passed. All is right", "shapes": [], "over": []}',
        '{"line": 999, "name": "passed", "shapes": [], "over": []}',
        '{"verdict": "passed"}',
    ],
)
def test_a_forged_trace_is_not_told_and_changes_no_verdict(place: Place, call: str) -> None:
    judgment = judged(place, "split_heads", FORGER % call)

    assert judgment.verdict.name == "incorrect"
    assert [check.name for check in judgment.checks if not check.passed] == ["method"]
    assert judgment.diagnosis.startswith("The values are right, the method is not allowed here: `import os, json`")
    assert "passed" not in judgment.diagnosis


def test_a_forged_trace_that_reads_like_one_is_a_wrong_hint_and_nothing_more(place: Place) -> None:
    judgment = judged(place, "split_heads", FORGER % '{"line": 4, "name": "innocent", "shapes": [], "over": []}')

    assert judgment.verdict.name == "incorrect"
    assert judgment.diagnosis.endswith("\nAs it ran, line 4 called `innocent`.")


@pytest.mark.parametrize(
    "told",
    [
        None,
        {},
        "calls",
        [ONE] * 49,
        [ONE, None],
        [ONE, {**ONE, "more": 1}],
        [{**ONE, "line": 0}],
        [{**ONE, "line": 9}],
        [{**ONE, "line": True}],
        [{**ONE, "line": 1.0}],
        [{**ONE, "name": ""}],
        [{**ONE, "name": "a b"}],
        [{**ONE, "name": "x\x1b[31m"}],
        [{**ONE, "name": "x\n"}],
        [{**ONE, "name": "x" * 40}],
        [{**ONE, "name": ["x"]}],
        [{**ONE, "shapes": [[1]] * 4}],
        [{**ONE, "shapes": [[-1]]}],
        [{**ONE, "shapes": [["2"]]}],
        [{**ONE, "shapes": [[1 << 31]]}],
        [{**ONE, "shapes": [[1] * 13]}],
        [{**ONE, "over": [1.5]}],
        [{**ONE, "over": "0"}],
    ],
)
def test_calls_that_could_not_have_been_are_none(told: object) -> None:
    assert traced_calls.read(told, 3) == ()


@pytest.mark.parametrize(
    ("told", "call"),
    [
        (ONE, Call(2, "permute", ((2, 3),), (0,))),
        ({**ONE, "line": 1}, Call(1, "permute", ((2, 3),), (0,))),
        ({**ONE, "line": 3}, Call(3, "permute", ((2, 3),), (0,))),
        ({**ONE, "name": "add.Tensor"}, Call(2, "add.Tensor", ((2, 3),), (0,))),
        ({**ONE, "name": "__get__"}, Call(2, "attribute", ((2, 3),), (0,))),
        ({**ONE, "shapes": [[0], [], [(1 << 31) - 1] * 12], "over": []}, Call(2, "permute", ((0,), (), ((1 << 31) - 1,) * 12))),
        ({**ONE, "over": [-12, 11]}, Call(2, "permute", ((2, 3),), (-12, 11))),
    ],
    ids=str,
)  # fmt: skip
def test_calls_that_could_have_been_are_read(told: object, call: Call) -> None:
    assert traced_calls.read([told], 3) == (call,)
    assert traced_calls.read([told] * 48, 3) == (call,) * 48


def test_at_most_three_hidden_calls_are_told() -> None:
    found = [Call(2, name) for name in ("one", "two", "three", "four")]

    assert traced_calls.hidden_calls(found, [Offence(2, "`exec`")], ()) == (
        "As it ran, line 2 called `one`, line 2 called `two`, line 2 called `three`."
    )


@pytest.mark.parametrize(
    ("names", "offences", "told"),
    [
        ((), (), ""),
        (("size", "mul", "_softmax", "attribute", "sqrt"), (), ""),
        (("transpose.int",), (), "As it ran, line 2 called `transpose`."),
        (("view", "view"), (), "As it ran, line 2 called `view`."),
        (("view", "exec"), ("`x.view(3)`", "`y.exec`"), ""),
        (("view",), ("`review`",), "As it ran, line 2 called `view`."),
        (("sqrt", "view"), ("`exec`",), "As it ran, line 2 called `view`."),
    ],
)
def test_a_hidden_call_is_told_once_and_only_where_nothing_else_named_it(
    names: Sequence[str], offences: Sequence[str], told: str
) -> None:
    calls, broken = [Call(2, name) for name in names], [Offence(2, what) for what in offences]

    assert traced_calls.hidden_calls(calls, broken, ("sqrt",)) == told


SIZES = {"b": 2, "s": 3, "d": 5}


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ((), ""),
        ((Call(1, "add", ((2, 3), (5,))),), ""),
        ((Call(2, "add"),), ""),
        ((Call(2, "add", ((2, 3), (5,))), Call(1, "mul", ((2,),))), ""),
        ((Call(1, "mul", ((2,),)), Call(2, "add", ((2, 3), (5,)))), "There `+` met (2, 3), which is b s, and (5,), which is d."),
        ((Call(2, "add", ((2, 3), (2, 3))),), ""),
        ((Call(2, "attribute", ((2, 3),)),), ""),
        ((Call(2, "mm.out.x", ((), (2, 5))),), "There `mm` met (), which is one number, and (2, 5), which is b d."),
    ],
    ids=["none", "another line", "no shapes", "not the last", "a sign", "equal shapes", "an attribute", "a function"],
)  # fmt: skip
def test_the_shapes_that_the_last_call_met_are_told_with_their_axes(calls: Sequence[Call], told: str) -> None:
    assert traced_calls.shapes_met(calls, 2, SIZES) == told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (Call(2, "sum", ((2, 3, 5),), (0, -1)), "As it ran, sum on line 2 ran over b and d."),
        (Call(2, "sum", ((2, 3, 5),), (-3, 2)), "As it ran, sum on line 2 ran over b and d."),
        (Call(2, "sum", ((2, 3, 5),), (-1,)), "As it ran, sum on line 2 ran over d."),
        (Call(2, "softmax", ((2, 3, 5),), (1,)), "As it ran, softmax on line 2 ran over s."),
        (Call(2, "softmax", ((2, 3, 5),), (-1,)), ""),
        (Call(2, "softmax", ((2, 3, 5),), (2,)), ""),
        (Call(2, "permute", ((2, 3, 5),), (0,)), ""),
        (Call(2, "sum", ((2, 3, 5),)), ""),
        (Call(2, "sum", (), (0,)), ""),
        (Call(2, "sum", ((2, 3, 5),), (0, 3)), ""),
        (Call(2, "sum", ((2, 3, 5),), (-4,)), ""),
        (Call(2, "sum", ((7, 3, 5),), (0,)), ""),
    ],
)
def test_the_axes_of_a_reduction_are_told_by_name(call: Call, told: str) -> None:
    assert traced_calls.reduced_axes([Call(1, "view", ((2,),), (0,)), call], SIZES) == told


def test_at_most_three_reductions_are_told() -> None:
    calls = [Call(line, "mean", ((2, 3, 5),), (0,)) for line in (1, 2, 3, 4)]

    assert traced_calls.reduced_axes(calls, SIZES) == (
        "As it ran, mean on line 1 ran over b, mean on line 2 ran over b, mean on line 3 ran over b."
    )
