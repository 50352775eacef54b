"""Parse the options of a choice, shuffle them for a showing, and read what a learner picked.

An author writes `- [x] right # why` and `- [ ] wrong # why not` at the end of a question. A card stores all
options as its answer, in the author's order.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import factorial

from studykit.cards.card import Card
from studykit.cards.markdown import regions
from studykit.cards.tex_delimiters import dollars
from studykit.cards.wording import excerpt, plain

MAX_OPTIONS = 20
_MAX_SINGLE_DIGITS = 9  # with at most this many options, "13" means the first and the third
_LINE = re.compile(r" {0,3}[-*+] \[([ xX])\](?:[ \t]+(.*))?$")
_CONTINUATION_LINE = re.compile(r"(?: {2,}|\t)\S")
_WHY = re.compile(r"(?:^|\s)#\s+")
_SEPARATORS = re.compile(r"[\s,;.&]+|\band\b")
_STATES, _MULTIPLIER, _STEP, _LOW_BITS = 2**32, 1_664_525, 1_013_904_223, 8
_HASH_DIGITS = 7  # of a card's content hash, so that a version fits into the log's numbers
_MIX = 2_654_435_761
_MAX_ORDERS = 10  # in which a page shows the options
_SEED_STEP = 7919  # since neighboring seeds give similar orders
TEMPLATE = "choice"
"""Template name of every choice in the log. The event's card tells which choice it was."""

_MAX_NAME_CHARACTERS = 60  # characters of an option or a question in the name of a slip


@dataclass(frozen=True, slots=True)
class Option:
    """Hold one option: its text in Markdown, whether it is right, and why."""

    text: str
    right: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class OptionList:
    """Hold a card's options in its author's order, and the explanation shown after an answer."""

    options: tuple[Option, ...]
    explanation: str = ""

    @property
    def right(self) -> frozenset[int]:
        """Return the places of the right options."""
        return frozenset(place for place, option in enumerate(self.options) if option.right)

    @property
    def instruction(self) -> str:
        """Return the instruction that says how many to pick."""
        return "Choose one." if len(self.right) == 1 else "Choose all that are right."

    def order(self, seed: int) -> tuple[int, ...]:
        """Return the places of the options, shuffled by the seed of a showing."""
        places = list(range(len(self.options)))
        # Not `random`, because the script of a page must shuffle in the same way.
        state = (seed * _MIX + _STEP) % _STATES
        for last in range(len(places) - 1, 0, -1):
            state = (state * _MULTIPLIER + _STEP) % _STATES
            other = (state >> _LOW_BITS) % (last + 1)
            places[last], places[other] = places[other], places[last]
        return tuple(places)

    def orders(self) -> dict[int, tuple[int, ...]]:
        """Map seeds to different orders of the options: ten orders, or all if there are fewer."""
        seeds: dict[tuple[int, ...], int] = {}
        count = min(_MAX_ORDERS, factorial(len(self.options)))
        for seed in range(0, 2**31, _SEED_STEP):
            seeds.setdefault(self.order(seed), seed)
            if len(seeds) == count:
                break
        return {seed: order for order, seed in seeds.items()}

    def markdown(self) -> str:
        """Return the options as an author writes them, with the explanation below."""
        rows = [
            f"- [{'x' if each.right else ' '}] {each.text}{f' # {each.why}' if each.why else ''}"
            for each in self.options
        ]
        return "\n".join(rows) + (f"\n\n{self.explanation}" if self.explanation else "")


@dataclass(frozen=True, slots=True)
class Pick:
    """Hold a learner's pick, and what is wrong with it."""

    chosen: frozenset[int]
    wrong: frozenset[int]  # chosen, and not right
    missed: frozenset[int]  # right, and not chosen

    @property
    def verdict(self) -> str:
        """Return `correct`, `close` (at least half of the right options and no wrong one) or `incorrect`."""
        if not self.wrong and not self.missed:
            return "correct"
        return "close" if not self.wrong and len(self.chosen) >= len(self.missed) else "incorrect"


def split_options(lines: Sequence[str]) -> tuple[list[str], list[Option]]:
    """Split a question's lines into its text and the options that end it, which may be none."""
    first = next((place for place, line in enumerate(lines) if _LINE.match(line)), None)
    if first is None:
        return list(lines), []
    marked_lines: list[tuple[bool, str]] = []
    for line in lines[first:]:
        if (option := _LINE.match(line)) is not None:
            marked_lines.append((option[1] != " ", (option[2] or "").strip()))
        elif _CONTINUATION_LINE.match(line):
            marked, text = marked_lines[-1]
            marked_lines[-1] = (marked, f"{text} {line.strip()}".strip())
        elif line.strip():
            return list(lines), []
    return list(lines[:first]), [_option(text, right=right) for right, text in marked_lines]


def options_of(card: Card) -> OptionList:
    """Return the options in a card's answer."""
    lines, _, explanation = card.answer.partition("\n\n")
    _, options = split_options(lines.split("\n"))
    return OptionList(tuple(options), explanation)


def sheet(listed: OptionList, right: str = "right", wrong: str = "wrong") -> str:
    """Return Markdown that lists the right and then the wrong options with their reasons, and the explanation."""
    rows = [
        f"- **{right if option.right else wrong}**: {option.text}{f' ({option.why})' if option.why else ''}"
        for option in sorted(listed.options, key=lambda option: not option.right)
    ]
    return "\n".join(rows) + (f"\n\n{listed.explanation}" if listed.explanation else "")


def fault(options: Sequence[Option]) -> str | None:
    """Return what is wrong with a list of options and what to do, or None."""
    if len(options) == 1:
        return "a choice of one option. Add another: - [ ] a wrong one."
    if len(options) > MAX_OPTIONS:
        return f"{len(options)} options in one choice; the limit is {MAX_OPTIONS}. Remove some."
    if any(not option.text for option in options):
        return "an option without text. Write it after its box: - [ ] text."
    if not any(option.right for option in options):
        return "a choice without a right option. Mark each right one: - [x]."
    texts = [" ".join(option.text.split()).casefold() for option in options]
    repeated = next((option.text for place, option in enumerate(options) if texts[place] in texts[:place]), None)
    return f"the option {repeated!r} appears twice. Delete one." if repeated is not None else None


def picked(text: str, options: OptionList, order: Sequence[int]) -> Pick | None:
    """Parse a line of numbers or letters of a showing, or an option's words, as a pick. Return None for others."""
    words = plain(text)
    by_words = [place for place, option in enumerate(options.options) if plain(option.text) == words]
    if words and len(by_words) == 1 and not words.replace(" ", "").isdigit():
        places = frozenset(by_words)
    else:
        places = frozenset(order[label] for label in _labels(text, len(order)))
    if not places or (len(options.right) == 1 and len(places) > 1):
        return None
    return judged(options, places)


def judged(options: OptionList, places: Iterable[int]) -> Pick:
    """Return the pick of the options at these places."""
    picked_places = frozenset(places)
    return Pick(picked_places, picked_places - options.right, options.right - picked_places)


def slips(card: Card, options: OptionList, pick: Pick) -> tuple[str, ...]:
    """Return the slips of a pick: the log's names of the wrong options that were chosen."""
    return tuple(slip(card, options.options[place]) for place in sorted(pick.wrong))


def slip(card: Card, option: Option) -> str:
    """Return the name under which the log counts choices of this wrong option."""
    return f"chose {_shortened(option.text)} at {_shortened(card.prompt)}"


def version(card: Card) -> int:
    """Return a number that changes with the text of a card."""
    return int(card.content_hash[:_HASH_DIGITS], 16)


def _shortened(markdown: str) -> str:
    visible = "".join(sign for sign in markdown if (sign.isprintable() or sign.isspace()) and sign not in "`*")
    return excerpt(visible, _MAX_NAME_CHARACTERS)


def _option(text: str, *, right: bool) -> Option:
    """Parse an option. Text after a lone `#` outside code and math says why it is right or wrong."""
    text = dollars(text)
    areas = regions(text) if "#" in text else []
    for mark in _WHY.finditer(text):
        if not any(area.start <= mark.start() < area.end for area in areas):
            return Option(text[: mark.start()].rstrip(), right, text[mark.end() :].strip())
    return Option(text, right)


def _labels(text: str, count: int) -> list[int]:
    """Return the places, from 0, that numbers or letters name, or none if any of them is not a label."""
    places: list[int] = []
    for word in _SEPARATORS.split(text.strip().lower()):
        if not word:
            continue
        if word.isascii() and word.isdigit():
            numbers = list(word) if count <= _MAX_SINGLE_DIGITS else [word]
            places += [int(number) - 1 for number in numbers]
        elif word.isascii() and word.isalpha():
            places += [ord(letter) - ord("a") for letter in word]
        else:
            return []
    return places if all(0 <= place < count for place in places) else []
