"""Run a quiz: questions mixed by objective, one try each, answers logged, schedule unchanged."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast
from uuid import UUID

from studykit.cards.card import JUDGED, OBJECTIVES, Card, CardId, Kind
from studykit.cards.markdown import as_code
from studykit.errors import NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate.selection import interleaved
from studykit.exercise.registry import kind_of
from studykit.exercise.run import Run, RunState
from studykit.exercise.services import Services
from studykit.exercise.turn import Asking, Done, Draw, Turn, seeds_from
from studykit.review.keymap import keymap
from studykit.review.question import UNMARKED, Asked, Phase, Policy, Question, Reply
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import NOT_SCORED, SKIPPED, points
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store
from studykit.text import did_you_mean

OTHER = "other"
"""The objective of a card that names none."""


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """Hold a card, or an exercise with the parameters that its card pins."""

    id: str
    objective: str
    card: Card | None = None
    exercise: Exercise | None = None
    pinned: tuple[tuple[str, str], ...] = ()

    @property
    def judged(self) -> bool:
        """Return whether the program judges the answer, not the learner."""
        return self.exercise is not None or (self.card is not None and self.card.kind in JUDGED)


@dataclass(frozen=True, slots=True)
class QuizResult:
    """Hold the result of a quiz, and compute its points."""

    seed: int
    planned: tuple[QuizQuestion, ...]  # answered or not
    answered: tuple[Done, ...] = ()
    seconds: float = 0.0
    exam: bool = False
    time_up: str = ""  # in words, where time ended it

    @property
    def score(self) -> float:
        """Return the points: one for each right answer, half for a close one."""
        return sum(map(score_of, self.answered))

    def by_objective(self) -> dict[str, tuple[float, int]]:
        """Return the points and the number of questions by objective, in lesson order."""
        scores: dict[str, tuple[float, int]] = {}
        for name in (*OBJECTIVES, OTHER):
            if count := sum(question.objective == name for question in self.planned):
                marks = [score_of(one) for one in self.answered if question_of(one).objective == name]
                scores[name] = (sum(marks), count)
        return scores


def of_card(card: Card) -> QuizQuestion:
    """Return a card as a question."""
    return QuizQuestion(str(card.id), card.objectives[0] if card.objectives else OTHER, card=card)


def of_exercise(exercise: Exercise, card: Card | None = None) -> QuizQuestion:
    """Return an exercise as a question, with the pins of its card if it has one."""
    pinned = card.task.pinned if card is not None and card.task is not None else ()
    return QuizQuestion(exercise.id if card is None else str(card.id), exercise.objective, card, exercise, pinned)


def questions_of(
    store: Store, names: Sequence[str], deck_ids: Callable[[str], Sequence[str]]
) -> list[QuizQuestion]:
    """Return the questions of decks and sets, each once. `deck_ids` raises NotFoundError for other names."""
    questions: dict[str, QuizQuestion] = {}
    for name in names:
        questions |= {question.id: question for question in _questions_named(store, name, deck_ids)}
    if not questions and names:
        raise NotFoundError(f"A quiz cannot ask anything from {', '.join(names)}. Name other decks or sets.")
    return list(questions.values())


def _questions_named(store: Store, name: str, deck_ids: Callable[[str], Sequence[str]]) -> Iterable[QuizQuestion]:
    try:
        decks = deck_ids(name)
    except NotFoundError:
        try:
            exercises = catalog.of_set(name)
        except NotFoundError:
            near = did_you_mean(name, [*store.cards.deck_names(), *catalog.sets()])
            raise NotFoundError(f"No deck or set is named {name!r}.{near}", "study deck list") from None
        return [of_exercise(exercise) for exercise in exercises if kind_of(exercise).in_quiz]
    return filter(None, [_of_any_card(card) for deck in decks for card in store.cards.all(deck=deck)])


def _of_any_card(card: Card) -> QuizQuestion | None:
    """Return a card as a question, or None if its exercise is invalid or its kind is not asked in quizzes."""
    if card.task is None:
        return of_card(card)
    if (exercise := catalog.known(card.task.name)) is None:
        return None
    try:
        kind = kind_of(exercise)
        kind.refuse_pins(exercise, dict(card.task.pinned))
    except StudyError:
        return None
    return of_exercise(exercise, card) if kind.in_quiz else None


def planned(questions: Iterable[QuizQuestion], number: int, seed: int) -> tuple[QuizQuestion, ...]:
    """Choose at most `number` different questions, taking the objectives in turn."""
    pool = list(questions)
    return interleaved(pool, min(number, len(pool)), f"quiz:{seed}")


TIME_UP = "time is up"
TOO_LATE = f"{TIME_UP}, and your last answer came too late"


def question_of(done: Done) -> QuizQuestion:
    """Return the quiz question of a closed turn."""
    question: QuizQuestion = done.turn.detail
    return question


def score_of(done: Done) -> float:
    """Return the points of a closed question: 1 if right, 0.5 if close, else 0."""
    return points(done.asked.verdict)


@dataclass(slots=True)
class Quiz:
    """Run a quiz with one try per question and no help."""

    services: Services
    plan: Sequence[QuizQuestion]
    seed: int
    exam: bool = False
    minutes: float | None = None
    keep: Callable[[QuizResult], None] = lambda _: None  # called with what was answered until now
    begun: Mapping[str, Any] | None = None  # the document of this quiz, which was interrupted
    run: Run = field(init=False)

    def take(self) -> QuizResult:
        """Ask all questions until the learner leaves or time is up, and return the result."""
        settings = self.services.settings
        goes_on = not settings("review").get("confirm_right")
        policy = Policy(1, has_help=False, is_silent=self.exam, can_undo=not self.exam, goes_on=goes_on)
        with Asking(self.services) as asking, self.services.open_ui() as asking.ui:
            turns = tuple(map(self._turn_of, count(), self.plan, seeds_from(self.seed)))
            why = f"a quiz, seed {self.seed}: `study quiz --seed {self.seed}` asks the same of the same decks"
            self.run = Run(
                asking, keymap(keys=settings("keys")), RunState(turns), policy, why, record=self._log_answer
            )
            self.run.started = self.run.clock()
            self.run.kept = lambda _done: self.keep(self.result())
            if self.minutes is not None:
                self.run.deadline = self.run.started + 60 * self.minutes
            if self.begun is not None:
                self._go_on(asking, self.begun)
            self.keep(self.result())  # a quiz that is killed before its first answer goes on as well
            try:
                self.run.through()
                if self.exam:
                    self.run.mark(policy._replace(is_silent=False))
            finally:  # Ctrl-C, a signal, a terminal that is gone
                self.run.log_unmarked()
        return self.result()

    def _go_on(self, asking: Asking, begun: Mapping[str, Any]) -> None:
        """Resume an interrupted quiz after its last answer, with the remaining time."""
        run = self.run
        for row, event in zip(begun["questions"], begun["open"]["events"], strict=True):
            turn, verdict, answer = run.turn, row["verdict"], row["answer"]
            if verdict == NOT_SCORED and answer and not turn.detail.judged:
                verdict = UNMARKED
                if event:  # logged without a mark, as it was interrupted
                    run.store.log.undo(UUID(event))
            tries = (Reply(verdict, answer=answer, slips=tuple(row["slips"])),) if answer else ()
            state = Asked(turn.pose(asking, ()), Phase.CLOSED, answers=(answer,), tries=tries, verdict=verdict)
            event_id = UUID(event) if event and verdict != UNMARKED else None
            run.add(Done(turn, run.state.place, state, 0, event_id))
            run.advance()
        message = f"Going on with the quiz you left, {run.state.place} of {len(self.plan)} answered."
        run.message = f"{message} Another one: study quiz --seed N"
        run.started -= begun["seconds"]
        if run.deadline is not None:
            run.deadline -= begun["seconds"]

    def result(self) -> QuizResult:
        """Return the result so far."""
        run = self.run
        late = any(one.asked.verdict == NOT_SCORED and one.asked.answers for one in run.state.done[-1:])
        time_up = (TOO_LATE if late else TIME_UP) if run.time_up else ""
        seconds = run.clock() - run.started
        return QuizResult(self.seed, tuple(self.plan), run.state.done, seconds, self.exam, time_up)

    def _turn_of(self, place: int, question: QuizQuestion, card_seed: int) -> Turn:
        def pose(asking: Asking, _done: Sequence[Done]) -> Question:
            if question.exercise is not None:
                draw = Draw(self.seed + place, dict(question.pinned), is_exact=True)
                return kind_of(question.exercise).pose(asking, question.exercise, draw)
            from studykit.exercise.quiz import card_questions

            return card_questions.question_of(cast("Card", question.card), card_seed, is_marked=True)

        heading = f"quiz {place + 1}/{len(self.plan)}" + (" · exam" if self.exam else "")
        return Turn(question.id, heading, pose, detail=question)

    def _log_answer(self, run: Run, done: Done) -> UUID | None:
        """Log an answer and return its event's id, or None for a card of an exam that is not marked yet."""
        question, state = question_of(done), done.asked
        if self.exam and state.is_unmarked and not run.is_over:
            return None
        card = CardId(question.card.id if question.card is not None else "")
        grade = state.grade or (Grade.AGAIN if question.judged else None)
        showing = state.showing if question.judged else None
        recorded = run.store.log.record(EventKind.QUIZ, card, grade=grade, took_ms=done.took_ms, showing=showing)
        return recorded.event.id


def missed(result: QuizResult) -> tuple[QuizQuestion, ...]:
    """Return the questions whose answers got no points, to ask them again."""
    return tuple(question_of(one) for one in result.answered if score_of(one) == 0)


def total_score(result: QuizResult) -> str:
    """Format the total score, with a remark if the time was up."""
    remark = f" ({result.time_up})" if result.time_up else ""
    return f"Score: {result.score:g} of {len(result.planned)}{remark}"


def feedback(document: Mapping[str, Any]) -> list[str]:
    """Format each question of a quiz's document with both answers, as Markdown."""
    rows = []
    for number, one in enumerate(document["questions"], start=1):
        mark = {1: "✓ right", 0: "✗ wrong"}.get(one["score"], "≈ close, half a point")
        if one["verdict"] in {NOT_SCORED, SKIPPED}:
            mark = "not marked" if one["answer"] else "not answered"
        answer = one["answer"] if one.get("chosen") else as_code(one["answer"])
        rows += [f"**{number}. {mark}**", "", one["prompt"], ""]
        rows += [f"yours: {answer or 'none'}", "", f"right: {one['right']}", "", ""]
    return rows


def document(result: QuizResult) -> dict[str, object]:
    """Return the result as a dictionary to be written as JSON."""
    objectives = {name: {"score": score, "of": count} for name, (score, count) in result.by_objective().items()}
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
                "id": question.id,
                "objective": question.objective,
                "score": score_of(one),
                "verdict": one.asked.verdict or NOT_SCORED,
                "prompt": one.asked.question.text,
                "answer": one.asked.answer,
                "right": one.asked.right,
                "slips": list(one.asked.slips),
                "chosen": question.card is not None and question.card.kind is Kind.CHOICE,
            }
            for one, question in zip(result.answered, map(question_of, result.answered), strict=True)
        ],
    }


def interrupted(result: QuizResult, day: str) -> dict[str, object]:
    """Return the document of an unfinished quiz, with what is needed to resume it on the same day."""
    ids = [question.id for question in result.planned]
    events = [str(one.event) if one.event else "" for one in result.answered]
    return {**document(result), "open": {"day": day, "ids": ids, "events": events}}
