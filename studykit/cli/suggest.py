"""What a shell may complete: names of exercises, rewrites, snippets, decks, cards, settings and topics.

A shell asks on the Tab key: whatever goes wrong here is an empty answer, never a message in the learner's line.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from studykit.cli.context import context_of
from studykit.errors import StudyError

if TYPE_CHECKING:
    from studykit.store.store import Store


def settings(incomplete: str) -> list[str]:
    """Keys of the configuration."""
    from studykit.config import SETTINGS

    return _starting(incomplete, (key.name for key in SETTINGS))


def exercises(ctx: typer.Context, incomplete: str) -> list[str]:
    """Commands of `study exercise`, sets of exercises and exercises, those of other authors too."""
    from io import StringIO

    from studykit.cli.authors import attach
    from studykit.exercise import catalog

    attach(context_of(ctx).writing_to(stderr=StringIO()))  # a folder that is not trusted is no suggestion
    actions = "list", "show", "check", "trust", "untrust"
    try:
        return _starting(incomplete, (*actions, *catalog.sets(), *(one.id for one in catalog.every())))
    except StudyError:
        return []


def rewrites(ctx: typer.Context, incomplete: str) -> list[str]:
    """Einops rewrites."""
    return [name for name in exercises(ctx, incomplete) if name.startswith("rewrite.")]


def snippets(ctx: typer.Context, incomplete: str) -> list[str]:
    """Timing bets."""
    return [name for name in exercises(ctx, incomplete) if name.startswith("bet.")]


def decks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Decks by id."""
    return _known(ctx, incomplete, lambda store: store.cards.deck_names())


def cards(ctx: typer.Context, incomplete: str) -> list[str]:
    """Cards by id."""
    return _known(ctx, incomplete, lambda store: store.cards.ids())


def _known(ctx: typer.Context, incomplete: str, names: Callable[["Store"], Iterable[str]]) -> list[str]:
    context = context_of(ctx)
    if context.database_missing:
        return []  # the Tab key makes no database
    try:
        return _starting(incomplete, names(context.store))
    except (StudyError, OSError):
        return []


def _starting(incomplete: str, names: Iterable[str]) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]
