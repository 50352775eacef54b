"""`study device`: what this machine's CPU or GPU reaches, when that was measured, and whether it still holds."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from studykit.cli.commands.time import DEVICES, Device
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.errors import StudyError, UsageError
from studykit.exercise.bet import device_cards
from studykit.exercise.bet.bounds import Ceilings
from studykit.graders.host.device_worker import device_worker
from studykit.practice import bets
from studykit.text import counted

Measure = Annotated[bool, typer.Option("--measure", help="Measure again, whatever is known.")]
Cards = Annotated[
    Path | None, typer.Option("--cards", metavar="FILE", help="Write your own numbers as a deck to this file.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("device")(device)


def device(
    ctx: typer.Context, measure: Measure = False, where: Device = "auto", cards: Cards = None, json: Json = False
) -> None:
    """Show what this machine's CPU or GPU can reach; measured once, and again when it has changed."""
    context = context_of(ctx)
    if where not in DEVICES:
        raise UsageError(f"--device is {where!r}; take one of {', '.join(DEVICES)}.")
    with device_worker(context.open_worker, where) as worker:
        ceilings = None if measure else bets.known_ceilings(context.store, worker)
        if ceilings is None:
            ceilings = bets.measure_ceilings(context.store, worker, context.now, context.tell)
        measured = bets.measured_at(context.store, worker)
    if cards is not None:
        _write(context, cards, ceilings)
    if json:
        context.write_json(_document(ceilings, measured))
    elif cards is None:
        _tell(context, ceilings, measured)


def _document(ceilings: Ceilings, measured: str | None) -> dict[str, object]:
    return {
        "device": ceilings.device,
        "kind": ceilings.kind,
        "driver": ceilings.driver,
        "torch": ceilings.torch,
        "threads": ceilings.threads,
        "measured": measured,
        "quiet": ceilings.quiet,
        "ceilings": device_cards.values(ceilings),
    }


def _tell(context: Context, ceilings: Ceilings, measured: str | None) -> None:
    threads = f", {ceilings.threads} threads" if ceilings.threads else ""
    context.write(f"{ceilings.device} ({ceilings.driver}; torch {ceilings.torch}{threads})")
    when = (
        f"{datetime.fromisoformat(measured).astimezone(context.zone):%d %b %Y, %H:%M}" if measured else "just now"
    )
    context.write(f"measured {when}{'' if ceilings.quiet else ', while the machine was busy: too low'}")
    context.write("")
    for name, value in device_cards.listed(ceilings):
        context.write(f"  {name:<28}{value:>16}")


def _write(context: Context, path: Path, ceilings: Ceilings) -> None:
    if not ceilings.quiet:
        raise StudyError(
            "the machine was busy while it was measured; no cards are made of such numbers. Try again."
        )
    try:
        path.write_text(device_cards.deck(ceilings), encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{path} cannot be written: {error}.") from None
    context.tell(
        f"Wrote {counted(len(device_cards.numbers(ceilings)), 'card')}; add them with: study deck add {path}"
    )
