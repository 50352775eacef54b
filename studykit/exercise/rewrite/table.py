"""How the catalogue's rows become rewrites."""

import re
from collections.abc import Mapping

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.rewrite import Argument, Fill, Rewrite, defined, size, tensor


def arguments_of(row: str) -> tuple[Argument, ...]:
    """The arguments of `x: b s w=(h d); h`: tensors with axes, sizes without."""
    parts = [part.strip() for part in row.split(";")]
    return tuple(tensor(*part.split(": ")) if ":" in part else size(part) for part in parts)


def single(  # noqa: PLR0917 - the seven that every exercise has, in the order of its table
    name: str,
    family: str,
    task: str,
    code: str,
    arguments: tuple[Argument, ...],
    function: str,
    canonical: str,
    *,
    hints: tuple[str, ...],
    wrong: tuple[str, ...],
    operation: str = "",
    alternatives: tuple[str, ...] = (),
    near_misses: tuple[str, ...] = (),
    fill: Fill | None = None,
    fixed: Mapping[str, int] | None = None,
    gradient: bool = False,
) -> Rewrite:
    """An exercise that one call with one pattern answers; `wrong` are patterns that come near."""
    tensors = ", ".join(a.name for a in arguments if a.groups is not None)
    sizes = "".join(f", {a.name}={a.name}" for a in arguments if a.groups is None)
    sizes += "".join(f", {axis}={length}" for axis, length in (fixed or {}).items())
    call = f"{function}({tensors}, {{}}{f', {operation!r}' if operation else ''}{sizes})"
    signature = f"f({', '.join(a.name for a in arguments)})"
    source = {text: defined(signature, call.format(repr(text))) for text in (canonical, *wrong)}
    renamed = _renamed(canonical, {a.name for a in arguments} | set(fixed or {}))
    qualified = f"import einops\n\n{defined(signature, 'einops.' + call.format(repr(canonical)))}"
    named_first = f"def {signature}:\n    y = {call.format(repr(canonical))}\n    return y\n"
    return Rewrite(
        id=f"rewrite.{name}",
        family=family,
        task=task,
        code=code,
        arguments=arguments,
        must=(function,),
        hints=hints,
        solution=source[canonical],
        alternatives=(defined(signature, call.format(repr(renamed))), qualified, named_first, *alternatives),
        near_misses=(*(source[text] for text in wrong), *near_misses),
        result=pattern.parse(canonical).output,
        call=call,
        canonical=canonical,
        fill=fill or (Fill.INTEGERS if function in {"reduce", "einsum"} else Fill.POSITIONS),
        tolerance=1e-9 if operation == "mean" else 0.0,
        fixed=fixed or {},
        gradient=gradient,
        operation=operation,
    )


def _renamed(text: str, kept: set[str]) -> str:
    return re.sub(
        r"[A-Za-z]\w*", lambda word: word.group() if word.group() in kept else word.group() + "_axis", text
    )


def module(  # noqa: PLR0917 - a table's row
    name: str,
    task: str,
    code: str,
    arguments: str,
    must: tuple[str, ...],
    helpers: tuple[str, ...],
    result: str,
    hints: tuple[str, ...],
    solution: str,
    alternatives: tuple[str, ...],
    near_misses: tuple[str, ...],
    fixed: Mapping[str, int] | None = None,
    *,
    gradient: bool = False,
) -> Rewrite:
    """An exercise of several lines; its sources are bodies of `f`."""
    given = arguments_of(arguments)
    signature = f"f({', '.join(argument.name for argument in given)})"

    def whole(body: str) -> str:
        lines = "\n".join(f"    {line.strip()}" for line in body.strip().splitlines())
        return f"def {signature}:\n{lines}\n"

    return Rewrite(
        id=f"rewrite.{name}",
        family="modules",
        task=task,
        code=code,
        arguments=given,
        must=must,
        helpers=helpers,
        hints=hints,
        solution=whole(solution),
        alternatives=tuple(whole(text) for text in alternatives),
        near_misses=tuple(whole(text) for text in near_misses),
        result=pattern.side(result),
        fill=Fill.NORMAL,
        tolerance=1e-9,
        fixed=fixed or {},
        gradient=gradient,
    )
