"""Check decks and exercises, and show each problem with its place: `study check`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import typer

from studykit.cards.card import Card, CardId, Deck
from studykit.cards.front_matter import Macros, read_macros
from studykit.cards.lint import Renderers, UnknownTex, lint, mistakes
from studykit.cards.parser import parse_deck
from studykit.cards.problem import Problem, Severity
from studykit.cards.repairs import MendedDeck, mended
from studykit.cards.symbols import FILE as SYMBOLS
from studykit.cards.symbols import misused, read_symbols
from studykit.cli.authors import attach_authors, only_exercises, try_exercises
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.collection.collection import read_file, sources
from studykit.collection.deck_writer import OpenedDeck
from studykit.collection.files import DeckPath, DeckPaths, Origin, Source, discover, macro_files, read_text
from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.formula import formula
from studykit.html.images import ImageError, Images
from studykit.html.mathml import Tex, TexError, UnknownTexError
from studykit.paths import copies
from studykit.scheduling.event_kinds import EventKind
from studykit.text import counted, sentence

_IMAGE = re.compile(r"!\[[^\]\n]*\]\(\s*(?:<([^<>\n]*)>|([^\s()]+))")
_CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)[^`].*?\2", re.DOTALL)

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", help="Decks, exercise files or folders; else all decks."),
]
Fix = Annotated[bool, typer.Option("--fix", help="Fix ids, line ends and brackets first, and show each change.")]
Strict = Annotated[bool, typer.Option("--strict", help="Hold the decks to the rules of those that ship.")]


@dataclass(frozen=True, slots=True)
class CheckedDecks:
    """Hold deck files, the number of their cards, and their problems."""

    files: tuple[DeckPath, ...] = ()
    cards: int = 0
    problems: tuple[Problem, ...] = ()


def check(
    ctx: typer.Context, paths: Paths = None, *, fix: Fix = False, strict: Strict = False, json: Json = False
) -> None:
    """Check decks (syntax, ids, check lines, math, code, images) and your own exercises (each over 100 seeds)."""
    context = context_of(ctx)
    attach_authors(context)
    files = paths or []
    own = [path for path in files if not only_exercises(path)]
    is_course = bool(files) and all(path.is_dir() for path in files)
    repairs = _mend(context, own) if fix and (own or not files) else []
    decks = _check_decks(context, own, strict=strict, is_course=is_course) if own or not files else CheckedDecks()
    trials = try_exercises(context, files)
    order = {file.path: place for place, file in enumerate(decks.files)}
    problems = sorted(
        dict.fromkeys((*decks.problems, *trials.problems)),
        key=lambda problem: (order.get(problem.path, -1), problem.path, problem.line),
    )
    if json:
        document = {
            "files": len(decks.files),
            "cards": decks.cards,
            "exercises": trials.exercises,
            "problems": [{**_place(problem), "severity": str(problem.severity)} for problem in problems],
        }
        context.write_json({**document, **({"repairs": [*map(_place, repairs)]} if fix else {})})
    else:
        for problem in (*repairs, *problems):
            context.write(str(_with_relative_path(problem)))
        context.write(_summary(decks, problems, trials.exercises))
    if any(problem.severity is Severity.ERROR for problem in problems):
        raise typer.Exit(1)


def _place(problem: Problem) -> dict[str, object]:
    return {"path": problem.path, "line": problem.line, "message": problem.message}


def _with_relative_path(problem: Problem) -> Problem:
    path, here = Path(problem.path), Path.cwd()
    return replace(problem, path=str(path.relative_to(here) if path.is_relative_to(here) else path))


def _summary(decks: CheckedDecks, problems: Sequence[Problem], exercises: int) -> str:
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    parts = [counted(len(decks.files), "file"), counted(decks.cards, "card")] if decks.files else []
    counts = ", ".join(parts + [counted(exercises, "exercise")] * (bool(exercises) or not parts))
    problem_counts = [counted(errors, "problem")] * bool(errors) + [counted(warnings, "warning")] * bool(warnings)
    return f"{counts}: {', '.join(problem_counts) or 'all is well'}."


def _check_decks(context: Context, only: Sequence[Path], *, strict: bool, is_course: bool) -> CheckedDecks:
    """Check the decks of these files and folders, or all. `is_course` says that they form a course."""
    paths = _paths(context, only)
    decks, parse_problems = _read_decks(paths)
    problems = [  # what is only style elsewhere is a mistake in decks that ship
        replace(problem, severity=Severity.ERROR) if problem.severity is Severity.STYLE else problem
        for problem in parse_problems
        if strict or problem.severity is not Severity.STYLE
    ]
    shipped_paths = {file.path for file in paths.files if file.origin is Origin.SHIPPED}
    own, shipped = (
        [deck for deck in decks if (deck.path in shipped_paths) is is_shipped] for is_shipped in (False, True)
    )
    problems += _problems_in(own, strict=strict, whole=is_course)
    problems += _problems_in(shipped, strict=strict, whole=True)
    problems += _taken_places(paths, decks, course=context.wants_course)
    return CheckedDecks(paths.files, sum(len(deck.cards) for deck in decks), tuple(problems))


def _paths(context: Context, only: Sequence[Path]) -> DeckPaths:
    if not only:
        return _all_decks(context)
    for path in only:
        if not path.exists():
            raise NotFoundError(f"{path} does not exist. Name a deck, a file of exercises, or a folder.")
    paths = discover([Source(path, Origin.OWN) for path in only])
    if not paths.files and not paths.problems:
        raise StudyError(f"No deck is in {', '.join(map(str, only))}. A deck's file ends in .md.")
    return paths


def _all_decks(context: Context) -> DeckPaths:
    own = sources(context.environ, context.config, context.config_file)
    return discover((*own, Source(copies(), Origin.COPIED)))


def _taken_places(paths: DeckPaths, decks: Sequence[Deck], *, course: bool) -> Iterator[Problem]:
    """Yield a warning for each own card with a course card's id, except in copies of decks, which replace it."""
    origins = {file.path: file.origin for file in paths.files}
    cards = [(origins[deck.path], card) for deck in decks for card in deck.cards if card.named]
    shipped = {card.note: card for origin, card in cards if course and origin is Origin.SHIPPED}
    own = {card.note: card for origin, card in cards if origin is Origin.OWN}
    for note in own.keys() & shipped.keys():
        card, other = own[note], shipped[note]
        place = f"{Path(other.path).name}:{other.line}"
        wrong = f"#{note} takes the place of a card of the course ({place}). Choose another id for another card."
        yield Problem(card.path, card.line, wrong, Severity.WARNING)


def _read_decks(paths: DeckPaths) -> tuple[list[Deck], list[Problem]]:
    problems = [*paths.problems, *paths.warnings]
    decks: list[Deck] = []
    macros: set[str] = set()
    for file in paths.files:
        deck, wrong = read_file(file)
        decks.append(deck)
        problems += wrong
        macros.update(macro_files(file.path, file.root))
    for path in sorted(macros):
        text, _, unreadable = read_text(path)
        problems += [unreadable] if unreadable else read_macros(text, path)[1]
    return decks, problems


def _problems_in(decks: Sequence[Deck], *, strict: bool, whole: bool) -> list[Problem]:
    """List what is wrong with decks that parse."""
    faces = renderers(strict=strict)
    problems = [*lint(decks, faces, whole=whole), *_symbols(decks)] if strict else mistakes(decks, faces)
    problems += filter(None, (exercise_problem(card) for deck in decks for card in deck.cards))
    return [*problems, *(wrong for deck in decks for wrong in images(deck))]


def _symbols(decks: Sequence[Deck]) -> Iterator[Problem]:
    """Yield problems of the symbol tables next to these decks, and cards that break them."""
    beside: dict[str, list[Deck]] = {}
    for deck in decks:
        folders = dict.fromkeys((Path(deck.path).parent, Path(deck.root or Path(deck.path).parent)))
        table = next((folder / SYMBOLS for folder in folders if (folder / SYMBOLS).is_file()), None)
        if table is not None:
            beside.setdefault(str(table), []).append(deck)
    for path, deck_group in beside.items():
        text, _, unreadable = read_text(path)
        symbols, problems = ({}, [unreadable]) if unreadable else read_symbols(text, path)
        yield from problems
        if not problems:
            yield from misused((card for deck in deck_group for card in deck.cards), symbols)


def exercise_problem(card: Card) -> Problem | None:
    """Return an error if an exercise card can never be asked, a warning if its question has changed, or None."""
    from studykit.exercise.registry import refuse_task

    if card.task is None:
        return None
    try:
        message = refuse_task(card.task)
    except StudyError as error:
        return Problem(card.path, card.line, sentence(error.in_one_line.rstrip(".")))
    return Problem(card.path, card.line, f"{card.task.name}: {message}.", Severity.WARNING) if message else None


def renderers(*, strict: bool) -> Renderers:
    """Return functions that check formulas and code. With `strict`, a terminal must show each formula too."""
    return Renderers(math=_math_everywhere if strict else _math, code=_code)


def images(deck: Deck) -> Iterator[Problem]:
    """Yield a problem for each image and media file of a deck that is missing or cannot be used."""
    finder = Images(Path(deck.path).parent, Path(deck.root or Path(deck.path).parent))
    for card in deck.cards:
        for image in _IMAGE.finditer(_CODE.sub("", f"{card.full or card.prompt}\n{card.answer}")):
            source = image.group(1) or image.group(2)
            try:
                finder.data_url(source)
            except ImageError as error:
                yield Problem(card.path, card.line, f"{error}.")


def _math(tex: str, alone: bool, macros: Macros) -> str | None:
    try:
        _tex(macros).mathml(tex, block=alone)
    except UnknownTexError as error:
        return UnknownTex(error)
    except TexError as error:
        return str(error)
    return None


def _math_everywhere(tex: str, alone: bool, macros: Macros) -> str | None:
    wrong = _math(tex, alone, macros)
    if isinstance(wrong, UnknownTex):
        return str(wrong)
    if wrong is None and formula(tex, dict(macros)) is None:
        return "a terminal can show only its TeX"
    return wrong


@lru_cache(maxsize=64)
def _tex(macros: Macros) -> Tex:
    return Tex(dict(macros))


def _code(language: str, _text: str) -> str | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        if language:
            get_lexer_by_name(language)
    except ClassNotFound:
        return f"no language is called {language!r}"
    return None


def _mend(context: Context, only: Sequence[Path]) -> list[Problem]:
    """Repair the learner's own decks, or those named, and list the repairs."""
    all_decks = _all_decks(context)
    files = discover([Source(path, Origin.OWN) for path in only]).files if only else all_decks.files
    shipped_places = {file.place for file in all_decks.files if file.origin is Origin.SHIPPED}
    own = [file for file in files if file.place not in shipped_places]
    if not context.address.is_missing:
        context.refreshed_store()  # record the cards before the change, so that reworded ones can be matched
    ids, hashes_by_file = _known_ids(context, (*all_decks.files, *own))
    repairs: list[Problem] = []
    new_ids: dict[CardId, CardId] = {}
    for file in own:
        elsewhere = set[str]().union(*(contents for path, contents in hashes_by_file.items() if path != file.path))
        result = _mend_file(file, ids, elsewhere)
        repairs += result.repairs
        new_ids |= result.renamed
        ids |= {str(new) for new in result.renamed.values()}
    if new_ids and not context.address.is_missing:
        _move_progress(context, new_ids)
    return repairs


def _known_ids(context: Context, files: Iterable[DeckPath]) -> tuple[set[str], dict[str, set[str]]]:
    """Return every id that a card has or had, and the content hashes of cards without one, by file."""
    taken_ids: set[str] = set()
    hashes_by_file: dict[str, set[str]] = {}
    for file in {file.path: file for file in files}.values():
        deck, _ = parse_deck(read_text(file.path)[0], file.path)
        taken_ids |= {str(name) for card in deck.cards if card.named for name in (card.id, card.note)}
        hashes_by_file[file.path] = {card.content_hash for card in deck.cards if not card.named}
    if not context.address.is_missing:
        taken_ids |= {str(name) for card in context.store.cards.orphans() for name in (card.id, card.note)}
        taken_ids |= {str(name) for name in context.store.schedule.moved()}
    return taken_ids, hashes_by_file


def _mend_file(file: DeckPath, taken_ids: set[str], elsewhere: set[str]) -> MendedDeck:
    """Repair one deck file, unless it is not text."""
    try:
        deck = OpenedDeck.read(Path(file.path))
    except BadDataError:
        return MendedDeck("")
    result = mended(deck.data.decode(), file.path, taken_ids, elsewhere)
    if result.repairs:
        deck.replace(result.text)
    return result


def _move_progress(context: Context, new_ids: dict[CardId, CardId]) -> None:
    """Give each card with a new id its progress, where reading the decks again has not done so."""
    context.collection.refresh()
    store = context.store
    memories = store.schedule.memories()
    for old, new in new_ids.items():
        if old in memories and new not in memories and store.cards.present(new) is not None:
            store.log.record(EventKind.RELINK, new, target=old)
