"""Check that a terminal and a page show the same words of each shipped card and exercise."""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

from decks import SHIPPED, shipped_decks
from studykit.cards.card import Card
from studykit.cards.markdown import parse
from studykit.exercise import catalog
from studykit.exercise.bet.snippet import BetExercise
from studykit.exercise.estimate.template import Template, draw
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.html.card_html import Markdown
from studykit.html.images import Images
from studykit.html.mathml import Tex
from studykit.review.typed_answer import shown
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import render
from studykit.terminal.spans import plain

BLOCKS = {"p", "li", "td", "th", "tr", "h4", "pre", "div", "br", "hr", "table", "ul", "ol"}
DRAWN = dict.fromkeys(map(ord, "│─┼•$"), " ")
"""Lines of tables, bullets, and the dollars around TeX that no terminal can draw."""

STRAIGHT = {0x201C: '"', 0x201D: '"', 0x2018: "'", 0x2019: "'"}

RICH = r"""A title
===

Words *leaning*, **bold**, `code * here`,
6*7*2, a*b*c, 2**3**4, snake_case, _x_ and &lt; \[x\] <!-- c --> $2^{30}$\
a new line with [a page](https://example.org/a_b) and <https://example.org>, ~~gone~~
$$
\frac{a}{b}
$$
after it.

1. one
2. two
   - nested

     again

     ```python
     x = 1 * 2
     ```
   - last
3. three

> quoted
> 1. first
>
> > twice

| dtype | bytes | |
|:--|--:|---|
| bf16 | `2` | a\|b |
| fp32 | $4$ |

[…]: 42

***

    indented * code *
"""


@cache
def texts() -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """Return each shipped text by name, with the macros of its deck."""
    found: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {"rich": (RICH, ())}
    for deck in shipped_decks():
        for card in deck.cards:
            found |= {f"{card.id} {part}": (text, deck.macros) for part, text in of_card(card) if text}
    for exercise in catalog.every():
        found |= {f"{exercise.id} {number}": (text, ()) for number, text in enumerate(of_exercise(exercise))}
    return found


def of_card(card: Card) -> Iterator[tuple[str, str]]:
    yield "prompt", card.prompt
    yield "full", card.full
    if card.task is None:
        yield "answer", shown(card)


def of_exercise(exercise: object) -> Iterator[str]:
    if isinstance(exercise, Template):
        variant = draw(exercise, 0)
        yield from (variant.prompt, *variant.hints, *variant.solution, *(slip.message for slip in variant.slips))
    elif isinstance(exercise, Rewrite):
        yield from (exercise.prompt, *exercise.hints)
    elif isinstance(exercise, BetExercise):
        yield from (exercise.prompt, exercise.solution)


class PageText(HTMLParser):
    """Collect what a reader sees of a page, with list numbers and link addresses as a terminal shows them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.numbers: list[int | None] = []
        self.address = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in {"ul", "ol"}:
            self.numbers.append(int(attributes.get("start") or 1) if tag == "ol" else None)
        elif tag == "li" and self.numbers[-1] is not None:
            self.text += f" {self.numbers[-1]}. "
            self.numbers[-1] += 1
        elif tag == "a":
            self.address = attributes.get("href") or ""
        elif tag == "s":
            self.text += "~~"
        elif tag == "br":
            self.text += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in {"ul", "ol"}:
            self.numbers.pop()
        if tag == "a":
            self.text += "" if self.text.endswith(self.address) else f" ({self.address})"
        if tag == "s":
            self.text += "~~"
        if tag in BLOCKS:
            self.text += " "

    def handle_data(self, data: str) -> None:
        self.text += data


def words(text: str) -> list[str]:
    return text.translate(DRAWN | STRAIGHT).split()


def on_a_terminal(text: str, macros: tuple[tuple[str, str], ...]) -> str:
    return "\n".join(map(plain, render(text, 10_000, Notation(macros=dict(macros)))))


def on_a_page(text: str, macros: tuple[tuple[str, str], ...]) -> str:
    markdown = Markdown(Tex(dict(macros)), Images(SHIPPED, SHIPPED))
    return PageText(markdown.without_mathml(markdown.blocks(text))).text


def test_card_texts_exceed_1000_with_code_and_formulas() -> None:
    tokens = [token for text, _ in texts().values() for token in parse(text)]
    kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}

    assert len(texts()) > 1000
    assert kinds >= {"fence", "code_inline", "math_inline", "strong_open"}


def test_terminal_and_page_show_equal_words() -> None:
    faces = {name: (words(on_a_terminal(*each)), words(on_a_page(*each))) for name, each in texts().items()}

    assert {name: both for name, both in faces.items() if both[0] != both[1]} == {}


def test_terminal_text_has_no_markup_signs() -> None:
    markup = {}
    for name, (text, macros) in texts().items():
        if text == RICH:  # it has products of two stars
            continue
        text_shown = on_a_terminal(text, macros)
        for token in parse(text):
            for each in (token, *(token.children or ())):
                if each.type in {"code_inline", "fence"}:
                    for row in each.content.splitlines():
                        text_shown = text_shown.replace(row.strip(), "", 1)
        if signs := re.findall(r"\*\*|`|\]\(|&\w+;|\\[\[\]*]|^#|^[-*] |^\|", text_shown, re.MULTILINE):
            markup[name] = signs

    assert markup == {}
