"""How an exercise talks with a learner, whatever draws it: a screen, plain lines, a script in a test."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from studykit.picture import Picture


@dataclass(frozen=True, slots=True)
class Line:
    """The learner typed a line and ended it with Enter."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """The learner gave one of the commands that were offered: by a line such as `:hint`, or by Enter alone."""

    key: str


@dataclass(frozen=True, slots=True)
class Quit:
    """The learner wants out: `:quit`, Ctrl-D on an empty line, end of input."""


Reply = Line | Command | Quit


class RunPosition(NamedTuple):
    """How far a run of questions has come: those that are done, of how many."""

    done: int
    of: int
    said: str = ""  # of what was done just before, in a few words; stands beside the next question
    values: tuple[tuple[str, str], ...] = ()  # of earlier steps with their units, which stay in sight
    after: str = ""  # what stands behind the number of those that are left
    noun: str = "Exercise"  # what is asked


class Seeded(NamedTuple):
    """What a question was drawn from: the name of its exercise, and the seed; a card has none."""

    name: str
    seed: int | None


class Ui(Protocol):
    """The learner's side of a conversation about one exercise."""

    @property
    def width(self) -> int:
        """Return the columns to draw in."""

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Put a new question before the learner, on a clean screen where there is one.

        One that is `seeded` is found by its name again, as long as a line that was begun at it waits.
        """

    def begun(self, name: str) -> int | None:
        """Return the seed of the question of this name at which a line was begun and not ended, or None."""

    def tell(self, markdown: str, *, label: str = "") -> None:
        """Add to what is before the learner. The label is said if nothing sets it apart."""

    def page(self, lines: Sequence[str]) -> None:
        """Put lines over what is before the learner until they go back."""

    def draw(self, picture: "Picture") -> None:
        """Add a picture, or a sentence that says what it shows where it cannot be seen."""

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """Read a typed line or a command. `commands` maps each key to its word, such as `{"h": "hint"}`.

        A command is typed as a colon and the first letters of its word; one without a word goes by its key and is
        not shown. Everything else is an answer: letters are letters. Where it may have several `lines`, those of
        what is pasted stay.
        """

    def choose(
        self, question: str, options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]] = ()
    ) -> str | None:
        """Return the option chosen by one key press, the empty one by Enter, or None when they leave.

        What stands `beside` is offered everywhere: it is not said anew each time, and as far as there is room.
        """

    def scroll(self, key: str) -> None:
        """Scroll as this key does."""

    def busy(self, doing: str) -> AbstractContextManager[None]:
        """Say what takes a moment, such as `grading`, and remove that afterwards."""

    def edit(self, text: str, *, suffix: str = ".py") -> str | None:
        """Return the text after the learner's editor has closed, or None if unchanged or without an editor."""

    def away(self) -> AbstractContextManager[None]:
        """Lend the terminal to another program, such as an editor."""
