"""What every exercise says of itself, whatever its kind, and what a page shows of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from studykit.exercise.estimate.template import Variant


class Practicable(Protocol):
    """What can be practised: an exercise, or a question of a quiz."""

    @property
    def id(self) -> str:
        """Return its name, for an exercise `family.name`."""

    @property
    def objective(self) -> str:
        """Return the objective that it practises."""


class Exercise(Practicable, Protocol):
    """What every entry of the catalogue can say of itself."""

    @property
    def kind(self) -> str:
        """Return how it is answered: a name in the registry of kinds."""

    @property
    def set_name(self) -> str:
        """Return the word that names all exercises of its kind, such as einops, or ""."""

    @property
    def version(self) -> int:
        """Return the version, raised whenever the same seed would give another question."""


@dataclass(frozen=True, slots=True)
class PageCard:
    """An exercise on a page: variants to practise with there, or what there is to read and how to run it."""

    prompt: str = ""  # Markdown
    solution: str = ""  # Markdown; empty where only the terminal can answer
    command: str = ""  # to run it in a terminal
    variants: Sequence["Variant"] = ()
