"""`study completion`: a script that completes commands and options in the learner's shell."""

import os
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.errors import UsageError

SHELLS = ("bash", "zsh", "fish")
ASKED = "_STUDY_COMPLETE"
"""The variable by which a shell's script asks for completions, and this verb for the script."""

Shell = Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("completion")(completion)


def prepare() -> None:
    """Let Typer know its shells, which it learns only from an application with its own completion options."""
    app = typer.Typer(add_completion=True)
    app.command()(prepare)
    typer.main.get_command(app)


def completion(ctx: typer.Context, shell: Shell) -> None:
    """Print a script that completes commands: eval "$(study completion bash)" in your shell's start file."""
    if shell not in SHELLS:
        raise UsageError(f"{shell!r} is no shell that can be completed in; give {', '.join(SHELLS)}.")
    prepare()
    script = StringIO()
    os.environ[ASKED] = f"source_{shell}"
    try:
        with redirect_stdout(script), suppress(SystemExit):
            ctx.find_root().command.main([], prog_name="study")
    finally:
        del os.environ[ASKED]
    context_of(ctx).copy(script.getvalue().strip())
