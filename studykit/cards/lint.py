"""Find what makes a card hard to learn or a deck hard to trust, by the rules for shipped decks."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from studykit.cards.card import GAP, OBJECTIVES, Card, Deck, Kind
from studykit.cards.check_lines import check_lines
from studykit.cards.choice import options_of
from studykit.cards.front_matter import Macros
from studykit.cards.markdown import FENCE, Markup, pieces
from studykit.cards.oversights import oversights
from studykit.cards.problem import Problem, Severity
from studykit.cards.wording import count_words, plain, words
from studykit.quantity.units import SCALES, UNITS

MAX_CARD_WORDS = 60
MAX_LIST_ITEMS = 3
COVERAGE = 12  # cards for each objective
SHORTEST_GIVEAWAY = 2  # letters; an answer as short as "mn" is in many questions by chance

MAX_SCALE_LETTERS = len("bn")  # longer ones are words, such as billion

ShowMath = Callable[[str, bool, Macros], str | None]
"""Takes TeX, whether it is displayed, and macros. Returns what is wrong with it, or None if it can be drawn."""
ShowCode = Callable[[str, str], str | None]
"""Takes the language and text of a code block. Returns what is wrong with it, or None if it can be drawn."""


class UnknownTex(str):
    """Name a part of a formula that a converter does not know, so that it is shown as TeX instead."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Renderers:
    """Hold functions that try to draw math and code. The caller passes them in, because this room cannot draw."""

    math: ShowMath = lambda *_: None
    code: ShowCode = lambda *_: None


UNDRAWN = Renderers()
"""Renderers that accept everything."""

_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])\s+\S", re.MULTILINE)
_YES_OR_NO = re.compile(r"(?:yes|no|true|false)\b", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:or|versus|vs|than|which of)\b|/", re.IGNORECASE)
_NUMBER = r"\d[\d,.]{0,25}(?:e[+-]?\d{1,3})?"  # bounded, so that a line of digits is read in one go
_FIGURE = re.compile(rf"\\times\s{{0,9}}10\^|{_NUMBER}e[+-]?\d|\d\.\d\d|\d\d\d\.\d")
_QUANTITY = re.compile(rf"(?:(?<!\w)|(?<=times))({_NUMBER})\s{{0,9}}([^\W\d_]+|%)(?!\w)")
_TWO_DIGITS = re.compile(r"\d\d")
_WORLD = re.compile(
    r"\b(?:[AHB]\d00|GB200|MI\d{3}X|V100|TPU|NVLink|InfiniBand|NVIDIA|GPT-\d|Llama|LLaMA|PaLM|DeepSeek|Chinchilla"
    r"|Megatron|ZeRO|FSDP|FlashAttention|AdamW?|AdaGrad|RMSProp|Lion|PyTorch|NumPy|MXFP8|E[45]M[23]|E2M1|TF32)s?\b"
    r"|torch\.|np\."
)
"""Devices, models, methods and libraries. A card about them states facts and so needs a source."""
_TEX_SPACE = re.compile(r"\\[,;:! ]|\\q?quad|\\(?:text|mathrm|,)\s*|[{}$~]|\\(?=%)")


def lint(decks: Sequence[Deck], renderers: Renderers = UNDRAWN, *, whole: bool = False) -> list[Problem]:
    """List what breaks the rules for shipped decks, with `whole` also objectives that have too few cards."""
    cards = [card for deck in decks for card in deck.cards]
    same_question = _repeated(cards, lambda card: " ".join(card.prompt.lower().split()), _ASKED_TWICE)
    problems = [*_unmarked(cards), *same_question, *mistakes(decks, renderers)]
    problems += (wrong for card in cards for wrong in _in_one_card(card))
    if whole and decks:
        objectives = {objective for deck in decks for objective in deck.objectives}
        problems += coverage(cards, decks[0].path, objectives)
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.path, problem.line))


def mistakes(decks: Sequence[Deck], renderers: Renderers = UNDRAWN) -> list[Problem]:
    """List mistakes of any deck: failed checks, duplicate ids, oversights, undrawable math and code."""
    cards = [card for deck in decks for card in deck.cards]
    problems = [*check_lines(cards), *_repeated(cards, lambda card: card.id if card.named else "", _TAKEN)]
    for deck in decks:
        problems += oversights(deck)
        for card in deck.cards:
            problems += _undrawable(card, deck.macros, renderers)
    return list(dict.fromkeys(problems))


def coverage(cards: Iterable[Card], path: str, objectives: Container[str] = OBJECTIVES) -> Iterator[Problem]:
    """Yield a problem for each of the decks' objectives that has too few cards."""
    counts = Counter(objective for card in cards for objective in card.objectives)
    for objective in OBJECTIVES:
        if objective in objectives and counts[objective] < COVERAGE:
            wrong = f"objective {objective} has {counts[objective]} of {COVERAGE} cards. Write more .{objective}."
            yield Problem(path, 1, wrong)


_TAKEN = "#{card.id} is already the id of the note at {place}. Choose another."
_ASKED_TWICE = "the same question as at {place}. Delete one, or ask something else."


def _repeated(cards: Iterable[Card], key: Callable[[Card], str], wrong: str) -> Iterator[Problem]:
    """Yield a problem for each card whose key an earlier card has. Empty keys are skipped."""
    first: dict[str, Card] = {}
    for card in cards:
        name = key(card)
        if name and (other := first.setdefault(name, card)) is not card:
            yield Problem(card.path, card.line, wrong.format(card=card, place=f"{other.path}:{other.line}"))


def _unmarked(cards: Sequence[Card]) -> Iterator[Problem]:
    for card in cards:
        if not card.named:
            yield Problem(card.path, card.line, "note without an id. Give it one: {#some-name}.")
        if not card.objectives:
            wrong = f"note without an objective. Tag it with one of .{', .'.join(OBJECTIVES)}."
            yield Problem(card.path, card.line, wrong)


def _in_one_card(card: Card) -> Iterator[Problem]:
    """Yield the problems of a single card."""
    if card.kind is Kind.EXERCISE:
        return
    if card.kind is not Kind.CHOICE and _gives_itself_away(card):
        is_cloze = card.kind is Kind.CLOZE
        what = "the hidden words stand elsewhere in the text" if is_cloze else "the question holds its answer"
        yield Problem(card.path, card.line, f"{what}: {' '.join(card.answer.split())!r}. Reword it.")
    if card.kind is Kind.CLOZE and not plain(card.prompt.replace(GAP, "")):
        yield Problem(card.path, card.line, "nothing is left around the gap. Hide fewer words.")
    if not card.checks and not card.source and states_a_figure(card.answer):
        wrong = (
            "the answer states a figure without a check or a source. Add a last line: check: arithmetic = figure,"
            ' or {source="..."}.'
        )
        yield Problem(card.path, card.line, wrong)
    if not card.source and (names := names_the_world(card.full or f"{card.prompt}\n{card.answer}")):
        wrong = f'a fact about {names} without a source. Name it in the braces: source="Title, year".'
        yield Problem(card.path, card.line, wrong)
    yield from _advice(card)


def _advice(card: Card) -> Iterator[Problem]:
    length = count_words(card.full or f"{card.prompt}\n{card.answer}")
    items = len(_ITEM.findall(FENCE.sub("", card.full or card.answer)))
    advice = []
    if length > MAX_CARD_WORDS:
        advice.append(f"{length} words on one card; {MAX_CARD_WORDS} are plenty. Split it.")
    if items > MAX_LIST_ITEMS and card.kind is not Kind.CHOICE:
        advice.append(f"a list of {items} to recall; {MAX_LIST_ITEMS} are plenty. Ask for its items one by one.")
    if card.kind is Kind.CHOICE and all(option.right for option in options_of(card).options):
        advice.append("every option is right. Add a wrong one that somebody could take for right.")
    if card.kind is Kind.BASIC and _YES_OR_NO.match(card.answer):
        advice.append("a yes-or-no question can be guessed. Ask what, why or how much.")
    for message in advice:
        yield Problem(card.path, card.line, message, Severity.WARNING)


def _gives_itself_away(card: Card) -> bool:
    """Return whether the prompt contains the answer. Numbers and offered choices do not count."""
    answer = words(FENCE.sub("", card.answer))
    letters = "".join(answer)
    if card.kind is Kind.REVERSED or len(letters) <= SHORTEST_GIVEAWAY or letters.replace(".", "").isdigit():
        return False
    if [piece for piece, markup in pieces(card.answer) if piece and markup is not Markup.TEXT] == [card.answer]:
        return card.answer in card.prompt  # a formula or code: spacing and signs count
    prompt = f" {plain(FENCE.sub('', card.prompt))} "
    return f" {' '.join(answer)} " in prompt and not _CHOICE.search(card.prompt)


def states_a_figure(text: str) -> bool:
    """Return whether a text states a computed figure: two digits or a prefix, with a unit, or a power of ten."""
    read = _TEX_SPACE.sub(" ", FENCE.sub("", text)).replace("µ", "u")
    return _FIGURE.search(read) is not None or any(
        _is_figure(*match.groups()) for match in _QUANTITY.finditer(read)
    )


def _is_figure(number: str, word: str) -> bool:
    """Return whether an amount looks computed. A single letter after it may be a dimension, not a unit."""
    unit = UNITS.get(word) if len(word) > 1 or word == "%" else None
    if unit is None:
        return len(word) > MAX_SCALE_LETTERS and word in SCALES and _TWO_DIGITS.search(number) is not None
    return unit.prefixed or _TWO_DIGITS.search(number) is not None


def names_the_world(text: str) -> str:
    """Return the first device, model, method or library named outside code blocks, or ""."""
    match = _WORLD.search(FENCE.sub("", text))
    return match.group() if match else ""


def shown_as_tex(decks: Sequence[Deck], renderers: Renderers) -> list[Problem]:
    """Return a warning for each formula that stays TeX because the converter does not know a part of it."""
    problems = (
        wrong for deck in decks for card in deck.cards for wrong in _undrawable(card, deck.macros, renderers)
    )
    return [*dict.fromkeys(wrong for wrong in problems if wrong.severity is Severity.WARNING)]


def _undrawable(card: Card, macros: Macros, renderers: Renderers) -> Iterator[Problem]:
    """Yield a problem for each formula and code block of a card that cannot be drawn."""
    for text in (card.prompt, card.answer):
        for source, markup in pieces(text):
            if markup is Markup.MATH:
                displayed = source.startswith("$$")
                inner = source.strip("$")
                wrong = renderers.math(inner, displayed, macros)
                if isinstance(wrong, UnknownTex):
                    message = f"{source} is shown as TeX: {wrong}. Write it another way, or define a macro."
                    yield Problem(card.path, card.line, message, Severity.WARNING)
                elif wrong is not None:
                    yield Problem(card.path, card.line, f"{source} cannot be drawn: {wrong}. Correct the TeX.")
        for block in FENCE.finditer(text):
            if (wrong := renderers.code(block["language"], block["code"].removesuffix("\n"))) is not None:
                yield Problem(card.path, card.line, f"a code block cannot be drawn: {wrong}. Correct the code.")
