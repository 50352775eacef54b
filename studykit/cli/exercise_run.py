"""A set of exercises practised."""

from collections.abc import Sequence
from dataclasses import replace

from studykit.cli.context import Context
from studykit.cli.display import interrupted, services
from studykit.errors import UsageError
from studykit.exercise import catalog, registry
from studykit.exercise.kind import SetRequest

SET = "SET"
"""The command of `study exercise` behind every word that is none."""


def practise(
    context: Context,
    words: Sequence[str],
    request: SetRequest,
    *,
    pins: Sequence[str] = (),
    watch: bool = False,
    plain: bool = False,
    mode: str | None = None,
) -> int:
    """Practise the set, or the exercise of a set, that the words name; the exit code."""
    first, *more = words or [""]
    inside = bool(more) and first in catalog.set_names()  # einops split_heads
    name = one_name(more if inside else words, SET)
    set_name = first if inside else name
    drawn: list[int] = []

    def seed() -> int:
        drawn.append(context.seed())
        return drawn[-1]

    own = replace(services(context, plain=plain, mode=mode), seed=seed)
    try:
        if watch:
            return registry.watch(own, name, request.seed, set_name=set_name)
        return registry.set_kind(set_name).practise(own, replace(request, name=name))
    except KeyboardInterrupt:  # told once the terminal has been given back
        from shlex import join

        return interrupted(context, join(["study", "exercise", *words, *pins, *_flags(name, request, drawn)]))


def _flags(name: str, request: SetRequest, drawn: Sequence[int]) -> list[str]:
    """The options of the command that asks the same questions again.

    An exercise that was named, and a scenario, go on by themselves.
    """
    flags = ["--rough"] * request.rough
    if request.number != SetRequest(name).number:
        flags += ["-n", str(request.number)]
    is_set = "." not in name
    seed = drawn[0] if request.seed is None and drawn and is_set else request.seed
    if seed is None or name.startswith("scenario"):
        return flags
    return [*flags, "--seed", str(seed)]


def one_name(words: Sequence[str] | None, where: str) -> str:
    """The only word; UsageError where there is another number of them."""
    if words is None or len(words) != 1:
        raise UsageError(f"{where} takes one name; see: study exercise list")
    return words[0]
