"""`study check`: what is wrong with decks and exercises, each complaint with its place."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from studykit.cards.problem import Problem, Severity
from studykit.cli import deck_repairs, exercise_checks
from studykit.cli.authors import attach_authors
from studykit.cli.context import Context, context_of
from studykit.cli.deck_checks import CheckedDecks, checked_decks
from studykit.cli.options import Json
from studykit.text import counted

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", help="Decks, exercise files or folders; else all decks."),
]
Fix = Annotated[
    bool, typer.Option("--fix", help="Mend what is certain first: ids, line ends, brackets; each change is told.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Hold the decks to the rules of those that ship.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("check")(check)


def check(
    ctx: typer.Context, paths: Paths = None, *, fix: Fix = False, strict: Strict = False, json: Json = False
) -> None:
    """Check decks (syntax, ids, check lines, math, code, images) and your own exercises (each over 100 seeds)."""
    context = context_of(ctx)
    attach_authors(context)
    named = paths or []
    own = [path for path in named if not exercise_checks.only_exercises(path)]
    whole = bool(named) and all(path.is_dir() for path in named)
    mended = deck_repairs.mend(context, own) if fix and (own or not named) else []
    checked = checked_decks(context, own, strict=strict, whole=whole) if own or not named else CheckedDecks()
    tried = exercise_checks.try_exercises(context, named)
    problems = checked.in_order(tried.problems)
    if json:
        repairs = {"repairs": [asdict(repair) for repair in mended]} if fix else {}
        context.write_json({**_document(checked, problems, tried.exercises), **repairs})
    else:
        for repair in mended:
            context.write(f"{_near(repair.path)}:{repair.line}: {repair.message}")
        _write(context, problems)
        context.write(_summary(checked, problems, tried.exercises))
    if any(problem.severity is Severity.ERROR for problem in problems):
        raise typer.Exit(1)


def _document(checked: CheckedDecks, problems: Sequence[Problem], exercises: int) -> dict[str, object]:
    return {
        "files": len(checked.files),
        "cards": sum(len(deck.cards) for deck in checked.decks),
        "exercises": exercises,
        "problems": [
            {
                "path": problem.path,
                "line": problem.line,
                "message": problem.message,
                "severity": str(problem.severity),
            }
            for problem in problems
        ],
    }


def _write(context: Context, problems: Sequence[Problem]) -> None:
    """A line for each complaint, as editors read it; on a terminal its place stands out."""
    seen = [_seen_from_here(problem) for problem in problems]
    if not context.on_terminal or context.plain or not seen:
        for problem in seen:
            context.write(str(problem))
        return
    from studykit.cli.drawing import Drawing

    drawing = Drawing(context)
    drawing.write(
        *(
            drawing.unbroken(str(problem), f"{problem.path}:{problem.line}:", _STYLES[problem.severity])
            for problem in seen
        )
    )


_STYLES = {Severity.ERROR: "wrong", Severity.WARNING: "close"}


def _seen_from_here(problem: Problem) -> Problem:
    return problem._replace(path=_near(problem.path))


def _near(named: str) -> str:
    path = Path(named)
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _summary(checked: CheckedDecks, problems: Sequence[Problem], exercises: int) -> str:
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    cards = sum(len(deck.cards) for deck in checked.decks)
    parts = [counted(len(checked.files), "file"), counted(cards, "card")] if checked.files else []
    seen = ", ".join(parts + [counted(exercises, "exercise")] * (bool(exercises) or not parts))
    told = [counted(errors, "problem")] * bool(errors) + [counted(warnings, "warning")] * bool(warnings)
    return f"{seen}: {', '.join(told) or 'all is well'}."
