"""Tries at a question that was left open: in the log behind their card, from where it goes on."""

from collections.abc import Collection

from studykit.cards.card import CardId
from studykit.exercise.entry import Exercise
from studykit.scheduling.events import EventKind, Showing
from studykit.store.store import Store


def open_tries(store: Store, card: CardId, exercise: Exercise, wrong: Collection[str]) -> list[Showing]:
    """The newest tries behind a card at one variant of an exercise, oldest first; none once it was answered.

    `wrong` are the names of the verdicts after which a question stays open.
    """
    history = store.log.history(card)
    undone = {event.target for event in history if event.kind is EventKind.UNDO}
    tries: list[Showing] = []
    for event in reversed([event for event in history if str(event.id) not in undone]):
        shown = event.showing
        if event.kind is EventKind.UNDO:
            continue
        if event.kind is not EventKind.PRACTICE or shown is None or not _is_try(shown, exercise, wrong):
            break
        if tries and (shown.seed, shown.parameters) != (tries[0].seed, tries[0].parameters):
            break
        tries.insert(0, shown)
    return tries


def _is_try(shown: Showing, exercise: Exercise, wrong: Collection[str]) -> bool:
    known = (shown.template, shown.version) == (exercise.id, exercise.version)
    return known and bool(shown.answer) and shown.verdict in wrong
