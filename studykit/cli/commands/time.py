"""`study time`: bet on how long a snippet takes on this machine, then see it measured."""

from pathlib import Path
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context
from studykit.cli.options import Json, Plain, context_of
from studykit.errors import BadDataError, UsageError
from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.describe import Outcome, judged, ordered, physics, read_binds, read_time, table
from studykit.exercise.bet.device_cards import values
from studykit.exercise.bet.score import Bet
from studykit.exercise.verdict import Incorrect, Refused, spelled
from studykit.graders.host.measure import Bench, bench
from studykit.practice import bet_run
from studykit.practice.bet_run import Stake
from studykit.quantity.reading import BadAnswerError
from studykit.scheduling.events import EventKind, Showing
from studykit.terminal.pictures import bet_picture
from studykit.text import sentence

Name = Annotated[
    str,
    typer.Argument(
        metavar="SNIPPET", help="bet.NAME, or a file with setup() and run(...).", autocompletion=suggest.snippets
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
    with bench(context, device) as found:
        stake = _stake(context, snippet, found, seed)
        count = found.count(stake.snippet)
        if promised is None:
            _ask(context, found, stake, count, json=json, plain=plain)
            return
        showing = bet_run.commit(context, stake, promised)
        outcome = bet_run.measure(context, found, stake, promised, context.tell)
    kept = bet_run.result(showing, outcome)
    context.store.log.record(EventKind.PRACTICE, bet_run.NO_CARD, showing=kept)
    if json:
        context.write_json(document(stake, outcome, kept))
    else:
        _tell(context, stake, outcome, plain=plain)
    if isinstance(outcome.settled.verdict, Incorrect | Refused):
        raise typer.Exit(1)


def document(stake: Stake, found: Outcome, kept: Showing) -> dict[str, object]:
    """An outcome as JSON."""
    measured, settled, bet = found.measured, found.settled, found.bet
    return {
        "snippet": stake.name if stake.name != bet_run.OWN else stake.snippet.path,
        "seed": stake.seed,
        "sizes": dict(stake.snippet.sizes),
        "bet": bet.seconds,
        "binds": bet.binds,
        "interval": None if bet.low is None else [bet.low, bet.high],
        "measured": {"median": measured.median, "p20": measured.p20, "p80": measured.p80},
        "samples": measured.samples,
        "flops": found.count.flops,
        "bytes": found.count.bytes_moved,
        "intensity": found.count.intensity,
        "bound": max(found.limits.shares, key=lambda reason: found.limits.shares[reason]),
        "reasons": sorted(found.limits.binds),
        "floor": found.limits.fused,
        "bounds": {"eager": found.limits.eager, "fused": found.limits.fused},
        "ceilings": values(found.ceilings),
        "factor": settled.factor,
        "device": found.ceilings.device,
        "verdict": spelled(settled.verdict),
        "grade": None if settled.grade is None else int(settled.grade),
        "points": settled.points,
        "covered": settled.covered,
        "slips": list(kept.slips),
        "message": judged(found),
    }


def _promised(bet: str | None, binds: str | None, interval: tuple[str, str] | None) -> Bet | None:
    if bet is None:
        if binds or interval:
            raise UsageError("a bet needs its time too, such as --bet 0.2ms.")
        return None
    reason = None if binds is None else read_binds(binds)
    try:
        low, high = ordered(*map(read_time, interval)) if interval else (None, None)
        return Bet(read_time(bet), reason, low, high)
    except BadAnswerError as error:
        raise BadDataError(sentence(str(error))) from None


def _stake(context: Context, name: str, found: Bench, seed: int | None) -> Stake:
    if name.startswith("bet.") and not Path(name).exists():
        return bet_run.drawn(bet_run.exercise_named(name), found.device, context.seed() if seed is None else seed)
    return bet_run.own(Path(name))


def _ask(context: Context, found: Bench, stake: Stake, count: Count, *, json: bool, plain: bool) -> None:
    if json:
        sizes = {"sizes": dict(stake.snippet.sizes), "inputs": list(count.inputs), "device": found.device}
        context.write_json({"snippet": stake.name, "seed": stake.seed, "source": stake.snippet.source, **sizes})
        return
    if not (plain or context.interactive):
        _show(context, stake, count)
        return
    from studykit.cli.display import open_ui
    from studykit.practice.ask_bet import put

    with open_ui(context, plain=plain) as ui:
        asked = put(context, found, stake, ui)
        if asked.showing is not None:
            context.store.log.record(EventKind.PRACTICE, bet_run.NO_CARD, showing=asked.showing)
        if asked.message:
            ui.read("Enter to go on", {"": "done"})
    if asked.message:
        context.write(f"{stake.name}: {asked.message}")


def _show(context: Context, stake: Stake, count: Count) -> None:
    for line in stake.markdown.splitlines()[1:-1]:
        context.write(line)
    for described in count.inputs:
        context.write(f"# takes {described}")
    named = stake.snippet.path if stake.name == bet_run.OWN else f"{stake.name} --seed {stake.seed}"
    context.write(f"\nNow bet: study time {named} --bet TIME --binds compute|memory|overhead")


def _tell(context: Context, stake: Stake, found: Outcome, *, plain: bool) -> None:
    context.write(f"{stake.name if stake.name != bet_run.OWN else stake.snippet.path} on {found.ceilings.device}")
    for name, value in stake.snippet.sizes.items():
        context.write(f"  {name} = {value}")
    context.write("")
    for line in (*table(found), *bet_run.problems(found.count)):
        context.write(f"  {line}")
    for picture in _pictures(context, found, plain=plain):
        context.write("\n".join(["", *picture]))
    context.write(f"\n{judged(found)}")
    for line in (physics(found), stake.lesson):
        if line:
            context.write(f"{line[0].upper()}{line[1:].rstrip('.')}.")


def _pictures(context: Context, found: Outcome, *, plain: bool) -> list[list[str]]:
    """Both pictures, or what is in them where lines are read aloud."""
    width = min(WIDTH, context.columns or WIDTH)
    if plain:
        said = (bet_picture.in_words(found), bet_picture.roof(found, width=width, ascii=True)[1])
        return [[sentence] for sentence in said if sentence]
    axis = bet_picture.axis(found, width=width, ascii=context.style.ascii)
    return [lines for lines in (axis, bet_picture.roof(found, width=width, ascii=context.style.ascii)[0]) if lines]
