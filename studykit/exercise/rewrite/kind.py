"""Rewrites as a kind of exercise: asked as a card or one after another, or in a file that is watched."""

from pathlib import Path

from studykit.cards.card import Card
from studykit.exercise.catalog import REWRITES
from studykit.exercise.entry import PageCard
from studykit.exercise.kind import ExerciseKind, Pinned, read_on_page
from studykit.exercise.rewrite.dialogue import converse
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.run import chosen, practise
from studykit.exercise.services import Services
from studykit.ui import ExerciseOutcome, Ui


def ask(services: Services, task: Rewrite, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask one rewrite from its question to a verdict."""
    return converse(services, task, ui, seed, card=card.id)


def page(task: Rewrite, pinned: Pinned) -> PageCard:
    """Question and solution to read."""
    card = read_on_page(task, pinned)
    return PageCard(card.prompt, f"```python\n{card.solution}\n```", card.command)


def watch_set(services: Services, name: str, seed: int | None) -> int:
    """Watch the file that is named like the first rewrite of a set."""
    from studykit.exercise.rewrite.watched_file import watch

    task = chosen(name, services.seed() if seed is None else seed)[0]
    return watch(services, task, Path(task.id.removeprefix(REWRITES) + ".py"))


REWRITE = ExerciseKind(
    ask=ask,
    practise=practise,
    watch=watch_set,
    plural="einops rewrites",
    answered_by="study grade {id} FILE",
    page=page,
)
