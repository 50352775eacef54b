"""What an answer may be made of and which calls it may make, told without running anything."""

# ruff: noqa: E501 - answers and messages are quoted as they come
import ast
from typing import Any

import pytest
from rewrites import task

from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.graders.rewrite import whitelist
from studykit.graders.rewrite.whitelist import AnswerNodes, Literal, Offence, UnreadableError

CALL = "rearrange(x, 'b s (h d) -> b h s d', h=h)"


def offences(source: str, name: str = "split_heads") -> list[str]:
    return [str(each) for each in whitelist.read(source, task(name)).offences]


def of_body(body: str, name: str = "split_heads") -> list[str]:
    """The offences of `def f(x, h)` with these lines and an honest call behind them."""
    lines = [*body.splitlines(), f"return {CALL}"]
    return offences("def f(x, h):\n" + "".join(f"    {line}\n" for line in lines), name)


@pytest.mark.parametrize(
    "expression",
    [
        "x",
        "h + 1 - 2 * 3 / 4 // 5 ** 6",
        "-h",
        "+h",
        "4096",
        "-4096",
        "1.5",
        "'mean'",
        "(x, h)",
        "[x, h]",
        "x.shape",
        "x.shape[0]",
        "x.shape[1:]",
        "x.shape[:-1]",
        "h[0]",
        "h[-1]",
        "rearrange(x, 'a')[0]",
        "einops.rearrange(x, 'a')",
        "pack([x], 'a *')",
    ],
)
def test_an_expression_that_the_rule_allows(expression: str) -> None:
    assert of_body(f"y = {expression}") == []


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("x.permute(0, 1)", ["`.permute`"]),
        ("x.__class__", ["`.__class__`"]),
        ("h.x.rearrange(1)", ["`.rearrange` (write `rearrange(...)`)", "`.x`"]),
        ("x.rearrange('a')", ["`.rearrange` (write `rearrange(...)`)"]),
        ("np.rearrange(x)", ["`np.rearrange` (write `rearrange(...)`)"]),
        ("F.relu(x)", ["`F.relu`"]),
        ("torch.exp(x)", ["`torch.exp`"]),
        (
            "torch.rearrange(x, 'a')",
            [
                "`torch.rearrange` (write `rearrange(...)`: einops takes the tensors first, then the pattern with spaces)"
            ],
        ),
        ("einops.layers(x)", ["`.layers`"]),
        ("x.shape.foo", ["`.foo`"]),
        ("x @ x", ["the operator `@`"]),
        ("h << 1", ["the operator `<<`"]),
        ("h & 1", ["the operator `&`"]),
        ("h % 1", ["the operator `%`"]),
        ("not h", ["the operator `not`"]),
        ("h or x", ["the operator `or`"]),
        ("h and x", ["the operator `and`"]),
        ("~h", ["the operator `~`"]),
        ("x[0, 1]", ["an index or a slice"]),
        ("h['a']", ["an index or a slice"]),
        ("h[-'a']", ["an index or a slice"]),
        ("(h * 2)[0]", ["an index or a slice"]),
        ("x[0][0]", ["an index or a slice"]),
        ("h[0:1]", ["an index or a slice"]),
        ("(lambda: x)()", ["a call of something that is no name", "`lambda`"]),
        ("x(1)(2)", ["a call of something that is no name", "`x`"]),
        ("x if h else x", ["`if`"]),
        ("[*x]", ["`*` before a name"]),
        ("{1: 2}", ["a dictionary"]),
        ("{1, 2}", ["a set"]),
        ("(h := 1)", ["`:=`"]),
        ("(yield)", ["`yield`"]),
        ("(yield from x)", ["`yield`"]),
        ("rearrange(**{})", ["`**` in a call (name the axes)", "a dictionary"]),
        ("getattr(x, 'T')", ["`getattr`"]),
        ("f(x, h)", ["`f`"]),
        ("print(h)", ["`print` (take it out again)"]),
        ("__import__('os')", ["`__import__`"]),
        ("__name__", ["`__name__`"]),
        ("rearrange", ["`rearrange` without calling it"]),
        ("einops.rearrange", ["`einops.rearrange` without calling it"]),
        ("einops", ["`einops` without a call of its functions"]),
        ("torch", ["`torch` without a call of its functions"]),
        ("sum", ["`sum` without quotes (write 'sum')"]),
        ("reduce(x, 'a b -> a', max)", ["`max` without quotes (write 'max')"]),
        ("sum(x)", ["`sum`"]),
        ("4097", ["the number 4097"]),
        ("5000.0", ["the number 5000.0"]),
        ("1j", ["the constant 1j"]),
        ("True", ["the constant True"]),
        ("None", ["the constant None"]),
        ("b'x'", ["the constant b'x'"]),
        ("...", ["the constant Ellipsis"]),
    ],
)
def test_an_expression_is_named_with_its_line(expression: str, what: list[str]) -> None:
    told = of_body(f"h = h\ny = {expression}")

    assert sorted(told) == sorted(f"{each} on line 3" for each in what)


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("[y for y in x]", "a comprehension"),
        ("(y for y in x)", "a comprehension"),
        ("{y for y in x}", "a comprehension"),
        ("{y: y for y in x}", "a comprehension"),
        ("f'{h}'", "an f-string"),
        ("x < h", "the comparison `<`"),
        ("x is not h", "the comparison `is not`"),
        ("x == h < 1", "the comparison `==`"),
    ],
)
def test_an_expression_of_several_parts_is_named_first_by_itself(expression: str, what: str) -> None:
    assert of_body(f"y = {expression}")[0] == f"{what} on line 2"


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("pass", []),
        ("x", []),
        ("sum = x\nsum", []),
        ("y: int = 5", []),
        ("y: __import__('os')", []),
        ("x.shape = h", ["an assignment to `.shape` on line 2"]),
        ("x.rearrange = h", ["`.rearrange` (write `rearrange(...)`) on line 2"]),
        ("einops.rearrange = h", ["`.rearrange` (write `rearrange(...)`) on line 2"]),
        ("x[0] = h", ["an assignment to an element on line 2"]),
        ("x += h", ["an assignment such as `+=`, which may change an input on line 2"]),
        ("rearrange = x", ["another meaning for `rearrange` on line 2"]),
        ("torch = x", ["another meaning for `torch` on line 2"]),
        ("einops = x", ["another meaning for `einops` on line 2"]),
        ("for i in x: pass", ["a loop on line 2"]),
        ("while h: pass", ["a loop on line 2"]),
        ("if h: pass", ["`if` on line 2"]),
        ("del x", ["`del` on line 2"]),
        ("global y", ["`global` on line 2"]),
        ("raise x", ["`raise` on line 2"]),
        ("assert x", ["`assert` on line 2"]),
        ("def f(x, h): return x", ["a second function, `f` on line 2"]),
        ("def g(x): return x", ["a second function, `g` on line 2"]),
        ("async def g(x): return x", ["`async` on line 2"]),
        ("class G: pass", ["a class on line 2"]),
        ("with x: pass", ["`with` on line 2"]),
        ("match h:\n  case [y, 1]: pass", ["`match` on line 2"]),
        ("try: pass\nexcept ValueError: pass", ["`try` on line 2"]),
        ("nonlocal y", ["`nonlocal` on line 2"]),
    ],
)
def test_a_statement_is_named_with_its_line(statement: str, told: list[str]) -> None:
    assert of_body(statement) == told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(x, h=8): return {}", ["a decorator or a default value on line 1"]),
        ("@x\ndef f(x, h): return {}", ["a decorator or a default value on line 2"]),
        ("def f(x, h, /): return {}", []),
        ("def f(einops, h): return {}", ["another meaning for `einops` on line 1"]),
        ("def f(x, rearrange): return {}", ["another meaning for `rearrange` on line 1"]),
        ("def f(x, torch): return {}", ["another meaning for `torch` on line 1"]),
        ("def f(x, Tensor): return {}", ["another meaning for `Tensor` on line 1"]),
        ("Tensor = 1\ndef f(x, h): return {}", ["another meaning for `Tensor` on line 1"]),
        ("def f(reduce, /, h): return {}", ["another meaning for `reduce` on line 1"]),
        ("def f(F, softmax): return {}", []),
        ("def f(x, \uff45inops): return {}", ["another meaning for `einops` on line 1"]),  # one name to Python
        ("def f(x, h): return x\ndef f(x, h): return {}", ["a second function, `f` on line 2"]),
        ("def f(x: '->', h: 5000) -> __import__('os'): return {}", []),
        ("def g(x): return x\ndef f(x, h): return {}", ["a second function, `g` on line 1"]),
        ("def rearrange(x): return x\ndef f(x, h): return {}", ["another meaning for `rearrange` on line 1"]),
        ("def torch(x): return x\ndef f(x, h): return {}", ["another meaning for `torch` on line 1"]),
        ("def f(x, h): return x", ["`rearrange` is never called"]),
        (
            "def f(x, h): return np.rearrange(x)",
            ["`np.rearrange` (write `rearrange(...)`) on line 1", "`rearrange` is never called"],
        ),
        (
            "def g(x): return {}\nf = 1",
            ["a second function, `g` on line 1", "another meaning for `f` on line 2"],
        ),
        ("f = 1", ["another meaning for `f` on line 1", "`rearrange` is never called"]),
        (
            "f = rearrange",
            [
                "another meaning for `f` on line 1",
                "`rearrange` without calling it on line 1",
                "`rearrange` is never called",
            ],
        ),
        (
            "class g:\n  f = 1",
            ["a class on line 1", "another meaning for `f` on line 2", "`rearrange` is never called"],
        ),
    ],
)
def test_what_a_function_is_refused_for(source: str, told: list[str]) -> None:
    assert offences(source.format(CALL)) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import torch", ""),
        ("import torch, einops", ""),
        ("import torch as t", "`import torch as t` (without `as t`)"),
        ("import einops as E, torch as t", "`import einops as E, torch as t` (without `as E`)"),
        ("import os", "`import os`"),
        ("import os as o", "`import os as o`"),
        ("import torch, os", "`import torch, os`"),
        ("from einops import rearrange, pack", ""),
        ("from einops import rearrange as r", "`from einops import rearrange as r` (without `as r`)"),
        ("from einops import layers", "`from einops import layers`"),
        ("from os import path", "`from os import path`"),
        ("from os import path as p", "`from os import path as p`"),
        ("from . import rearrange", "`from . import rearrange`"),
    ],
)
def test_an_import_of_einops_and_torch_alone_is_allowed(line: str, told: str) -> None:
    assert offences(f"{line}\ndef f(x, h): return {CALL}") == ([f"{told} on line 1"] if told else [])


def test_a_helper_may_be_called_as_a_function_of_torch() -> None:
    source = "def f(q, k, v):\n    return einsum(torch.softmax(q, -1), k, v, 'a')\n"

    assert offences(source, "attention") == []
    assert offences(source.replace("softmax(q, -1)", "exp(q)"), "attention") == ["`torch.exp` on line 2"]


def test_a_helper_is_no_place_to_assign_to() -> None:
    source = "def f(q, k, v):\n    torch.softmax = q\n    return einsum(q, k, v, 'a')\n"

    assert offences(source, "attention") == ["`torch.softmax` on line 2"]


def test_a_type_parameter_of_a_later_python_is_refused() -> None:
    function: Any = ast.parse(f"def f(x, h): return {CALL}").body[0]
    nodes = AnswerNodes(task("split_heads"), [(ast.Module([function], []), None), (function, ast.Module([], []))])
    before = list(nodes.offences())
    function.type_params = [ast.Name("rearrange")]

    assert before == []
    assert list(nodes.offences()) == [Offence(1, "a type parameter")]


def test_an_offence_of_the_whole_answer_has_no_line() -> None:
    read = whitelist.read("def f(x, h):\n    with x: return x\n", task("split_heads"))

    assert read.offences == (
        Offence(2, "`with`"),
        Offence(0, "`rearrange` is never called"),
    )


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (
            "y = [h for h in x]",
            "Write the calls out one by one; a name in the pattern does what a loop over an axis would.",
        ),
        (
            "for i in x: pass",
            "Write the calls out one by one; a name in the pattern does what a loop over an axis would.",
        ),
        ("y = x if h else x", "One way must be right for every shape."),
        ("y = lambda: x", "Write what it computes into f itself."),
        ("def g(x): return x", "Write its lines into f itself."),
        ("rearrange = x", "Choose another name."),
        ("x += h", "Write y = y + ... instead."),
        ("y = (h := 1)", "Give the value its name on a line of its own."),
        ("y = [*x]", "Write the values out one by one; a size has its place: x.shape[-1]."),
        ("y = x[:, 1:]", "rearrange or unpack takes an axis apart."),
        ("y = x[:, None]", "A 1 in a pattern adds an axis of length 1."),
        ("y = x['b']", "Take a size by its place, as in x.shape[1]."),
        ("y = f'{h}'", "Write the pattern out."),
        ("y = h < 1", ""),
        ("y = x.T", ""),
    ],
)
def test_what_is_refused_comes_with_what_to_do(line: str, advice: str) -> None:
    read = whitelist.read(f"def f(x, h):\n    {line}\n    return {CALL}\n", task("split_heads"))

    assert read.offences[0].advice == advice
    assert not read.plain


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (f"def f(x, h): return {CALL}", True),
        (f"import einops\n\ndef f(x, h):\n    'Doc.'\n    import torch\n    return einops.{CALL}", True),
        ("def f(x, h): return rearrange([x, x], 'n b s (h d) -> b h s d n', h=h)", False),
        ("def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', d=x.shape[-1] // h)", True),
        ("def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=h + h // 100)", False),
        ("def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=h // 1)", False),
        ("def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', d=x.shape[x.shape[0] // h])", False),
        ("def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=h * x.shape[0])", False),
        ("def f(x, h): return rearrange(x, 'a -> a', tensor=x)", False),
        ("def f(x, h): return rearrange(pattern='a -> a', tensor=x)", False),
        ("def f(x, h): return rearrange(x, 'a -> a', tensors=x)", False),
        ("def f(x, h): return rearrange(x * 1, 'b s (h d) -> b h s d', h=h)", False),
        ("def f(x, h): return rearrange([x, x + 1], 'n b s (h d) -> b h s d n', h=h)", False),
        ("def f(x, h): return rearrange([x, [x]], 'n b s (h d) -> b h s d n', h=h)", False),
        ("def f(x, h): return rearrange(rearrange(x, 'a -> a'), 'b s (h d) -> b h s d', h=h)", False),
        ("def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=rearrange(h, 'a -> a'))", False),
        (f"def f(x, h): return repeat({CALL}, 'a -> a')", False),
        (f"def f(x, h): return -{CALL}", False),
        (f"def f(x, h):\n    y = {CALL}\n    return y", False),
        (f"def f(x, h):\n    return {CALL}\n    return x", False),
        (f"h = 1\ndef f(x, h): return {CALL}", False),
        (f"x\ndef f(x, h): return {CALL}", False),
        (f"def f(x, h): {CALL}", False),
        (f"def f(x, h):\n    return {CALL}[0]", False),
        (f"def f(x, h):\n    if h: return {CALL}", False),
    ],
)
def test_one_call_on_the_arguments_themselves_is_plain(source: str, *, plain: bool) -> None:
    assert whitelist.read(source, task("split_heads")).plain is plain


def test_a_call_that_is_one_of_two_that_are_asked_for_is_not_plain() -> None:
    source = "def f(x, g):\n    return rearrange(x, 'b (g c) s -> b (g c) s', g=g)\n"

    assert not whitelist.read(source, task("group_norm")).plain


def test_a_default_value_is_refused_without_advice_on_functions() -> None:
    read = whitelist.read(f"def f(x, h=8): return {CALL}", task("split_heads"))

    assert read.offences == (Offence(1, "a decorator or a default value"),)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("y = torch.nn.functional.pad(x, h)", "`torch.nn.functional.pad` on line 2"),
        ("y = torch.nn.T.shape", "`torch.nn.T` on line 2"),
        ("assert h % 2 == 0", "`assert` on line 2"),
        ("y = x[..., None]", "an index or a slice on line 2"),
        ("for y in range(h): pass", "a loop on line 2"),
        ("y = list(x)", "`list` (leave it out: a list and a tuple are alike here) on line 2"),
        ("y = x.div(h)", "`.div` (write `/`) on line 2"),
    ],
)
def test_what_stands_inside_something_refused_is_not_told_again(line: str, told: str) -> None:
    assert of_body(line) == [told]


def test_an_offence_is_told_once() -> None:
    assert of_body("y = x.T + x.T") == ["`.T` on line 2"]


@pytest.mark.parametrize(
    ("call", "patterns", "literals"),
    [
        ("rearrange(x, 'a -> b', h=8)", ["a -> b"], [Literal(2, "h", 8)]),
        ("einops.rearrange(x, 'a', h=8, d=4)", [], [Literal(2, "h", 8), Literal(2, "d", 4)]),
        ("rearrange(x, 'a', h=1)", [], []),
        ("rearrange(x, 'a', h='8')", [], []),
        ("rearrange(x, 'a', h=n)", [], []),
        ("rearrange(x, 'a', **{'h': 8})", [], []),
        ("rearrange(x, 'a', **8)", [], [Literal(2, "", 8)]),
        ("other(x, h=8)", [], []),
        ("rearrange(x, 'b (8 d) -> b 16 d')", ["b (8 d) -> b 16 d"], [Literal(2, "", 8), Literal(2, "", 16)]),
        ("rearrange(x, 'b1 1 -> 1 b1')", ["b1 1 -> 1 b1"], []),
        ("rearrange(x, 'b 8')", [], []),
    ],
)
def test_a_fixed_size_is_noted_where_it_stands(call: str, patterns: list[str], literals: list[Literal]) -> None:
    read = whitelist.read(f"def f(x, h):\n    return {call}\n", task("split_heads"))

    assert read.patterns == tuple((2, text) for text in patterns)
    assert read.literals == tuple(literals)


def test_a_size_that_is_part_of_the_exercise_may_be_written_as_a_number() -> None:
    exercise = next(e for e in catalog.of_set("einops") if isinstance(e, Rewrite) and e.fixed)
    axis, length = next(iter(exercise.fixed.items()))
    names = ", ".join(argument.name for argument in exercise.arguments)
    source = f"def f({names}):\n    return {exercise.must[0]}(x, 'a', {axis}={length}, other={length + 1})\n"

    assert whitelist.read(source, exercise).literals == (Literal(2, "other", length + 1),)


@pytest.mark.parametrize(
    ("source", "why", "shown"),
    [
        ("def f(x, h) return x", "line 1: expected ':'", "  def f(x, h) return x\n              ^"),
        ("def f(x, h):\n  return x +", "line 2: invalid syntax", "  return x +\n            ^"),
        (
            "def f(x, h):\nreturn x",
            "line 2: expected an indented block after function definition on line 1",
            "  return x\n  ^",
        ),
        ("    def f(x, h): return x", "line 1: unexpected indent", "  def f(x, h): return x\n  ^"),
        ("def f(x, h): return (x", "line 1: '(' was never closed", "  (x\n  ^"),
        (
            "def f(x, h): return x - > h",
            "line 1: invalid syntax; an arrow is written ->, in one piece",
            "  x - > h\n      ^",
        ),
        (
            "def f(x, h): return b s => s b",
            "line 1: invalid syntax; an arrow is written ->, in one piece",
            "  b s => s b\n    ^",
        ),
        ("def f(x, h):\n  return x => h", "line 2: invalid syntax", "  return x => h\n           ^"),
        (
            "def f(x, h): return b  d",
            "line 1: invalid syntax; a pattern has two sides with an arrow between: ... -> ...",
            "  b  d\n     ^",
        ),
        ("@ 1", "line 1: invalid syntax", ""),  # Python points at no column
        ("def g(x, h): return x", "the answer defines no function `f`; write `def f(x, h):`", ""),
        ("def f(x): return x", "line 1: write `def f(x, h):`", ""),
        ("x = 1\ndef f(x, h, *, k=1): return x", "line 2: write `def f(x, h):`", ""),
        ("def f(*x): return x", "line 1: write `def f(x, h):`", ""),
        ("def f(x, h, *k): return x", "line 1: write `def f(x, h):`", ""),
        ("def f(x, h, **k): return x", "line 1: write `def f(x, h):`", ""),
        ("def f(x, *, h): return x", "line 1: write `def f(x, h):`", ""),
        ("def f(x, h, k): return x", "line 1: write `def f(x, h):`", ""),
        ("from a import f", "the answer defines no function `f`; write `def f(x, h):`", ""),
        ("class f: pass", "the answer defines no function `f`; write `def f(x, h):`", ""),
        ("F = 1", "the answer defines no function `f`; write `def f(x, h):`", ""),
        ("", "the answer defines no function `f`; write `def f(x, h):`", ""),
        ("x" * 4000, "the answer defines no function `f`; write `def f(x, h):`", ""),
        ("def f(x, h):\n    return '\x01'", "line 2: '\\x01' is a control character, take it out", ""),
        ("x" * 4001, "the answer has 4001 characters; 4000 are allowed", ""),
        (
            "'\ud800'",
            "the answer is not readable as Python: too deeply nested, or not text",
            "",
        ),
    ],
)
def test_what_cannot_be_read_says_why(source: str, why: str, shown: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        whitelist.read(source, task("split_heads"))

    assert str(caught.value) == why
    assert caught.value.shown == shown


def test_an_answer_with_a_null_byte_is_no_text() -> None:
    with pytest.raises(UnreadableError):
        whitelist.read("def f(x, h):\n  return '\x00'", task("split_heads"))


@pytest.mark.parametrize(
    ("name", "typed", "why"),
    [
        ("split_heads", "b * d", "line 1: a pattern has two sides with an arrow between: ... -> ..."),
        ("split_heads", "B * D * D", "line 1: a pattern has two sides with an arrow between: ... -> ..."),
        (
            "attention",
            "b * d",
            "line 1: a pattern alone is not enough here, write the whole call: einsum(..., '...')",
        ),
    ],
)
def test_a_star_between_names_that_are_no_arguments_is_a_pattern(name: str, typed: str, why: str) -> None:
    names = ", ".join(argument.name for argument in task(name).arguments)

    with pytest.raises(UnreadableError) as caught:
        whitelist.read(f"def f({names}): return {typed}", task(name))

    assert str(caught.value) == why


@pytest.mark.parametrize("typed", ["x * d", "b * (d)", "2 * d", "b * 2", "b", "b - d"])
def test_a_product_is_no_pattern(typed: str) -> None:
    assert offences(f"def f(x, h): return {typed}") == ["`rearrange` is never called"]


@pytest.mark.parametrize("result", ["x.sqrt()", "x.size(1)", "x.size()[1]", "torch.sqrt(x)"])
def test_a_method_whose_function_is_allowed_is_that_function(result: str) -> None:
    source = f"def f(x, g):\n    return reduce(x, 'b s d -> b s', 'mean') * {result}\n"

    assert whitelist.read(source, task("rms_norm")).offences == ()


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        ("gqa_repeat", "b h s d -> b h*g s d", "a pattern has names, spaces and parentheses only, as in (h d)"),
        ("gqa_repeat", "b h s d", "a pattern has two sides with an arrow between: ... -> ..."),
        (
            "read_shape",
            "b s d",
            "a pattern alone is not enough here, write the whole call: parse_shape(..., '...')",
        ),
        (
            "read_shape",
            "b s d -> s",
            "a pattern alone is not enough here, write the whole call: parse_shape(..., '...')",
        ),
    ],
)
def test_a_pattern_that_cannot_stand_alone_says_what_to_write(name: str, text: str, advice: str) -> None:
    with pytest.raises(whitelist.UnreadableError) as caught:
        whitelist.read(as_source(task(name), text), task(name))

    assert str(caught.value).endswith(advice)


@pytest.mark.parametrize(
    "source",
    [
        'from einops import rearrange\nimport torch\ndef f(x: torch.Tensor, h: int) -> torch.Tensor:\n    """Docs."""\n    return rearrange(x, "b s (h d) -> b h s d", h=h)\n',
        "import einops\ndef f(x, h):\n    d = x.shape[-1] // h\n    return einops.rearrange(x, 'b s (h d) -> b h s d', d=d)\n",
        "def f(tensor, heads):\n    b, s, w = tensor.shape\n    return rearrange(tensor, 'b s (h d) -> b h s d', h=heads)\n",
    ],
)
def test_honest_ways_to_write_it_keep_to_the_rule(source: str) -> None:
    assert whitelist.read(source, task("split_heads")).offences == ()


@pytest.mark.parametrize(
    ("line", "offences"),
    [
        ("from torch import Tensor, softmax", []),
        ("from torch import exp", ["`from torch import exp` on line 1"]),
        ("from torch import *", ["`from torch import *` on line 1"]),
        ("from .torch import softmax", ["`from .torch import softmax` on line 1"]),
    ],
)
def test_a_function_that_may_be_called_may_be_imported_from_torch(line: str, offences: list[str]) -> None:
    source = f"{line}\ndef f(q, k, v): return einsum(softmax(q), k, v, 'b h i d, b h j d, b h j e -> b h i e')"

    assert list(map(str, whitelist.read(source, task("attention")).offences)) == offences


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("sqrt(x, out=x)", ["`out=` in a call of sqrt on line 1"]),
        ("rsqrt(x, where=x, out=x)", ["`where=` in a call of rsqrt on line 1"]),
        ("sqrt(input=x)", []),
    ],
)
def test_a_helper_is_given_nothing_that_it_could_write_to(call: str, told: list[str]) -> None:
    source = f"def f(x, g): return reduce({call}, 'b s d -> b s', 'mean')"

    assert [str(offence) for offence in whitelist.read(source, task("rms_norm")).offences] == told


@pytest.mark.parametrize(
    "annotation", ["torch.Tensor", "'x of b s'", "Float[Tensor, 'b s d']", "list[int] | None"]
)
def test_an_annotation_is_a_type(annotation: str) -> None:
    assert offences(f"def f(x: {annotation}, h) -> {annotation}:\n    return {CALL}\n") == []


@pytest.mark.parametrize("annotation", ["(yield)", "(await x)", "(rearrange := 3)", "print(z := 1)", "lambda: 1"])
def test_an_annotation_that_is_no_type_is_refused(annotation: str) -> None:
    for source in (
        f"def f(x: {annotation}, h):\n    return {CALL}",
        f"def f(x, h) -> {annotation}:\n    return {CALL}",
    ):
        assert offences(source) == ["an annotation that is no type on line 1"]
    assert of_body(f"y: {annotation} = x") == ["an annotation that is no type on line 2"]


@pytest.mark.parametrize("deep", [".a" * 1000, ".T" * 400, " + x" * 380, ".sqrt()" * 200, "[0]" * 300])
def test_what_nests_deeply_is_no_answer_before_anything_goes_through_it(deep: str) -> None:
    with pytest.raises(UnreadableError, match="too deeply nested"):
        whitelist.read(f"def f(x, h): return x{deep}", task("split_heads"))


def test_what_nests_as_answers_do_is_read() -> None:
    assert (
        whitelist.read(f"def f(x, h): return rearrange(x{' + x' * 80}, 'a')", task("split_heads")).offences == ()
    )


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("torch.softmax(q, -1)", ""),
        ("torch.softmax(input=q, dim=-1)", ""),
        ("softmax(q)", ""),
        ("softmax(x=q, dim=3)", ""),
        ("torch.softmax(q)", "`torch.softmax` without its axis (write dim=-1)"),
        ("torch.softmax(x=q, dim=-1)", "`x=` in a call of torch.softmax"),
        ("softmax(q, (-1,))", "a list in a call of softmax"),
        ("softmax(q, dim=[-1])", "a list in a call of softmax"),
    ],
)
def test_torchs_own_function_is_called_as_torch_wants(call: str, told: str) -> None:
    source = f"def f(q, k, v):\n    return einsum({call}, k, v, 'a')\n"

    assert offences(source, "attention") == ([f"{told} on line 2"] if told else [])


def test_a_parameter_may_have_the_name_of_an_operation() -> None:
    answer = "def f(max, sum):\n    return rearrange(max, 'b s (h d) -> b h s d', h=sum)\n"

    assert not whitelist.read(answer, task("split_heads")).offences
