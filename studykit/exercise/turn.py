"""Define the turns of a run: which question to ask, how to pose it, and how it was closed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

from studykit.cards.card import NO_CARD, CardId
from studykit.exercise.services import Services
from studykit.exercise.tries import unfinished_seed
from studykit.review.question import Asked, Question
from studykit.scheduling.events import Showing
from studykit.ui import Ui

if TYPE_CHECKING:
    from studykit.review.progress import SessionAnswer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """Hold what chooses the variant of an exercise: a seed, pinned parameters, or an earlier variant to repeat."""

    seed: int
    pinned: Mapping[str, str] = field(default_factory=dict)
    is_exact: bool = False  # the seed was asked for: a variant is drawn whether it was met before or not
    showing: Showing | None = None  # asks this one again
    rough: bool = False
    card: CardId = NO_CARD  # after which it is asked


def seeds_from(first: int) -> Iterator[int]:
    """Yield a seed, then ones that follow from it but are no neighbors, since those order options nearly alike."""
    yield first
    from random import Random

    later = Random(first)
    while True:
        yield later.randrange(2**31)


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold a question of a run, to be posed when its turn comes."""

    name: str  # of the exercise or card; kept tries are found by it
    heading: str
    pose: "Callable[[Asking, Sequence[Done]], Question]"
    again: "Callable[[], Turn] | None" = None  # the same with fresh numbers
    follow: "Callable[[Asked], Turn | None] | None" = None  # one more where a slip recurs
    reason: str = ""  # of one more; the learner begins it by a key
    closing: "Callable[[Sequence[Done]], str] | None" = None  # what is added after its end
    values: "Callable[[Sequence[Done]], tuple[tuple[str, str], ...]] | None" = None
    family: str = ""  # one of which is followed up once a run
    is_step: bool = False  # of a scenario
    card: str = ""  # in a review. Tries at its question or at a step that is left do not close it
    tries: Sequence[Showing] = ()  # at one that was left
    detail: Any = None  # the verb's own


@dataclass(frozen=True, slots=True)
class Done:
    """Hold a closed question of a run."""

    turn: Turn
    place: int
    asked: Asked
    took_ms: int
    event: UUID | None = None
    graded: "SessionAnswer | None" = None  # in a review


class Asking:
    """Hold the services and Ui with which a kind poses questions, and contexts open for the whole run."""

    ui: Ui  # set while one is open

    def __init__(self, services: Services) -> None:
        self.services = services
        self._opened: dict[str, Any] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def begun(self, name: str, draw: Draw) -> Draw:
        """Return the draw of an exercise's question that was left unfinished, or else the given draw."""
        seed = None if draw.is_exact or draw.showing is not None else unfinished_seed(self.services, name)
        return draw if seed is None else replace(draw, seed=seed, is_exact=True)

    def once(self, name: str, opener: Callable[[], AbstractContextManager[T]]) -> T:
        """Return the value of a named context, entered at its first use and left at the end of the run."""
        if name not in self._opened:
            self._opened[name] = self._stack.enter_context(opener())
        opened: T = self._opened[name]
        return opened
