"""`study show`: a card, what is known of it, and everything that happened to it; or the cards of a deck."""

from typing import Annotated

import typer

from studykit.cli import show_run, suggest
from studykit.cli.context import context_of
from studykit.cli.options import Json

Named = Annotated[
    str,
    typer.Argument(
        metavar="CARD", help="A card by id or words, or a deck to list its cards.", autocompletion=suggest.cards
    ),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("show")(show)


def show(ctx: typer.Context, card: Named, json: Json = False) -> None:
    """Show a card, its schedule and its history; or the cards of a deck."""
    show_run.show(context_of(ctx), card, json=json)
