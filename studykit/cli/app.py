"""The Typer application: each verb by name, its module loaded only when it is called.

A verb is a line of `VERBS` and a module `studykit.cli.commands.MODULE` with a function `register(app)`. The
others stand in the help as placeholders, so that `study --help` and a suggestion for a misspelt verb import none.
"""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from studykit import __version__
from studykit.cli.options import Db, Json


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: its module in `studykit.cli.commands`, its line in the help, and whether the help lists it."""

    name: str
    module: str
    help: str
    hidden: bool = False


VERBS = (
    Verb("review", "review", "Review the cards that are due today."),
    Verb("r", "review", "Short for review.", hidden=True),
    Verb("due", "due", "Count what is due, for you or for a shell prompt."),
    Verb("stats", "stats", "Show retention, forecast, slips and bets."),
    Verb("exercise", "exercise", "Practise estimates with fresh numbers."),
    Verb("quiz", "quiz", "Take a scored test that leaves the schedule alone."),
    Verb("grade", "grade", "Grade an einops rewrite in a sandbox."),
    Verb("time", "time", "Bet on how long a snippet takes, then measure it."),
    Verb("device", "device", "Measure what this machine's CPU or GPU can reach."),
    Verb("show", "show", "Show a card, its schedule and its history."),
    Verb("answer", "answer", "Give one card one grade, for scripts."),
    Verb("undo", "undo", "Take back the last answer."),
    Verb("card", "card", "Suspend, bury, flag or reset cards."),
    Verb("deck", "deck", "List, add and remove decks."),
    Verb("check", "check", "Check decks and exercises, and recompute what they state."),
    Verb("export", "export", "Export decks as web pages, or your progress."),
    Verb("import", "import_", "Import progress made on a web page."),
    Verb("doctor", "doctor", "Check that everything works, and repair the cache."),
    Verb("config", "config", "Read and change settings."),
    Verb("help", "help", "Explain keys, environment, exit codes and more."),
    Verb("completion", "completion", "Print a script that completes commands in your shell."),
)
"""In the order of `study --help`."""

_EXAMPLES = """Learn to count the cost of language models, a few minutes a day.

\b
  study                        what is due, and what to do next
  study review                 today's cards
  study exercise napkin-math   estimates with fresh numbers
"""


class _Interrupted(BaseException):
    """Ctrl-C on its way past Typer, which would end the run without a word."""


class _Verbs(TyperGroup):
    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - a context of Typer's own kind
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None


def build(*called: str) -> typer.Typer:
    """The application with the verbs `called` loaded and the others as placeholders."""
    app = typer.Typer(
        name="study",
        cls=_Verbs,
        help=_EXAMPLES,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for module in dict.fromkeys(verb.module for verb in VERBS):
        verbs = [verb for verb in VERBS if verb.module == module]
        if any(verb.name in called for verb in verbs):
            importlib.import_module(f"studykit.cli.commands.{module}").register(app)
        else:
            for verb in verbs:
                app.command(verb.name, help=verb.help, hidden=verb.hidden)(_placeholder)
    return app


def _placeholder() -> None:
    """Stands in the help for a verb that this process does not run."""


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"study {__version__}\n")
        raise typer.Exit


def _root(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback has done the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    if ctx.invoked_subcommand is None:
        importlib.import_module("studykit.cli.commands.status").status(db, json)


def _typed_so_far(environ: Mapping[str, str]) -> list[str]:
    """The words of the command line that a shell wants completed: bash names them so, zsh and fish so."""
    return (environ.get("COMP_WORDS") or environ.get("_TYPER_COMPLETE_ARGS") or "").split()[1:]


def run(arguments: Sequence[str]) -> int:
    """Run the verb that the arguments name, by the rules of `studykit.cli.exit`, and give its exit code."""
    names = {verb.name for verb in VERBS}
    if "_STUDY_COMPLETE" in os.environ:
        importlib.import_module("studykit.cli.commands.completion").prepare()
        arguments = _typed_so_far(os.environ)
    called = [word for word in arguments if word in names][:1]
    command = typer.main.get_command(build(*called))
    try:
        command.main(list(arguments), prog_name="study")
    except _Interrupted:
        raise KeyboardInterrupt from None
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    return 0
