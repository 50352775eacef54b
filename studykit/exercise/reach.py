"""Find the exercises that cards lead to: those of a tag, and those of decks the learner has studied."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from studykit.exercise import catalog
from studykit.exercise.entry import Exercise

if TYPE_CHECKING:
    from studykit.store.card_table import CardTask


def of_tag(tag: str, tasks: Iterable["CardTask"], tagged: Collection[str]) -> frozenset[str]:
    """Return the ids of the exercises whose objective is the tag, and of those that tagged cards ask."""
    of_objective = {exercise.id for exercise in catalog.every() if exercise.objective == tag}
    return frozenset(of_objective | {task.exercise for task in tasks if task.card in tagged})


def of_decks(exercises: Iterable[Exercise], tasks: Sequence["CardTask"], met: Collection[str]) -> frozenset[str]:
    """Return the ids of the exercises that belong to studied decks.

    An exercise belongs to the decks whose cards ask it. One that no card asks belongs to the last deck whose
    exercises are mostly of its objective, since it may need all that the decks teach of that objective.
    """
    card_exercises, counts = {task.exercise for task in tasks}, dict[str, Counter[str]]()
    for task in tasks:
        counts.setdefault(task.deck, Counter())[task.objective] += 1
    last = {count.most_common(1)[0][0]: deck for deck, count in counts.items()}
    unasked = {one.id for one in exercises if last.get(one.objective) in met and one.id not in card_exercises}
    return frozenset(unasked | {task.exercise for task in tasks if task.deck in met})
