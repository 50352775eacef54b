"""An exercise card on a page: numbers to practise with, or what there is to read and the command to run."""

from collections.abc import Callable

from studykit.cards.card import Card, Task
from studykit.errors import StudyError
from studykit.exercise.entry import PageCard
from studykit.html.card_html import MarkdownError
from studykit.html.deck_view import Tasks, TaskView
from studykit.html.numeric_sets import data, solution_text
from studykit.html.roofline_svg import roofline


def tasks(page: Callable[[Task], PageCard]) -> Tasks:
    """Return a function that makes views of exercise cards; `page` knows what each kind of exercise shows.

    The function refuses an unknown exercise and wrong parameters.
    """

    def view(card: Card) -> TaskView:
        if card.task is None:
            raise MarkdownError("an exercise card names no exercise", card.id)
        try:
            return _view(page(card.task))
        except StudyError as error:
            raise MarkdownError(str(error).rstrip("."), card.task.name) from None

    return view


def _view(card: PageCard) -> TaskView:
    if not card.variants:
        return TaskView(card.prompt, card.solution, card.command)
    variants = tuple(card.variants)
    first = variants[0]
    return TaskView(
        first.prompt, solution_text(first), "", lambda markdown: data(variants, markdown), roofline(first)
    )
