"""`study time`: bet on how long a snippet takes on this machine, then see it measured."""

from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.display import services
from studykit.cli.options import Json, Plain
from studykit.errors import BadDataError, UsageError
from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.describe import (
    BetOutcome,
    in_order,
    physics,
    read_binds,
    read_time,
    table,
    verdict_line,
)
from studykit.exercise.bet.score import Bet
from studykit.exercise.verdict import Incorrect, Refused
from studykit.graders.host.device_worker import DeviceWorker, device_worker
from studykit.practice import bets
from studykit.practice.bets import BetVariant
from studykit.quantity.reading import BadAnswerError
from studykit.terminal.pictures import painted
from studykit.text import sentence

Name = Annotated[
    str,
    typer.Argument(
        metavar="SNIPPET",
        help="bet.NAME, or a file with setup() and run(...).",
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
Device = Annotated[str, typer.Option("--device", metavar="cpu|cuda|auto", help="Where to run it.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Draw these sizes again.")]
WIDTH = 78  # columns of a picture, where there are as many
DEVICES = ("auto", "cpu", "cuda")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("time")(time)


def time(
    ctx: typer.Context,
    snippet: Name,
    *,
    bet: BetTime = None,
    binds: BindsWord = None,
    interval: Interval = None,
    device: Device = "auto",
    seed: Seed = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Bet on how long a snippet takes, then measure it. Without --bet it shows the snippet and asks."""
    context = context_of(ctx)
    if device not in DEVICES:
        raise UsageError(f"--device is {device!r}; take one of {', '.join(DEVICES)}.")
    promised = _promised(bet, binds, interval)
    handed = services(context)
    with device_worker(handed.open_worker, device) as worker:
        variant = bets.variant_named(handed, snippet, worker.device, seed)
        count = worker.count(variant.snippet)
        if promised is None:
            _ask(context, worker, variant, count, json=json, plain=plain)
            return
        settled = bets.settled_bet(handed, worker, variant, promised)
    if json:
        context.write_json(bets.document(settled))
    else:
        _tell(context, variant, settled.outcome, plain=plain)
    if isinstance(settled.outcome.settled.verdict, Incorrect | Refused):
        raise typer.Exit(1)


def _promised(bet: str | None, binds: str | None, interval: tuple[str, str] | None) -> Bet | None:
    if bet is None:
        if binds or interval:
            raise UsageError("a bet needs its time too, such as --bet 0.2ms.")
        return None
    reason = None if binds is None else read_binds(binds)
    try:
        low, high = in_order(*map(read_time, interval)) if interval else (None, None)
        return Bet(read_time(bet), reason, low, high)
    except BadAnswerError as error:
        raise BadDataError(sentence(str(error))) from None


def _ask(
    context: Context, worker: DeviceWorker, variant: BetVariant, count: Count, *, json: bool, plain: bool
) -> None:
    if json:
        context.write_json(bets.question_document(variant, count, worker.device))
        return
    if not (plain or context.interactive):
        _show(context, variant, count)
        return
    outcome = bets.converse_once(services(context), worker, variant, plain=plain)
    if outcome.message:
        context.write(f"{variant.name}: {outcome.message}")


def _show(context: Context, variant: BetVariant, count: Count) -> None:
    for line in variant.markdown.splitlines()[1:-1]:
        context.write(line)
    for described in count.inputs:
        context.write(f"# takes {described}")
    named = variant.snippet.path if variant.name == bets.OWN else f"{variant.name} --seed {variant.seed}"
    context.write(f"\nNow bet: study time {named} --bet TIME --binds compute|memory|overhead")


def _tell(context: Context, variant: BetVariant, outcome: BetOutcome, *, plain: bool) -> None:
    context.write(
        f"{variant.name if variant.name != bets.OWN else variant.snippet.path} on {outcome.ceilings.device}"
    )
    for name, value in variant.snippet.sizes.items():
        context.write(f"  {name} = {value}")
    context.write("")
    for line in (*table(outcome), *bets.problems(outcome.count)):
        context.write(f"  {line}")
    for picture in _pictures(context, outcome, plain=plain):
        context.write("\n".join(["", *picture]))
    context.write(f"\n{verdict_line(outcome)}")
    for line in (physics(outcome), variant.lesson):
        if line:
            context.write(f"{line[0].upper()}{line[1:].rstrip('.')}.")


def _pictures(context: Context, outcome: BetOutcome, *, plain: bool) -> list[list[str]]:
    """The pictures, or what is in them where lines are read aloud."""
    if plain:
        return [[painted.sentence(picture)] for picture in bets.pictures(outcome)]
    width = min(WIDTH, context.columns or WIDTH)
    ascii_only = context.style.ascii
    drawn = [painted.lines(picture, width=width, ascii=ascii_only) for picture in bets.pictures(outcome)]
    return [lines for lines in drawn if lines]
