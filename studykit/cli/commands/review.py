"""`study review`: today's cards, on a screen, below the prompt or in plain lines."""

from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import context_of
from studykit.cli.options import Plain
from studykit.cli.review_run import ReviewRequest, run_review

Decks = Annotated[
    list[str] | None, typer.Argument(metavar="[DECK]...", help="Only these decks.", autocompletion=suggest.decks)
]
Limit = Annotated[int | None, typer.Option("-n", "--limit", min=1, help="Cards at most.")]
New = Annotated[int | None, typer.Option("--new", min=0, help="New cards at most, for today.")]
More = Annotated[
    int | None, typer.Option("--more", min=1, help="So many new cards beyond today's; kept for the day.")
]
Minutes = Annotated[float | None, typer.Option("--minutes", min=0.1, help="Minutes at most.")]
Cram = Annotated[bool, typer.Option("--cram", help="Ask cards that are not due too; their schedule stays.")]
Tag = Annotated[str | None, typer.Option("--tag", help="Only cards with this tag or objective.")]
ModeName = Annotated[str | None, typer.Option("--mode", help="screen or plain.")]
Grades = Annotated[str | None, typer.Option("--grades", help="4, 2 or sm2: how many answer keys.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of the exercises' numbers.")]


def register(app: typer.Typer) -> None:
    """Add the verb and its short form."""
    app.command("review", help="Review the cards that are due today.")(review)
    app.command("r", hidden=True, help="Short for review.")(review)


def review(
    ctx: typer.Context,
    decks: Decks = None,
    limit: Limit = None,
    new: New = None,
    more: More = None,
    minutes: Minutes = None,
    cram: Cram = False,
    tag: Tag = None,
    mode: ModeName = None,
    plain: Plain = False,
    grades: Grades = None,
    seed: Seed = None,
) -> None:
    """Review the cards that are due today."""
    request = ReviewRequest(tuple(decks or ()), limit, new, minutes, cram, tag, mode, plain, grades, seed, more)
    raise typer.Exit(run_review(context_of(ctx), request))
