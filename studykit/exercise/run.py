"""Practise a set, from its plan to the retry of missed questions: a run asks, logs and undoes its questions."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from studykit.cards.card import NO_CARD
from studykit.cards.markdown import as_code
from studykit.exercise import catalog
from studykit.exercise.conversation import UNDO, Conversation, undone_words
from studykit.exercise.services import Services
from studykit.exercise.tries import KeptTries, KeptTry, begun, log_lost, new_entries
from studykit.exercise.turn import Asking, Done, Draw, Turn
from studykit.review.keymap import Keymap, keymap
from studykit.review.question import Asked, Phase, Policy, Question
from studykit.scheduling import outcomes
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import NOT_SCORED, is_missed
from studykit.scheduling.recall_grade import Grade
from studykit.ui import RunPosition

if TYPE_CHECKING:
    from studykit.exercise.entry import Exercise
    from studykit.exercise.kind import ExerciseKind, SetRequest
    from studykit.review.progress import RunReport
    from studykit.store.store import Store

E = TypeVar("E", bound="Exercise")

FINAL = "In an exam nothing that was submitted can be taken back."
_ROOMY_COLUMNS = 60  # that have room for the exercise's name in the title


@dataclass(slots=True)
class Run:
    """Run a list of questions. `through` asks them until the end or until the learner leaves."""

    asking: Asking
    keymap: Keymap
    turns: list[Turn]
    policy: Policy = field(default_factory=Policy)
    why: str = ""  # what asks these questions
    record: "Callable[[Run, Done], UUID | None]" = lambda run, done: run.log_practice(done)
    kept: Callable[[Sequence[Done]], None] = lambda _: None  # called with each closed question
    done: list[Done] = field(default_factory=list)
    deadline: float | None = None
    time_up: bool = False
    is_over: bool = False  # what is not marked by now is logged as it is
    started: float = field(default_factory=time.monotonic)
    place: int = 0  # of the question to ask next
    message: str = ""  # of what was done before, shown with the next question
    _open_state: Asked | None = None  # the question that is asked now, or was left
    _began_s: float = 0.0
    _tries: KeptTries | None = None
    _followed_families: set[str] = field(default_factory=set)

    @property
    def store(self) -> "Store":
        """Return the learner's store."""
        return self.asking.services.store

    # The place that asks, for a conversation

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the words, by name, of the commands that work while an answer is typed."""
        return {"undo": "undo", "why": "why", "info": "", "lesson": ""}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return a command and its word for each key that works while no line is typed."""
        undo = "undo" if self.policy.can_undo else ""
        closed = [one for one in self.done if one.place == self.place]  # the question on the page
        lesson = "lesson" if closed and is_missed(closed[-1].asked.verdict) else ""
        return {"u": (UNDO, undo), "o": ("lesson", lesson), "i": ("info", "info"), "w": ("why", "why")}

    def obey(self, name: str, state: Asked) -> bool:
        """Run a command, and return True if it leaves the question."""
        if name == UNDO:
            if not self.policy.can_undo:
                self.asking.ui.tell(FINAL)
            return self.policy.can_undo
        place = f"Question {self.place + 1} of {len(self.turns)} of {self.why}."
        self.asking.ui.tell(state.question.info if name == "info" else place)
        return False

    def keep(self, state: Asked) -> None:
        """Log a closed question. Save the tries at an open one, to be logged if it is left."""
        if self._tries is None:  # what is being marked is logged with its mark
            return
        if not state.is_closed:
            self._tries.keep(self._left_entries(state))
            return
        took_ms = round(1000 * (time.monotonic() - self._began_s))
        done = Done(self.turns[self.place], self.place, state, took_ms)
        self.done.append(replace(done, event=self.record(self, done)))
        self._tries.drop()
        self._open_state = None
        self.kept(self.done)

    # The run

    def through(self) -> None:
        """Ask the remaining turns until the end, until time is up, or until the learner leaves."""
        talk = Conversation(self.asking.services, self.asking.ui, self.policy, self, self.keymap, self.deadline)
        while self.place < len(self.turns) and not self.time_up:
            if self.deadline is not None and time.monotonic() >= self.deadline:
                self.time_up = True
                return
            if not self._ask_turn(talk):
                return

    def _ask_turn(self, talk: Conversation) -> bool:
        """Ask the current turn, and return whether the run goes on."""
        turn = self.turns[self.place]
        if self._open_state is None and turn.reason and talk.ui.choose("", [("", turn.reason)]) is None:
            del self.turns[self.place]
            return True
        state = self._open_state or begun(self.asking.services, turn.pose(self.asking, self.done), turn.tries)
        self._open_state, self._began_s = state, time.monotonic()
        values = turn.values(self.done) if turn.values is not None else ()
        place = RunPosition(self.place, len(self.turns), self.message, values)
        self.message = ""
        with KeptTries(self.asking.services, turn.name) as self._tries:
            try:
                state = talk.ask(state, self._title(turn), place)
            except BaseException:  # Ctrl-C, a signal, a terminal that is gone
                self._open_state = (
                    talk.current if talk.current is not None and not talk.current.is_closed else None
                )
                raise
            if not state.is_closed and talk.exit_command == UNDO:
                self._tries.drop()
        if state.is_closed:
            return self._finish_question(talk, turn, state)
        if talk.exit_command == UNDO:
            self.undo(state)
            return True
        self._open_state = state
        return False

    def _title(self, turn: Turn) -> str:
        is_exercise = bool(turn.family) or turn.is_step  # the id of a card may give its answer away
        roomy = self.asking.ui.width >= _ROOMY_COLUMNS and turn.name not in turn.heading
        parts = [turn.heading, turn.name if roomy and is_exercise else ""]
        if self.deadline is not None:
            parts.append("{}:{:02} to go".format(*divmod(max(0, round(self.deadline - time.monotonic())), 60)))
        return " · ".join(part for part in parts if part)

    def _finish_question(self, talk: Conversation, turn: Turn, state: Asked) -> bool:
        """Finish a closed question, and return whether the run goes on."""
        if state.verdict == NOT_SCORED and self.deadline is not None and time.monotonic() >= self.deadline:
            self.time_up = True
            self.place += 1
            return False
        addition = turn.closing(self.done) if turn.closing is not None else ""
        if addition:
            talk.ui.tell(addition)
        if turn.follow is not None and turn.family not in self._followed_families:
            follow_up_turn = turn.follow(state)
            if follow_up_turn is not None:
                self._followed_families.add(turn.family)
                self.turns.insert(self.place + 1, follow_up_turn)
        if self.policy.is_silent:
            self.place += 1
            return True
        if self.policy.goes_on and not state.waits and not addition:
            self.message = self.asking.services.in_a_line(state.line)
            self.place += 1
            return True
        return self._choose_next(talk, turn, state)

    def _choose_next(self, talk: Conversation, turn: Turn, state: Asked) -> bool:
        """Let the learner choose what comes next, and return whether the run goes on."""
        is_last = self.place + 1 == len(self.turns)
        words = {"": "done" if is_last else "next"}
        if outcomes.is_right(state.verdict) and state.question.steps:
            words["s"] = "steps"
        if turn.again is not None:
            words["r"] = "again"
        while True:
            match talk.choose("", [*words.items()], state):
                case "s":
                    talk.ui.tell(state.question.steps)
                    words.pop("s")
                case "r" if turn.again is not None:
                    self.turns[self.place] = turn.again()
                    return True
                case "":
                    self.place += 1
                    return True
                case _:
                    if talk.exit_command == UNDO:
                        self.undo()
                        return True
                    self.place += 1
                    return False

    def mark(self, policy: Policy) -> None:
        """Let the learner mark the answers that only they can judge, and log them."""
        talk = Conversation(self.asking.services, self.asking.ui, policy, self, self.keymap)
        self._tries = None
        places = [place for place, answer in enumerate(self.done) if answer.asked.is_unmarked]
        for count, place in enumerate(places):
            answer, began_s = self.done[place], time.monotonic()
            yours = f"yours: {as_code(answer.asked.answer) or 'none'}"
            state = replace(answer.asked, phase=Phase.MARKING).say(
                yours, f"The answer: {answer.asked.question.right}"
            )
            position = RunPosition(count, len(places), self.message)
            state = talk.ask(state, f"marking {count + 1}/{len(places)}", position)
            if talk.exit_command:
                return
            line = self.asking.services.in_a_line(state.line)
            self.message = line if state.verdict == outcomes.RIGHT else ""
            new_answer = replace(answer, asked=state, took_ms=round(1000 * (time.monotonic() - began_s)))
            self.done[place] = replace(new_answer, event=self.record(self, new_answer))

    def log_unmarked(self) -> None:
        """Log unmarked answers without a grade."""
        self.is_over = True
        if self._open_state is not None and self._open_state.phase is Phase.MARKING:
            self.done.append(Done(self.turns[self.place], self.place, self._open_state, 0))
        for place, answer in enumerate(self.done):
            if answer.event is None and answer.asked.is_unmarked:
                self.done[place] = replace(answer, event=self.record(self, answer))
        if self.done:
            self.kept(self.done)

    def undo(self, shown: Asked | None = None) -> None:
        """Undo the last answer, so that its question is asked again, or else the last event before the run.

        `shown` is the open question on the screen.
        """
        if not self.done:
            self.message = undone_words(self.store.log.undo())
            self._open_state = shown
            return
        newest = self.done.pop()
        self.message = undone_words(self.store.log.undo(newest.event)) if newest.event else "undone: your answer"
        self.place = newest.place
        self.turns[self.place] = newest.turn
        self._open_state = newest.asked.reopened

    def log_practice(self, done: Done) -> UUID | None:
        """Log a closed question as practice and return the event's id, or None if nothing was scored or bet."""
        if done.asked.verdict == NOT_SCORED and not done.asked.promises:
            return None
        recorded = self.store.log.record(
            EventKind.PRACTICE,
            NO_CARD,
            grade=done.asked.grade,
            took_ms=done.took_ms,
            showing=done.asked.showing,
        )
        return recorded.event.id

    def _left_entries(self, state: Asked) -> Sequence[KeptTry]:
        """Return what to log of a question left open: every new try at a step, else the last try, if any."""
        turn = self.turns[self.place]
        if turn.is_step:
            return new_entries("", state, len(turn.tries))
        showing = state.question.showing(state.answer, state.last.verdict, state.slips) if state.tries else None
        if showing is None:
            return ()
        took_ms = round(1000 * (time.monotonic() - self._began_s))
        return [KeptTry("", showing, Grade.AGAIN, took_ms)]

    @property
    def remaining(self) -> int:
        """Count the questions that are not closed."""
        return len(self.turns) - self.place

    def report(self) -> "RunReport":
        """Report the closed questions of the run, and how long it took."""
        from studykit.review.progress import RunReport

        seconds = time.monotonic() - self.started
        has_tries = self._open_state is not None and bool(self._open_state.tries)
        answers = tuple(one.asked for one in self.done)
        return RunReport(answers, seconds, has_open_tries=has_tries, message=self.message)

    @property
    def missed(self) -> list[Turn]:
        """Return turns that ask each missed question once more, with new numbers where possible."""
        turns = {one.turn.name: one.turn for one in self.done if is_missed(one.asked.verdict)}
        return [turn.again() if turn.again is not None else turn for turn in turns.values()]


def practise(
    services: Services, turns: Callable[[Asking], Sequence[Turn]], why: str, progress: Callable[[], str] = str
) -> int:
    """Ask a set, report on it, and retry misses as often as the learner wants. Return an exit code.

    The report ends with the `progress` of the set.
    """
    log_lost(services)
    keys = keymap(keys=services.settings("keys"))
    policy = Policy(goes_on=not services.settings("review").get("confirm_right"))
    run = None
    with Asking(services) as asking:
        while True:
            with services.open_ui() as ui:
                asking.ui = ui
                run = run or Run(asking, keys, list(turns(asking)), policy, why)
                try:
                    run.through()
                except KeyboardInterrupt as stop:  # the caller reports it once the terminal is given back
                    stop.args = (run.remaining,)
                    raise
            match services.end_run(replace(run.report(), progress=progress(), remaining=run.remaining)):
                case "u":
                    run.undo()
                case "m":
                    run = Run(asking, keys, run.missed, policy, why)
                case _:
                    return 0


def put_drafted_first(services: Services, exercises: Iterable[E], plan: Sequence[E]) -> Sequence[E]:
    """Put exercises with an unfinished draft, such as after a kill, first in the plan, which keeps its length."""
    newest = services.open_drafts().newest
    drafted = [
        exercise
        for exercise in exercises
        if newest(f"{exercise.id} ") or newest(f"{exercise.id}.") or newest(f"editor {exercise.id}")
    ]  # at the exercise, at a step of it, in the editor
    rest = list(plan)  # which repeats an exercise of a small set
    for exercise in drafted:
        if exercise in rest:
            rest.remove(exercise)
    return [*drafted, *rest][: len(plan)]


def practise_plan(
    services: Services,
    kind: "ExerciseKind[Any]",
    request: "SetRequest",
    seed: int,
    kind_of: "Callable[[Exercise], ExerciseKind[Any]]",
) -> int:
    """Practise the exercises that a kind plans for a seed, and return the exit code."""
    exercises = kind.plan(services, request, seed)
    if request.seed is None and not request.pinned and request.name in catalog.sets():
        exercises = put_drafted_first(services, request.exercises(request.name), exercises)

    def turn(exercise: "Exercise", draw: Draw, heading: str) -> Turn:
        own = kind_of(exercise)  # timing bets may have counted ones among them

        def pose(asking: Asking, _done: Sequence[Done]) -> Question:
            return own.pose(asking, exercise, asking.begun(exercise.id, draw))

        next_draw = replace(draw, seed=draw.seed + 1, is_exact=False)
        follow = partial(kind.follow_up, services, exercise.id) if kind.follow_up and own is kind else None
        again = partial(turn, exercise, next_draw, heading)
        return Turn(exercise.id, heading, pose, again, follow, family=exercise.id)

    name, is_exact = request.name, request.seed is not None
    turns = [
        turn(
            one,
            Draw(seed + place, request.pinned, is_exact, rough=request.rough),
            f"{name} {place + 1}/{len(exercises)}",
        )
        for place, one in enumerate(exercises)
    ]
    return practise(services, lambda _asking: turns, f"{name}, seed {seed}")
