"""A flow computed step by step: which values are equal, what the result is with other values in their place."""

import ast
import json
from collections.abc import Callable

import numpy as np
import pytest
from trusted_grade import LIBRARY, ask

from studykit.exercise.rewrite.trial import Tensor, tensor
from studykit.graders.child import flow_values
from studykit.graders.child.flow_values import FlowValues, Numbers, Replacement
from studykit.graders.rewrite import flow
from studykit.graders.rewrite.flow import Flow
from studykit.sandbox.channel import Message


def read(body: str, signature: str = "f(x, h)") -> Flow:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return flow.read(ast.parse(f"def {signature}:\n{lines}"))


def told_of(body: str, *tensors: Tensor, **header: object) -> tuple[dict[str, object], tuple[bytes, ...]]:
    """The reply of a child to the steps of a function."""
    names = ", ".join("xyz"[: len(tensors)])
    steps = [step.described() for step in read(body, f"f({names})").steps]
    asked = {
        "steps": steps,
        "arguments": [one.described() for one in tensors],
        "draw": [3, 5, 7],
        "alike": ["values"],
    }
    reply = ask(asked | header, [one.data for one in tensors])
    assert isinstance(reply, Message), reply
    return reply.header, reply.blobs


X = tensor("float64", (2, 3), [1, 2, 3, 4, 5, 7])
UNBOUND: dict[str, object] = {"given": [], "turned": False, "free": "noise", "related": False}
"""No relation is asked for."""


def test_equal_values_are_found_whatever_way_they_were_made() -> None:
    body = "a = rearrange(x, 'a b -> b a')\nb = rearrange(a, 'b a -> a b')\nreturn [b * 2 - x, b, a, x - x, 2.0]"
    header, _ = told_of(body, X, alike=["values", "measured values", "measured rows", "measured bags"])
    # 0 x, 1 '...', 2 a, 3 '...', 4 b, 5 2, 6 b * 2, 7 c, 8 x - x, 9 2.0, 10 the list
    classes = header["classes"]

    assert isinstance(classes, dict)
    assert classes["values"] == [0, 1, 2, 3, 0, 5, 6, 0, 8, 5, 10]
    assert classes["measured values"] == classes["measured rows"] == [0, 1, 2, 3, 0, 5, 0, 0, 8, 5, 10]
    assert classes["measured bags"] == [0, 1, 0, 3, 0, 5, 0, 0, 8, 5, 10]
    assert header["fixed"] == [1, 3, 5, 8, 9]
    assert header["counts"] == [6, 0, 6, 0, 6, 1, 6, 6, 6, 1, 25]


def test_another_shape_is_the_same_row() -> None:
    header, _ = told_of(
        "return [rearrange(x, 'a b -> (a b)'), x + 1e-12, x + 0.1]", X, alike=["values", "measured rows"]
    )
    classes = header["classes"]

    assert isinstance(classes, dict)
    assert classes["values"][2] == 2
    assert classes["measured rows"][2] == 0
    assert classes["values"][4] == 0
    assert classes["values"][6] == 6


@pytest.mark.parametrize("alike", ["measured values", "measured rows", "measured bags"])
def test_multiples_and_shifted_numbers_are_the_same_and_others_are_not(alike: str) -> None:
    same = ["x * 3", "7 - x", "x / -8 + 4096", "(x + 1) * -1", "x * 4096"]
    others = [
        "x ** 2",
        "1 / (x + 1)",
        "x * reduce(x, 'a b -> ', 'sum')",
        "x + reduce(x, 'a b -> ', 'max')",
        "x * 0",
    ]

    def is_x(formula: str) -> bool:
        header, _ = told_of(f"return [x, {formula}]", X, alike=["values", alike])
        classes = header["classes"]
        assert isinstance(classes, dict)
        found: list[int] = classes[alike]
        return found[-2] == 0

    assert [is_x(formula) for formula in (*same, *others)] == [True] * len(same) + [False] * len(others)


def test_of_two_single_numbers_only_a_multiple_is_the_same() -> None:
    body = "a = reduce(x, 'a b -> ', 'sum')\nreturn [a, a * 3, a + 1]"
    header, _ = told_of(body, X, alike=["values", "measured values", "measured bags"])
    # 0 x, 1 '...', 2 'sum', 3 a, 4 3, 5 a * 3, 6 1, 7 a + 1, 8 the list
    classes = header["classes"]

    assert isinstance(classes, dict)
    for alike in ("measured values", "measured bags"):
        assert (classes[alike][5], classes[alike][7]) == (3, 7)


@pytest.mark.parametrize(
    ("kind", "difference", "equal"),
    [
        ("float64", 1e-9, True),
        ("float64", 1e-6, False),
        ("float32", 1e-6, True),
        ("float32", 1e-4, False),
        ("int64", 1, False),
    ],
)
def test_how_much_two_values_may_differ(kind: str, difference: float, *, equal: bool) -> None:
    one = np.asarray([1, 2, 4], dtype=kind)

    assert Numbers.of(LIBRARY, one).equal(Numbers.of(LIBRARY, (one + difference).astype(kind))) is equal


def test_numbers_that_are_none_are_equal_to_themselves() -> None:
    none = np.asarray([np.nan, 1.0])

    assert Numbers.of(LIBRARY, none).equal(Numbers.of(LIBRARY, none.copy()))
    assert not Numbers.of(LIBRARY, none).equal(Numbers.of(LIBRARY, np.asarray([1.0, 1.0])))
    assert not Numbers.of(LIBRARY, np.asarray([np.inf, 1.0])).equal(Numbers.of(LIBRARY, np.asarray([1.0, 1.0])))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, 2, False),
        ("a", "a", True),
        ("a", "b", False),
        (None, None, True),
        ([1, "a"], [1, "a"], True),
        ([1, "a"], (1, "a"), True),
        ([1], [1, 1], False),
        ([], [], True),
        ([], [1], False),
        ({"b": 2}, {"b": 2}, True),
        (np.ones(1), 1, False),
        (np.ones(0), np.ones(0), True),
        (np.ones((1, 2)), np.ones(2), False),
    ],
)
def test_values_of_every_kind_are_compared(one: object, other: object, *, equal: bool) -> None:
    assert Numbers.of(LIBRARY, one).equal(Numbers.of(LIBRARY, other)) is equal


@pytest.mark.parametrize("kind", ["float32", "float64", "int64"])
def test_other_numbers_are_of_the_same_kind_and_neither_the_same_nor_in_another_order(kind: str) -> None:
    given = tensor(kind, (3, 4), range(1, 13))
    frame = Message({"arguments": [given.described(), 4]}, (given.data,))

    (other, size), (same, _) = (flow_values.arguments(LIBRARY, frame, draw) for draw in ([3, 5, 7], []))

    assert size == 4
    assert (other.dtype, other.shape) == (same.dtype, same.shape)
    assert same.tolist() == np.arange(1, 13).reshape(3, 4).tolist()
    assert other.sum() != same.sum()
    assert other.max() != same.max()
    assert len(set(other.ravel().tolist())) > 2


@pytest.mark.parametrize(
    ("by", "made"),
    [
        ("zeros", lambda a: (a == 0).all()),
        ("ones", lambda a: (a == 1).all()),
        ("noise", lambda a: len(np.unique(a)) > 3 and (a > 0.4).all() and (a < 1.6).all()),
        ("near", lambda a: (a >= 75).all() and (a <= 125).all() and len(np.unique(a)) > 3),
    ],
)
def test_values_are_replaced_in_lists_too(by: str, made: Callable[[np.ndarray], bool]) -> None:
    value = np.full((2, 5), 100.0)
    replacement = Replacement(LIBRARY, by, 1)

    other = replacement.of([value, ("a", value)])

    assert made(other[0])
    assert made(other[1][1])
    assert other[1][0] == "a"
    assert (other[0].dtype, other[0].shape) == (value.dtype, value.shape)
    assert (value == 100).all()
    assert by not in {"noise", "near"} or (other[0] != Replacement(LIBRARY, by, 2).of(value)).any()


@pytest.mark.parametrize("by", ["zeros", "ones", "noise", "near"])
def test_whole_numbers_are_replaced_by_other_whole_numbers(by: str) -> None:
    value = np.arange(10, 20)

    other = Replacement(LIBRARY, by, 1).of(value)

    assert other.dtype == value.dtype
    assert (other != value).all()


def test_the_result_is_computed_with_what_is_replaced_and_what_is_kept() -> None:
    body = "y = reduce(x, 'a b -> ', 'sum')\nz = reduce(x, 'a b -> ', 'mean')\nreturn [x * y, x * z * 6, y - y, x]"
    found = read(body, "f(x)")
    names = [step.detail if step.kind == "call" else step.kind for step in found.steps]
    calls = [place for place, name in enumerate(names) if name == "reduce"]
    same = list(range(len(names)))
    ways = [[["zeros", calls]], [["near", calls]]]

    header, blobs = told_of(body, X, replaced=ways, kept=[0], same=same, **UNBOUND)

    values = header["values"]
    assert isinstance(values, list)
    arrays = [np.frombuffer(blob) for blob in blobs]
    assert [len(array) for array in arrays] == [6, 6, 1, 6] * 2
    assert (arrays[0] == 0).all()
    assert (arrays[3] == [1, 2, 3, 4, 5, 7]).all()
    assert arrays[4] == pytest.approx(arrays[5])  # a sum and a mean change by the same part
    assert (arrays[4] != np.asarray([1, 2, 3, 4, 5, 7]) * 22).all()


def test_a_result_that_then_raises_is_none() -> None:
    body = "return rearrange(x, 'a b -> a b')"  # its pattern is another tensor then
    header, _ = told_of(body, X, replaced=[[["zeros", []]]], kept=[], same=[0, 0, 2], **UNBOUND)

    assert header["values"] == [None]


def test_steps_that_are_the_same_are_computed_once() -> None:
    steps = [
        step.described() for step in read("return [x + 1, x + 2]").steps
    ]  # 0 x, 1 1, 2 x + 1, 3 2, 4 x + 2, 5

    assert FlowValues(LIBRARY, steps, [5, 6], same=[0, 1, 2, 3, 2, 5]).values[-1] == [6, 6]
    assert FlowValues(LIBRARY, steps, [5, 6], {2: 9}).values[-1] == [9, 7]
    assert FlowValues(LIBRARY, steps, [5, 6]).values[-1] == [6, 7]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("return x + 2 - 1", 7),
        ("return x * 2 / 4", 3.0),
        ("return x // 4 + x ** 2", 37),
        ("return [-x, +x]", [-6, 6]),
        ("a, b = x, h\nreturn (b, a)", (7, 6)),
        ("return [[x, h, 3][h - 5]]", [3]),
        ("return [x, h, 3][:2][-1]", 7),
        ("a, b = [x, h][:2]\nreturn b", 7),
    ],
)
def test_each_step_is_computed_as_python_does(body: str, value: object) -> None:
    steps = [json.loads(json.dumps(step.described())) for step in read(body).steps]

    assert FlowValues(LIBRARY, steps, [6, 7]).values[-1] == value


def test_as_many_parts_as_names_are_taken_or_none() -> None:
    steps = [step.described() for step in read("a, b = [x, h, x][:3]\nreturn a").steps]

    with pytest.raises(ValueError, match="not as many parts as names"):
        FlowValues(LIBRARY, steps, [6, 7])
