"""A quiz: questions mixed by objective, one attempt at each, every answer logged, the schedule left alone."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from studykit.cards.card import OBJECTIVES, Card, CardId, Kind
from studykit.errors import NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.practice import choices
from studykit.practice.kind import QuizAnswer, QuizTurn
from studykit.practice.kinds import kind_of
from studykit.review import typed_answer
from studykit.scheduling.events import EventKind
from studykit.scheduling.memory import Grade
from studykit.store.store import Store
from studykit.ui import Line, Quit, Ui

OTHER = "other"
"""The objective of a card that names none."""

RIGHT_OR_WRONG = (("y", "right"), ("n", "wrong"))


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """A card, or an exercise with the parameters that its card pins."""

    id: str
    objective: str
    card: Card | None = None
    exercise: Exercise | None = None
    pinned: tuple[tuple[str, str], ...] = ()

    @property
    def judged(self) -> bool:
        """Whether the program marks it, not the learner."""
        return self.exercise is not None or (self.card is not None and self.card.judged)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question and what the learner made of it."""

    question: QuizQuestion
    given: QuizAnswer


@dataclass(frozen=True, slots=True)
class QuizResult:
    """A quiz that has ended."""

    seed: int
    planned: tuple[QuizQuestion, ...]  # answered or not
    answered: tuple[AnsweredQuestion, ...] = ()
    seconds: float = 0.0
    exam: bool = False
    too_late: bool = False

    @property
    def score(self) -> float:
        """Points, one for each right answer, half for a close one."""
        return sum(one.given.score for one in self.answered)

    def by_objective(self) -> dict[str, tuple[float, int]]:
        """Points and questions of each objective, in the lesson's order."""
        scores: dict[str, tuple[float, int]] = {}
        for name in (*OBJECTIVES, OTHER):
            if asked := sum(question.objective == name for question in self.planned):
                points = sum(one.given.score for one in self.answered if one.question.objective == name)
                scores[name] = (points, asked)
        return scores


def of_card(card: Card) -> QuizQuestion:
    """A card as a question."""
    return QuizQuestion(str(card.id), card.objectives[0] if card.objectives else OTHER, card=card)


def of_exercise(exercise: Exercise, card: Card | None = None) -> QuizQuestion:
    """An exercise as a question; behind a card it keeps the card's pins."""
    pinned = card.task.pinned if card is not None and card.task is not None else ()
    return QuizQuestion(exercise.id if card is None else str(card.id), exercise.objective, card, exercise, pinned)


def of_deck(cards: Iterable[Card]) -> Iterator[QuizQuestion]:
    """The cards of a deck that a quiz can ask."""
    for card in cards:
        if card.kind is not Kind.EXERCISE:
            yield of_card(card)
        elif (exercise := _askable(card)) is not None:
            yield of_exercise(exercise, card)


def of_set(name: str) -> Iterator[QuizQuestion]:
    """The exercises of a set that a quiz can ask."""
    for exercise in catalog.of_set(name):
        if kind_of(exercise).quiz is not None:
            yield of_exercise(exercise)


def questions_of(store: Store, names: Sequence[str], deck_id: Callable[[str], str]) -> list[QuizQuestion]:
    """The questions of decks and sets, else of all decks, each once; `deck_id` refuses what names no deck."""
    questions: dict[str, QuizQuestion] = {}
    for name in names or [str(deck) for deck in store.cards.deck_names()]:
        questions |= {question.id: question for question in _named(store, name, deck_id)}
    if not questions and names:
        raise NotFoundError(f"{', '.join(names)}: no question that a quiz can ask")
    return list(questions.values())


def _named(store: Store, name: str, deck_id: Callable[[str], str]) -> Iterable[QuizQuestion]:
    try:
        deck = deck_id(name)
    except NotFoundError:
        return of_set(name)
    return of_deck(store.cards.all(deck=deck))


def _askable(card: Card) -> Exercise | None:
    """The exercise that a card names; None for one that no quiz asks, and for what `study check` complains of."""
    exercise = catalog.known(card.task.name) if card.task is not None else None
    if card.task is None or exercise is None:
        return None
    try:
        kind = kind_of(exercise)
        kind.refuse_pins(exercise, dict(card.task.pinned))
    except StudyError:
        return None
    return exercise if kind.quiz is not None else None


def planned(questions: Iterable[QuizQuestion], number: int, seed: int) -> tuple[QuizQuestion, ...]:
    """That many questions, objectives in turn, none twice; fewer where there are not so many."""
    generator = random.Random(f"quiz:{seed}")
    piles: dict[str, list[QuizQuestion]] = {}
    for question in sorted(sorted(questions, key=lambda one: one.id), key=lambda _: generator.random()):
        piles.setdefault(question.objective, []).append(question)
    in_turn = chain.from_iterable(zip_longest(*piles.values()))
    return tuple(question for question in in_turn if question is not None)[:number]


@dataclass(slots=True)
class Quiz:
    """A quiz being taken."""

    store: Store
    ui: Ui
    exam: bool = False
    minutes: float | None = None
    answered: list[AnsweredQuestion] = field(default_factory=list)

    def take(self, plan: Sequence[QuizQuestion], seed: int) -> QuizResult:
        """Ask them all; what was answered until the learner left or time was up."""
        started = time.monotonic()
        too_late = False
        for place, question in enumerate(plan):
            title = f"quiz {place + 1}/{len(plan)} · seed {seed}{' · exam' if self.exam else ''}"
            began = time.monotonic()
            given = self._ask(question, seed + place, title)
            too_late = self.minutes is not None and time.monotonic() > started + 60 * self.minutes
            if given is None or too_late:
                break
            if question.judged or not self.exam:
                self._log(question, given, began)
            self.answered.append(AnsweredQuestion(question, given))
        if self.exam:
            self._mark_cards()
        seconds = time.monotonic() - started
        return QuizResult(seed, tuple(plan), tuple(self.answered), seconds, self.exam, too_late)

    def _ask(self, question: QuizQuestion, seed: int, title: str) -> QuizAnswer | None:
        exercise = question.exercise
        if exercise is not None and (ask := kind_of(exercise).quiz) is not None:
            return ask(self.ui, exercise, QuizTurn(seed, dict(question.pinned), title, self.exam))
        if question.card is not None and question.card.kind is Kind.CHOICE:
            return choices.quiz(self.ui, question.card, QuizTurn(seed, {}, title, self.exam))
        return self._ask_card(question.card, title) if question.card is not None else None

    def _ask_card(self, card: Card, title: str) -> QuizAnswer | None:
        self.ui.show(card.prompt, title=title)
        said = self.ui.read("answer", {"": "no answer" if self.exam else "show the answer"})
        if isinstance(said, Quit):
            return None
        answer = said.text if isinstance(said, Line) else ""
        given = QuizAnswer(0.0, answer.strip(), card.answer, card.prompt)
        return given if self.exam else self._marked(given)

    def _marked(self, given: QuizAnswer) -> QuizAnswer | None:
        """The answer with the points that the learner gives it, once the right one is out."""
        if given.answer and typed_answer.compare(given.answer, given.right).same:
            self.ui.tell(f"**right**: {given.right}")
            return given._replace(score=1.0, verdict="correct")
        self.ui.tell(f"The answer: {given.right}")
        said = self.ui.choose("Was yours right?", RIGHT_OR_WRONG)
        if said is None:
            return None
        return given._replace(score=float(said == "y"), verdict="correct" if said == "y" else "incorrect")

    def _mark_cards(self) -> None:
        """After an exam the learner marks the cards, both answers side by side, and reads what was wrong."""
        for place, one in enumerate(self.answered):
            if one.question.judged:
                continue
            self.ui.show(one.given.prompt, title="marking")
            self.ui.tell(f"yours: {one.given.answer or 'none'}")
            given = self._marked(one.given) or one.given._replace(verdict="not_scored")
            self._log(one.question, given, time.monotonic())
            self.answered[place] = AnsweredQuestion(one.question, given)
        judged = [one.given for one in self.answered if one.question.judged]
        for text in reviewed(judged):
            self.ui.tell(text)

    def _log(self, question: QuizQuestion, given: QuizAnswer, began: float) -> None:
        took = round(1000 * (time.monotonic() - began))
        card = CardId(question.card.id if question.card is not None else "")
        grade = Grade.GOOD if given.score == 1 else Grade.AGAIN
        self.store.log.record(EventKind.QUIZ, card, grade=grade, took_ms=took, showing=given.showing)


def lines(result: QuizResult) -> list[str]:
    """The result in words: in all, and by objective."""
    total = f"**Score: {_points(result.score)} of {len(result.planned)}**"
    rows = [f"- {name}: {_points(score)} of {asked}" for name, (score, asked) in result.by_objective().items()]
    return [total + (" (time is up)" if result.too_late else ""), "", *rows]


def reviewed(given: Sequence[QuizAnswer]) -> list[str]:
    """Each question of an exam with both answers, for afterwards."""
    return [
        f"{number}. {one.prompt}\n\nyours: {one.answer or 'none'}\n\nright: {one.right} ({_points(one.score)})"
        for number, one in enumerate(given, start=1)
    ]


def document(result: QuizResult) -> dict[str, object]:
    """The result as JSON."""
    objectives = {name: {"score": score, "of": asked} for name, (score, asked) in result.by_objective().items()}
    return {
        "seed": result.seed,
        "exam": result.exam,
        "score": result.score,
        "of": len(result.planned),
        "seconds": round(result.seconds, 1),
        "too_late": result.too_late,
        "objectives": objectives,
        "questions": [
            {
                "id": one.question.id,
                "objective": one.question.objective,
                "score": one.given.score,
                "verdict": one.given.verdict,
                "answer": one.given.answer,
                "right": one.given.right,
                "slips": list(one.given.slips),
            }
            for one in result.answered
        ],
    }


def _points(score: float) -> str:
    return f"{score:g}"
