"""Trying out what a card needs beside its words: formulas, code, images, exercises."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.card import Deck, Task
from studykit.cards.front_matter import Macros
from studykit.cards.lint import Renderers
from studykit.cards.problem import Problem
from studykit.errors import StudyError

if TYPE_CHECKING:
    from studykit.html.mathml import Tex

_IMAGE = re.compile(r"!\[[^\]\n]*\]\(\s*(?:<([^<>\n]*)>|([^\s()]+))")
_SOUNDS = (".mp3", ".ogg", ".wav", ".m4a", ".opus", ".flac")
_CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)[^`].*?\2", re.DOTALL)


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
    """Images of a deck that are not where its cards say."""
    from studykit.html.images import ImageError, Images

    finder = Images(Path(deck.path).parent, Path(deck.root or Path(deck.path).parent))
    for card in deck.cards:
        for found in _IMAGE.finditer(_CODE.sub("", f"{card.full or card.prompt}\n{card.answer}")):
            source = found.group(1) or found.group(2)
            if source.lower().endswith(_SOUNDS):
                continue  # hashcards plays them; here they are a link
            try:
                finder.data_url(source)
            except ImageError as error:
                yield Problem(card.path, card.line, f"{error}.")


def exercise_problem(task: Task) -> str | None:
    """What is wrong with an exercise card; None when the exercise is there and has what is pinned."""
    from studykit.practice.kinds import refuse_task

    try:
        refuse_task(task)
    except StudyError as error:
        return f"{error}."
    return None


def _math(tex: str, alone: bool, macros: Macros) -> str | None:
    from studykit.html.mathml import TexError

    try:
        _tex(macros).mathml(tex, block=alone)
    except TexError as error:
        return str(error)
    return None


def _math_everywhere(tex: str, alone: bool, macros: Macros) -> str | None:
    from studykit.terminal.markdown.maths import formula

    wrong = _math(tex, alone, macros)
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
