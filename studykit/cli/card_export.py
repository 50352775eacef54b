"""Cards of the learner's decks on their way out: which notes, what became of their cards, who draws exercises."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studykit.cli.authors import attach_authors
from studykit.cli.context import Context
from studykit.collection.lookup import named_decks
from studykit.errors import StudyError
from studykit.formats.export_notes import DrawnExercise, ExportedDecks, exported_answers, exported_notes

if TYPE_CHECKING:
    from studykit.cards.card import Card, Deck


def decks_named(context: Context, named: Sequence[str]) -> "list[Deck]":
    """Decks by name or path, or all, with the folders that their links start at."""
    context.refreshed_store(quiet=True)
    return [deck for _, deck in named_decks(context.collection, named)]


def gathered(context: Context, named: Sequence[str], *, log: bool = True) -> ExportedDecks:
    """The notes of some decks with schedules, marks and, unless they are not wanted, every answer."""
    attach_authors(context)
    notes = tuple(exported_notes(decks_named(context, named), drawn))
    store = context.store
    cards = {card.id for note in notes for card in note.cards}
    memories = {card: memory for card, memory in store.schedule.memories().items() if card in cards}
    answers = exported_answers([*store.log.events()], cards, store.schedule.moved()) if log else ()
    return ExportedDecks(notes, memories, store.schedule.marks(), tuple(answers))


def drawn(card: "Card") -> DrawnExercise | None:
    """The first variant of an exercise and how it is solved; None where it cannot be put on a card."""
    from studykit.exercise.registry import page
    from studykit.html.numeric_sets import solution_text

    try:
        shown = page(card.task) if card.task else None
    except StudyError:
        return None
    if shown is None:
        return None
    if shown.variants:
        first = shown.variants[0]
        return DrawnExercise(first.prompt, solution_text(first))
    solution = shown.solution or (f"In a terminal: `{shown.command}`" if shown.command else "")
    return DrawnExercise(shown.prompt, solution) if shown.prompt and solution else None
