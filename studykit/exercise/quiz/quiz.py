"""A quiz: questions mixed by objective, one attempt at each, every answer logged, the schedule unchanged."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from studykit.cards.card import JUDGED, OBJECTIVES, Card, CardId, Kind
from studykit.cards.markdown import as_code
from studykit.errors import NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate.selection import interleaved
from studykit.exercise.kind import QuizAnswer, QuizTurn
from studykit.exercise.quiz import choices
from studykit.exercise.registry import kind_of
from studykit.exercise.run_ui import RunUi, undone_words
from studykit.review import typed_answer
from studykit.review.keymap import Keymap, keymap
from studykit.review.run_report import RunAnswer, RunReport
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import right_at_once, suggested_grade
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store
from studykit.ui import Line, Quit, RunPosition, Ui

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
        return self.exercise is not None or (self.card is not None and self.card.kind in JUDGED)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question and what the learner made of it."""

    question: QuizQuestion
    given: QuizAnswer
    event: UUID | None = None  # its entry in the log


@dataclass(frozen=True, slots=True)
class QuizResult:
    """A quiz that has ended."""

    seed: int
    planned: tuple[QuizQuestion, ...]  # answered or not
    answered: tuple[AnsweredQuestion, ...] = ()
    seconds: float = 0.0
    exam: bool = False
    time_up: str = ""  # in words, where time ended it

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
    pool = list(questions)
    return interleaved(pool, min(number, len(pool)), f"quiz:{seed}")


TIME_UP = "time is up"
TOO_LATE = f"{TIME_UP}, and your last answer came too late"


@dataclass(slots=True)
class Quiz:
    """A quiz being taken."""

    store: Store
    ui: Ui
    exam: bool = False
    minutes: float | None = None
    keys: Keymap = field(default_factory=keymap)
    answered: list[AnsweredQuestion] = field(default_factory=list)
    said: str = ""  # of the answer before, shown with the next question
    unmarked: QuizAnswer | None = None  # typed, and being marked by the learner
    keep: Callable[[QuizResult], None] = lambda _: None  # told after each answer how far the quiz has come
    in_a_line: Callable[[str], str] = str  # Markdown as words

    def take(self, plan: Sequence[QuizQuestion], seed: int) -> QuizResult:
        """Ask them all; what was answered until the learner left or time was up."""
        started = time.monotonic()
        try:
            time_up = self._through(plan, seed, started)
            if self.exam:
                self._mark_cards()
        except BaseException:  # Ctrl-C, a signal, a terminal that is gone
            self._leave_unmarked()
            raise
        return self.result(plan, seed, time.monotonic() - started, time_up=time_up)

    def result(
        self, plan: Sequence[QuizQuestion], seed: int, seconds: float = 0.0, *, time_up: str = ""
    ) -> QuizResult:
        """What was answered so far."""
        return QuizResult(seed, tuple(plan), tuple(self.answered), seconds, self.exam, time_up)

    def _through(self, plan: Sequence[QuizQuestion], seed: int, started: float) -> str:
        """Ask them until the learner leaves or time is up; in words where it is.

        An answer counts when it is typed, however long its feedback is read.
        """
        info = f"Quiz, seed {seed}. The same questions of the same decks again: `study quiz --seed {seed}`."
        ui = RunUi(self.ui, self.keys, told=info, final=self.exam)
        while (place := len(self.answered)) < len(plan):
            seconds_left = None if self.minutes is None else started + 60 * self.minutes - time.monotonic()
            if seconds_left is not None and seconds_left <= 0:
                self.said = f"{TIME_UP}."
                return TIME_UP
            title = self._title(place + 1, len(plan), seconds_left)
            turn = QuizTurn(
                seed + place, dict(plan[place].pinned), title, self.exam, RunPosition(place, len(plan), self.said)
            )
            self.said, began = "", time.monotonic()
            try:
                answer = self._ask(ui, plan[place], turn)
            except BaseException:  # Ctrl-C, a signal, a terminal that is gone
                if self.unmarked is not None:
                    self._keep(plan[place], self.unmarked, began)
                    self.keep(self.result(plan, seed, time.monotonic() - started))
                raise
            if seconds_left is not None and answer is not None and ui.replied - began > seconds_left:
                self.said = f"{TOO_LATE}."
                return TOO_LATE
            if answer is not None:
                self._keep(plan[place], answer, began)
                self.keep(self.result(plan, seed, time.monotonic() - started))
            if ui.undone:
                self._take_back(ui)
            elif answer is None or ui.left:
                break
        return ""

    def _title(self, number: int, of: int, left: float | None) -> str:
        """What stands above a question: which it is, and how much time was left when it was put."""
        clock = "" if left is None else "{}:{:02} to go".format(*divmod(max(0, round(left)), 60))
        return " · ".join(part for part in (f"quiz {number}/{of}", "exam" if self.exam else "", clock) if part)

    def _leave_unmarked(self) -> None:
        """Log the cards of an exam that were not marked, without a grade."""
        for place, one in enumerate(self.answered):
            if one.event is None:
                event = self._log(one.question, one.given, time.monotonic())
                self.answered[place] = AnsweredQuestion(one.question, one.given, event)

    def _keep(self, question: QuizQuestion, given: QuizAnswer, began: float) -> None:
        """Log an answer; a card of an exam is logged when it is marked."""
        event = None if self.exam and not question.judged else self._log(question, given, began)
        self.answered.append(AnsweredQuestion(question, given, event))
        if not self.exam and given.score == 1:
            self.said = f"✓ right: {self.in_a_line(given.right)}"

    def _take_back(self, ui: RunUi) -> None:
        """Undo the newest answer, so that its question is asked again; else what was done before the quiz."""
        ui.undone = ui.left = False
        target = self.answered.pop().event if self.answered else None
        self.said = undone_words(self.store.log.undo(target))

    def _ask(self, ui: RunUi, question: QuizQuestion, turn: QuizTurn) -> QuizAnswer | None:
        exercise = question.exercise
        if exercise is not None and (ask := kind_of(exercise).quiz) is not None:
            return ask(ui, exercise, turn)
        if question.card is not None and question.card.kind is Kind.CHOICE:
            return choices.quiz(ui, question.card, turn)
        return self._ask_card(ui, question.card, turn) if question.card is not None else None

    def _ask_card(self, ui: RunUi, card: Card, turn: QuizTurn) -> QuizAnswer | None:
        ui.show(card.prompt, title=turn.title, place=turn.place)
        reply = ui.read("answer", {"": "no answer" if self.exam else "show the answer"})
        if isinstance(reply, Quit):
            return None
        answer = reply.text if isinstance(reply, Line) else ""
        result = QuizAnswer("not_scored", answer.strip(), typed_answer.shown(card), card.prompt)
        if self.exam:
            return result  # until it is marked
        self.unmarked = result
        marked = _marked(ui, result, card)
        self.unmarked = None
        return marked or result  # left: the answer is kept

    def _mark_cards(self) -> None:
        """After an exam the learner marks the cards, both answers side by side, and reads what was wrong."""
        cards = [place for place, one in enumerate(self.answered) if not one.question.judged]
        for done, place in enumerate(cards):
            one = self.answered[place]
            position = RunPosition(done, len(cards), self.said)
            self.ui.show(one.given.prompt, title=f"marking {done + 1}/{len(cards)}", place=position)
            self.ui.tell(f"yours: {as_code(one.given.answer) or 'none'}")
            began, card = time.monotonic(), one.question.card
            answer = _marked(self.ui, one.given, card) if card is not None else None
            answer = answer or one.given
            self.said = f"✓ right: {self.in_a_line(answer.right)}" if answer.score == 1 else ""
            self.answered[place] = AnsweredQuestion(one.question, answer, self._log(one.question, answer, began))

    def _log(self, question: QuizQuestion, given: QuizAnswer, began: float) -> UUID:
        took = round(1000 * (time.monotonic() - began))
        card = CardId(question.card.id if question.card is not None else "")
        unanswered = Grade.AGAIN if question.judged else None  # a card is not marked yet
        grade = suggested_grade(given.verdict) or unanswered
        recorded = self.store.log.record(EventKind.QUIZ, card, grade=grade, took_ms=took, showing=given.showing)
        return recorded.event.id


def _marked(ui: Ui, given: QuizAnswer, card: Card) -> QuizAnswer | None:
    """The answer with the points that the learner gives it, once the right one is out; None where they leave."""
    if given.answer and typed_answer.compare(given.answer, card.answer, card.prompt).same:
        return replace(given, verdict="correct")
    ui.tell(f"The answer: {given.right}")
    key = ui.choose("Was yours right?", RIGHT_OR_WRONG)
    if key is None:
        return None
    return replace(given, verdict="correct" if key == "y" else "incorrect")


def report(result: QuizResult, before: float | None) -> RunReport:
    """The result for its end."""
    answers = tuple(
        RunAnswer(one.prompt, one.right, one.score > 0, right_at_once(one.verdict, None), one.slips)
        for one in (answered.given for answered in result.answered)
    )
    return RunReport(answers, result.seconds, before)


def missed(result: QuizResult) -> tuple[QuizQuestion, ...]:
    """The questions that brought no point, to be asked again."""
    return tuple(one.question for one in result.answered if one.given.score == 0)


def lines(result: QuizResult) -> list[str]:
    """The result in words: in all, and by objective."""
    total = f"**Score: {result.score:g} of {len(result.planned)}**"
    rows = [f"- {name}: {score:g} of {asked}" for name, (score, asked) in result.by_objective().items()]
    return [total + (f" ({result.time_up})" if result.time_up else ""), "", *rows]


def feedback(document: Mapping[str, Any]) -> list[str]:
    """Each question of a quiz with both answers, from its document, in Markdown."""
    rows = []
    for number, one in enumerate(document["questions"], start=1):
        mark = {1: "✓ right", 0: "✗ wrong"}.get(one["score"], "✓ close, half a point")
        if one["verdict"] == "not_scored":
            mark = "not marked" if one["answer"] else "not answered"
        answer = one["answer"] if one.get("chosen") else as_code(one["answer"])
        rows += [f"**{number}. {mark}**", "", one["prompt"], ""]
        rows += [f"yours: {answer or 'none'}", "", f"right: {one['right']}", "", ""]
    return rows


def document(result: QuizResult) -> dict[str, object]:
    """The result as JSON."""
    objectives = {name: {"score": score, "of": asked} for name, (score, asked) in result.by_objective().items()}
    return {
        "seed": result.seed,
        "exam": result.exam,
        "score": result.score,
        "of": len(result.planned),
        "seconds": round(result.seconds, 1),
        "too_late": result.time_up == TOO_LATE,
        "objectives": objectives,
        "questions": [
            {
                "id": one.question.id,
                "objective": one.question.objective,
                "score": one.given.score,
                "verdict": one.given.verdict,
                "prompt": one.given.prompt,
                "answer": one.given.answer,
                "right": one.given.right,
                "slips": list(one.given.slips),
                "chosen": one.question.card is not None and one.question.card.kind is Kind.CHOICE,
            }
            for one in result.answered
        ],
    }
