"""`study find`: cards by words, fields and numbers, as lines, as JSON, or in a list that narrows as one types."""

from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import context_of
from studykit.cli.find_run import FindRequest, run_find
from studykit.cli.options import Json, Plain

Terms = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORDS]...",
        help="Words, deck:, tag:, is:due, lapses>3, ease<2: see study help find.",
        autocompletion=suggest.terms,
    ),
]
Live = Annotated[bool, typer.Option("-i", "--interactive", help="A list that narrows as you type.")]
Limit = Annotated[int, typer.Option("-n", "--limit", min=1, max=1_000_000, help="Cards at most.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("find")(find)


def find(
    ctx: typer.Context,
    words: Terms = None,
    live: Live = False,
    limit: Limit = 50,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Find cards by words, fields and numbers; -i narrows a list as you type."""
    request = FindRequest(" ".join(words or ()), live=live, limit=limit, plain=plain, json=json)
    raise typer.Exit(run_find(context_of(ctx), request))
