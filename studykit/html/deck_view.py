"""Render a deck for the templates, and collect all problems of its texts."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from markupsafe import Markup

from studykit.cards.card import OBJECTIVES, Card, Deck, Kind, Task
from studykit.cards.choice import TEMPLATE, OptionList, options_of, slip, version
from studykit.cards.problem import Problem, refuse
from studykit.errors import StudyError
from studykit.exercise.entry import PageCard
from studykit.html.assets import SCRIPTS
from studykit.html.card_html import Markdown, MarkdownError, MediaError, clean, trusted
from studykit.html.images import Images
from studykit.html.mathml import Tex, TexError
from studykit.html.numeric_sets import data, figures, solution_text
from studykit.html.strings import Strings, direction, shipped
from studykit.review.typed_answer import accepted, shown

_FILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_MAX_NAME = 60  # bytes of a file's name
_ANCHOR = re.compile(r"[A-Za-z0-9_.-]{1,80}")
_NOTE_LINES = 200  # of a note that are searched, so that a long deck full of mistakes does not take quadratic time
_RESERVED_NAMES = {"decks", "app", "service-worker", *(name.removesuffix(".js") for name in SCRIPTS)}
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}  # Windows


@dataclass(frozen=True, slots=True)
class CardView:
    """Hold the rendered texts of a card."""

    number: int
    id: str
    note: str
    anchor: str
    heading: Markup
    more: Markup
    answer: Markup
    full: Markup
    plain: str  # the question in words, formulas as text
    objectives: tuple[str, ...]
    typed: bool
    source: str = ""
    command: str = ""
    data: Mapping[str, object] | None = None
    options: tuple[tuple[Markup, str, str], ...] = ()  # as HTML, as text, and the slip of a wrong one
    instruction: str = ""  # how many to choose
    one: bool = False  # exactly one option is right
    choice: Mapping[str, object] | None = None  # what its script logs of a showing, and orders of its options
    right: Mapping[str, object] | None = None  # the same for a typed answer


@dataclass(frozen=True, slots=True)
class DeckView:
    """Hold the rendered texts of a deck."""

    id: str
    file: str
    name: str
    description: Markup
    summary: str  # the description in words
    objectives: tuple[str, ...]
    license: str
    url: str
    cards: tuple[CardView, ...]
    lang: str = ""  # of the texts; empty where the author does not say
    course: str = ""  # whose decks share one log in a browser
    version: str = ""  # of the export
    moved: Mapping[str, str] = field(default_factory=dict)  # present ids of its cards by former ones
    strings: Strings = field(default_factory=shipped)  # words of the page around the cards
    formulas: Mapping[str, str] = field(default_factory=dict)  # as lines of text, by their MathML

    @property
    def scripts(self) -> tuple[str, ...]:
        """Return the names of the scripts that the cards need."""
        conditions = (
            ("studykit-exercises.js", any(card.data for card in self.cards)),
            ("studykit-choices.js", any(card.options for card in self.cards)),
            ("studykit-typed.js", any(card.right for card in self.cards)),
        )
        return ("studykit.js", *(name for name, needs in conditions if needs))

    @property
    def styles(self) -> tuple[str, ...]:
        """Return the names of the styles that the cards need on a page of their own."""
        html = "".join(text for card in self.cards for text in (card.heading, card.more, card.answer, card.full))
        judges = self.scripts[1:]
        conditions = (
            ("array.css", "<mtable" in html),
            ("table.css", "<table" in html or "<img" in html),
            ("task.css", judges),
            ("verdict.css", judges),
            ("choice.css", "studykit-choices.js" in judges),
            ("exercise.css", "studykit-exercises.js" in judges),
            ("rtl.css", "rtl" in {direction(self.lang), direction(self.strings.language)}),
        )
        return ("cards.css", "review.css", *(name for name, needs in conditions if needs))


Tasks = Callable[[Task], PageCard]
"""Returns what a page shows of an exercise. See `registry.page`."""


@dataclass
class Problems:
    """Collect what an author has to repair in all decks, so that one run lists everything."""

    noted: dict[Problem, None] = field(default_factory=dict)  # siblings share their texts: each once
    left_out: dict[Problem, None] | None = None  # cards whose picture is missing; None where that is refused too
    _lines: dict[str, list[str]] = field(default_factory=dict)  # of the deck that is being drawn, by its path

    @contextmanager
    def of(self, deck: Deck, line: int) -> Iterator[None]:
        """Return a context that adds errors of its block to the problems instead of raising them."""
        try:
            yield
        except MarkdownError as error:
            problems = self.noted if self.left_out is None or not isinstance(error, MediaError) else self.left_out
            problems[Problem(deck.path, self._line(deck, line, error.culprit), f"{error}.")] = None
        except TexError as error:
            self.noted[Problem(deck.path, line, f"{error}.")] = None

    def refuse(self) -> None:
        """Raise one error that lists all problems, if there are any."""
        refuse(self.noted)

    def _line(self, deck: Deck, first: int, culprit: str) -> int:
        """Return the line of a note that contains the culprit, or its first line."""
        if deck.path not in self._lines:
            self._lines = {deck.path: deck.source.splitlines()}
        note = self._lines[deck.path][first - 1 : first - 1 + _NOTE_LINES]
        return next((number for number, line in enumerate(note, first) if culprit and culprit in line), first)


@dataclass(frozen=True, slots=True)
class DeckPart:
    """Hold a deck, or the part of it in one file, and the folder that its images may come from."""

    deck: Deck
    root: Path


def view(
    parts: Sequence[DeckPart], tasks: Tasks, problems: Problems, strings: Strings | None = None
) -> DeckView | None:
    """Render the deck, or return None if a problem was noted. `strings` are the page's words."""
    strings = strings or shipped()
    problem_count = len(problems.noted)
    cards: list[CardView] = []
    formulas: dict[str, str] = {}
    for part in parts:
        with problems.of(part.deck, 1):
            markdown = _markdown(part, strings)
            for card in sorted(part.deck.cards, key=lambda card: card.position):
                with problems.of(part.deck, card.line):
                    number = len(cards) + 1
                    cards.append(_card(card, number, strings["page"], markdown, tasks))
                    continue
                # Only after an error: the other texts of the card may have errors too.
                for text in (card.answer, card.full):
                    with problems.of(part.deck, card.line):
                        markdown.blocks(text)
            formulas |= markdown.lines
    head = parts[0]
    with problems.of(head.deck, 1):
        markdown = _markdown(head, strings)
        description = markdown.blocks(head.deck.description)
        if len(problems.noted) == problem_count:
            summary = markdown.words(description)
            whole = _deck([part.deck for part in parts], description, summary, tuple(cards))
            return replace(whole, strings=strings, formulas=formulas)
    return None


def _markdown(part: DeckPart, strings: Strings) -> Markdown:
    images = Images(Path(part.deck.path).parent, part.root)
    return Markdown(Tex(dict(part.deck.macros)), images, strings["page"]["quotes"])


def _deck(decks: Sequence[Deck], description_html: str, summary: str, cards: tuple[CardView, ...]) -> DeckView:
    deck = decks[0]
    tags = {name for each in decks for card in each.cards for name in card.objectives}
    objectives = dict.fromkeys(name for each in decks for name in each.objectives) or {
        name: None for name in OBJECTIVES if name in tags
    }
    return DeckView(
        id=clean(deck.id),
        file=file_name(deck.id),
        name=clean(" ".join(deck.name.split())),
        description=trusted(description_html.replace("<h4", "<h2").replace("</h4", "</h2")),  # below the title
        summary=summary,
        objectives=tuple(map(clean, objectives)),
        license=clean(deck.license or ""),
        url=clean(deck.url) if deck.url and deck.url.lower().startswith(("http://", "https://")) else "",
        cards=cards,
        lang=deck.lang,
        course=clean(deck.course),
    )


def _card(card: Card, number: int, page: Mapping[str, str], markdown: Markdown, tasks: Tasks) -> CardView:
    title = f"{page['card']} {number}"  # of a question without words
    task = _page_card(card, tasks) if card.kind is Kind.EXERCISE else None
    variants = tuple(task.variants) if task else ()
    if variants:
        prompt, text = variants[0].prompt, solution_text(variants[0])
    elif task:
        prompt, text = task.prompt, task.solution
    else:
        prompt, text = card.prompt, shown(card, page["right"], page["wrong"], page["either"])
    heading, more = markdown.question(prompt, title)
    answer = markdown.blocks(text) + (figures(variants[0]) if variants else "")
    option_list = options_of(card) if card.kind is Kind.CHOICE else OptionList(())
    order = option_list.order(version(card)) if option_list.options else ()
    return CardView(
        options=tuple(
            (trusted(markdown.inline(each.text)), clean(each.text), "" if each.right else clean(slip(card, each)))
            for each in map(option_list.options.__getitem__, order)
        ),
        instruction=page["choose_one" if len(option_list.right) == 1 else "choose_all"],
        one=len(option_list.right) == 1,
        choice=_choice(card, option_list, order) if order else None,
        right=accepted(card.answer, card.prompt) if card.typed and task is None else None,
        number=number,
        id=clean(card.id),
        note=clean(card.note),
        anchor=anchor(card.id),
        heading=trusted(heading),
        more=trusted(more),
        answer=trusted(answer),
        full=Markup() if task else trusted(markdown.blocks(card.full)),
        plain=markdown.words(heading) or title,
        objectives=tuple(clean(name) for name in card.objectives),
        typed=card.typed and task is None,
        source=clean(card.source),
        command=task.command if task else "",
        data=data(variants, markdown) if variants else None,
    )


def _page_card(card: Card, tasks: Tasks) -> PageCard:
    """Return what a page shows of an exercise card, or raise MarkdownError for a bad exercise or parameter."""
    if card.task is None:
        raise MarkdownError("an exercise card names no exercise", card.id)
    try:
        return tasks(card.task)
    except StudyError as error:
        raise MarkdownError(error.message.rstrip("."), card.task.name) from None


def _choice(card: Card, option_list: OptionList, shown: Sequence[int]) -> Mapping[str, object]:
    """Return what a terminal logs when it asks a choice, and the order of the options for each seed."""
    orders = [(seed, *map(shown.index, order)) for seed, order in option_list.orders().items()]
    seed = version(card)
    return {"showing": {"exercise": TEMPLATE, "version": seed, "seed": seed, "parameters": "{}"}, "orders": orders}


def file_name(deck_id: str) -> str:
    """Return the deck's file name without its ending. Different ids give different names."""
    of_letters = all(sign == "-" or unicodedata.category(sign)[0] in "LNM" for sign in deck_id)
    is_plain = _FILE.fullmatch(deck_id) or (of_letters and deck_id == _normal(deck_id).strip("-") != "")
    is_free = is_plain and len(deck_id.encode()) <= _MAX_NAME and deck_id not in _RESERVED_NAMES | _DEVICES
    return deck_id if is_free else _plain_name(deck_id)


def anchor(card_id: str) -> str:
    """Return the part of HTML ids that names the card, which follows `c-` or `q-`."""
    return card_id if _ANCHOR.fullmatch(card_id) else re.sub(r"[^a-z0-9]+", "-", _plain_name(card_id)).strip("-")


def _plain_name(text: str) -> str:
    """Return a name's letters and digits, with a hash because other names may have the same ones."""
    plain = "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in _normal(text))
    plain = "-".join(plain.split()).encode()[:40].decode(errors="ignore").strip("-") or "x"
    return f"{plain}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text.lower())
