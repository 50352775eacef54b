"""The Typer application: each verb by name, its module loaded only when it is called.

A verb is a line of `VERBS_BY_GROUP` and a module `studykit.cli.commands.MODULE` with a function of that name, or
with `register(app)` where it is a group of verbs.
The others are placeholders, so that `study --help` and a suggestion for a misspelt verb import none.
"""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

import typer
from typer.core import TyperCommand

from studykit import __version__
from studykit.cli.context import Context, context_of
from studykit.cli.options import TyperInternal, VerbGroup, json_asked


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: its module in `studykit.cli.commands`, its line in the help, and whether the help lists it."""

    name: str
    module: str
    help: str
    hidden: bool = False


VERBS_BY_GROUP: Mapping[str, tuple[Verb, ...]] = {
    "every day": (
        Verb("review", "review", "Review the cards that are due today."),
        Verb("r", "review", "Short for review.", hidden=True),
        Verb("due", "due", "Count what is due, for you or for a shell prompt."),
        Verb("plan", "plan", "Plan up to an exam, or spread a backlog over days."),
        Verb("stats", "stats", "Show retention, forecast, slips and bets."),
        Verb("undo", "undo", "Take back the last answer."),
    ),
    "exercises": (
        Verb("exercise", "exercise", "Practise estimates with fresh numbers."),
        Verb("quiz", "quiz", "Take a scored test; your schedule stays as it is."),
        Verb("grade", "grade", "Grade an einops rewrite in a sandbox."),
        Verb("time", "time", "Bet on how long a snippet takes, then measure it."),
        Verb("device", "device", "Measure what this machine's CPU or GPU can reach."),
    ),
    "your cards": (
        Verb("find", "find", "Find cards by words, deck, tag or schedule."),
        Verb("show", "show", "Show a card, its schedule and its history."),
        Verb("answer", "answer", "Give one card one grade, for scripts."),
        Verb("add", "add", "Add a card to a deck of yours."),
        Verb("edit", "edit", "Open your editor at a card."),
        Verb("card", "card", "Suspend, bury, flag, reset or move cards."),
        Verb("deck", "deck", "List, make, add, order and remove decks."),
        Verb("check", "check", "Check decks and exercises, and recompute what they state."),
    ),
    "in and out": (
        Verb("import", "import_", "Bring cards from Anki, Obsidian or a table, or progress."),
        Verb("export", "export", "Export decks as pages, for Anki, as a table or text."),
        Verb("sync", "sync", "Unite your log with those of your other machines."),
        Verb("class", "class_", "Set up a class on a server, and see where it stands."),
        Verb("backup", "backup", "Keep copies of everything, and bring one back."),
    ),
    "set up": (
        Verb("config", "config", "Read and change settings."),
        Verb("doctor", "doctor", "Check that everything works, and repair the cache."),
        Verb("help", "help_", "Explain keys, environment, exit codes and more."),
        Verb("completion", "completion", "Print a script that completes commands in your shell."),
    ),
}
"""In the order of `study --help`, which names them, and `study help commands`, which explains each."""
VERBS = tuple(chain.from_iterable(VERBS_BY_GROUP.values()))

_EXAMPLES = """Learn to count the cost of language models, a few minutes a day.

\b
  study                        what is due, and what to do next
  study review                 today's cards
  study exercise napkin-math   estimates with fresh numbers
"""


def listed(verbs: Sequence[Verb]) -> dict[str, str]:
    """The verbs that the help lists, with their lines."""
    return {verb.name: verb.help for verb in verbs if not verb.hidden}


class _Interrupted(BaseException):
    """Ctrl-C on its way past Typer, which would end the run without a word."""


class _Verbs(VerbGroup):
    """All verbs: placeholders in the help, the one that is called loaded."""

    def __init__(self, **attributes: TyperInternal) -> None:
        super().__init__(**attributes)
        self.commands = {verb.name: TyperCommand(verb.name, help=verb.help, hidden=verb.hidden) for verb in VERBS}

    def format_commands(self, _ctx: TyperInternal, formatter: TyperInternal) -> None:
        """The verbs by group, so that the help has room on a screen of 24 rows."""
        rows = [(group, " ".join(listed(verbs))) for group, verbs in VERBS_BY_GROUP.items()]
        with formatter.section("Commands (study help commands has a line on each)"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: TyperInternal, args: list[str]) -> TyperInternal:
        """The verb that the words name, its module loaded now."""
        self.commands.update(_loaded(args[0]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: TyperInternal) -> TyperInternal:
        """What the verb gives; Ctrl-C gets past Typer."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None


def _loaded(name: str) -> Mapping[str, TyperInternal]:
    """The commands of the module of a verb; none where there is no such verb."""
    verb = next((verb for verb in VERBS if verb.name == name), None)
    if verb is None:
        return {}
    module = importlib.import_module(f"studykit.cli.commands.{verb.module}")
    app = typer.Typer(cls=VerbGroup, rich_markup_mode=None, add_completion=False)
    if hasattr(module, "register"):
        module.register(app)
    else:
        app.command(name)(getattr(module, verb.module))
    return typer.main.get_group(app).commands


def application() -> typer.Typer:
    """`study` with its own options and all verbs."""
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
    """Run the verb that the arguments name, by the rules of `studykit.cli.exit`, and give its exit code."""
    Context.after_recording = _back_up
    if "_STUDY_COMPLETE" in os.environ:
        from studykit.cli.commands.completion import prepare

        prepare()
    try:
        typer.main.get_command(application()).main(list(arguments), prog_name="study")
    except _Interrupted:
        raise KeyboardInterrupt from None
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    return 0


def _back_up(context: Context) -> None:
    """Make a backup, if one is due, after a run that recorded something."""
    from studykit.cli.commands.backup import back_up_if_due
    from studykit.store.unsafe_place import place_of

    back_up_if_due(context, "session")
    file = context.address.file
    if file is not None and (why := place_of(file)) is not None:
        from studykit.cli.commands.doctor import warn_of_place

        warn_of_place(context, file, why)
