"""What an answer computes, read from its tree: steps, what they take, and what is no step at all."""

import ast

import pytest

from studykit.graders.rewrite import flow
from studykit.graders.rewrite.flow import FlowStep, NoFlowError


def steps(body: str, signature: str = "f(x, h)") -> list[str]:
    """The steps of a function's lines, as text."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return of_source(f"def {signature}:\n{lines}")


def of_source(source: str) -> list[str]:
    read = flow.read(ast.parse(source))
    return [_text(step) for step in read.steps]


def _text(step: FlowStep) -> str:
    named = "".join(f" {name}={place}" for name, place in step.named)
    detail = "" if step.detail is None and step.kind != "constant" else f" {step.detail!r}"
    return f"{step.kind}{detail}{''.join(f' {place}' for place in step.takes)}{named}"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return x", ["argument 0"]),
        ("return", ["constant None"]),
        ("return x + h", ["argument 0", "argument 1", "sign '+' 0 1"]),
        ("return h - x", ["argument 0", "argument 1", "sign '-' 1 0"]),
        ("return x * 2 / 3 // 4 ** 5", None),
        ("return -x", ["argument 0", "minus 0"]),
        ("return +x", ["argument 0", "plus 0"]),
        ("y = x\nx = h\nreturn y", ["argument 0"]),
        ("y = z = h\nreturn z", ["argument 1"]),
        ("y: int = h\nz: int\nreturn y", ["argument 1"]),
        ("x\npass\nreturn h", ["argument 1"]),
        ("return x\nreturn h", ["argument 0"]),
        ("y = rearrange(h, 'a')\nreturn x", ["argument 0"]),
        ("return x.shape[0]", ["argument 0", "shape 0", "constant 0", "item 1 2"]),
        ("return x.shape[1:]", ["argument 0", "shape 0", "constant 1", "constant None", "slice 1 2 3 3"]),
        (
            "return x.shape[:h:2]",
            ["argument 0", "argument 1", "shape 0", "constant None", "constant 2", "slice 2 3 1 4"],
        ),
        ("return [x, h]", ["argument 0", "argument 1", "list 0 1"]),
        ("return (x, h)", ["argument 0", "argument 1", "tuple 0 1"]),
        ("return [x, h][0]", ["argument 0"]),
        ("return (x, h)[-1]", ["argument 1"]),
        ("return (x, h)[-2]", ["argument 0"]),
        ("return [x, h][+1]", ["argument 1"]),
        ("return [x, h, 3][1]", ["argument 1"]),
        ("return [x, h, 3][+1]", ["argument 1"]),
        ("return [x, h, 3][-1]", ["constant 3"]),
        ("return [x, h][2]", ["argument 0", "argument 1", "list 0 1", "constant 2", "item 2 3"]),
        ("return [x, h][-3]", ["argument 0", "argument 1", "list 0 1", "constant 3", "minus 3", "item 2 4"]),
        ("return [x, h][h]", ["argument 0", "argument 1", "list 0 1", "item 2 1"]),
        ("a, b = x, h\nreturn b", ["argument 1"]),
        ("a, b = [x, h]\nreturn a", ["argument 0"]),
        ("(a, [b, c]) = x, h\nreturn c", ["argument 1", "constant 2", "part 1 0 1"]),
        ("a, b = x\nreturn a", ["argument 0", "constant 2", "part 0 0 1"]),
        ("a, b = [x]\nreturn a", ["argument 0", "list 0", "constant 2", "part 0 1 2"]),
        (
            "return rearrange(x, 'a', h=h)",
            ["argument 0", "argument 1", "constant 'a'", "call 'rearrange' 0 2 h=1"],
        ),
        ("return einops.reduce(x, 'a')", ["argument 0", "constant 'a'", "call 'reduce' 0 1"]),
        ("return torch.softmax(x)", ["argument 0", "call 'torch.softmax' 0"]),
        ("return [x * x, x * x]", ["argument 0", "sign '*' 0 0", "list 1 1"]),
        (
            "return [1, True, 1.0, '1']",
            ["constant 1", "constant True", "constant 1.0", "constant '1'", "list 0 1 2 3"],
        ),
    ],
)
def test_lines_become_steps_that_the_result_needs(body: str, wanted: list[str] | None) -> None:
    found = steps(body)

    assert found == wanted or (wanted is None and found[-1].startswith("sign '//'"))


def test_each_sign_is_a_step() -> None:
    assert [step for step in steps("return ((((h + 1) - 2) * 3) / 4) // 5 ** 6") if step.startswith("sign")] == [
        "sign '+' 0 1",
        "sign '-' 2 3",
        "sign '*' 4 5",
        "sign '/' 6 7",
        "sign '**' 9 10",
        "sign '//' 8 11",
    ]


def test_equal_steps_are_one_and_names_are_given_in_order() -> None:
    assert steps("y = x + h\nx = y + x\nreturn x") == ["argument 0", "argument 1", "sign '+' 0 1", "sign '+' 2 0"]


def test_a_line_outside_of_f_gives_its_names() -> None:
    source = "'Doc.'\nimport einops\nfrom torch import Tensor\nh = 8\nz = h\ndef f(x): return x + z\n"

    assert of_source(source) == ["constant 8", "argument 0", "sign '+' 1 0"]
    assert of_source("h = 8\ndef f(x): return x + h - 8\n")[2:] == ["sign '+' 1 0", "sign '-' 2 0"]


def test_arguments_of_all_kinds_have_their_places() -> None:
    assert steps("return [a, b, c]", "f(a, /, b, c)") == ["argument 0", "argument 1", "argument 2", "list 0 1 2"]


def test_the_first_line_of_each_function_is_kept_although_nothing_needs_it() -> None:
    source = (
        "y = pack(8)\ndef f(x):\n    rearrange(x)\n    y = reduce(x)\n    reduce(x)\n    return einops.repeat(x)\n"
    )
    read = flow.read(ast.parse(source))

    assert read.lines == {"pack": 1, "rearrange": 3, "reduce": 4, "repeat": 6}
    assert read.calls("repeat") == {1}
    assert read.calls("rearrange") == frozenset()


@pytest.mark.parametrize(
    ("source", "line", "why"),
    [
        ("def f(x):\n    return g", 2, "`g`, which is no value of the answer"),
        ("def f(x):\n    return print", 2, "`print`, which is no value of the answer"),
        ("def f(x):\n    return rearrange", 2, "`rearrange`, which is no value of the answer"),
        ("def f(x):\n    x.y = 1\n    return x", 2, "an assignment to what is no name"),
        ("def f(x):\n    x[0] = 1\n    return x", 2, "an assignment to what is no name"),
        ("def f(x):\n    a, x[0] = x\n    return x", 2, "an assignment to what is no name"),
        ("def f(x):\n    x.y: int = 1\n    return x", 2, "a statement that computes nothing here"),
        ("def f(x):\n    x += 1\n    return x", 2, "a statement that computes nothing here"),
        ("def f(x):\n    for y in x: pass\n    return x", 2, "a statement that computes nothing here"),
        ("def f(x):\n    return x.T", 2, "`.T`"),
        ("def f(x):\n    return x if x else x", 2, "an expression that is no value here"),
        ("def f(x):\n    return x @ x", 2, "an operator"),
        ("def f(x):\n    return not x", 2, "an operator"),
        ("def f(x):\n    return ~x", 2, "an operator"),
        ("def f(x):\n    return x(1)", 2, "a call of something that is no function here"),
        ("y = 1\ndef f(x):\n    return y(1)", 3, "a call of something that is no function here"),
        ("def f(x):\n    return x.y(1)", 2, "a call of something that is no function here"),
        ("def f(einops):\n    return einops.repeat(1)", 2, "a call of something that is no function here"),
        ("einops = 1\ndef f(x):\n    return einops.repeat(1)", 3, "a call of something that is no function here"),
        ("def f(x):\n    return np.repeat(x)", 2, "`np.repeat`"),
        ("def f(x):\n    return torch.einsum(x)", 2, "`torch.einsum`"),
        ("def f(x):\n    return einops.softmax(x)", 2, "`einops.softmax`"),
        ("def f(x):\n    return repeat(x, **x)", 2, "`**` in a call (name the axes)"),
        *(
            (f"def f(x):\n    {nothing} = x\n    return x", 2, "an assignment to what is no name")
            for nothing in ("()", "[]")
        ),
        *((f"def f({given}):\n    return x", 1, "`*` in a signature") for given in ("x, **y", "*x", "x, *, y")),
        ("def f(x):\n    x", 1, "a function that returns nothing"),
        ("def f(x):\n    return x\ndef f(x):\n    return x", 3, "2 functions, not one f"),
        ("def f(x): pass\ndef g(x): pass\ndef h(x): pass", 3, "3 functions, not one f"),
        ("x = 1", 0, "0 functions, not one f"),
        ("f = 1\ndef f(x):\n    return x", 2, "another meaning for `f`"),
        (f"def f(x):\n    return {list(range(400))}", 0, "more than 400 steps"),
        ("def f(x):\n    return " + "+".join("1" * 900), 0, "an expression that is too deeply nested to follow"),
        ("def f(x):\n    return " + "-" * 900 + "1", 0, "an expression that is too deeply nested to follow"),
    ],
)
def test_what_is_no_step_has_no_flow(source: str, line: int, why: str) -> None:
    with pytest.raises(NoFlowError) as caught:
        flow.read(ast.parse(source))

    assert (caught.value.line, str(caught.value)) == (line, why)


def test_a_step_is_described_for_a_child() -> None:
    assert FlowStep("call", "rearrange", (0, 1), (("h", 2),)).described() == [
        "call",
        "rearrange",
        [0, 1],
        {"h": 2},
    ]
