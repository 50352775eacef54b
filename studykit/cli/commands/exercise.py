"""`study exercise`: practise exercises; list, show and check them for scripts; trust other people's.

A word that is no command names a set: `study exercise napkin-math`. Options may stand anywhere, and a bare `K=V`
pins a parameter.
"""

import copy
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from studykit import paths
from studykit.cli import suggest
from studykit.cli.authors import attach_authors, folders, trusted, try_folder
from studykit.cli.context import Context, context_of
from studykit.cli.display import interrupted, services, write_report
from studykit.cli.options import Json, Plain, TyperInternal, VerbGroup
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.exercise import catalog, registry
from studykit.exercise.entry import Exercise
from studykit.exercise.kind import SetRequest, VariantRequest
from studykit.exercise.verdict import Correct, Malformed

SET = "SET"
"""The command of `study exercise` behind every word that is none."""

_HELP = """Practise estimates with fresh numbers, judged and diagnosed; and rewrites, and timing bets.

\b
study exercise napkin-math             a mixed set
study exercise mem.max_model --set G=8 hw="H100 SXM" conv=12
study exercise show ai.gelu --seed 1   question, answer and steps
study exercise napkin-math --help      how many, which seed, and more
"""

Names = Annotated[list[str] | None, typer.Argument(metavar="[SET]", autocompletion=suggest.exercises)]
Id = Annotated[list[str] | None, typer.Argument(metavar="ID", autocompletion=suggest.exercises)]
Folder = Annotated[list[str] | None, typer.Argument(metavar="FOLDER")]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[K=V]...",
        autocompletion=suggest.exercises,
        help="Pins a parameter, as --set does.",
    ),
]
Number = Annotated[int, typer.Option("-n", min=1, max=100, help="How many exercises.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Repeat the numbers of a seed.")]
Pins = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="K=V", autocompletion=suggest.pins, help='Pin parameters: G=8 hw="H100 SXM".'),
]
Answer = Annotated[str | None, typer.Option("--answer", help="Judge this answer and end, for scripts.")]
Rough = Annotated[bool, typer.Option("--rough", help="Pencil rounding: pass within a factor of 1.5.")]
Watch = Annotated[bool, typer.Option("--watch", help="Rewrites: grade a file each time it is saved.")]
Mode = Annotated[str | None, typer.Option("--mode", metavar="MODE", help="screen or plain.")]


class ExerciseGroup(VerbGroup):
    """Commands, and sets in their place; each takes its options before it as well as after it."""

    def __init__(self, **attributes: TyperInternal) -> None:
        super().__init__(**attributes)
        for name, command in self.commands.items():
            if name != SET:
                own = {parameter.name for parameter in command.params}
                command.params += [_ignored(option) for option in self._options() if option.name not in own]

    def parse_args(self, ctx: TyperInternal, args: list[str]) -> list[str]:
        """The command or set goes first, `K=V` becomes `--set K=V`; no word at all means list."""
        words, rest, unfinished = self._sorted(args)
        ctx.meta[suggest.NAMED] = words
        if not words and {"-h", "--help"}.isdisjoint(rest):
            has_options = rest or unfinished
            words = [SET if ctx.resilient_parsing else "list"] if has_options or not ctx.resilient_parsing else []
        return super().parse_args(ctx, [*words[:1], *rest, *words[1:], *unfinished])

    def resolve_command(self, ctx: TyperInternal, args: list[str]) -> TyperInternal:
        """A command by its name; any other word is a set."""
        return super().resolve_command(ctx, args if args[0] in self.commands else [SET, *args])

    def shell_complete(self, ctx: TyperInternal, incomplete: str) -> list[TyperInternal]:
        """Commands, sets and exercises; after a dash the options of a practice."""
        practice = self.commands[SET]
        if incomplete.startswith("-"):
            return list(practice.shell_complete(ctx, incomplete))
        return list(practice.params[0].shell_complete(ctx, incomplete))

    def _options(self) -> Iterator[TyperInternal]:
        return (parameter for parameter in self.commands[SET].params if parameter.param_type_name == "option")

    def _sorted(self, args: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """Words, options with their values, and a last option without its value, which the command refuses."""
        valued = {name for option in self._options() if not option.is_flag for name in option.opts}
        words: list[str] = []
        rest: list[str] = []
        unfinished = [args[-1]] if args and args[-1] in valued and args[-2:-1] != ["--"] else []
        waiting = iter(args[: len(args) - len(unfinished)])
        for arg in waiting:
            if arg == "--":
                words += waiting
            elif arg.startswith("-"):
                rest += [arg, *([value] if arg in valued and (value := next(waiting, None)) is not None else [])]
            elif "=" in arg:
                rest += ["--set", arg]
            else:
                words.append(arg)
        return words, rest, unfinished


def _ignored(option: TyperInternal) -> TyperInternal:
    """An option that a command accepts because every one does, and has no use for."""
    ignored = copy.copy(option)
    ignored.hidden, ignored.expose_value = True, False
    return ignored


def register(app: typer.Typer) -> None:
    """Add the verb with its commands."""
    group = typer.Typer(
        cls=ExerciseGroup, help=_HELP, rich_markup_mode=None, subcommand_metavar="SET | COMMAND ..."
    )
    group.command(SET)(practise)
    group.command("list")(list_exercises)
    group.command("show")(show)
    group.command("check")(check)
    group.command("trust")(trust)
    group.command("untrust")(untrust)
    app.add_typer(group, name="exercise")


def practise(
    ctx: typer.Context,
    words: Words = None,
    number: Number = 5,
    seed: Seed = None,
    pin: Pins = None,
    answer: Answer = None,
    rough: Rough = False,
    watch: Watch = False,
    mode: Mode = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Practise napkin-math, einops, timing, or another set. It may be a family, an objective or an exercise.

    \b
    study exercise napkin-math -n 10
    study exercise mem.max_model G=8 hw="H100 SXM" conv=12
    study exercise einops split_heads
    """  # noqa: D301 - the sign that keeps the lines apart
    context = _context(ctx)
    if answer is not None:
        _judge(context, _exercise(words, "--answer"), seed, _pairs(pin), answer, rough=rough, json=json)
        return
    request = SetRequest("", number, seed, _pairs(pin), rough)
    raise typer.Exit(_practise(context, words or (), request, pin or (), watch=watch, plain=plain, mode=mode))


def list_exercises(ctx: typer.Context, names: Names = None, json: Json = False) -> None:
    """List all exercises, or those of a set."""
    context = _context(ctx)
    exercises = catalog.of_set(_one_name(names, "list")) if names else catalog.every()
    if json:
        rows = [{"id": x.id, "kind": x.kind, "objective": x.objective, "version": x.version} for x in exercises]
        context.write_json({"exercises": rows})
        return
    wide = max((len(x.id) for x in exercises), default=0)
    for x in exercises:
        context.write(f"{x.id:{wide}}  {x.kind:8}  {x.objective}")
    if not names:
        context.write(f"\nSets: {', '.join(catalog.sets())}. Start with: study exercise napkin-math")


def show(
    ctx: typer.Context,
    names: Id = None,
    seed: Seed = None,
    pin: Pins = None,
    rough: Rough = False,
    json: Json = False,
) -> None:
    """Show an exercise: a question with its answer, steps and slips."""
    context = _context(ctx)
    exercise = _exercise(names, "show")
    request = VariantRequest(context.seed() if seed is None else seed, _pairs(pin), rough)
    write_report(context, registry.kind_of(exercise).show(exercise, request), json=json)


def check(
    ctx: typer.Context,
    names: Id = None,
    seed: Seed = None,
    pin: Pins = None,
    answer: Answer = None,
    rough: Rough = False,
    json: Json = False,
) -> None:
    """Judge one answer: which slip is it?"""
    context = _context(ctx)
    _judge(context, _exercise(names, "check"), seed, _pairs(pin), answer, rough=rough, json=json)


def _judge(
    context: Context,
    exercise: Exercise,
    seed: int | None,
    pinned: Mapping[str, str],
    answer: str | None,
    *,
    rough: bool,
    json: bool,
) -> None:
    kind = registry.kind_of(exercise)
    if kind.check is None:
        raise UsageError(f"{exercise.id} is a {exercise.kind}: {kind.answered_by.format(id=exercise.id)}")
    if seed is None and not pinned:
        raise UsageError("check needs --seed, so that the question is the one that was shown")
    if answer is None:
        raise UsageError("check needs --answer TEXT")
    request = VariantRequest(context.seed() if seed is None else seed, pinned, rough)
    report = kind.check(exercise, request, answer)
    write_report(context, report, json=json)
    if not isinstance(report.verdict, Correct):
        malformed = isinstance(report.verdict, Malformed)
        raise typer.Exit(BadDataError.exit_code if malformed else StudyError.exit_code)


def trust(ctx: typer.Context, names: Folder = None) -> None:
    """Let the exercises of a folder run, as they are now."""
    from studykit.exercise.trust import files_in_words

    context = _context(ctx)
    folder = _folder(names, "trust")
    files = trusted(context).add(folder)
    context.write(f"Trusted as it is now: {files_in_words(files)} in {folder}. Any change asks again.")
    problems = try_folder(context, folder).problems
    for problem in problems:
        context.write(str(problem))
    if folder.resolve() not in {known.resolve() for known in folders(context)}:
        if folders(context):
            context.write(f'To use it, add "{folder.resolve()}" to exercises in {context.config_file}')
        else:
            context.write(f"To use it: study config set exercises {shlex.quote(str(folder.resolve()))}")
    if problems:
        raise StudyError("some of its exercises do not prove themselves; see above")


def untrust(ctx: typer.Context, names: Folder = None) -> None:
    """Trust a folder no more."""
    context = _context(ctx)
    folder = _folder(names, "untrust")
    if not trusted(context).remove(folder):
        raise StudyError(f"{folder} was not trusted")
    context.write(f"{folder} is trusted no more.")


def _context(ctx: typer.Context) -> Context:
    context = context_of(ctx)
    attach_authors(context)
    return context


def _pairs(texts: Sequence[str] | None) -> dict[str, str]:
    pinned: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"{text!r} pins nothing; write NAME=VALUE, such as G=8")
        if name.strip() in pinned:
            raise UsageError(f"{name.strip()} is pinned twice. Keep one")
        pinned[name.strip()] = value.strip()
    return pinned


def _exercise(words: Sequence[str] | None, where: str) -> Exercise:
    return catalog.find(_one_name(words, where))


def _folder(words: Sequence[str] | None, where: str) -> Path:
    if words is None or len(words) != 1:
        raise UsageError(f"{where} takes one folder")
    return paths.expanded(words[0])


def _practise(
    context: Context,
    words: Sequence[str],
    request: SetRequest,
    pins: Sequence[str],
    *,
    watch: bool,
    plain: bool,
    mode: str | None,
) -> int:
    """Practise the set, or the exercise of a set, that the words name; the exit code."""
    first, *more = words or [""]
    inside = bool(more) and first in catalog.set_names()  # einops split_heads
    name = _one_name(more if inside else words, SET)
    set_name = first if inside else name
    drawn: list[int] = []

    def seed() -> int:
        drawn.append(context.seed())
        return drawn[-1]

    own = replace(services(context, plain=plain, mode=mode), seed=seed)
    try:
        if watch:
            return registry.watch(own, name, request.seed, set_name=set_name)
        return registry.set_kind(set_name).practise(own, replace(request, name=name))
    except KeyboardInterrupt:  # told once the terminal has been given back
        from studykit.exercise.estimate.log import first_questions

        if first_questions(own.store, catalog.of_set(set_name)):
            drawn.clear()
        return interrupted(
            context, shlex.join(["study", "exercise", *words, *pins, *_flags(name, request, drawn)])
        )


def _flags(name: str, request: SetRequest, drawn: Sequence[int]) -> list[str]:
    """The options of the command that asks the same questions again.

    An exercise that was named, a scenario, and a set whose first questions are open go on by themselves.
    """
    flags = ["--rough"] * request.rough
    if request.number != SetRequest(name).number:
        flags += ["-n", str(request.number)]
    is_set = "." not in name
    seed = drawn[0] if request.seed is None and drawn and is_set else request.seed
    if seed is None or name.startswith("scenario"):
        return flags
    return [*flags, "--seed", str(seed)]


def _one_name(words: Sequence[str] | None, where: str) -> str:
    """The only word; UsageError where there is another number of them."""
    if words is None or len(words) != 1:
        raise UsageError(f"{where} takes one name; see: study exercise list")
    return words[0]
