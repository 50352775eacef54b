"""Print a script that completes commands and options in the learner's shell: `study completion`."""

import os
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Annotated, Literal

import typer

from studykit.cli.context import context_of

ASKED = "_STUDY_COMPLETE"
"""The variable by which a shell's script asks for completions, and this verb for the script."""

Shell = Annotated[
    Literal["bash", "zsh", "fish"], typer.Argument(metavar="SHELL", help="Name of the shell: bash, zsh or fish.")
]


def prepare() -> None:
    """Register the shells with Typer, which does that only for an application with completion options."""
    app = typer.Typer(add_completion=True)
    app.command()(prepare)
    typer.main.get_command(app)


def completion(ctx: typer.Context, shell: Shell) -> None:
    """Print a script that completes commands: eval "$(study completion bash)" in your shell's start file."""
    prepare()
    script = StringIO()
    os.environ[ASKED] = f"source_{shell}"
    try:
        with redirect_stdout(script), suppress(SystemExit):
            ctx.find_root().command.main([], prog_name="study")
    finally:
        del os.environ[ASKED]
    context_of(ctx).copy(script.getvalue().strip())
