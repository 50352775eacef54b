"""An answer in the one form that is judged: what it says otherwise is the same computation, on the same lines."""

import ast

import pytest

from studykit.exercise.rewrite.plain_calls import plain_tree


def plain(*lines: str, head: str = "def f(x, g):") -> list[str]:
    source = "\n".join([head, *(f"    {line}" for line in lines)])
    return [line.strip() for line in ast.unparse(plain_tree(source)).splitlines()[1:]]


@pytest.mark.parametrize(
    ("written", "judged"),
    [
        ("x.sqrt()", "sqrt(x)"),
        ("(x * x).rsqrt()", "rsqrt(x * x)"),
        ("x.softmax(dim=-1)", "softmax(x, dim=-1)"),
        ("F.softmax(x, dim=1)", "softmax(x, dim=1)"),
        ("torch.nn.functional.relu(x)", "relu(x)"),
        ("nn.functional.relu(x)", "nn.functional.relu(x)"),
        ("x.size(1)", "x.shape[1]"),
        ("x.size()[0]", "x.shape[0]"),
        ("torch.sqrt(x)", "torch.sqrt(x)"),
        ("math.sqrt(x.shape[1])", "x.shape[1] ** 0.5"),
        ("math.sqrt(x, g)", "math.sqrt(x, g)"),
        ("x.softmax()", "x.softmax()"),
        ("F.softmax(x)", "F.softmax(x)"),
        ("F.softmax(x, -1)", "softmax(x, -1)"),
        ("F.rsqrt(x)", "F.rsqrt(x)"),
        ("x.view(1)", "x.view(1)"),
        ("x.size(dim=1)", "x.shape[1]"),
        ("x.size(1, dim=1)", "x.size(1, dim=1)"),
        ("x.size(1, 2)", "x.size(1, 2)"),
        ("x.size(of=1)", "x.size(of=1)"),
        ("x.size(**g)", "x.size(**g)"),
        ("F.layer_norm(x, g)", "F.layer_norm(x, g)"),
        ("x.sqrt", "x.sqrt"),
    ],
)
def test_a_method_is_its_function(written: str, judged: str) -> None:
    assert plain(f"return {written}") == [f"return {judged}"]


def test_the_import_of_math_is_passed_over() -> None:
    assert plain("import math", "return x / math.sqrt(2)") == ["pass", "return x / 2 ** 0.5"]
    assert plain("import math as m", "return m.sqrt(2)")[0] == "import math as m"


@pytest.mark.parametrize("line", ["import torch.nn.functional as F", "from torch.nn import functional as F"])
def test_the_import_of_what_is_there_is_passed_over(line: str) -> None:
    source = f"{line}\ndef f(x, g):\n    return F.softmax(x, -1)\n"

    assert plain(line, "return F.softmax(x, -1)") == ["pass", "return softmax(x, -1)"]
    assert ast.dump(plain_tree(source, to_run=True)) == ast.dump(plain_tree(source))
    assert plain(line, "F = x", "return F.softmax(x, -1)")[0] == line


@pytest.mark.parametrize("line", ["import math", "import torch.nn.functional as F"])
def test_an_import_that_nothing_uses_is_passed_over(line: str) -> None:
    assert plain(line, "return x.shape[1]")[0] == "pass"


@pytest.mark.parametrize("line", ["import torch.nn.functional as G", "from torch.nn import functional, init"])
def test_another_import_keeps_its_form(line: str) -> None:
    assert plain(line, "return x.size(1)")[0] == line


def test_what_is_run_has_the_root_of_math_itself() -> None:
    source = "def f(x, g):\n    import math\n    return x / math.sqrt(g)\n"

    assert ast.dump(plain_tree(source, to_run=True)) == ast.dump(ast.parse(source))


def test_a_name_of_the_answers_own_is_no_module() -> None:
    assert plain("return F.softmax(g, dim=-1)", head="def f(x, F):") == ["return softmax(F, g, dim=-1)"]
    assert plain("return math.sqrt(x)", head="def f(x, math):") == ["return sqrt(math, x)"]


def test_a_name_of_the_answers_own_keeps_its_meaning() -> None:
    assert plain("sqrt = x", "return g.sqrt()") == ["sqrt = x", "return g.sqrt()"]
    assert plain("return g.sqrt()", head="from torch import sqrt\ndef f(x, g):")[-1] == "return sqrt(g)"


def test_lines_stay_where_they_are() -> None:
    tree = plain_tree("def f(x):\n    y = x\n\n    return (\n        y.sqrt())\n")

    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [node.lineno for node in ast.walk(function.body[1]) if isinstance(node, ast.Call)] == [5]


def test_what_nests_too_deeply_is_left_as_it_is() -> None:
    source = f"def f(x): return {'-' * 900}x"

    assert ast.dump(plain_tree(source)) == ast.dump(ast.parse(source))
