"""`study completion`: a script that completes commands and options in the learner's shell."""

import os
from collections.abc import MutableMapping
from contextlib import redirect_stdout, suppress
from importlib.resources import files
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
    if os.environ.get(ASKED) == "complete_bash":
        _join_at_equals(os.environ)


def _join_at_equals(environ: MutableMapping[str, str]) -> None:
    """Join `hw`, `=` and `H100` to a word, because bash splits words at `=`."""
    words = environ.get("COMP_WORDS", "").split("\n")
    place = int(environ.get("COMP_CWORD", "0"))
    joined: list[str] = []
    at = 0
    for number, word in enumerate(words):
        if joined and number and (word.startswith("=") or words[number - 1].endswith("=")):
            joined[-1] += word
        else:
            joined.append(word)
        if number == place:
            at = len(joined) - 1
    if len(words) > place:
        environ["COMP_WORDS"], environ["COMP_CWORD"] = "\n".join(joined), str(at)


def completion(ctx: typer.Context, shell: Shell) -> None:
    """Print a script that completes commands: eval "$(study completion bash)" in your shell's start file."""
    if shell == "bash":
        context_of(ctx).copy(files("studykit.cli.commands").joinpath("completion.bash").read_text("utf-8").strip())
        return
    prepare()
    script = StringIO()
    os.environ[ASKED] = f"source_{shell}"
    try:
        with redirect_stdout(script), suppress(SystemExit):
            ctx.find_root().command.main([], prog_name="study")
    finally:
        del os.environ[ASKED]
    context_of(ctx).copy(script.getvalue().strip())
