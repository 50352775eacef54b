"""`study answer`: one grade for one card, for scripts and for tests of the schedule."""

from typing import Annotated

import typer

from studykit.cli import answer_run, suggest
from studykit.cli.context import context_of
from studykit.cli.options import Json

_DAY_MS = 24 * 60 * 60 * 1000

CardName = Annotated[
    str,
    typer.Argument(
        metavar="CARD", help="A card by its id, its first letters, or words.", autocompletion=suggest.cards
    ),
]
GradeName = Annotated[
    str, typer.Argument(metavar="[GRADE]", help="again, hard, good, easy, or 0 to 5 as SM-2 counts.")
]
Choose = Annotated[
    str,
    typer.Option(
        "--choose", metavar="NUMBERS", help="Options of a choice, as `study show` lists them, not a grade."
    ),
]
At = Annotated[str | None, typer.Option("--at", metavar="TIME", help="When it was, as ISO 8601; else now.")]
Took = Annotated[int, typer.Option("--ms", min=0, max=_DAY_MS, help="How long it took, in milliseconds.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("answer")(answer)


def answer(
    ctx: typer.Context,
    card: CardName,
    grade: GradeName = "",
    *,
    choose: Choose = "",
    at: At = None,
    ms: Took = 0,
    json: Json = False,
) -> None:
    """Give one card one grade, and show what its schedule becomes.

    \b
    A number is SM-2's: 5 easy, 4 good, 3 hard, 2 familiar, 1 again, 0 blackout.
    The keys 1 to 4 of a review are again, hard, good and easy.
    """  # noqa: D301 - the sign that keeps the lines apart
    answer_run.answer(context_of(ctx), card, grade, choose=choose, at=at, ms=ms, json=json)
