"""Measure what this machine's CPU or GPU reaches, and show whether that still holds: `study device`."""

from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.cli.display import services, write_report
from studykit.cli.options import AnyDevice, Json
from studykit.cli.progress_bar import progress
from studykit.exercise.bet.bench import device_report

Measure = Annotated[bool, typer.Option("--measure", help="Measure again, whatever is known.")]


def device(ctx: typer.Context, measure: Measure = False, where: AnyDevice = "auto", json: Json = False) -> None:
    """Show what this machine's CPU or GPU can reach. It is measured once, and again when it has changed."""
    context = context_of(ctx)
    with progress(context, "measuring"):
        report = device_report(services(context), where, context.zone, again=measure)
    write_report(context, report, json=json)
