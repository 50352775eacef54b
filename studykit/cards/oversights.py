"""Find what studykit ignores in a deck: misspelt keys, braces that are not attributes, notes in a code fence."""

import re
from collections.abc import Collection, Iterator

from studykit.cards.attributes import NO_ATTRIBUTES, split
from studykit.cards.card import OBJECTIVES, Card, Deck, Kind
from studykit.cards.front_matter import KEYS, read_front_matter
from studykit.cards.lines import DeckLine, LineKind, LineReader
from studykit.cards.parser import TAGS, with_plain_ends
from studykit.cards.problem import Problem, Severity
from studykit.text import nearest

_OPTION = re.compile(r"\s*[-*+] \[[ xX]\] ")
_MIN_SIMILARITY = 0.75  # as between nmae and name, or typd and typed
_BRACES = re.compile(r"(?:^|\s)(\{\s*[#.](?=[A-Za-z])[^{}]*\})\s*$")
_BRACES_FIRST = re.compile(r"\s*(\{\s*#(?=[A-Za-z])[^{}]*\})\s*\S")
_FENCED = (
    "this note stands inside the code fence of line {}, so it is not a card."
    " Close the fence before it, or indent the line if it is code."
)
_EMPTY_KINDS = frozenset({LineKind.BLANK, LineKind.COMMENT, LineKind.HEADING, LineKind.SEPARATOR})


def oversights(deck: Deck) -> Iterator[Problem]:
    """Yield a problem for each part of a deck that has no effect but was probably meant to have one."""
    lines = with_plain_ends(deck.source).split("\n")
    front = read_front_matter(lines, deck.path)
    yield from _front_matter(deck, lines[: front.lines], front.unknown)
    reader = LineReader(first=front.lines + 1)
    opened = 0  # line of the code fence that is open before the present line
    warned_fences = set[int]()
    empty = True
    for line in reader.read(lines[front.lines :]):
        empty = empty and line.kind in _EMPTY_KINDS
        if opened and opened == reader.fence:
            if line.text.startswith(("Q:", "C:")) and opened not in warned_fences:
                warned_fences.add(opened)
                yield Problem(deck.path, line.number, _FENCED.format(opened), Severity.WARNING)
        elif line.kind not in _EMPTY_KINDS and (wrong := _misread_attributes(line)):
            yield Problem(deck.path, line.number, wrong)
        opened = reader.fence
    if empty:
        wrong = 'no card is in this file. Start a note with "Q:".'
        yield Problem(deck.path, 1, wrong, Severity.WARNING)
    for card in deck.cards:
        yield from _tags(card)
        if card.kind is Kind.BASIC and _is_of_options(card.answer):
            wrong = "options in an answer are only text. Put them below the question, without an A: line between."
            yield Problem(card.path, card.line, wrong, Severity.WARNING)


def _is_of_options(answer: str) -> bool:
    lines = [line for line in answer.split("\n") if line.strip()]
    return len(lines) > 1 and all(map(_OPTION.match, lines))


def lines_of_misread_attributes(text: str) -> list[int]:
    """List the lines whose braces are read as text but were probably meant as an id or tags."""
    return [
        line.number
        for line in LineReader().read(text.split("\n"))
        if line.kind is not LineKind.CODE and line.kind not in _EMPTY_KINDS and _misread_attributes(line)
    ]


def _misread_attributes(line: DeckLine) -> str:
    """Return what is wrong with braces that are read as text, or ""."""
    rest, _ = split(line.text)
    if braces := _BRACES.search(rest):
        if split(rest)[1] is NO_ATTRIBUTES:
            return f"{braces[1]} is not an id or tags. Write {{#some-name .tag}}, without spaces in a name."
        return f"{braces[1]} is read as text: one pair of braces ends the line, such as {{#some-name .tag}}."
    first = _BRACES_FIRST.match(rest) if line.kind in (LineKind.QUESTION, LineKind.CLOZE) else None
    if first:
        return f"{first[1]} is read as text here. Write it at the end of the line, such as {{#some-name .tag}}."
    return ""


def _front_matter(deck: Deck, lines: list[str], unknown: Collection[str]) -> Iterator[Problem]:
    """Yield a problem for each unknown key and each unknown objective in a deck's front matter."""
    for key in unknown:
        wrong = f"unknown front matter key {key}. {_instead(key, KEYS)}"
        yield Problem(deck.path, _line_of(key, lines), wrong, Severity.WARNING)
    for objective in deck.objectives:
        if objective not in OBJECTIVES:
            wrong = f"unknown objective {objective!r}. {_instead(objective, OBJECTIVES)}"
            yield Problem(deck.path, _line_of("objectives", lines), wrong, Severity.WARNING)


def _tags(card: Card) -> Iterator[Problem]:
    """Yield a problem for each tag that looks like a misspelt tag with a meaning."""
    for tag in card.tags:
        if tag not in OBJECTIVES and (likely_tag := _alike(tag, (*TAGS, *OBJECTIVES))):
            wrong = f"tag .{tag} has no effect. Did you mean .{likely_tag}?"
            yield Problem(card.path, card.line, wrong, Severity.WARNING)


def _line_of(key: str, lines: list[str]) -> int:
    names = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}\b")
    return next((number for number, line in enumerate(lines, 1) if names.match(line)), 1)


def _instead(word: str, choices: Collection[str]) -> str:
    likely_word = _alike(word, choices)
    return f"Write {likely_word}." if likely_word else f"Take it out, or write one of {', '.join(choices)}."


def _alike(word: str, choices: Collection[str]) -> str:
    """Return the choice that resembles a word, or ""."""
    return nearest(word.lower(), choices, _MIN_SIMILARITY)
