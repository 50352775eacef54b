"""`study exercise`: practise estimates with fresh numbers; list, show and check them for scripts."""

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli import suggest
from studykit.cli.authors import attach
from studykit.cli.context import Context
from studykit.cli.display import resumable
from studykit.cli.options import Json, Plain, context_of
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.exercise import catalog
from studykit.exercise.numeric import feedback, pins
from studykit.exercise.numeric.template import Exercise, Template, Variant, draw
from studykit.exercise.verdict import Correct, Malformed, spelled
from studykit.graders import number

if TYPE_CHECKING:
    from studykit.exercise.numeric.feedback import NumericJudgment

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SET | list | show ID | check ID | trust FOLDER",
        autocompletion=suggest.exercises,
        help="A set (napkin-math, einops, timing, a family, an objective), an exercise, or what to do. K=V pins.",
    ),
]
Number = Annotated[int, typer.Option("-n", min=1, max=100, help="How many exercises.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Repeat the numbers of a seed.")]
Pins = Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help='Pin parameters: n=8 hw="H100 SXM".')]
Answer = Annotated[str | None, typer.Option("--answer", help="Judge this answer and end, for scripts.")]
Rough = Annotated[bool, typer.Option("--rough", help="Pencil rounding: pass within a factor of 1.5.")]
Watch = Annotated[bool, typer.Option("--watch", help="Rewrites: grade a file each time it is saved.")]
Mode = Annotated[str | None, typer.Option("--mode", metavar="MODE", help="screen, inline or plain.")]

ROUTES = {"einops": "rewrite_set", "timing": "bet_set"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("exercise")(exercise)


def exercise(
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
    """Practise estimates with fresh numbers, judged and diagnosed.

    \b
    study exercise napkin-math             a mixed set
    study exercise mem.max_model --set n=8 hw="H100 SXM" conv=12
    study exercise show ai.gelu --seed 1   question, answer and steps
    """  # noqa: D301 - the sign that keeps the lines apart
    context = context_of(ctx)
    attach(context)
    named = [word for word in words or () if "=" not in word]
    pinned = _pairs([*(pin or ()), *(word for word in words or () if "=" in word)])
    action, *rest = named or ["list"]
    if action in {"trust", "untrust"}:
        importlib.import_module("studykit.cli.commands.exercise_trust").run(context, action, rest)
        return
    if action == "list":
        _list(context, rest, json=json)
        return
    if action in {"show", "check"}:
        found = catalog.find(_one(rest, action))
        (_show if action == "show" else _check)(context, found, seed, pinned, answer, rough=rough, json=json)
        return
    if answer is not None:
        _check(context, catalog.find(_one(named, "--answer")), seed, pinned, answer, rough=rough, json=json)
        return
    of_set = named[1:] if len(named) > 1 and action in ROUTES else named  # einops split_heads
    name = _one(of_set, "SET")
    route = ROUTES[action] if of_set is not named else _route(name)
    with resumable(context, f"study exercise {name}"):
        if route is not None:
            raise typer.Exit(_routed(context, route, name, seed, plain=plain, watch=watch))
        practice = importlib.import_module("studykit.practice.numeric")
        practice.run(context, name, number, seed, pinned, rough=rough, plain=plain, mode=mode)


def _route(name: str) -> str | None:
    """The module that asks a set of rewrites or of bets; None for numeric exercises."""
    if name in ROUTES:
        return ROUTES[name]
    (kind, *others) = sorted({found.kind for found in catalog.of_set(name)})
    return ROUTES.get({"rewrite": "einops", "bet": "timing"}.get(kind, "")) if not others else None


def _routed(context: Context, module: str, name: str, seed: int | None, *, plain: bool, watch: bool) -> int:
    if watch and module != ROUTES["einops"]:
        raise UsageError("--watch is for einops rewrites")
    flags = {"plain": plain, "watch": True} if watch else {"plain": plain}
    name = "" if name in ROUTES else name
    return int(importlib.import_module(f"studykit.practice.{module}").run(context, name=name, seed=seed, **flags))


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"{text!r} pins nothing; write NAME=VALUE, such as n=8")
        found[name.strip()] = value.strip()
    return found


def _one(words: Sequence[str], where: str) -> str:
    if len(words) != 1 or words[0].startswith("-"):
        raise UsageError(f"{where} takes one name; see: study exercise list")
    return words[0]


def _list(context: Context, names: Sequence[str], *, json: bool) -> None:
    found = catalog.of_set(_one(names, "list")) if names else catalog.every()
    if json:
        rows = [{"id": x.id, "kind": x.kind, "objective": x.objective, "version": x.version} for x in found]
        context.write_json({"exercises": rows})
        return
    wide = max((len(x.id) for x in found), default=0)
    for x in found:
        context.write(f"{x.id:{wide}}  {x.kind:8}  {x.objective}")
    if not names:
        context.write(f"\nSets: {', '.join(catalog.sets())}. Start with: study exercise napkin-math")


def _drawn(context: Context, found: Template, seed: int | None, pinned: Mapping[str, str]) -> Variant:
    return draw(found, context.seed() if seed is None else seed, pins.pins(found, pinned))


def _show(
    context: Context,
    found: Exercise,
    seed: int | None,
    pinned: Mapping[str, str],
    _answer: str | None,
    *,
    rough: bool,
    json: bool,
) -> None:
    if not isinstance(found, Template):
        _show_other(context, found, json=json)
        return
    variant = _drawn(context, found, seed, pinned)
    if json:
        context.write_json(_document(variant))
        return
    context.write(
        f"{found.id}  seed {variant.seed}  {feedback.tolerance(variant, rough=rough)}\n\n{variant.prompt}\n"
    )
    for place, step in enumerate(variant.solution, start=1):
        context.write(f"{place}. {step}")
    for slip in variant.slips:
        context.write(f"slip {slip.id}: {slip.message}")


def _document(variant: Variant) -> dict[str, object]:
    return {
        "exercise": variant.template.id,
        "version": variant.template.version,
        "seed": variant.seed,
        "prompt": variant.prompt,
        "parameters": variant.parameters,
        "unit": variant.template.unit,
        "tolerance": variant.tolerance,
        "answer": variant.answer,
        "slips": [{"id": slip.id, "value": slip.value, "message": slip.message} for slip in variant.slips],
        "hints": list(variant.hints),
        "solution": list(variant.solution),
    }


def _show_other(context: Context, found: Exercise, *, json: bool) -> None:
    prompt = str(getattr(found, "prompt", ""))
    solution = getattr(found, "solution", ())
    if not json:
        context.write(f"{found.id}  {found.kind}  {found.objective}\n\n{prompt}")
        return
    context.write_json(
        {
            "exercise": found.id,
            "version": found.version,
            "seed": None,
            "prompt": prompt,
            "parameters": {},
            "unit": "",
            "tolerance": None,
            "answer": None,
            "slips": [],
            "hints": list(getattr(found, "hints", ())),
            "solution": [solution] if isinstance(solution, str) else [str(step) for step in solution],
        }
    )


def _check(
    context: Context,
    found: Exercise,
    seed: int | None,
    pinned: Mapping[str, str],
    answer: str | None,
    *,
    rough: bool,
    json: bool,
) -> None:
    if not isinstance(found, Template):
        other = {"rewrite": f"study grade {found.id} FILE", "bet": f"study time {found.id} --bet TIME"}
        raise UsageError(f"{found.id} is a {found.kind}: {other.get(found.kind, f'study exercise {found.id}')}")
    if seed is None and not pinned:
        raise UsageError("check needs --seed, so that the question is the one that was shown")
    if answer is None:
        raise UsageError("check needs --answer TEXT")
    variant = _drawn(context, found, seed, pinned)
    judged = number.judge(variant, answer, rough=rough)
    document = _judged(variant, judged)
    if json:
        context.write_json(document)
    else:
        echo = f"read as {judged.read_as}\n" if judged.read_as else ""
        context.write(f"{echo}{document['verdict']}: {document['message']}")
    if not isinstance(judged.verdict, Correct):
        raise typer.Exit(BadDataError.exit_code if isinstance(judged.verdict, Malformed) else StudyError.exit_code)


def _judged(variant: Variant, judged: "NumericJudgment") -> dict[str, object]:
    if isinstance(judged.verdict, Malformed):
        message = judged.verdict.why
    else:
        message = feedback.without_retry(variant, judged.verdict, judged.value, judged.slips)
    return {
        "verdict": spelled(judged.verdict),
        "read_as": judged.read_as or None,
        "value": judged.value,
        "factor": judged.factor,
        "slips": [slip.id for slip in judged.slips],
        "message": message,
    }
