"""`study completion`: a script that completes commands and options in the learner's shell."""

from typing import Annotated

import typer
from typer._completion_classes import completion_init  # as below
from typer._completion_shared import get_completion_script  # the generator that Typer's own option uses

from studykit.cli.context import Context
from studykit.errors import UsageError

SHELLS = ("bash", "zsh", "fish")

Shell = Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("completion")(completion)


def prepare() -> None:
    """Make the answers to a shell's questions known, which Typer does only for its own options."""
    completion_init()


def completion(shell: Shell) -> None:
    """Print a script that completes commands: eval "$(study completion bash)" in your shell's start file."""
    if shell not in SHELLS:
        raise UsageError(f"{shell!r} is no shell that can be completed in; give {', '.join(SHELLS)}.")
    context = Context.from_environment(None)
    context.copy(get_completion_script(prog_name="study", complete_var="_STUDY_COMPLETE", shell=shell).strip())
