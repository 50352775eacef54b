"""A plain second opinion on rewrites: runs an answer over numpy and says whether a pass would be deserved.

Nothing of the graders is used. Tensors and builtins are watched: what an answer calls besides einops' functions,
its helpers, signs and `.shape` is noted. A pass is deserved where the result is right, nothing else was called,
and the result is wrong as soon as what the required functions give is replaced. It limits nothing.
"""

import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

import einops
import numpy as np

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.rewrite import EINOPS, Rewrite

Value = Any
ABLATIONS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "zeros": lambda value, _: np.zeros_like(value),
    "ones": lambda value, _: np.ones_like(value),
    "noise": lambda value, count: np.random.RandomState(count).uniform(0.5, 2, value.shape).astype(value.dtype),
}
_HELPERS: dict[str, Callable[..., Value]] = {
    "softmax": lambda x, dim=-1: (
        np.exp(x - x.max(axis=dim, keepdims=True))
        / np.exp(x - x.max(axis=dim, keepdims=True)).sum(axis=dim, keepdims=True)
    ),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sqrt": np.sqrt,
    "exp": np.exp,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one answer did over all inputs."""

    right: bool
    forbidden: tuple[str, ...]
    needless: tuple[str, ...]  # required functions without which it is right, or never called

    @property
    def deserved(self) -> bool:
        """Whether it may pass."""
        return self.right and not self.forbidden and not self.needless


@dataclass(slots=True)
class Run:
    """One run: what was called, and whose results are replaced how."""

    forbidden: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    replaced: str = ""
    by: str = ""
    count: int = 0

    def names(self) -> dict[str, Value]:
        """What an answer finds at hand."""
        functions = {name: self.watched(name, getattr(einops, name)) for name in EINOPS}
        helpers = {name: self.watched(name, helper) for name, helper in _HELPERS.items()}
        modules = {"einops": SimpleNamespace(**functions), "torch": SimpleNamespace(**helpers, Tensor=None)}
        return {**functions, **helpers, **modules, "__builtins__": WatchedBuiltins(self, modules)}

    def watched(self, name: str, function: Callable[..., Value]) -> Callable[..., Value]:
        """The function between watched tensors, its result replaced where that is asked for."""

        def call(*args: Value, **kwargs: Value) -> Value:
            self.called.add(name)
            given = [inner(one) for one in args]
            result = function(*given, **{key: inner(one) for key, one in kwargs.items()})
            if name == self.replaced:
                self.count += 1
                result = given[0] if self.by == "input" else self.other(result)
            return self.outer(result)

        return call

    def other(self, value: Value) -> Value:
        """Other numbers in place of a value's."""
        if isinstance(value, list | tuple):
            return type(value)(self.other(one) for one in value) if type(value) in {list, tuple} else value
        if isinstance(value, dict):
            return dict.fromkeys(value, self.count)
        return (
            ABLATIONS[self.by](np.asarray(value), self.count)
            if isinstance(value, np.ndarray | np.generic)
            else value
        )

    def outer(self, value: Value) -> Value:
        """A value with its arrays watched."""
        if isinstance(value, np.ndarray | np.generic):
            return Watched(self, np.asarray(value))
        return type(value)(self.outer(one) for one in value) if type(value) in {list, tuple} else value


class Watched:
    """An array that can be read, computed with and asked for its shape; all else is noted."""

    def __init__(self, run: Run, array: np.ndarray) -> None:
        self.__dict__.update(run=run, array=array, shape=array.shape)

    def __getattr__(self, name: str) -> Value:
        self.run.forbidden.add(f".{name}")
        found = getattr(self.array, name)
        return (
            (lambda *a, **k: self.run.outer(found(*map(inner, a), **k)))
            if callable(found)
            else self.run.outer(found)
        )

    def __setattr__(self, name: str, _: Value) -> None:
        self.run.forbidden.add(f".{name} =")

    def __setitem__(self, place: Value, value: Value) -> None:
        self.run.forbidden.add("[] =")
        self.array[place] = inner(value)

    def __getitem__(self, place: Value) -> Value:
        return self.run.outer(self.array[inner(place)])

    def __iter__(self) -> Iterator[Value]:
        return iter([self.run.outer(one) for one in self.array])

    def __len__(self) -> int:
        return len(self.array)

    def __bool__(self) -> bool:
        self.run.forbidden.add("bool")
        return bool(self.array.any())


def _sign(name: str) -> Callable[..., Value]:
    function = getattr(operator, name)

    def plain(self: Watched, *other: Value) -> Value:
        return self.run.outer(function(self.array, *map(inner, other)))

    return plain


def _turned(name: str) -> Callable[..., Value]:
    function = getattr(operator, name)
    return lambda self, other: self.run.outer(function(inner(other), self.array))


for _name in ("add", "sub", "mul", "truediv", "floordiv", "pow"):
    setattr(Watched, f"__{_name}__", _sign(_name))
    setattr(Watched, f"__r{_name}__", _turned(_name))
for _name in ("neg", "pos"):
    setattr(Watched, f"__{_name}__", _sign(_name))


class WatchedBuiltins(dict[str, Value]):
    """Python's own functions: whatever is looked up is noted."""

    def __init__(self, run: Run, modules: dict[str, Value]) -> None:
        super().__init__(__import__=self.imported)
        self.run, self.modules = run, modules

    def __getitem__(self, name: str) -> Value:
        import builtins

        if not hasattr(builtins, name):
            raise KeyError(name)
        self.run.forbidden.add(name)
        return getattr(builtins, name)

    def imported(self, name: str, *_: Value) -> Value:
        """The module where it is allowed."""
        if name not in self.modules:
            self.run.forbidden.add(f"import {name}")
            raise ImportError(name)
        return self.modules[name]


def inner(value: Value) -> Value:
    """A value with its watched arrays as they are."""
    if isinstance(value, Watched):
        return value.array
    return type(value)(inner(one) for one in value) if type(value) in {list, tuple} else value


def inputs(exercise: Rewrite, random: Random) -> list[Value]:
    """Arguments of sizes that differ, filled with numbers that do."""
    names = {a.name for a in exercise.arguments if a.groups is None}
    names |= {axis for a in exercise.arguments for group in a.groups or () for axis in group}
    free = sorted(names - set(exercise.fixed) - set(exercise.sums))
    sizes = dict(zip(free, random.sample([2, 3, 4, 5, 6, 7, 8], len(free)), strict=True)) | dict(exercise.fixed)
    for whole, parts in exercise.sums.items():
        sizes[whole] = sum(int(np.prod([sizes[axis] for axis in part.split("*")])) for part in parts)
    noise = np.random.RandomState(random.randrange(1 << 30))
    return [
        sizes[a.name] if a.groups is None else noise.normal(size=pattern.shape(a.groups, sizes))
        for a in exercise.arguments
    ]


def result(source: str, given: Sequence[Value], run: Run) -> Value:
    """What `f` of an answer returns."""
    space = run.names()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(source, "<mutant>", "exec"), space)
    value = space["f"](*(run.outer(one.copy()) if isinstance(one, np.ndarray) else one for one in given))
    return inner(value)


def same(one: Value, other: Value) -> bool:
    """Whether two results are equal."""
    if isinstance(one, np.ndarray):
        scale = np.abs(one).max(initial=1e-9)
        return (
            isinstance(other, np.ndarray)
            and one.shape == other.shape
            and np.allclose(one, other, 1e-7, 1e-7 * scale)
        )
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    return bool(type(one) is type(other) and one == other)


def opinion(exercise: Rewrite, source: str, seed: int = 0) -> Opinion:
    """The evaluator's opinion over two inputs."""
    cases = [inputs(exercise, Random(f"{seed} {n}")) for n in range(2)]
    wanted = [result(exercise.solution, given, Run()) for given in cases]
    plain = Run()
    right = _right(source, cases, wanted, plain)
    needless = [name for name in exercise.must if name not in plain.called]
    if right and not plain.forbidden:
        for name in exercise.must:
            ways = [by for by in (*ABLATIONS, "input") if _right(source, cases, wanted, Run(replaced=name, by=by))]
            needless += [name] if ways and name not in needless else []
    return Opinion(right, tuple(sorted(plain.forbidden)), tuple(needless))


def _right(source: str, cases: Sequence[list[Value]], wanted: Sequence[Value], run: Run) -> bool:
    try:
        with np.errstate(all="ignore"):
            return all(same(want, result(source, given, run)) for given, want in zip(cases, wanted, strict=True))
    except Exception:  # whatever a mutant raises, it is not right
        return False
