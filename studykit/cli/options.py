"""Define options that work before and after a verb, and those that several verbs share.

`--db`, `--config` and `--learner` belong to every verb and group of verbs, and the last one wins. `--json` before
a verb works as if it came after it, so a verb without JSON refuses it in both places. No verb reads the
environment for them.
"""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from studykit.cli import suggest
from studykit.cli.context import OPTIONS, Context, context_of
from studykit.errors import UsageError
from studykit.text import shown_name

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Plain = Annotated[bool, typer.Option("--plain", help="Lines of text: for screen readers, pipes and CI.")]
Unconfined = Annotated[
    bool, typer.Option("--unconfined", help="Run it outside the sandbox where it cannot run inside.")
]
CardName = Annotated[
    str,
    typer.Argument(
        metavar="CARD", help="A card by its id, its first letters, or words.", autocompletion=suggest.cards
    ),
]
Chosen = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[DECK | WORDS]...",
        help="Decks, or what study find takes: is:leech, tag:verb.",
        autocompletion=suggest.decks,
    ),
]
Tag = Annotated[str | None, typer.Option("--tag", help="Only what has this tag or objective.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Repeat the numbers of a seed.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what it would do, and change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]
OnlyDecks = Annotated[
    list[str] | None,
    typer.Option(
        "--deck", metavar="DECK", help="Only cards of this deck; repeatable.", autocompletion=suggest.decks
    ),
]
AnyDevice = Annotated[Literal["auto", "cpu", "cuda"], typer.Option("--device", help="Where to run it.")]
BetDevice = Annotated[
    Literal["auto", "cpu", "cuda", "h100", "h200"] | None,
    typer.Option("--device", help="Where bets are settled: here, or as recorded on an H100 or H200."),
]

TyperInternal = Any
"""Type of contexts, commands and attributes of Typer's parser, whose classes are private."""


def write_result(context: Context, document: Mapping[str, object], lines: Iterable[str], *, json: bool) -> None:
    """Write the result of a verb, as a JSON document with `--json`, else as lines."""
    if json:
        context.write_json(document)
        return
    for line in lines:
        context.write(line)


def full_path(path: Path) -> Path:
    """Make a folder's path absolute. Raise UsageError if it is not UTF-8, because settings and log store text."""
    if any("\ud800" <= sign <= "\udfff" for sign in str(path.absolute())):
        raise UsageError(f"{shown_name(str(path))} is not a name in UTF-8. Rename it, or name another folder.")
    return path.absolute()


def pinned_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Parse the parameters that words such as `G=8` pin, or raise UsageError for another word or a second pin."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"{text!r} pins nothing. Write NAME=VALUE, such as G=8.")
        if name.strip() in pairs:
            raise UsageError(f"{name.strip()} is pinned twice. Keep one value.")
        pairs[name.strip()] = value.strip()
    return pairs


def command_again(ctx: typer.Context, **changes: object) -> str:
    """Return the command line of this run as it works in the shell, with changed values of some options."""
    from shlex import join

    values, words = {**ctx.params, **changes}, ctx.command_path.split()
    for parameter in ctx.command.params:
        value = values.get(str(parameter.name))
        name = [parameter.opts[0]] if parameter.param_type_name == "option" else []
        if value is True:
            words.append(parameter.opts[0])
        elif value != parameter.default:
            for each in value if isinstance(value, tuple | list) else [value]:
                words += [*name, f"{each:g}" if isinstance(each, float) else str(each)]
    return context_of(ctx).command(join(words))


def given_day(option: str, text: str, first: date, last: date) -> date:
    """Parse the day of an option, or raise UsageError if it is not a day from `first` to `last`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} is {text!r}. Give a day such as {first + timedelta(days=27)}.") from None
    if not first <= day <= last:
        raise UsageError(f"{option} is {text}. Give a day from {first} to {last}.")
    return day


def json_asked(ctx: typer.Context) -> bool:
    """Return whether `--json` was given before a verb."""
    return bool(ctx.meta.get(f"{OPTIONS}json"))


class VerbGroup(TyperGroup):
    """Group verbs, and give the group and each verb the options that work everywhere."""

    def __init__(self, **attributes: TyperInternal) -> None:
        super().__init__(**attributes)
        self.params += _options()
        for command in self.commands.values():
            if not isinstance(command, TyperGroup):
                command.params += [option for option in _options() if option.name != "json"]

    def resolve_command(self, ctx: TyperInternal, args: list[str]) -> TyperInternal:
        """Return the verb's name, the verb, and the other words, with a `--json` that stood before the verb."""
        name, command, rest = super().resolve_command(ctx, args)
        is_complete = isinstance(command, TyperGroup) or not json_asked(ctx)
        return name, command, rest if is_complete else ["--json", *rest]


def _note(ctx: typer.Context, option: typer.CallbackParam, value: str | None) -> None:
    if value:
        ctx.meta[f"{OPTIONS}{option.name}"] = value


def _shared(name: str, metavar: str | None, text: str) -> TyperInternal:
    return typer.Option(name, metavar=metavar, help=text, callback=_note, expose_value=False)


def _everywhere(
    db: Annotated[
        str | None, _shared("--db", "FILE", "Database (else STUDYKIT_DB); study class: its URL.")
    ] = None,
    config: Annotated[
        str | None, _shared("--config", "FILE", "Configuration file (else STUDYKIT_CONFIG).")
    ] = None,
    learner: Annotated[str | None, _shared("--learner", "NAME", "Whose log (else STUDYKIT_LEARNER).")] = None,
    json: Annotated[bool, _shared("--json", None, "One JSON document on standard output.")] = False,
) -> None: ...


@cache
def _options() -> list[TyperInternal]:
    """Return the options of `_everywhere`. Typer makes them, since their constructor varies by version."""
    app = typer.Typer(add_completion=False)
    app.command()(_everywhere)
    return typer.main.get_command(app).params
