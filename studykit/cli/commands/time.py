"""Bet on how long a snippet takes, and show it measured here or as recorded on a GPU: `study time`."""

from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import context_of
from studykit.cli.display import services, write_report
from studykit.cli.options import BetDevice, Json, Plain, Seed, Unconfined
from studykit.errors import StudyError
from studykit.exercise.bet.snippet_bets import bet_on, read_bet
from studykit.exercise.verdict import Incorrect, Refused

Name = Annotated[
    str,
    typer.Argument(
        metavar="SNIPPET",
        help="Bet such as bet.NAME, or a file with setup() and run(...).",
        autocompletion=suggest.exercises_of("bet"),
    ),
]
BetTime = Annotated[str | None, typer.Option("--bet", metavar="TIME", help="Your bet, such as 0.2ms.")]
BindsWord = Annotated[
    str | None, typer.Option("--binds", metavar="WHAT", help="What binds it: compute, memory or overhead.")
]
Interval = Annotated[
    tuple[str, str] | None, typer.Option("--interval", metavar="LOW HIGH", help="What you are 80 % sure of.")
]


def time(
    ctx: typer.Context,
    snippet: Name,
    *,
    bet: BetTime = None,
    binds: BindsWord = None,
    interval: Interval = None,
    device: BetDevice = None,
    seed: Seed = None,
    unconfined: Unconfined = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Bet on how long a snippet takes, then see its time. Without --bet it shows the snippet and asks."""
    context = context_of(ctx)
    asks = not json and (plain or context.interactive)
    wager = read_bet(bet, binds, interval)
    own = services(context, plain=plain)
    report = bet_on(own, snippet, device, seed, wager, asks=asks, unconfined=unconfined)
    write_report(context, report, json=json, plain=plain)
    if isinstance(report.verdict, Incorrect | Refused):
        raise typer.Exit(StudyError.exit_code)
