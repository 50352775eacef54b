"""Load an answer as a module: run its definitions, skip its demonstrations, and choose its function."""

import __future__

import ast
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from studykit.graders.child.library import Library
from studykit.graders.child.recorder import FILE

_NAME = "answer"
_ANNOTATIONS_STAY_TEXT = __future__.annotations.compiler_flag
_DEMONSTRATION = (ast.Expr, ast.Assert, ast.For, ast.While, ast.With)
_ANNOTATING = ("jaxtyping", "beartype", "typeguard", "torchtyping", "nptyping", "typing_extensions", "typechecked")
"""Modules used only in annotations. A missing one is replaced by a stand-in."""
_NOT_ANSWERS = re.compile(
    r"(_|main|demo|check|test)|(.*_)?(reference|ref|original|orig|naive|baseline|expected|before|old)(_|$)"
)
"""Names of functions that accompany an answer. One of them is chosen only if no other function fits."""
Function = Callable[..., Any]


class NoFunctionError(Exception):
    """Raised if no function of the answer takes the exercise's arguments."""


@dataclass(frozen=True, slots=True)
class LoadedAnswer:
    """Hold the answer's function, and the first exception raised by the code around it."""

    function: Function
    failure: BaseException | None = None

    def cause(self, error: BaseException) -> BaseException:
        """Return the exception to report, for a NameError an earlier failed import that may have caused it."""
        is_missing = isinstance(error, NameError) and isinstance(self.failure, ImportError | AttributeError)
        return self.failure if is_missing and self.failure is not None else error


def load(code: str, parameters: Sequence[str] | None, name: str, library: Library) -> LoadedAnswer:
    """Run an answer's definitions and choose its function: `f`, or one named like the exercise, or the last.

    Helpers, which another function calls, come last. Without `parameters` any function fits. Annotations are never
    evaluated. If no function fits, raise the first exception of a statement, or NoFunctionError.
    """
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    space, library_names = module.__dict__, library.names()
    space.update(library_names)
    _stand_in_for_annotations(code)
    failure: BaseException | None = None
    tree = ast.parse(code, FILE)
    for statement in _statements(tree):
        try:
            code_of_one = compile(
                ast.Module([statement], []), FILE, "exec", _ANNOTATIONS_STAY_TEXT, dont_inherit=True
            )
            exec(code_of_one, space)  # in a limited child, the very point of it
        except BaseException as error:  # such as SystemExit in a demonstration
            failure = failure or error
    own = [key for key, value in space.items() if value is not library_names.get(key) and not key.startswith("__")]
    likely = [key for key in reversed(own) if _is_own(space[key])]
    helpers = _helpers(tree)
    likely.sort(key=lambda key: (bool(_NOT_ANSWERS.match(key)), key in helpers))
    for key in ("f", name, *likely):
        if key in own and (function := _fitting(space[key], parameters)):
            return LoadedAnswer(function, failure)
    if failure and not (isinstance(failure, NameError) and failure.name in (parameters or ())):
        raise failure
    raise NoFunctionError(f"no function takes {', '.join(parameters or ())}")


def _helpers(tree: ast.Module) -> set[str]:
    """Return the names that an answer's definitions use, without those used only in references and demos."""
    return {
        node.id
        for definition in tree.body
        if isinstance(definition, ast.FunctionDef | ast.ClassDef) and not _NOT_ANSWERS.match(definition.name)
        for node in ast.walk(definition)
        if isinstance(node, ast.Name) and node.id != definition.name
    }


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a module, without demonstrations below its last definition."""
    places = [place for place, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for place, statement in enumerate(tree.body):
        if place < max(places, default=0) or not isinstance(statement, _DEMONSTRATION):
            yield statement


def _fitting(value: Any, parameters: Sequence[str] | None) -> Function | None:
    """Return a function of these parameters: the value, or an instance if it is a class. None if neither fits."""
    if isinstance(value, ModuleType) or not callable(value):
        return None
    if parameters is None:
        return value  # type: ignore[no-any-return]
    try:
        value = value() if isinstance(value, type) else value
        kinds = inspect.signature(value)
    except Exception:  # a class that needs arguments is a helper
        return None
    keywords = {
        key for key, parameter in kinds.parameters.items() if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    by_name = [key for key in parameters if key in keywords]
    try:
        kinds.bind(*(key for key in parameters if key not in keywords), **{key: key for key in by_name})
    except TypeError:
        return None
    if not by_name:
        return value  # type: ignore[no-any-return]

    def called(*args: Any) -> Any:
        values = dict(zip(parameters, args, strict=True))
        later = {key: values.pop(key) for key in by_name}
        return value(*values.values(), **later)

    return called


def _is_own(value: Any) -> bool:
    """Return whether the answer defined the value, rather than imported it."""
    return getattr(value, "__module__", "") == _NAME or isinstance(value, partial)


class _AnnotationName:
    """Stand in for any name of an annotation module: it can be subscripted, called, and used as a decorator."""

    def __getitem__(self, _: Any) -> "_AnnotationName":
        return self

    def __getattr__(self, name: str) -> "_AnnotationName":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        is_bare = len(args) == 1 and not kwargs and callable(args[0])
        decorates = is_bare and not isinstance(args[0], _AnnotationName)
        return args[0] if decorates else self

    def __or__(self, _: Any) -> "_AnnotationName":
        return self

    __ror__ = __or__


class _AnnotationModule(ModuleType):
    __path__: MutableSequence[str] = []  # noqa: RUF012 - lets Python import its submodules

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _AnnotationName()


def _stand_in_for_annotations(code: str) -> None:
    for name in _ANNOTATING:
        if name in code and name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules[name] = _AnnotationModule(name)
