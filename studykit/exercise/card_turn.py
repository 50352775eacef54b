"""Ask the question of a card in a review, save its tries, and ask a follow-up. The review logs the answer."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from studykit.cards.card import Card
from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.conversation import Conversation
from studykit.exercise.entry import Exercise
from studykit.exercise.services import Services
from studykit.exercise.tries import KeptTries, begun, log_lost, new_entries, open_tries
from studykit.exercise.turn import Asking, Draw
from studykit.review.question import Asked, Reply
from studykit.scheduling import outcomes
from studykit.scheduling.event_kinds import EventKind
from studykit.ui import RunPosition

if TYPE_CHECKING:
    from studykit.exercise.kind import ExerciseKind


@dataclass(slots=True)
class CardTurn:
    """Ask the question of one card whose answers the program judges, and save the tries."""

    services: Services
    card: Card
    macros: Mapping[str, str] = field(default_factory=dict)
    exercise: Exercise | None = None
    has_followed: bool = False  # one more was asked after it
    _kind: "ExerciseKind[Any] | None" = None
    _tries: KeptTries | None = None
    _logged_count: int = 0  # tries that are in the log

    def ask(
        self,
        talk: Conversation,
        seed: int,
        reopened: Asked | None,
        title: str = "",
        place: RunPosition | None = None,
    ) -> Asked:
        """Ask the card's question and any follow-up until closed or left, and return the state to grade."""
        log_lost(self.services)
        with Asking(self.services) as asking:
            asking.ui = talk.ui
            state = self._first_state(asking, seed, reopened)
            name = [state.question.name] if self.exercise is not None else []
            with KeptTries(self.services, self.card.id) as self._tries:
                state = talk.ask(state, " · ".join(filter(None, [title, *name])), place)
                if state.is_closed:
                    self._tries.drop()
            return self._ask_follow_up(asking, talk, state) if state.is_closed else state

    def keep(self, state: Asked) -> None:
        """Save the tries of an open question, so that a kill loses none."""
        if self._tries is not None and not state.is_closed:
            self._tries.keep(new_entries(self.card.id, state, self._logged_count))

    def _first_state(self, asking: Asking, seed: int, reopened: Asked | None) -> Asked:
        """Return the first state: a new question, one that an undo reopens, or one left open, with its tries."""
        if self.card.task is None:
            from studykit.exercise.quiz.card_questions import question_of

            question = question_of(self.card, seed, self.macros)
            if question.seed is None:
                question = replace(question, judge=partial(self._keep_line, question.judge))
            return Asked(question) if reopened is None else replace(reopened, question=question)
        try:
            exercise = self.exercise = catalog.find(self.card.task.name)
        except NotFoundError as error:
            raise BadDataError(f"{self.card.path}:{self.card.line}: {error.message}", error.command) from None
        from studykit.exercise.registry import kind_of

        kind = self._kind = kind_of(exercise)
        pinned = dict(self.card.task.pinned)
        draw = Draw(seed, pinned, card=self.card.id)
        tries = open_tries(self.services.store, self.card.id, exercise, outcomes.WRONG)
        if reopened is not None:
            exact = reopened.question.showing("", "", ())
            question = kind.pose(asking, exercise, replace(draw, seed=reopened.question.seed or 0, showing=exact))
            self._logged_count = len(tries)
            return replace(reopened, question=question)
        if tries:
            with suppress(StudyError):  # pinned to what is no longer there
                question = kind.pose(asking, exercise, replace(draw, seed=tries[-1].seed, showing=tries[-1]))
                self._logged_count = len(tries)
                return begun(self.services, question, tries)
        return begun(self.services, kind.pose(asking, exercise, asking.begun(exercise.id, draw)))

    def _keep_line(self, judge: Callable[[Asked], Reply], state: Asked) -> Reply:
        """Save the typed line as a draft, then judge it and return the reply."""
        self.services.open_drafts().keep(self.card.id, state.given[-1])
        return judge(state)

    def _ask_follow_up(self, asking: Asking, talk: Conversation, state: Asked) -> Asked:
        """Offer a follow-up if a slip recurs or nothing was scored, and return the state to grade."""
        is_unscored = state.verdict == outcomes.NOT_SCORED
        if self.exercise is None or (state.grade is None and not is_unscored):
            return state
        if is_unscored and state.promises:
            self.services.store.log.record(EventKind.PRACTICE, self.card.id, showing=state.showing)
        follow_up = self._kind.follow_up if self._kind is not None else None
        extra_turn = follow_up(self.services, self.exercise.id, state) if follow_up is not None else None
        if extra_turn is None or talk.ui.choose("", [("", extra_turn.reason)]) is None:
            return state
        extra_state = talk.ask(Asked(extra_turn.pose(asking, ())), f"{extra_turn.name} · {extra_turn.heading}")
        if is_unscored:  # the review logs the recorded bet as the card's answer
            return extra_state if extra_state.is_closed else state
        if extra_state.is_closed:
            self.services.store.log.record(EventKind.PRACTICE, self.card.id, showing=extra_state.showing)
        self.has_followed = True
        return state
