"""What is wrong with decks: their text, and what a card needs besides (formulas, code, images, exercises).

It draws for pages and for terminals, which know nothing of each other, so it stands in the command line's room.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.card import Deck, Task
from studykit.cards.front_matter import Macros, read_macros
from studykit.cards.lint import Renderers, UnknownTex, lint, mistakes
from studykit.cards.problem import Problem, Severity
from studykit.cards.symbols import FILE as SYMBOLS
from studykit.cards.symbols import misused, read_symbols
from studykit.cli.context import Context
from studykit.collection.collection import read_file, sources
from studykit.collection.files import DeckPath, DeckPaths, Origin, Source, discover, macro_files, read_text
from studykit.errors import NotFoundError, StudyError
from studykit.paths import copies

if TYPE_CHECKING:
    from studykit.html.mathml import Tex

_IMAGE = re.compile(r"!\[[^\]\n]*\]\(\s*(?:<([^<>\n]*)>|([^\s()]+))")
_CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)[^`].*?\2", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CheckedDecks:
    """Deck files, the decks in them, and what is wrong with them."""

    files: tuple[DeckPath, ...] = ()
    decks: tuple[Deck, ...] = ()
    problems: tuple[Problem, ...] = ()

    def in_order(self, problems: Sequence[Problem]) -> list[Problem]:
        """These problems and others, each once, in the order of the files."""
        order = {file.path: place for place, file in enumerate(self.files)}
        return sorted(
            dict.fromkeys((*self.problems, *problems)),
            key=lambda problem: (order.get(problem.path, -1), problem.path, problem.line),
        )


def checked_decks(context: Context, named: Sequence[Path], *, strict: bool, whole: bool) -> CheckedDecks:
    """The decks of these files and folders, or all of the learner's, checked; `whole` where they make a course."""
    paths = _paths(context, named)
    decks, read = _read(paths)
    problems = [_held_to(problem) for problem in read] if strict else _without_style(read)
    shipped = {file.path for file in paths.files if file.origin is Origin.SHIPPED}
    for group, complete in ((decks, whole),) if named else _by_origin(decks, shipped):
        problems += _problems_in(group, strict=strict, whole=complete)
    if not named:
        problems += [*_taken_places(paths, decks, course=context.wants_course), *_likely_relinks(context)]
    return CheckedDecks(tuple(paths.files), tuple(decks), tuple(problems))


def _held_to(problem: Problem) -> Problem:
    """What is only style elsewhere is a mistake in decks that ship."""
    return problem._replace(severity=Severity.ERROR) if problem.severity is Severity.STYLE else problem


def _without_style(problems: Sequence[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity is not Severity.STYLE]


def _paths(context: Context, named: Sequence[Path]) -> DeckPaths:
    if not named:
        named_here = sources(context.environ, context.config, context.config_file)
        return discover((*named_here, Source(copies(), Origin.COPIED)))
    for path in named:
        if not path.exists():
            raise NotFoundError(f"there is no deck {path}. Name a deck file or a folder of them.")
    paths = discover([Source(path, Origin.OWN) for path in named])
    if not paths.files and not paths.problems:
        raise StudyError(f"there are no decks in {', '.join(map(str, named))}. A deck's file ends in .md.")
    return paths


def _by_origin(decks: Sequence[Deck], shipped: set[str]) -> tuple[tuple[list[Deck], bool], ...]:
    """Own decks and those that ship, apart: an own card may take a shipped one's id."""
    own = [deck for deck in decks if deck.path not in shipped]
    return (own, False), ([deck for deck in decks if deck.path in shipped], True)


def _taken_places(paths: DeckPaths, decks: Sequence[Deck], *, course: bool) -> Iterator[Problem]:
    """Own cards that take the place of one of the course by its id, outside of a copy, where that is the aim."""
    origins = {file.path: file.origin for file in paths.files}
    named = [(origins[deck.path], card) for deck in decks for card in deck.cards if card.named]
    shipped = {card.note: card for origin, card in named if course and origin is Origin.SHIPPED}
    own = {card.note: card for origin, card in named if origin is Origin.OWN}
    for note in own.keys() & shipped.keys():
        card, other = own[note], shipped[note]
        place = f"{Path(other.path).name}:{other.line}"
        wrong = f"#{note} takes the place of a card of the course ({place}). Choose another id for another card."
        yield Problem(card.path, card.line, wrong, Severity.WARNING)


def _read(paths: DeckPaths) -> tuple[list[Deck], list[Problem]]:
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
    """What is wrong with decks that parse."""
    drawn = renderers(strict=strict)
    problems = [*lint(decks, drawn, whole=whole), *_symbols(decks)] if strict else mistakes(decks, drawn)
    if strict and not problems:
        problems += [wrong for deck in decks for wrong in pages(deck)]
    return [*problems, *_exercises(decks), *(wrong for deck in decks for wrong in images(deck))]


def _symbols(decks: Sequence[Deck]) -> Iterator[Problem]:
    """What is wrong with the tables of symbols beside these decks, and the cards that do not keep to them."""
    beside: dict[str, list[Deck]] = {}
    for deck in decks:
        folders = dict.fromkeys((Path(deck.path).parent, Path(deck.root or Path(deck.path).parent)))
        table = next((folder / SYMBOLS for folder in folders if (folder / SYMBOLS).is_file()), None)
        if table is not None:
            beside.setdefault(str(table), []).append(deck)
    for path, held in beside.items():
        text, _, unreadable = read_text(path)
        symbols, problems = ((), [unreadable]) if unreadable else read_symbols(text, path)
        yield from problems
        if not problems:
            yield from misused((card for deck in held for card in deck.cards), symbols)


def _likely_relinks(context: Context) -> list[Problem]:
    """New cards that may be old ones reworded, for the learner to decide; none where there is no database."""
    if context.address.is_missing:
        return []
    try:
        context.collection.refresh()  # its problems are in the list already
        pairs = context.collection.likely()
    except StudyError:
        return []  # what is wrong with a database is not a deck's fault; study doctor tells it
    return [Problem(pair.new.path, pair.new.line, pair.sentence(), Severity.WARNING) for pair in pairs]


def _exercises(decks: Sequence[Deck]) -> list[Problem]:
    """Exercise cards that name no exercise, or pin what it has not."""
    tasks = [(card, card.task) for deck in decks for card in deck.cards if card.task]
    told = ((card, exercise_problem(task)) for card, task in tasks)
    return [Problem(card.path, card.line, wrong) for card, wrong in told if wrong is not None]


def renderers(*, strict: bool) -> Renderers:
    """The pages' own math and code; `strict` asks that a terminal can show each formula as well."""
    return Renderers(math=_math_everywhere if strict else _math, code=_code)


def pages(deck: Deck) -> Iterator[Problem]:
    """Texts of a deck that cannot be put on a page."""
    from studykit.html.card_html import Markdown, MarkdownError
    from studykit.html.images import Images
    from studykit.html.mathml import TexError

    folder = Path(deck.path).parent
    try:
        markdown = Markdown(_tex(deck.macros), Images(folder, Path(deck.root or folder)))
    except TexError as error:
        yield Problem(deck.path, 1, f"{error}. Correct the macros.")
        return
    for card in deck.cards:
        try:
            for text in (card.prompt, card.answer, card.full):
                markdown.blocks(text)
        except MarkdownError as error:
            yield Problem(card.path, card.line, f"the card cannot be put on a page: {error}. Correct it.")


def images(deck: Deck) -> Iterator[Problem]:
    """Images and media of a deck that are not where its cards say."""
    from studykit.html.images import ImageError, Images

    finder = Images(Path(deck.path).parent, Path(deck.root or Path(deck.path).parent))
    for card in deck.cards:
        for image in _IMAGE.finditer(_CODE.sub("", f"{card.full or card.prompt}\n{card.answer}")):
            source = image.group(1) or image.group(2)
            try:
                finder.data_url(source)
            except ImageError as error:
                yield Problem(card.path, card.line, f"{error}.")


def exercise_problem(task: Task) -> str | None:
    """What is wrong with an exercise card; None when the exercise is there and has what is pinned."""
    from studykit.exercise.registry import refuse_task

    try:
        refuse_task(task)
    except StudyError as error:
        return f"{error}."
    return None


def _math(tex: str, alone: bool, macros: Macros) -> str | None:
    from studykit.html.mathml import TexError, UnknownTexError

    try:
        _tex(macros).mathml(tex, block=alone)
    except UnknownTexError as error:
        return UnknownTex(error)
    except TexError as error:
        return str(error)
    return None


def _math_everywhere(tex: str, alone: bool, macros: Macros) -> str | None:
    from studykit.formula import formula

    wrong = _math(tex, alone, macros)
    if isinstance(wrong, UnknownTex):
        return str(wrong)
    if wrong is None and formula(tex, dict(macros)) is None:
        return "a terminal can show only its TeX"
    return wrong


@lru_cache(maxsize=64)
def _tex(macros: Macros) -> "Tex":
    from studykit.html.mathml import Tex

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
