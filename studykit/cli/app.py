"""Build the Typer application, and load a verb's module only when it is called.

A verb is a row of `studykit/help/commands.md` and a module of `studykit.cli.commands` with a function of its name,
or with `COMMANDS`, its functions by name, where it is a group.
The others are placeholders, so that `study --help` and a suggestion for a misspelt verb import no such module.
"""

import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer
from typer.core import TyperCommand

from studykit import __version__
from studykit.cli.context import Context, context_of
from studykit.cli.options import TyperInternal, VerbGroup, json_asked
from studykit.help_pages import tables
from studykit.text import printable

VERBS_BY_GROUP = tables("commands")
"""Verbs with their help lines, by group, in the order of `study --help`."""
VERBS = {name: line for verbs in VERBS_BY_GROUP.values() for name, line in verbs.items()}
_MODULES = {"import": "import_", "class": "class_", "help": "help_"}

_EXAMPLES = """Learn to count the cost of language models, a few minutes a day.

\b
  study                        what is due, and what to do next
  study review                 today's cards
  study exercise napkin-math   estimates with fresh numbers
"""


class _Interrupted(BaseException):
    """Raised to get Ctrl-C past Typer, which would end the run without a message."""


_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Remove characters that control a terminal from Typer's own errors."""
    try:
        yield
    except _USAGE_ERROR as error:
        message = printable(error.format_message())  # type: ignore[attr-defined]
        error.format_message = lambda: message  # type: ignore[attr-defined]
        raise


class _Verbs(VerbGroup):
    """Group all verbs, with placeholders for those that are not called."""

    def __init__(self, **attributes: TyperInternal) -> None:
        super().__init__(**attributes)
        self.commands = {name: TyperCommand(name, help=line) for name, line in VERBS.items()}

    def format_commands(self, _ctx: TyperInternal, formatter: TyperInternal) -> None:
        """List the verbs by group, so that the help fits a screen of 24 rows."""
        rows = [(group, " ".join(verbs)) for group, verbs in VERBS_BY_GROUP.items()]
        with formatter.section("Commands (study help commands has a line on each)"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: TyperInternal, args: list[str]) -> TyperInternal:
        """Load the module of the verb that the words name, and return the verb."""
        self.commands.update(_load_commands(args[0]))
        return super().resolve_command(ctx, args)

    def make_context(self, *words: TyperInternal, **settings: TyperInternal) -> TyperInternal:
        """Parse the options before a verb, with errors that can be printed."""
        with _printable_errors():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: TyperInternal) -> TyperInternal:
        """Run the verb, and let Ctrl-C get past Typer."""
        try:
            with _printable_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None


def _load_commands(name: str) -> Mapping[str, TyperInternal]:
    """Return the commands of a verb's module, or none if there is no such verb."""
    if name not in VERBS:
        return {}
    module = importlib.import_module(f"studykit.cli.commands.{_MODULES.get(name, name)}")
    app = typer.Typer(cls=VerbGroup, rich_markup_mode=None, add_completion=False)
    if hasattr(module, "COMMANDS"):
        group = typer.Typer(cls=VerbGroup, help=VERBS[name], rich_markup_mode=None, no_args_is_help=True)
        for command, function in module.COMMANDS.items():
            group.command(command)(function)
        app.add_typer(group, name=name)
    else:
        app.command(name)(getattr(module, _MODULES.get(name, name)))
    return typer.main.get_group(app).commands


def application() -> typer.Typer:
    """Build the Typer application of `study`, with its own options and all verbs."""
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
    return app


def _root(
    ctx: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    if version:
        sys.stdout.write(f"study {__version__}\n")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from studykit.cli.commands.status import status

        status(context_of(ctx), json=json_asked(ctx))


def run(arguments: Sequence[str]) -> int:
    """Run the verb that the arguments name, and return its exit code."""
    Context.after_recording = _back_up
    if "_STUDY_COMPLETE" in os.environ:
        from studykit.cli.commands.completion import prepare

        prepare()
    try:
        typer.main.get_command(application()).main(list(arguments), prog_name="study")
    except _Interrupted:
        raise KeyboardInterrupt from None
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _back_up(context: Context) -> None:
    """Make a backup if one is due, and warn of an unsafe place, after a run that recorded something."""
    from studykit.cli.commands.backup import back_up_if_due
    from studykit.store.unsafe_place import place_of

    back_up_if_due(context, "session")
    file = context.address.file
    if (why := place_of(file)) is not None:
        from studykit.cli.commands.doctor import warn_of_place

        warn_of_place(context, file, why)
