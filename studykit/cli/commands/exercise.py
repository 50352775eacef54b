"""Practise exercises, list, show and check them for scripts, and trust other people's: `study exercise`.

A first word that is not a command names a set: `study exercise napkin-math`. A bare `K=V` pins a parameter.
"""

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.cli import suggest
from studykit.cli.authors import attach_authors, folders, trusted, try_folder
from studykit.cli.context import Context, context_of
from studykit.cli.display import interrupted, services, write_report
from studykit.cli.options import BetDevice, Json, Plain, Seed, Tag, command_again, pinned_pairs, write_result
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
from studykit.exercise import catalog, registry
from studykit.exercise.entry import Exercise
from studykit.exercise.kind import SetRequest
from studykit.exercise.verdict import Correct, Malformed
from studykit.scheduling.outcomes import RIGHT, is_right
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.exercise.turn import Draw

AT_ONCE, DONE, OPEN = "right at once", "done", "open"
"""States of an exercise."""
_NUMBER = 5

Words = Annotated[
    list[str] | None, typer.Argument(metavar="SET | COMMAND ... [K=V]...", autocompletion=suggest.exercises)
]
Number = Annotated[int | None, typer.Option("-n", min=1, max=100, help=f"How many exercises, else {_NUMBER}.")]
Pins = Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help='Pin parameters: G=8 hw="H100 SXM".')]
Answer = Annotated[str | None, typer.Option("--answer", help="Judge this answer and end, for scripts.")]
Rough = Annotated[bool, typer.Option("--rough", help="Pencil rounding: pass within a factor of 1.5.")]
ModelName = Annotated[
    str | None,
    typer.Option("--model", metavar="CONFIG", help="Ask about this model: a config.json, folder or name."),
]


def exercise(
    ctx: typer.Context,
    words: Words = None,
    number: Number = None,
    seed: Seed = None,
    pin: Pins = None,
    answer: Answer = None,
    tag: Tag = None,
    rough: Rough = False,
    device: BetDevice = None,
    model: ModelName = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Practise estimates with fresh numbers, rewrites and timing bets, judged and diagnosed.

    A set may be a family, an objective or an exercise; without words all exercises are listed.

    \b
    study exercise napkin-math -n 10       a mixed set
    study exercise mem.max_model G=8 hw="H100 SXM" conv=12
    study exercise einops split_heads
    study exercise --model config.json     about your model: study help models
    study exercise list [SET]              list exercises
    study exercise show ID                 a question, its answer, steps and slips
    study exercise check ID --answer TEXT  judge one answer: which slip is it?
    study exercise trust FOLDER            let its exercises run, as they are now
    study exercise untrust FOLDER          stop trusting it
    """  # noqa: D301 - the sign that keeps the lines apart
    context = context_of(ctx)
    attach_authors(context)
    pinned = pinned_pairs([*(pin or ()), *(word for word in words or () if "=" in word)])
    only = None
    if tag is not None:
        from studykit.cli.card_choice import tagged_exercises

        only = tagged_exercises(context, context.refreshed_store(), tag)
    request = SetRequest("", number or _NUMBER, seed, pinned, rough, only)
    match [word for word in words or () if "=" not in word] or ([] if tag is None else [catalog.MIXED]):
        case names if model is not None:
            is_alone = not names and answer is None and tag is None
            about = replace(request, name=model)
            raise typer.Exit(_practise_model(ctx, context, about, number, is_alone=is_alone, plain=plain))
        case [] if answer is None:
            _list(context, request, None, tag, json=json)
        case ["list", *names]:
            _list(context, request, _one_name(names, "list") if names else None, tag, json=json)
        case ["show", *names]:
            target = catalog.find(_one_name(names, "show"))
            write_report(context, registry.kind_of(target).show(target, _drawn(context, request)), json=json)
        case ["check", *names]:
            _judge(context, catalog.find(_one_name(names, "check")), request, answer, json=json)
        case ["trust", *names]:
            _trust(context, _folder(names, "trust"))
        case ["untrust", *names]:
            _untrust(context, _folder(names, "untrust"))
        case names if answer is not None:
            _judge(context, catalog.find(_one_name(names, "--answer")), request, answer, json=json)
        case names:
            raise typer.Exit(_practise(ctx, context, names, request, device, plain=plain))


def _list(context: Context, request: SetRequest, name: str | None, tag: str | None, *, json: bool) -> None:
    """List the exercises of a set, or all, with their states. On a terminal, list the sets instead of all."""
    exercises = _some_exercises(request, name or "")
    verdicts = {} if context.address.is_missing else context.store.schedule.verdicts()
    states = {x.id: _state(x, verdicts) for x in exercises}
    if context.on_terminal and not json:
        _draw(context, exercises, states, name, "" if tag is None else f" --tag {shlex.quote(tag)}")
        return
    rows = [
        {"id": x.id, "kind": x.kind, "objective": x.objective, "version": x.version, "state": states[x.id]}
        for x in exercises
    ]
    wide = max(len(x.id) for x in exercises)
    lines = [
        f"{x.id:{wide}}  {x.kind:8}  {x.objective:11}  {states[x.id]}".removesuffix(OPEN).rstrip()
        for x in exercises
    ]
    if name is None:
        start = context.command(f"study exercise {catalog.MIXED}")
        lines.append(f"\nSets: {', '.join(catalog.sets())}. Start with: {start}")
    write_result(context, {"exercises": rows}, lines, json=json)


def _state(exercise: Exercise, verdicts: Mapping[str, Collection[str]]) -> str:
    """Return the state of an exercise by its verdicts. A scenario has the state of its worst step."""
    by_step = [verdicts.get(step, ()) for step in getattr(exercise, "step_ids", [exercise.id])]
    if all(RIGHT in step for step in by_step):
        return AT_ONCE
    return DONE if all(any(map(is_right, step)) for step in by_step) else OPEN


def _some_exercises(request: SetRequest, name: str) -> Sequence[Exercise]:
    """Return the requested exercises of a set, or raise NotFoundError if it has none with the tag."""
    if exercises := request.exercises(name):
        return exercises
    raise NotFoundError("There is nothing to ask. Choose another set or another tag", "study exercise list")


def _draw(
    context: Context, exercises: Sequence[Exercise], states: Mapping[str, str], name: str | None, option: str
) -> None:
    """Draw the exercises of a set, or a row for each set, under a count of finished ones.

    `option` is the tag that chose them, as the suggested command takes it.
    """
    from studykit.cli.drawing import Cell, Drawing, ShareBar
    from studykit.scheduling.figure import ListingColumn, right

    drawing = Drawing(context)
    rows: list[tuple[Cell, ...]]
    sets: dict[str, list[str]] = {}
    for each in exercises:
        sets.setdefault(each.set_name or each.id.partition(".")[0], []).append(states[each.id])
    counts = {label: (len(of) - of.count(OPEN), of.count(AT_ONCE), of.count(OPEN)) for label, of in sets.items()}
    if name is None:
        columns, first = (*right(DONE, AT_ONCE, OPEN), ListingColumn()), "Sets"
        rows = [
            (label, *map(str, count), ShareBar(count[0] / len(sets[label]))) for label, count in counts.items()
        ]
        hint = f"List one: {context.command('study exercise list SET')}{option}\n{', '.join(catalog.sets())}"
    else:
        columns, first = (ListingColumn(alone=True), ListingColumn(alone=True)), name
        rows = [(each.id, states[each.id], each.objective) for each in exercises]
        hint = f"Practise them: {context.command(f'study exercise {name}{option}')}"
    done_count, at_once_count, _ = map(sum, zip(*counts.values(), strict=True))
    title = f"{done_count} of {counted(len(exercises), 'exercise')} done, {at_once_count} right at once"
    drawing.write(drawing.title(title), "", drawing.listing(first, columns, rows), "", hint)


def _judge(context: Context, exercise: Exercise, request: SetRequest, answer: str | None, *, json: bool) -> None:
    """Judge one answer, and exit with a code other than 0 unless it is right."""
    kind = registry.kind_of(exercise)
    if kind.check is None:
        raise UsageError(
            f"{exercise.id} is a {exercise.kind}. Answer it with", kind.answered_by.format(id=exercise.id)
        )
    if answer is None or (request.seed is None and not request.pinned):
        raise UsageError(
            "An answer belongs to one question. Give its seed or its numbers, and the answer",
            f"study exercise {exercise.id} --seed 7 --answer TEXT",
        )
    report = kind.check(exercise, _drawn(context, request), answer)
    write_report(context, report, json=json)
    if not isinstance(report.verdict, Correct):
        is_malformed = isinstance(report.verdict, Malformed)
        raise typer.Exit(BadDataError.exit_code if is_malformed else StudyError.exit_code)


def _drawn(context: Context, request: SetRequest) -> "Draw":
    from studykit.exercise.turn import Draw

    seed = context.seed() if request.seed is None else request.seed
    return Draw(seed, request.pinned, rough=request.rough)


def _trust(context: Context, folder: Path) -> None:
    """Let the exercises of a folder run, as they are now."""
    from studykit.exercise.trust import files_in_words

    files = trusted(context).add(folder)
    context.write(f"Trusted as it is now: {files_in_words(files)} in {folder}. Any change asks again.")
    problems = try_folder(context, folder).problems
    for problem in problems:
        context.write(str(problem))
    known, place = folders(context), os.path.realpath(folder)
    if place not in map(os.path.realpath, known):
        setting = shlex.quote(",".join([*map(str, known), place]))
        context.write(f"To use it: study config set exercises {setting}")
    if problems:
        raise StudyError(f"Some exercises in {folder} failed their own checks. Correct what is listed above.")


def _untrust(context: Context, folder: Path) -> None:
    """Take a folder out of those that the learner trusts."""
    if not trusted(context).remove(folder):
        raise StudyError(f"{folder} was not trusted.")
    context.write(f"{folder} is trusted no more.")


def _folder(words: Sequence[str], where: str) -> Path:
    if len(words) != 1:
        raise UsageError(f"{where} takes one folder, not {len(words)}.")
    return paths.expanded(words[0])


def _practise(
    ctx: typer.Context,
    context: Context,
    words: Sequence[str],
    request: SetRequest,
    device: str | None,
    *,
    plain: bool,
) -> int:
    """Practise the set, or the exercise of a set, that the words name, and return the exit code."""
    first, *more = words
    is_in_set = bool(more) and first in catalog.set_names()  # einops split_heads
    name = _one_name(more if is_in_set else words, "SET")
    set_name = first if is_in_set else name
    if device is not None and registry.set_kind(set_name) is not registry.load("bet"):
        raise UsageError("--device is for timing bets, such as", "study exercise timing --device h100")
    if request.only is not None:
        _some_exercises(request, set_name)
    if set_name == catalog.MIXED and request.only is None and request.seed is None and not request.pinned:
        request = replace(request, only=_within_reach(context))
    of_bets = {} if device is None else {"device": device}
    own = replace(
        services(context, plain=plain),
        settings=lambda section: {**context.section(section), **(of_bets if section == "bet" else {})},
    )
    try:
        return registry.practise(own, set_name, replace(request, name=name))
    except KeyboardInterrupt as stop:  # told once the terminal has been given back
        changes = {"seed": None} if name.startswith("scenario") else {}  # one that was left goes on at its step
        return interrupted(context, command_again(ctx, **changes), remaining=sum(stop.args))


def _within_reach(context: Context) -> frozenset[str] | None:
    """Return the ids in the mixed set that belong to decks already met or were asked before, or None for all."""
    from studykit.exercise.estimate.log import first_questions

    store, exercises = context.store, catalog.of_set(catalog.MIXED)
    if not (met := store.schedule.met_decks()):
        return None
    return registry.of_decks(exercises, store.cards.tasks(), met) | first_questions(store, exercises).keys()


def _practise_model(
    ctx: typer.Context, context: Context, request: SetRequest, number: int | None, *, is_alone: bool, plain: bool
) -> int:
    """Ask about the model that the request names, and return the exit code. Without `number` ask all questions."""
    if not is_alone:
        raise UsageError("--model asks its own questions. Omit the set, --tag and --answer.")
    from studykit.cli.model_file import read_config_file
    from studykit.exercise.estimate.model_config import read_config
    from studykit.exercise.estimate.model_turns import practise_model
    from studykit.exercise.estimate.shape import LETTERS
    from studykit.quantity.letter_formula import letter_of

    name = request.name
    text, path = read_config_file(name, context.environ)
    request = replace(request, pinned={letter_of(word, LETTERS): pin for word, pin in request.pinned.items()})
    config = read_config(text, path, request.pinned)
    label = paths.expanded(name).name if paths.expanded(name).exists() else name
    own, device = services(context, plain=plain), str(context.section("exercise")["device"])
    try:
        return practise_model(own, config, replace(request, name=label), device, number)
    except KeyboardInterrupt as stop:  # told once the terminal has been given back
        return interrupted(context, command_again(ctx, seed=request.seed), remaining=sum(stop.args))


def _one_name(words: Sequence[str], where: str) -> str:
    """Return the only word, or raise UsageError if there is not exactly one."""
    if len(words) != 1:
        raise UsageError(f"{where} takes one name, not {len(words)}. List the names with", "study exercise list")
    return words[0]
