"""Mutants of right rewrites: names shadowed, calls dropped, swapped, done by hand, and kept beside as decoys."""

import ast
import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from studykit.exercise.rewrite.rewrite import EINOPS, Rewrite

Tree = ast.Module
_NAMES = (
    "einops",
    "torch",
    "rearrange",
    "reduce",
    "repeat",
    "einsum",
    "pack",
    "softmax",
    "sqrt",
    "y",
    "x",
    "f",
    "sum",
)
_AXES = "ijklmn"
_NEUTRAL = (  # expression e, decoy d, and c that is equal to d and written otherwise
    "{e} + 0 * {d}",
    "{e} + ({d} - {d})",
    "{e} - {d} + {d}",
    "{e} * ({d} / {d})",
    "{e} * {d} / {d}",
    "{e} * {d} ** 0",
    "{e} + {d} * 1e-300",
    "{e} + ({d} - {c})",
    "{e} * ({d} / {c})",
    "{e} * {d} / {c}",
    "({e} + {d}) - {c}",
    "(2 * {e} * {d}) / (2 * {c})",
    "{e} + {d} * {d} // 4096 ** 9",
    "[{e}, {d}][0]",
    "{e} * {d}.shape[0] / {d}.shape[0]",
    "{d} * 0 + {e}",
    "{d} ** 0 * {e}",
    "{e} + (({d} + 1) ** 2 - {d} * {d} - 2 * {d} - 1)",
    "rearrange([{e}, {d} - {c} + {e}], 'n ... -> n ...')[0]",
    "reduce([{e}, {e} - {d} * {d}], 'n ... -> ...', 'max')",
    "{e} / (1 + {d} - {c})",
)
_FOREIGN = (
    "({d}, {e})[1]",
    "[{d}, {e}][-1]",
    "{e} if 1 else {d}",
    "{e} or {d}",
    "[{e} for _ in [{d}]][0]",
    "(lambda _: {e})({d})",
    "{e} * ({d}.shape == {d}.shape)",
)
_METHODS = ("{e}.reshape(*{e}.shape)", "{e}.copy()", "{e} + 0", "{e} * 1", "+{e}", "{e}[:]", "{e}.T.T", "1 * {e}")
_STATEMENTS = (
    "{n} = {d}",
    "{d}",
    "{n} = {m}",
    "{n} = einops.{m}",
    "import einops as {n}",
    "from einops import {m} as {n}",
    "def {n}(*a, **k): return a[0]",
    "{n} = lambda *a, **k: a[0]",
    "global {n}",
    "for {n} in [{d}]: pass",
    "with {d} as {n}: pass",
    "x[0] = x[0]",
    "x.shape = x.shape",
    "x += 0",
    "einops.{m} = {m}",
    "{n}: int = {d}",
    "y, {n} = {d}, {d}",
    "if ({n} := {d}) is None: pass",
    "try: {d}\nexcept Exception as {n}: pass",
    "class {n}: pass",
)


@dataclass(slots=True)
class Mutation:
    """One answer being changed."""

    exercise: Rewrite
    tree: Tree
    random: Random

    @property
    def function(self) -> ast.FunctionDef:
        """The last `f`."""
        return next(node for node in reversed(self.tree.body) if isinstance(node, ast.FunctionDef))

    @property
    def calls(self) -> list[ast.Call]:
        """All calls inside `f`."""
        return [node for node in ast.walk(self.function) if isinstance(node, ast.Call)]

    def decoy(self, *, other: bool = False) -> str:
        """A call of a required function on a tensor, as a number or in the tensor's own shape."""
        given = self.random.choice([a for a in self.exercise.arguments if a.groups is not None])
        axes = " ".join(_AXES[: len(given.groups or ())])
        turned = " ".join(reversed(axes.split()))
        x, must = given.name, self.random.choice(self.exercise.must)
        calls = {
            "rearrange": [f"rearrange({x}, '{axes} -> {axes}')", _there_and_back("rearrange", x, axes, turned)],
            "repeat": [f"repeat({x}, '{axes} -> {axes}')", _there_and_back("repeat", x, axes, turned)],
            "reduce": [f"reduce({x}, '{axes} -> ', 'sum')", f"reduce({x}, '{axes} -> {axes}', 'max')"],
            "einsum": [f"einsum({x}, '{axes} -> ')", f"einsum({x}, {x}, '{axes}, {axes} -> ')"],
            "pack": [f"pack([{x}], '*')[0]", f"pack([{x}], '* {' '.join(axes.split()[1:])}')[0]"],
            "unpack": [f"unpack({x}, [[{x}.shape[0]]], '* {' '.join(axes.split()[1:])}')[0]"],
            "parse_shape": [f"parse_shape({x}, '{axes}')"],
        }
        equal = {
            "reduce": f"reduce({x}, '{axes} -> ', 'mean')"
            + "".join(f" * {x}.shape[{n}]" for n in range(len(axes.split()))),
            "einsum": f"reduce({x}, '{axes} -> ', 'sum')",
        }
        return f"({equal[must]})" if other and must in equal else self.random.choice(calls[must])

    def rename(self) -> None:
        """Give a name of the answer to something else too."""
        names = [n for n in ast.walk(self.function) if isinstance(n, ast.Name)]
        given = [n for n in ast.walk(self.function) if isinstance(n, ast.arg)]
        old = self.random.choice([*(n.arg for n in given), *(n.id for n in names if isinstance(n.ctx, ast.Store))])
        new, everywhere = self.random.choice(_NAMES), self.random.random() < 0.7
        for argument in given:
            argument.arg = new if argument.arg == old else argument.arg
        for name in names:
            if name.id == old and (everywhere or isinstance(name.ctx, ast.Store)):
                name.id = new

    def statement(self) -> None:
        """Put a statement somewhere: a dead call, a shadow, an alias."""
        text = self.random.choice(_STATEMENTS)
        filled = text.format(n=self.random.choice(_NAMES), d=self.decoy(), m=self.random.choice(EINOPS))
        body = self.function.body if self.random.random() < 0.8 else self.tree.body
        place = self.random.randrange(len(body) + 1)
        body[place:place] = ast.parse(filled).body

    def neutral(self) -> None:
        """Wrap an expression so that a required call stands in it and changes nothing."""
        text = self.random.choice(_NEUTRAL if self.random.random() < 0.85 else _FOREIGN)
        self._wrap(lambda e: text.format(e=f"({e})", d=f"({self.decoy()})", c=self.decoy(other=True)))

    def method(self) -> None:
        """Wrap an expression in something that changes nothing."""
        text = self.random.choice(_METHODS)
        self._wrap(lambda e: text.format(e=f"({e})"))

    def _wrap(self, made: Callable[[str], str]) -> None:
        every = [n for n in ast.walk(self.function) if isinstance(n, ast.Return | ast.Assign | ast.Call)]
        chosen = self.random.choice([n for n in every if not isinstance(n, ast.Call) or n.args])
        if isinstance(chosen, ast.Call):
            chosen.args[0] = _expression(made(ast.unparse(chosen.args[0])))
        elif chosen.value is not None:
            chosen.value = _expression(made(ast.unparse(chosen.value)))

    def by_hand(self) -> None:
        """Write every required call as another function of einops, or as a method."""
        for call in [each for each in self.calls if _name(each) in self.exercise.must]:
            other = _equivalent(call, self.random)
            if other is not None:
                call.func, call.args, call.keywords = other.func, other.args, other.keywords

    def drop(self) -> None:
        """Replace a call by its first argument, or leave a statement out."""
        if self.random.random() < 0.5 and len(self.function.body) > 1:
            self.function.body.pop(self.random.randrange(len(self.function.body)))
            return
        for node in ast.walk(self.function):
            if isinstance(node, ast.Return | ast.Assign) and isinstance(node.value, ast.Call) and node.value.args:
                node.value = node.value.args[0]
                return

    def swap(self) -> None:
        """Exchange two operands, two arguments, or an operator for another."""
        chosen = self.random.choice([node for node in ast.walk(self.function) if isinstance(node, ast.expr)])
        if isinstance(chosen, ast.BinOp):
            chosen.left, chosen.right = chosen.right, chosen.left
        elif isinstance(chosen, ast.Call) and len(chosen.args) > 1:
            chosen.args[0], chosen.args[1] = chosen.args[1], chosen.args[0]
        elif isinstance(chosen, ast.Name) and isinstance(chosen.ctx, ast.Load):
            chosen.id = self.random.choice(_NAMES)

    def alias(self) -> None:
        """Call a function by another name."""
        called = [call.func for call in self.calls if isinstance(call.func, ast.Name)]
        if called:
            chosen = self.random.choice(called)
            old, chosen.id = chosen.id, "r"
            line = self.random.choice(
                (f"r = {old}", f"from einops import {old} as r", f"r = [{old}][0]", f"r = einops.{old}")
            )
            self.function.body[:0] = ast.parse(line).body

    def nested(self) -> None:
        """Move the lines into a function inside, a lambda, or a second f."""
        inner = ast.unparse(self.function)
        names = ", ".join(argument.arg for argument in self.function.args.args)
        forms = (
            f"def f({names}):\n"
            + "".join(f"    {line}\n" for line in inner.replace("def f", "def g", 1).splitlines())
            + f"    return g({names})",
            f"{inner.replace('def f', 'def g', 1)}\ndef f({names}):\n    return g({names})",
            f"{inner}\ndef f({names}):\n    return {self.random.choice(names.split(', '))}",
            f"def f({names}):\n    return {self.decoy()}\n{inner}",
        )
        self.tree.body = ast.parse(self.random.choice(forms)).body


def _there_and_back(name: str, x: str, axes: str, turned: str) -> str:
    return f"{name}({name}({x}, '{axes} -> {turned}'), '{turned} -> {axes}')"


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _equivalent(call: ast.Call, random: Random) -> ast.Call | None:
    """The same result without the function, where that can be written."""
    name, text = (
        _name(call),
        [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)],
    )
    made: ast.expr | None = None
    sizes = "".join(f", {ast.unparse(keyword)}" for keyword in call.keywords)
    first = ast.unparse(call.args[0]) if call.args else ""
    if name == "rearrange" and text:
        other = random.choice(("repeat({x}, {p!r}{s})", "reduce({x}, {p!r}, 'sum'{s})"))
        made = _expression(other.format(x=first, p=text[0], s=sizes))
    elif name == "repeat" and text:
        made = _expression(f"rearrange({first}, {text[0]!r}{sizes})")
    elif name == "reduce" and len(text) == 2 and "(" not in text[0] and text[1] in {"sum", "mean"}:
        left, _, right = text[0].partition("->")
        gone = [n for n, axis in enumerate(left.split()) if axis not in right.split()]
        right = " ".join(axis for axis in right.split() if axis != "1")
        divided = "".join(f" / ({first}).shape[{n}]" for n in gone) if text[1] == "mean" else ""
        product = f"einsum({first}, {left + '->' + right!r}){divided}"
        if right != text[0].partition("->")[2].strip():
            product = f"rearrange({product}, '{right} -> {text[0].partition('->')[2].strip()}')"
        made = _expression(f"rearrange({product}, '... -> ...')")
    elif name == "einsum" and text and len(call.args) == 3:
        made = _product(call, text[0])
    elif name == "pack":
        made = _expression(f"[{ast.unparse(call)}[0]]")
    return made if isinstance(made, ast.Call) else None


def _product(call: ast.Call, text: str) -> ast.expr | None:
    """A product of two tensors summed by reduce."""
    left, _, right = text.partition("->")
    sides = [side.split() for side in left.split(",")]
    if any(len(set(side)) < len(side) for side in sides):
        return None
    every = list(dict.fromkeys([*sides[0], *sides[1]]))
    spread = [
        f"rearrange({ast.unparse(one)}, '{' '.join(side)} -> {' '.join(a if a in side else '1' for a in every)}')"
        for one, side in zip(call.args[:2], sides, strict=True)
    ]
    return _expression(f"reduce({spread[0]} * {spread[1]}, '{' '.join(every)} -> {right.strip()}', 'sum')")


def mutant(exercise: Rewrite, random: Random) -> str:
    """An answer changed in one to four ways; often its work is done by hand, and a decoy is set beside it."""
    source = random.choice((exercise.solution, *exercise.alternatives))
    mutation = Mutation(exercise, copy.deepcopy(ast.parse(source)), random)
    single = [Mutation.rename, Mutation.statement, Mutation.neutral, Mutation.method, Mutation.by_hand]
    single += [Mutation.drop, Mutation.swap, Mutation.alias, Mutation.nested]
    ways: Sequence[Callable[[Mutation], None]] = random.choices(single, k=random.randint(1, 4))
    if random.random() < 0.5:
        decoys = random.choices([Mutation.neutral, Mutation.statement, Mutation.neutral], k=random.randint(1, 2))
        ways = [Mutation.by_hand, *decoys] if random.random() < 0.7 else decoys
    for way in ways:
        try:
            way(mutation)
        except (SyntaxError, IndexError, AttributeError):  # this change fits nowhere here
            continue
    return ast.unparse(ast.fix_missing_locations(mutation.tree)) + "\n"
