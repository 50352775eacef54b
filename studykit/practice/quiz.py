"""A quiz: questions mixed by objective, a score for each, nothing that touches the schedule."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from studykit.cards.card import OBJECTIVES, Card
from studykit.exercise.numeric.template import Template
from studykit.exercise.verdict import Close, Correct, Verdict

OTHER = "other"
"""The objective of a card that names none."""

NOT_ASKED = frozenset({"rewrite", "bet"})
"""Families that need an editor or a clock of their own."""


@dataclass(frozen=True, slots=True)
class Question:
    """A card, or a numeric exercise with the parameters that its card pins."""

    id: str
    objective: str
    card: Card | None = None
    template: Template | None = None
    pinned: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """What one question brought: from 0 to 1."""

    question: Question
    score: float
    answer: str = ""
    right: str = ""  # the right answer, in words
    prompt: str = ""
    verdict: str = ""
    slips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A quiz that has ended."""

    seed: int
    asked: int  # questions that were planned, answered or not
    marks: tuple[Mark, ...] = ()
    seconds: float = 0.0
    exam: bool = False
    too_late: bool = False
    planned: tuple[Question, ...] = field(default=())

    @property
    def score(self) -> float:
        """Points, one for each right answer, half for a close one."""
        return sum(mark.score for mark in self.marks)

    def by_objective(self) -> dict[str, tuple[float, int]]:
        """Points and questions of each objective, in the lesson's order."""
        found: dict[str, tuple[float, int]] = {}
        for name in (*OBJECTIVES, OTHER):
            if asked := sum(question.objective == name for question in self.planned):
                found[name] = (sum(mark.score for mark in self.marks if mark.question.objective == name), asked)
        return found


def of_card(card: Card) -> Question:
    """A card as a question."""
    return Question(str(card.id), card.objectives[0] if card.objectives else OTHER, card=card)


def of_exercise(template: Template, card: Card | None = None) -> Question:
    """An exercise as a question; behind a card it keeps the card's pins."""
    pinned = card.task.pinned if card is not None and card.task is not None else ()
    return Question(template.id if card is None else str(card.id), template.objective, card, template, pinned)


def planned(questions: Iterable[Question], number: int, seed: int) -> tuple[Question, ...]:
    """That many questions, objectives in turn, none twice; fewer where there are not so many."""
    generator = random.Random(f"quiz:{seed}")  # noqa: S311 - to be repeated, not secret
    piles: dict[str, list[Question]] = {}
    for question in sorted(sorted(questions, key=lambda one: one.id), key=lambda _: generator.random()):
        piles.setdefault(question.objective, []).append(question)
    in_turn = chain.from_iterable(zip_longest(*piles.values()))
    return tuple(question for question in in_turn if question is not None)[:number]


def score_of(verdict: Verdict) -> float:
    """A point for right, half a point for close."""
    match verdict:
        case Correct():
            return 1.0
        case Close():
            return 0.5
        case _:
            return 0.0


def lines(result: Result) -> list[str]:
    """The result in words: in all, and by objective."""
    told = [f"**Score: {_points(result.score)} of {result.asked}**" + (" (time is up)" if result.too_late else "")]
    rows = [f"- {name}: {_points(score)} of {asked}" for name, (score, asked) in result.by_objective().items()]
    return [*told, "", *rows]


def reviewed(marks: Sequence[Mark]) -> list[str]:
    """Each question of an exam with both answers, for afterwards."""
    return [
        f"{number}. {mark.prompt}\n\nyours: {mark.answer or 'none'}\n\nright: {mark.right} ({_points(mark.score)})"
        for number, mark in enumerate(marks, start=1)
    ]


def _points(score: float) -> str:
    return f"{score:g}"
