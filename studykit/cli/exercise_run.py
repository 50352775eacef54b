"""A set of exercises practised, without Typer, whose import a first prompt need not wait for."""

from collections.abc import Sequence

from studykit.cli.context import Context
from studykit.cli.display import interrupted, services
from studykit.errors import UsageError
from studykit.exercise import catalog
from studykit.practice import kinds
from studykit.practice.kind import SetRequest

SET = "SET"
"""The command of `study exercise` behind every word that is none."""


def practise(
    context: Context, words: Sequence[str], request: SetRequest, *, pins: Sequence[str] = (), watch: bool = False
) -> int:
    """Practise the set, or the exercise of a set, that the words name; the exit code."""
    first, *more = words or [""]
    inside = bool(more) and first in catalog.set_names()  # einops split_heads
    name = one_name(more if inside else words, SET)
    set_name = first if inside else name
    try:
        if watch:
            return kinds.watch(services(context), name, request.seed, set_name=set_name)
        return kinds.set_kind(set_name).practise(services(context), request._replace(name=name))
    except KeyboardInterrupt:  # told once the terminal has been given back
        from shlex import join

        flags = ["--rough"] if request.rough else []
        return interrupted(context, join(["study", "exercise", *words, *pins, *flags]))


def one_name(words: Sequence[str] | None, where: str) -> str:
    """The only word; UsageError where there is another number of them."""
    if words is None or len(words) != 1:
        raise UsageError(f"{where} takes one name; see: study exercise list")
    return words[0]
