"""Complete names of exercises, decks, cards and settings in a shell. Typer keeps those that begin as typed.

A shell asks on the Tab key, so an error is an empty answer, never a message in the learner's line.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from studykit.cli.context import context_of
from studykit.errors import StudyError

if TYPE_CHECKING:
    from studykit.store.store import Store


def settings() -> list[str]:
    """Complete keys of the configuration."""
    from studykit.config import SETTINGS

    return [key.name for key in SETTINGS]


def exercises(ctx: typer.Context) -> list[str]:
    """Complete commands, sets and exercises. After a set come its exercises."""
    from studykit.exercise import catalog

    words = [*(ctx.params.get("words") or ()), *ctx.args]  # `ctx.args` has those that an unfinished option left
    if words[:1] in (["trust"], ["untrust"]):
        return []  # the shell knows folders
    if (inside := next((word for word in words if word in catalog.set_names()), None)) is not None:
        return _exercises(ctx, lambda: (each.id for each in catalog.of_set(inside)))
    actions = "list", "show", "check", "trust", "untrust"
    return _exercises(ctx, lambda: (*actions, *catalog.sets(), *(each.id for each in catalog.every())))


def exercises_of(kind: str) -> Callable[[typer.Context], list[str]]:
    """Return a function that completes exercises of one kind by id."""

    def ids(ctx: typer.Context) -> list[str]:
        from studykit.exercise import catalog

        return _exercises(ctx, lambda: (each.id for each in catalog.every() if each.kind == kind))

    return ids


def decks(ctx: typer.Context) -> list[str]:
    """Complete decks by id."""
    return _from_store(ctx, lambda store: store.cards.deck_names())


def cards(ctx: typer.Context) -> list[str]:
    """Complete cards by id."""
    return _from_store(ctx, lambda store: store.cards.ids())


def _exercises(ctx: typer.Context, names: Callable[[], Iterable[str]]) -> list[str]:
    from io import StringIO

    from studykit.cli.authors import attach_authors

    attach_authors(context_of(ctx).writing_to(stderr=StringIO()))  # without a remark on untrusted folders
    try:
        return [*names()]
    except StudyError:
        return []


def _from_store(ctx: typer.Context, names: Callable[["Store"], Iterable[str]]) -> list[str]:
    context = context_of(ctx)
    if context.address.is_missing:
        return []  # completing must not make a database
    try:
        return [*names(context.store)]
    except (StudyError, OSError):
        return []
