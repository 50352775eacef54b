"""`study check`: what is wrong with decks and exercises, each complaint with its place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from studykit.cards.card import Deck
from studykit.cards.problem import Problem, Severity
from studykit.cli.authors import attach
from studykit.cli.commands import check_exercises
from studykit.cli.commands.check_rendering import images, pages, renderers
from studykit.cli.context import Context
from studykit.cli.lookup import may_be
from studykit.cli.options import Db, Json
from studykit.collection.collection import read_file, sources
from studykit.collection.files import DeckPaths, Origin, Source, discover, macro_files, read_text
from studykit.errors import NotFoundError, StudyError
from studykit.paths import copies
from studykit.text import counted

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", help="Decks, exercise files or folders; else all decks."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Hold the decks to the rules of those that ship.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("check")(check)


def check(paths: Paths = None, strict: Strict = False, json: Json = False, db: Db = None) -> None:
    """Check decks (syntax, ids, check lines, math, code, images) and your own exercises (each over 100 seeds)."""
    context = Context.from_environment(db)
    attach(context)
    own = [path for path in paths or [] if not check_exercises.only_exercises(path)]
    found = _found(context, own) if own or not paths else DeckPaths((), (), ())
    decks, problems = _read(found)
    tried = check_exercises.tried(context, paths or [])
    problems += tried.problems
    shipped = {file.path for file in found.files if file.origin is Origin.SHIPPED}
    folders = bool(paths) and all(path.is_dir() for path in paths or ())
    for group, whole in ((decks, folders),) if paths else _by_origin(decks, shipped):
        problems += _meant(group, strict=strict, whole=whole)
    if not paths:
        problems += _unsettled(context)
    problems = _in_order(problems, found)
    if json:
        context.write_json(_document(decks, problems, found, tried.exercises))
    else:
        for problem in problems:
            context.write(_shown(problem))
        context.write(_summary(decks, problems, found, tried.exercises))
    if any(problem.severity is Severity.ERROR for problem in problems):
        raise typer.Exit(1)


def _found(context: Context, named: Sequence[Path]) -> DeckPaths:
    if not named:
        named_here = sources(context.environ, context.config, context.config_file)
        return discover((*named_here, Source(copies(), Origin.COPIED)))
    for path in named:
        if not path.exists():
            raise NotFoundError(f"there is no deck {path}. Name a deck file or a folder of them.")
    found = discover([Source(path, Origin.OWN) for path in named])
    if not found.files and not found.problems:
        raise StudyError(f"there are no decks in {', '.join(map(str, named))}. A deck's file ends in .md.")
    return found


def _by_origin(decks: Sequence[Deck], shipped: set[str]) -> tuple[tuple[list[Deck], bool], ...]:
    """Own decks and those that ship, apart: an own card may take a shipped one's id."""
    own = [deck for deck in decks if deck.path not in shipped]
    return (own, False), ([deck for deck in decks if deck.path in shipped], True)


def _read(found: DeckPaths) -> tuple[list[Deck], list[Problem]]:
    from studykit.cards.front_matter import read_macros

    problems = list(found.problems)
    decks: list[Deck] = []
    macros: set[str] = set()
    for file in found.files:
        deck, wrong = read_file(file)
        decks.append(deck)
        problems += wrong
        macros.update(macro_files(file.path, file.root))
    for path in sorted(macros):
        text, _, unreadable = read_text(path)
        problems += [unreadable] if unreadable else read_macros(text, path)[1]
    return decks, problems


def _meant(decks: Sequence[Deck], *, strict: bool, whole: bool) -> list[Problem]:
    """What is wrong with decks that parse."""
    from studykit.cards.lint import lint, sound

    drawn = renderers(strict=strict)
    problems = lint(decks, drawn, whole=whole) if strict else sound(decks, drawn)
    if strict and not problems:
        problems += [wrong for deck in decks for wrong in pages(deck)]
    return [*problems, *_exercises(decks), *(wrong for deck in decks for wrong in images(deck))]


def _unsettled(context: Context) -> list[Problem]:
    """New cards that may be old ones reworded, for the learner to decide; none where there is no database."""
    if "://" not in context.database and not Path(context.database).expanduser().exists():
        return []
    try:
        context.collection.refresh()  # its problems are in the list already
        pairs = context.collection.likely()
    except StudyError:
        return []  # what is wrong with a database is not a deck's fault; study doctor tells it
    return [Problem(pair.new.path, pair.new.line, may_be(pair), Severity.WARNING) for pair in pairs]


def _exercises(decks: Sequence[Deck]) -> list[Problem]:
    """Exercise cards that name no exercise, or pin what it has not."""
    from studykit.cli.commands.check_rendering import exercise_problem

    tasks = [(card, card.task) for deck in decks for card in deck.cards if card.task]
    told = ((card, exercise_problem(task)) for card, task in tasks)
    return [Problem(card.path, card.line, wrong) for card, wrong in told if wrong is not None]


def _in_order(problems: Sequence[Problem], found: DeckPaths) -> list[Problem]:
    order = {file.path: place for place, file in enumerate(found.files)}
    return sorted(
        dict.fromkeys(problems), key=lambda problem: (order.get(problem.path, -1), problem.path, problem.line)
    )


def _document(
    decks: Sequence[Deck], problems: Sequence[Problem], found: DeckPaths, exercises: int
) -> dict[str, object]:
    return {
        "files": len(found.files),
        "cards": sum(len(deck.cards) for deck in decks),
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


def _shown(problem: Problem) -> str:
    """The complaint with its path as seen from here."""
    path = Path(problem.path)
    here = Path.cwd()
    near = path.relative_to(here) if path.is_relative_to(here) else path
    return str(Problem(str(near), problem.line, problem.message, problem.severity))


def _summary(decks: Sequence[Deck], problems: Sequence[Problem], found: DeckPaths, exercises: int) -> str:
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    cards = sum(len(deck.cards) for deck in decks)
    parts = [counted(len(found.files), "file"), counted(cards, "card")] if found.files else []
    checked = ", ".join(parts + [counted(exercises, "exercise")] * (bool(exercises) or not parts))
    told = [counted(errors, "problem")] * bool(errors) + [counted(warnings, "warning")] * bool(warnings)
    return f"{checked}: {', '.join(told) or 'all is well'}."
