"""`study add`: a card from words, from standard input or from the editor, into a deck of one's own."""

from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.add_run import AddRequest, run_add
from studykit.cli.context import context_of
from studykit.cli.options import Json

Front = Annotated[
    str | None, typer.Argument(metavar="[QUESTION]", help="The question, or a text with its gaps in [brackets].")
]
Back = Annotated[str | None, typer.Argument(metavar="[ANSWER]", help="The answer; a text with gaps has none.")]
DeckName = Annotated[
    str | None,
    typer.Option("-d", "--deck", metavar="NAME", help="Deck of yours to write to.", autocompletion=suggest.decks),
]
Tags = Annotated[
    list[str] | None, typer.Option("-t", "--tag", metavar="TAG", help="A tag, also typed or reversed; repeatable.")
]
Id = Annotated[str | None, typer.Option("--id", metavar="ID", help="Its id; else one is made of its words.")]
Again = Annotated[bool, typer.Option("--again", help="Add it though a card asks the same.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("add")(add)


def add(
    ctx: typer.Context,
    question: Front = None,
    answer: Back = None,
    deck: DeckName = None,
    tag: Tags = None,
    id_: Id = None,
    again: Again = False,
    json: Json = False,
) -> None:
    """Add a card to a deck of yours: from words, from standard input, else in your editor."""
    request = AddRequest(question, answer, deck, tuple(tag or ()), id_, again=again, json=json)
    raise typer.Exit(run_add(context_of(ctx), request))
