"""The question behind a card of a review: asked, its tries kept, and followed up; the review logs its answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from studykit.cards.card import Card
from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.conversation import Conversation
from studykit.exercise.entry import Exercise
from studykit.exercise.services import Services
from studykit.exercise.tries import KeptTries, KeptTry, begun, drop_edited, log_lost, open_tries
from studykit.exercise.turn import Asking, Draw, Turn
from studykit.review.question import Asked, Reply
from studykit.scheduling import outcomes
from studykit.scheduling.event_kinds import EventKind
from studykit.ui import RunPosition

if TYPE_CHECKING:
    from studykit.exercise.kind import ExerciseKind


@dataclass(slots=True)
class CardTurn:
    """A card whose question is asked by a program, not marked by its learner."""

    services: Services
    card: Card
    macros: Mapping[str, str] = field(default_factory=dict)
    exercise: Exercise | None = None
    has_followed: bool = False  # one more was asked behind it
    _tries: KeptTries | None = None
    _known: int = 0  # tries that are in the log

    def ask(
        self,
        talk: Conversation,
        seed: int,
        reopened: Asked | None,
        title: str = "",
        place: RunPosition | None = None,
    ) -> Asked:
        """Ask until the question is closed or left by a command."""
        log_lost(self.services)
        with Asking(self.services) as asking:
            asking.ui = talk.ui
            asked = self._begun(asking, seed, reopened)
            self._tries = KeptTries(self.services, self.card.id)
            name = [asked.question.name] if self.exercise is not None else []
            try:
                asked = talk.ask(asked, " · ".join(filter(None, [title, *name])), place)
            except BaseException:  # Ctrl-C, a signal, a terminal that is gone
                self._tries.log()
                raise
            if not asked.is_closed:
                self._tries.log()
                return asked
            self._tries.drop()
            drop_edited(self.services, asked)
            return self._follow_up(asking, talk, asked)

    def keep(self, asked: Asked) -> None:
        """Keep the tries of a question that is open, so that a kill loses none."""
        if self._tries is not None and not asked.is_closed:
            self._tries.keep(self._entries(asked))

    def _begun(self, asking: Asking, seed: int, reopened: Asked | None) -> Asked:
        """Return the question to ask: new, asked again after an undo, or with the tries of an earlier day."""
        if self.card.task is None:
            from studykit.exercise.quiz.card_questions import question_of

            question = question_of(self.card, seed, self.macros)
            if question.seed is None:
                question = replace(question, judge=partial(self._keep_line, question.judge))
            return Asked(question) if reopened is None else replace(reopened, question=question)
        exercise, kind = _exercise_of(self.card)
        self.exercise = exercise
        if kind.pose is None:
            raise BadDataError(f"{self.card.path}:{self.card.line}: {exercise.id} is not an exercise for a card.")
        pinned = dict(self.card.task.pinned)
        draw = Draw(seed, pinned, card=self.card.id)
        tries = open_tries(self.services.store, self.card.id, exercise, outcomes.WRONG)
        if reopened is not None:
            exact = reopened.question.showing("", "", ())
            question = kind.pose(asking, exercise, replace(draw, seed=reopened.question.seed or 0, showing=exact))
            self._known = len(tries)
            return replace(reopened, question=question)
        if tries:
            try:
                question = kind.pose(asking, exercise, replace(draw, seed=tries[-1].seed, showing=tries[-1]))
            except StudyError:  # pinned to what is no longer there
                return begun(self.services, kind.pose(asking, exercise, draw))
            self._known = len(tries)
            return begun(self.services, question, tries)
        return begun(self.services, kind.pose(asking, exercise, asking.begun(exercise.id, draw)))

    def _keep_line(self, judge: Callable[[Asked], Reply], asked: Asked) -> Reply:
        """Keep a typed line before its verdict is shown. It waits until the card is graded."""
        self.services.open_drafts().keep(self.card.id, asked.given[-1])
        return judge(asked)

    def _entries(self, asked: Asked) -> Sequence[KeptTry]:
        """Return what the log keeps of the tries of this sitting where the question is left open."""
        new: list[KeptTry] = []
        for answer, reply in list(zip(asked.answers, asked.tries, strict=False))[self._known :]:
            showing = asked.question.showing(reply.answer or answer, reply.verdict, asked.slips)
            if showing is not None:
                new.append(KeptTry(self.card.id, showing))
        return new

    def _follow_up(self, asking: Asking, talk: Conversation, asked: Asked) -> Asked:
        """Ask one more of the kind if a slip keeps coming back or nothing was scored. Return what is graded."""
        is_unscored = asked.verdict == outcomes.NOT_SCORED
        if self.exercise is None or (asked.grade is None and not is_unscored):
            return asked
        if is_unscored and asked.promises:
            self.services.store.log.record(EventKind.PRACTICE, self.card.id, showing=asked.showing)
        _, kind = _exercise_of(self.card)
        more: Turn | None = None
        if kind.follow_up is not None:
            more = kind.follow_up(self.services, self.exercise.id, asked)
        if more is None or talk.ui.choose("", [("", more.reason)]) is None:
            return asked
        second = talk.ask(Asked(more.pose(asking, ())), f"{more.name} · {more.heading}")
        if second.is_closed and not is_unscored:
            self.services.store.log.record(EventKind.PRACTICE, self.card.id, showing=second.showing)
        self.has_followed = not is_unscored
        return second if is_unscored and second.is_closed else asked


def _exercise_of(card: Card) -> "tuple[Exercise, ExerciseKind[Any]]":
    from studykit.exercise.registry import kind_of

    try:
        exercise = catalog.find(card.task.name if card.task is not None else "")
    except NotFoundError as error:
        raise BadDataError(f"{card.path}:{card.line}: {error.message}", error.command) from None
    return exercise, kind_of(exercise)
