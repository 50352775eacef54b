"""Which exercises a learner's cards lead to: those of a tag, and those of the decks that were met."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from studykit.exercise import catalog
from studykit.exercise.entry import Exercise

if TYPE_CHECKING:
    from studykit.store.card_table import CardTask


def of_tag(tag: str, tasks: Iterable["CardTask"], tagged: Collection[str]) -> frozenset[str]:
    """Return the ids of the exercises of an objective, and of those that the tagged cards ask."""
    of_objective = {exercise.id for exercise in catalog.every() if exercise.objective == tag}
    return frozenset(of_objective | {task.exercise for task in tasks if task.card in tagged})


def of_decks(exercises: Iterable[Exercise], tasks: Sequence["CardTask"], met: Collection[str]) -> frozenset[str]:
    """Return the ids of the exercises that belong to decks that were met.

    An exercise belongs to the decks whose cards ask it; one that no card asks, to those mostly of its objective.
    """
    asked, known = {task.exercise for task in tasks}, [task for task in tasks if task.deck in met]
    counts = [Counter(task.objective for task in known if task.deck == deck) for deck in met]
    objectives = {objective for count in counts for objective, _ in count.most_common(1)}
    of_objectives = {one.id for one in exercises if one.objective in objectives and one.id not in asked}
    return frozenset(of_objectives | {task.exercise for task in known})
