"""Define how an exercise talks with a learner, on a screen, in plain lines or in a test."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from studykit.picture import Picture


@dataclass(frozen=True, slots=True)
class Line:
    """Hold a line that the learner typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """Hold the key of an offered command, given by a line such as `:hint` or by Enter alone."""

    key: str


@dataclass(frozen=True, slots=True)
class Quit:
    """Report that the learner leaves, by `:quit`, Ctrl-D on an empty line, or the end of input."""


Reply = Line | Command | Quit


class RunPosition(NamedTuple):
    """Hold the progress of a run of questions, and what is shown with it."""

    done: int
    of: int
    last_result: str = ""  # of the question before, in a few words, shown with the next one
    values: tuple[tuple[str, str], ...] = ()  # of earlier steps with their units, which stay visible
    after: str = ""  # text after the number of remaining questions
    noun: str = "Exercise"  # for a question


class Seeded(NamedTuple):
    """Hold the name of the exercise or card that a question comes from, and the seed, None for a card."""

    name: str
    seed: int | None


class Ui(Protocol):
    """Show an exercise to a learner, and read replies."""

    @property
    def width(self) -> int:
        """Return the columns to draw in."""

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Show a new question, on an empty screen if there is one.

        `seeded` names the question under which an unfinished line is saved.
        """

    def tell(self, markdown: str, *, label: str = "") -> None:
        """Add text below the question. A `label` is printed where nothing else sets the text apart."""

    def page(self, lines: Sequence[str]) -> None:
        """Show lines over the question until the learner goes back."""

    def draw(self, picture: "Picture") -> None:
        """Add a picture, or a sentence that describes it where it cannot be drawn."""

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """Read a typed line or a command. `commands` maps each key to its word, such as `{"h": "hint"}`.

        A command is typed as a colon and the first letters of its word. A command without a word is typed by its
        key and is not shown. Everything else is an answer. With `lines`, a pasted answer keeps its line ends.
        """

    def choose(
        self, question: str, options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]] = ()
    ) -> str | None:
        """Return the key of the chosen option, "" for Enter, or None if the learner leaves.

        The pairs `beside` are offered at every question, so they are shown only if there is room, or only once.
        """

    def scroll(self, key: str) -> None:
        """Scroll what is shown, as the key of this name does."""

    def busy(self, doing: str) -> AbstractContextManager[None]:
        """Show what the program is doing, such as `grading`, until the block ends."""

    def edit(self, text: str) -> str | None:
        """Return the text after the learner's editor has closed, or None if unchanged or without an editor."""

    def away(self) -> AbstractContextManager[None]:
        """Lend the terminal to another program, such as an editor."""
