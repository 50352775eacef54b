"""What a page shows of an exercise card: numbers to practise with, or how to run it in a terminal."""

from studykit.cards.card import Card
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.numeric.pins import pins
from studykit.exercise.numeric.template import Exercise, Template
from studykit.html.assets import words
from studykit.html.card_html import MarkdownError
from studykit.html.deck_view import TaskView
from studykit.html.numeric_sets import data, solution_text, variants
from studykit.html.roofline_svg import roofline


def task(card: Card) -> TaskView:
    """The exercise behind a card; refused where there is none of that name or its parameters are wrong."""
    if card.task is None:
        raise MarkdownError("an exercise card names no exercise", card.id)
    name = card.task.name
    try:
        found = catalog.find(name)
        if isinstance(found, Template):
            return _numeric(found, card)
    except StudyError as error:
        raise MarkdownError(str(error).rstrip("."), name) from None
    return _in_terminal(found)


def _in_terminal(found: Exercise) -> TaskView:
    """A reading card: what is asked, what there is to read of the answer, and how to run it."""
    prompt, solution = (_text(getattr(found, name, "")) for name in ("prompt", "solution"))
    lesson = _text(getattr(found, "lesson", ""))
    if found.kind == "bet":
        prompt = f"{words()['page']['bet']}\n\n{prompt}"
    code = f"```python\n{solution}\n```" if found.kind == "rewrite" and solution else ""
    return TaskView(prompt or f"`{found.id}`", f"{code}\n\n{lesson}".strip(), f"study exercise {found.id}")


def _text(value: object) -> str:
    if isinstance(value, str):
        return value.strip("\n")
    return "\n".join(map(str, value)) if isinstance(value, tuple) else ""


def _numeric(template: Template, card: Card) -> TaskView:
    pairs = card.task.pinned if card.task else ()
    drawn = variants(template, pins(template, dict(pairs)))
    first = drawn[0]
    return TaskView(
        first.prompt, solution_text(first), "", lambda markdown: data(drawn, markdown), roofline(first)
    )
