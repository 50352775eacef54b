"""Practise a set, from its plan to the retry of missed questions: a run asks, logs and undoes its questions."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import UUID

from studykit.cards.card import NO_CARD
from studykit.cards.markdown import as_code
from studykit.exercise import catalog
from studykit.exercise.conversation import QUIT, UNDO, Conversation, undone_words
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


class RunState(NamedTuple):
    """Hold the state of a run, which undo restores."""

    turns: tuple[Turn, ...]
    place: int = 0  # of the current turn
    begun: Turn | None = None  # instead of the turn at this place, which was not known in full before
    asked: Asked | None = None  # its question, as it was posed, left or closed
    done: tuple[Done, ...] = ()
    followed: frozenset[str] = frozenset()  # families


@dataclass(slots=True)
class Run:
    """Run a queue of questions. `through` asks them until the end or until the learner leaves."""

    asking: Asking
    keymap: Keymap
    state: RunState
    policy: Policy = field(default_factory=Policy)
    why: str = ""  # what asks these questions
    record: "Callable[[Run, Done], UUID | None]" = lambda run, done: run.log_practice(done)
    kept: Callable[[Sequence[Done]], None] = lambda _: None  # called with each closed question
    clock: Callable[[], float] = field(default_factory=lambda: time.monotonic)
    deadline: float | None = None
    time_up: bool = False
    is_over: bool = False  # what is not marked by now is logged as it is
    started: float = field(default_factory=time.monotonic)
    message: str = ""  # of what was done before, shown with the next question
    store: "Store" = field(init=False)
    past: list[tuple[RunState, UUID | None]] = field(default_factory=list)  # and the event that undo takes back
    _began_s: float = 0.0
    _tries: KeptTries | None = None

    def __post_init__(self) -> None:
        """Open the learner's store."""
        self.store = self.asking.services.store

    @property
    def turn(self) -> Turn:
        """Return the turn whose question is asked."""
        return self.state.begun or self.state.turns[self.state.place]

    # The place that asks, for a conversation

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the words, by name, of the commands that work while an answer is typed."""
        return {"undo": "undo", "why": "why", "info": "", "lesson": ""}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return a command and its word for each key that works while no line is typed."""
        undo = "undo" if self.policy.can_undo else ""
        asked = self.state.asked
        lesson = "lesson" if asked is not None and is_missed(asked.verdict) else ""
        return {"u": (UNDO, undo), "o": ("lesson", lesson), "i": ("info", "info"), "w": ("why", "why")}

    def obey(self, name: str, asked: Asked) -> bool:
        """Run a command, and return True if it leaves the question."""
        if name == UNDO:
            return self._undo_on_page()
        place = f"Question {self.state.place + 1} of {len(self.state.turns)} of {self.why}."
        self.asking.ui.tell(asked.question.info if name == "info" else place)
        return False

    def _undo_on_page(self) -> bool:
        """Undo, and return whether another question is asked. If not, say what was done."""
        if not self.policy.can_undo:
            self.asking.ui.tell(FINAL)
            return False
        if self.undo():
            if self._tries is not None:
                self._tries.drop()
            return True
        words = self.message.rstrip(".")
        self.asking.ui.tell(f"{words[:1].upper()}{words[1:]}.")
        self.message = ""
        return False

    def keep(self, asked: Asked) -> None:
        """Log a closed question. Save the tries at an open one, to be logged if it is left."""
        if self._tries is None:  # what is being marked is logged with its mark
            return
        if not asked.is_closed:
            self._tries.keep(self._left_entries(asked))
            return
        done = Done(self.turn, self.state.place, asked, self._took_ms())
        self.add(replace(done, event=self.record(self, done)))
        self._tries.drop()
        self.kept(self.state.done)

    def is_early(self) -> bool:
        """Return False, because each question of a set is begun by its learner or typed."""
        return False

    # The run

    def through(self) -> None:
        """Ask the remaining turns until the end, until time is up, or until the learner leaves."""
        talk = Conversation(self.asking.services, self.asking.ui, self.policy, self, self.keymap, self.deadline)
        self.time_up = False
        while self.remaining and not self.time_up:
            if self.deadline is not None and self.clock() >= self.deadline:
                self.time_up = True
                return
            if not self._ask_turn(talk):
                return

    def _ask_turn(self, talk: Conversation) -> bool:
        """Ask the current turn, and return whether the run goes on."""
        asked = self._begin() if self.state.asked is None else self.state.asked
        if asked is None:
            return True
        self.state, self._began_s = self.state._replace(asked=asked), self.clock()
        finish = self._choose_next if asked.is_closed else self._finish_question
        position, self.message = self._position(), ""
        with KeptTries(self.asking.services, self.turn.name) as self._tries:
            try:
                asked = talk.ask(asked, self._title(), position)
            except BaseException:  # Ctrl-C, a signal, a terminal that is gone
                self.state = self.state._replace(asked=talk.current or asked)
                raise
        if asked.is_closed:
            return finish(talk, asked)
        if talk.exit_command != QUIT:  # a command has changed the state
            return True
        self.state = self.state._replace(asked=asked)
        return False

    def _begin(self) -> Asked | None:
        """Return the question of the current turn as it is first asked, or None if it is declined."""
        turn = self.turn
        if turn.reason and self.asking.ui.choose("", [("", turn.reason)]) is None:
            self._put_turns()
            return None
        return begun(self.asking.services, turn.pose(self.asking, self.state.done), turn.tries)

    def _put_turns(self, *turns: Turn) -> None:
        """Put these turns in the place of the current one."""
        before, after = self.state.turns[: self.state.place], self.state.turns[self.state.place + 1 :]
        self.state = self.state._replace(turns=(*before, *turns, *after))

    def add(self, done: Done) -> None:
        """Add a closed question. Undo asks it again."""
        self.past.append((self.state._replace(asked=done.asked.reopened), done.event))
        self.state = self.state._replace(asked=done.asked, done=(*self.state.done, done))

    def advance(self) -> None:
        """Go on to the next turn."""
        self.state = self.state._replace(place=self.state.place + 1, begun=None, asked=None)

    def _position(self) -> RunPosition:
        values = self.turn.values(self.state.done) if self.turn.values is not None else ()
        return RunPosition(self.state.place, len(self.state.turns), self.message, values)

    def _title(self) -> str:
        turn = self.turn
        is_exercise = bool(turn.family) or turn.is_step  # the id of a card may give its answer away
        roomy = self.asking.ui.width >= _ROOMY_COLUMNS and turn.name not in turn.heading
        parts = [turn.heading, turn.name if roomy and is_exercise else ""]
        if self.deadline is not None:
            parts.append("{}:{:02} to go".format(*divmod(max(0, round(self.deadline - self.clock())), 60)))
        return " · ".join(part for part in parts if part)

    def _finish_question(self, talk: Conversation, asked: Asked) -> bool:
        """Finish a closed question, and return whether the run goes on."""
        turn, state = self.turn, self.state
        if asked.verdict == NOT_SCORED and self.deadline is not None and self.clock() >= self.deadline:
            self.time_up = True
            self.advance()
            return False
        addition = turn.closing(state.done) if turn.closing is not None else ""
        if addition:
            talk.ui.tell(addition)
        if turn.follow is not None and turn.family not in state.followed:
            follow_up_turn = turn.follow(asked)
            if follow_up_turn is not None:
                self._put_turns(turn, follow_up_turn)
                self.state = self.state._replace(followed=state.followed | {turn.family})
        if self.policy.is_silent:
            self.advance()
            return True
        if self.policy.goes_on and not asked.waits and not addition:
            self.message = self.asking.services.in_a_line(asked.line)
            self.advance()
            return True
        return self._choose_next(talk, asked)

    def _choose_next(self, talk: Conversation, asked: Asked) -> bool:
        """Let the learner choose what comes next, and return whether the run goes on."""
        words, again = {"": "done" if self.remaining == 1 else "next"}, self.turn.again
        if outcomes.is_right(asked.verdict) and asked.question.steps:
            words["s"] = "steps"
        if again is not None:
            words["r"] = "again"
        while True:
            match talk.choose("", [*words.items()], asked):
                case "s":
                    talk.ui.tell(asked.question.steps)
                    words.pop("s")
                case "r" if again is not None:
                    self.state = self.state._replace(begun=again(), asked=None)
                    return True
                case "":
                    self.advance()
                    return True
                case _:
                    if talk.exit_command == UNDO:
                        return True
                    self.advance()
                    return False

    def mark(self, policy: Policy) -> None:
        """Let the learner mark the answers that only they can judge, and log them."""
        talk = Conversation(self.asking.services, self.asking.ui, policy, self, self.keymap)
        self._tries = None
        places = [place for place, answer in enumerate(self.state.done) if answer.asked.is_unmarked]
        for count, place in enumerate(places):
            answer, self._began_s = self.state.done[place], self.clock()
            yours = f"yours: {as_code(answer.asked.answer) or 'none'}"
            asked = replace(answer.asked, phase=Phase.MARKING).say(
                yours, f"The answer: {answer.asked.question.right}"
            )
            position = RunPosition(count, len(places), self.message)
            asked = talk.ask(asked, f"marking {count + 1}/{len(places)}", position)
            if talk.exit_command:
                return
            line = self.asking.services.in_a_line(asked.line)
            self.message = line if asked.verdict == outcomes.RIGHT else ""
            self._log_again(place, replace(answer, asked=asked, took_ms=self._took_ms()))

    def log_unmarked(self) -> None:
        """Log unmarked answers without a grade."""
        self.is_over, asked = True, self.state.asked
        if asked is not None and asked.phase is Phase.MARKING:
            done = Done(self.turn, self.state.place, asked, 0)
            self.state = self.state._replace(done=(*self.state.done, done))
        for place, answer in enumerate(self.state.done):
            if answer.event is None and answer.asked.is_unmarked:
                self._log_again(place, answer)
        if self.state.done:
            self.kept(self.state.done)

    def _log_again(self, place: int, done: Done) -> None:
        """Log a closed question, and put it in the place of the one that was not logged."""
        before, after = self.state.done[:place], self.state.done[place + 1 :]
        done = replace(done, event=self.record(self, done))
        self.state = self.state._replace(done=(*before, done, *after))

    def undo(self) -> bool:
        """Undo the last answer, or else the last event before the run. Return whether a question returns."""
        if not self.past:
            self.message = undone_words(self.store.log.undo())
            return False
        state, event = self.past.pop()
        self.message = undone_words(self.store.log.undo(event)) if event else "undone: your answer"
        self.state = state
        return True

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

    def _left_entries(self, asked: Asked) -> Sequence[KeptTry]:
        """Return what to log of a question left open: each new try at a card or step, else the last try."""
        turn = self.turn
        if turn.is_step or turn.card:
            return new_entries(turn.card, asked, len(turn.tries))
        showing = asked.question.showing(asked.answer, asked.last.verdict, asked.slips) if asked.tries else None
        return () if showing is None else [KeptTry("", showing, Grade.AGAIN, self._took_ms())]

    def _took_ms(self) -> int:
        return round(1000 * (self.clock() - self._began_s))

    @property
    def remaining(self) -> int:
        """Count the questions that are left, including the current one."""
        return len(self.state.turns) - self.state.place

    def report(self) -> "RunReport":
        """Report the closed questions of the run, and how long it took."""
        from studykit.review.progress import RunReport

        asked, answers = self.state.asked, tuple(one.asked for one in self.state.done)
        has_tries = asked is not None and not asked.is_closed and bool(asked.tries)
        seconds = self.clock() - self.started
        return RunReport(
            answers, seconds, has_open_tries=has_tries, message=self.message, remaining=self.remaining
        )

    @property
    def missed(self) -> tuple[Turn, ...]:
        """Return turns that ask each missed question once more, with new numbers where possible."""
        turns = {one.turn.name: one.turn for one in self.state.done if is_missed(one.asked.verdict)}
        return tuple(turn.again() if turn.again is not None else turn for turn in turns.values())


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
                run = run or Run(asking, keys, RunState(tuple(turns(asking))), policy, why)
                try:
                    run.through()
                except KeyboardInterrupt as stop:  # the caller reports it once the terminal is given back
                    stop.args = (run.remaining,)
                    raise
            match services.end_run(replace(run.report(), progress=progress())):
                case "u":
                    run.undo()
                case "m":
                    run = Run(asking, keys, RunState(run.missed), policy, why)
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
