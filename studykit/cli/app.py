"""The Typer application: every verb by name, loaded only when it is called, and errors told in one sentence."""

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from studykit.errors import StudyError


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: the module `studykit.cli.MODULE` that registers it on the application, and its help line."""

    name: str
    module: str
    help: str


VERBS: tuple[Verb, ...] = ()
"""In the order of `study --help`; each helper's verb is one line here."""


def build(names: Sequence[str]) -> typer.Typer:
    """The application with the modules of these verbs loaded."""
    app = typer.Typer(name="study", rich_markup_mode=None, add_completion=False, no_args_is_help=False)
    for verb in VERBS:
        if verb.name in names:
            importlib.import_module(f"studykit.cli.{verb.module}").register(app)
    return app


def run(arguments: Sequence[str]) -> int:
    """Exit code of `study` with these arguments, everything already told."""
    try:
        build([verb.name for verb in VERBS])(list(arguments), standalone_mode=False)
    except StudyError as error:
        sys.stderr.write(f"study: {error}\n")
        return error.exit_code
    return 0
