"""What an answer called as it ran is told beside what was wrong; it can be forged, and never changes a verdict."""

import random

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

    assert lines[1].startswith("RuntimeError on line 2")
    assert lines[2] == "There `*` met (3, 11, 7), which is b s d, and (3, 11), which is b s."


def test_an_unexplained_answer_is_told_what_its_reductions_ran_over(place: Place) -> None:
    source = (
        "def f(q, k, v):\n    a = softmax(2 * einsum(q, k, 'b h i d, b h j d -> b h i j'), dim=1)\n"
        "    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n"
    )

    assert judged(place, "attention", source).diagnosis.endswith("\nAs it ran, softmax on line 2 ran over h.")


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
        [{**ONE, "shapes": [[1 << 40]]}],
        [{**ONE, "shapes": [[1] * 13]}],
        [{**ONE, "over": [1.5]}],
        [{**ONE, "over": "0"}],
    ],
)
def test_calls_that_could_not_have_been_are_none(told: object) -> None:
    assert traced_calls.read(told, 3) == ()


def test_calls_that_could_have_been_are_read() -> None:
    assert traced_calls.read([ONE], 3) == (Call(2, "permute", ((2, 3),), (0,)),)


def test_at_most_three_hidden_calls_are_told() -> None:
    found = [Call(2, name) for name in ("one", "two", "three", "four")]

    assert traced_calls.hidden_calls(found, [Offence(2, "`exec`")], ()) == (
        "As it ran, line 2 called `one`, line 2 called `two`, line 2 called `three`."
    )
