"""Complete names of exercises, decks, cards, settings and topics in a shell.

A shell asks on the Tab key, so an error is an empty answer, never a message in the learner's line.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import typer

from studykit.cli.context import context_of
from studykit.errors import StudyError

if TYPE_CHECKING:
    from studykit.store.store import Store


def settings(incomplete: str) -> list[str]:
    """Complete keys of the configuration."""
    from studykit.config import SETTINGS

    return _starting(incomplete, (key.name for key in SETTINGS))


def exercises(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete commands, sets and exercises. After a set come its exercises, after an exercise its parameters."""
    from studykit.exercise import catalog

    words = _words_before(ctx)
    if words[:1] in (["trust"], ["untrust"]):
        return []  # the shell knows folders
    if "=" in incomplete or any("." in name for name in words):
        return pins(ctx, incomplete)
    if (inside := next((name for name in words if name in catalog.set_names()), None)) is not None:
        return _exercises(ctx, incomplete, lambda: (one.id for one in catalog.of_set(inside)))

    actions = "list", "show", "check", "trust", "untrust"
    return _exercises(ctx, incomplete, lambda: (*actions, *catalog.sets(), *(one.id for one in catalog.every())))


def pins(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete parameters that an exercise takes, and after `K=` the values that one is drawn from."""
    from studykit.exercise import catalog
    from studykit.exercise.estimate.grid import parameters

    names = _words_before(ctx)

    def words() -> Iterator[str]:
        by_id = {one.id: one for one in catalog.every()}
        exercises = [by_id[name] for name in names if name in by_id] or by_id.values()
        for name, values in ((name, some) for one in exercises for name, some in parameters(one).items()):
            yield from (f"{name}={value}" for value in values) if "=" in incomplete else (f"{name}=",)

    return list(dict.fromkeys(_exercises(ctx, incomplete, words)))


def _words_before(ctx: typer.Context) -> list[str]:
    """Return the words on the line so far, some of which an unfinished option has left in `ctx.args`."""
    return [*(ctx.params.get("words") or ()), *ctx.args]


def exercises_of(kind: str) -> Callable[[typer.Context, str], list[str]]:
    """Complete exercises of one kind by id."""

    def ids(ctx: typer.Context, incomplete: str) -> list[str]:
        from studykit.exercise import catalog

        return _exercises(ctx, incomplete, lambda: (one.id for one in catalog.every() if one.kind == kind))

    return ids


def decks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete decks by id."""
    return _from_store(ctx, incomplete, lambda store: store.cards.deck_names())


def cards(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete cards by id."""
    return _from_store(ctx, incomplete, lambda store: store.cards.ids())


def terms(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete fields of a search, states and decks."""
    from studykit.cards.query import QueryState

    states = [f"is:{state}" for state in QueryState]
    fields = _starting(incomplete, ["tag:", "lapses>", "ease<", "interval>", *states])
    if not incomplete or "deck:".startswith(incomplete):
        return ["deck:", *fields]
    if incomplete.startswith("deck:"):
        return [f"deck:{deck}" for deck in decks(ctx, incomplete.removeprefix("deck:"))]
    return fields


def choices(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete decks, and fields of a search."""
    return [*decks(ctx, incomplete), *terms(ctx, incomplete)]


def _exercises(ctx: typer.Context, incomplete: str, names: Callable[[], Iterable[str]]) -> list[str]:
    from io import StringIO

    from studykit.cli.authors import attach_authors

    attach_authors(context_of(ctx).writing_to(stderr=StringIO()))  # a folder that is not trusted is no suggestion
    try:
        return _starting(incomplete, names())
    except StudyError:
        return []


def _from_store(ctx: typer.Context, incomplete: str, names: Callable[["Store"], Iterable[str]]) -> list[str]:
    context = context_of(ctx)
    if context.address.is_missing:
        return []  # completing must not make a database
    try:
        return _starting(incomplete, names(context.store))
    except (StudyError, OSError):
        return []


def _starting(incomplete: str, names: Iterable[str]) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]
