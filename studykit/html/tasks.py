"""What a page shows of an exercise card: numbers to practise with, or how to run it in a terminal."""

from studykit import catalog
from studykit.card import Card
from studykit.errors import StudyError
from studykit.exercise import Template
from studykit.html.markdown import MarkdownError
from studykit.html.numbers import data, solution_text, variants
from studykit.html.roofline import roofline
from studykit.html.view import TaskView
from studykit.pins import pins


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
    prompt = getattr(found, "prompt", "")
    return TaskView(prompt if isinstance(prompt, str) and prompt else f"`{name}`", "", f"study exercise {name}")


def _numeric(template: Template, card: Card) -> TaskView:
    pairs = card.task.pinned if card.task else ()
    drawn = variants(template, pins(template, dict(pairs)))
    first = drawn[0]
    return TaskView(
        first.prompt, solution_text(first), "", lambda markdown: data(drawn, markdown), roofline(first)
    )
