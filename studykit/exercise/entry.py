"""Define what every kind of exercise provides, and what a page shows of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from studykit.exercise.estimate.template import Variant


class Practicable(Protocol):
    """Describe what a set can be chosen from: exercises, or questions of a quiz."""

    @property
    def id(self) -> str:
        """Return the id, such as `family.name`."""

    @property
    def objective(self) -> str:
        """Return the objective."""


class Exercise(Practicable, Protocol):
    """Describe an exercise of the catalogue, of any kind."""

    @property
    def kind(self) -> str:
        """Return the name of the exercise's kind in the registry."""

    @property
    def set_name(self) -> str:
        """Return the name of the set that the exercise belongs to, such as einops, or ""."""

    @property
    def version(self) -> int:
        """Return the version, which its author raises when a seed draws another question than before."""


@dataclass(frozen=True, slots=True)
class PageCard:
    """Hold an exercise on a page: variants to practise there, or texts to read and a command to run."""

    prompt: str = ""  # Markdown
    solution: str = ""  # Markdown; empty where only the terminal can answer
    command: str = ""  # to run it in a terminal
    variants: Sequence["Variant"] = ()
