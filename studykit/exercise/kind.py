"""A kind of exercise: all that the program needs to know of it, whatever verb asks. No exercise stands in here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from studykit.cards.card import Card
from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.verdict import Verdict
from studykit.scheduling.outcomes import points

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.picture import Picture
    from studykit.scheduling.events import Showing
    from studykit.ui import ExerciseOutcome, RunPosition, Ui

E = TypeVar("E", bound=Exercise)

Pinned = Mapping[str, str]
"""Parameters as a learner or a deck wrote them: `G=8`."""


@dataclass(frozen=True, slots=True)
class SetRequest:
    """What a learner asks of a set."""

    name: str  # the set's word, a family, an objective, an exercise's id; empty: all of the kind
    number: int = 5
    seed: int | None = None
    pinned: Pinned = field(default_factory=dict)
    rough: bool = False


@dataclass(frozen=True, slots=True)
class VariantRequest:
    """Which variant of an exercise, and how its answer is judged."""

    seed: int
    pinned: Pinned = field(default_factory=dict)
    rough: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """An exercise or a judged answer, as JSON and in words."""

    document: Mapping[str, object]
    text: str
    verdict: Verdict | None = None  # None where nothing was judged
    pictures: "Sequence[Picture]" = ()  # below the text
    conclusion: str = ""  # below the pictures


@dataclass(frozen=True, slots=True)
class QuizTurn:
    """One exercise in a quiz."""

    seed: int
    pinned: Pinned
    title: str
    exam: bool  # no feedback on the answer
    place: "RunPosition | None" = None


@dataclass(frozen=True, slots=True)
class QuizAnswer:
    """An answer in a quiz, and what its verdict brings."""

    verdict: str
    answer: str = ""
    right: str = ""  # the right answer, in words
    prompt: str = ""
    slips: tuple[str, ...] = ()
    showing: "Showing | None" = None

    @property
    def score(self) -> float:
        """A point for right, half a point for close."""
        return points(self.verdict)


def shown_as_text(exercise: Exercise, _: VariantRequest) -> Report:
    """Prompt and solution as the exercise has them, with the keys of every kind."""
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
    """Prompt and solution to read, and how to run the exercise in a terminal."""
    prompt, solution = (str(getattr(exercise, name, "")).strip("\n") for name in ("prompt", "solution"))
    return PageCard(prompt or f"`{exercise.id}`", solution, f"study exercise {exercise.id}")


@dataclass(frozen=True, slots=True)
class ExerciseKind(Generic[E]):
    """How exercises of one kind are asked, judged, logged, shown, quizzed and tried out.

    A callable that is None says that this kind has no such thing: it is left out of quizzes, judged by a verb
    of its own, or never answered in a file.
    """

    ask: Callable[["Services", E, Card, "Ui", int], "ExerciseOutcome"]  # a card in a review; the review logs it
    practise: Callable[["Services", SetRequest], int]  # a set, asked and logged; the exit code
    mixed_sets: bool = False  # also practises sets whose exercises are of several kinds
    plural: str = ""  # what its exercises are called where only some kinds can do a thing
    watch: Callable[["Services", str, int | None], int] | None = None
    """Judges the file that answers the first of a set, by its name and a seed, at each save; the exit code."""
    answered_by: str = "study exercise {id}"  # the command that takes an answer, where `check` does not
    check: Callable[[E, VariantRequest, str], Report] | None = None  # judges one answer, for scripts
    show: Callable[[E, VariantRequest], Report] = shown_as_text
    page: Callable[[E, Pinned], PageCard] = read_on_page
    quiz: Callable[["Ui", E, QuizTurn], QuizAnswer | None] | None = None  # None: the learner leaves
    refuse_pins: Callable[[E, Pinned], object] = lambda _exercise, _pinned: None
    """Asks a card with these pins once; raises the reason why it can never be asked."""
    asked_again: Callable[[E, "Showing"], str] | None = None  # the question of an entry in the log
    faults: Callable[[E], list[str]] = lambda _exercise: []  # what its own test says of it
