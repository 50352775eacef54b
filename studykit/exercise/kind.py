"""Define a kind of exercise: everything that commands need to know about it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.verdict import Verdict

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.exercise.turn import Asking, Draw, Turn
    from studykit.picture import Picture
    from studykit.review.question import Asked, Question
    from studykit.scheduling.events import Showing

E = TypeVar("E", bound=Exercise)

Pinned = Mapping[str, str]
"""Parameters as a learner or a deck wrote them: `G=8`."""


@dataclass(frozen=True, slots=True)
class SetRequest:
    """Hold a learner's request for exercises of a set."""

    name: str  # the set's word, a family, an objective, an exercise's id; empty: all of the kind
    number: int = 5
    seed: int | None = None
    pinned: Pinned = field(default_factory=dict)
    rough: bool = False
    only: Collection[str] | None = None  # ids of the exercises to choose from

    def exercises(self, name: str) -> "tuple[Exercise, ...]":
        """Return the exercises of the named set, or of all sets if the name is empty, that `only` allows."""
        from studykit.exercise import catalog

        exercises = catalog.of_set(name) if name else catalog.every()
        return tuple(one for one in exercises if self.only is None or one.id in self.only)


@dataclass(frozen=True, slots=True)
class Report:
    """Hold an exercise or a judged answer, as JSON and as text."""

    document: Mapping[str, object]
    text: str
    verdict: Verdict | None = None  # None where nothing was judged
    pictures: "Sequence[Picture]" = ()  # below the text
    conclusion: str = ""  # below the pictures


def shown_as_text(exercise: Exercise, _: "Draw") -> Report:
    """Report an exercise's prompt and solution, with the JSON keys that all kinds share."""
    prompt = str(getattr(exercise, "prompt", ""))
    solution = getattr(exercise, "solution", ())
    document = {
        "exercise": exercise.id,
        "version": exercise.version,
        "seed": None,
        "prompt": prompt,
        "parameters": {},
        "unit": "",
        "tolerance": None,
        "answer": None,
        "answer_shown": None,
        "slips": [],
        "hints": list(getattr(exercise, "hints", ())),
        "solution": [solution] if isinstance(solution, str) else [str(step) for step in solution],
    }
    return Report(document, f"{exercise.id}  {exercise.kind}  {exercise.objective}\n\n{prompt}")


def read_on_page(exercise: Exercise, _: Pinned) -> PageCard:
    """Return an exercise for reading on a page: prompt, solution, and the command to run it in a terminal."""
    prompt, solution = (str(getattr(exercise, name, "")).strip("\n") for name in ("prompt", "solution"))
    return PageCard(prompt or f"`{exercise.id}`", solution, f"study exercise {exercise.id}")


def mixed_by_objective(_services: "Services", request: SetRequest, seed: int) -> Sequence[Exercise]:
    """Choose at most the requested number of exercises of a set by a seed, cycling through the objectives."""
    from studykit.exercise.estimate.selection import interleaved

    exercises = request.exercises(request.name)
    return interleaved(exercises, min(request.number, len(exercises)), f"mixed:{seed}")


@dataclass(frozen=True, slots=True)
class ExerciseKind(Generic[E]):
    """Hold the functions that ask, judge, show and check exercises of one kind.

    A function that is None is not available for this kind.
    """

    pose: Callable[["Asking", E, "Draw"], "Question"]  # one of its exercises as a question
    plan: Callable[["Services", SetRequest, int], Sequence[Exercise]] = mixed_by_objective  # a set by a seed
    practise: Callable[["Services", SetRequest], int] | None = None  # instead of asking the plan
    follow_up: Callable[["Services", str, "Asked"], "Turn | None"] | None = None  # one more after a card
    in_quiz: bool = False  # judged at once, without running anything
    mixed_sets: bool = False  # also practises sets whose exercises are of several kinds
    answered_by: str = "study exercise {id}"  # the command that takes an answer, where `check` does not
    check: Callable[[E, "Draw", str], Report] | None = None  # judges one answer, for scripts
    show: Callable[[E, "Draw"], Report] = shown_as_text
    page: Callable[[E, Pinned], PageCard] = read_on_page
    refuse_pins: Callable[[E, Pinned], str | None] = lambda _exercise, _pinned: None
    """Asks a card with these pins once; raises why it can never be asked, returns a meaning that is new."""
    asked_again: Callable[[E, "Showing"], str] | None = None  # the question of an entry in the log
    faults: Callable[[E], list[str]] = lambda _exercise: []  # what its own test says of it
