"""What a place where machines meet must be able to do: a folder today, a server as well."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from studykit.scheduling.events import Event

Positions = Mapping[str, Any]
"""How far the place was read, in words of its own that JSON can hold."""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events that one machine gave to the place."""

    device: str
    name: str  # what its owner calls the machine
    events: tuple[Event, ...]


class Transport(Protocol):
    """A place where machines meet. Each gives to what is its own there, and takes from all."""

    @property
    def place(self) -> str:
        """The place as messages and the store call it."""

    @property
    def positions(self) -> Positions:
        """How far it is read by now."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences for the learner: what is damaged, missing or not understood."""

    @property
    def surprised(self) -> bool:
        """Whether it was not as it was left: only a look at all of it tells what it lacks."""

    @property
    def impostor(self) -> bool:
        """Whether another machine writes under this one's name."""

    def take(self, known: Positions) -> Iterator[EventBatch]:
        """What came since `known`, some at a time; once it is through, `positions` and the others are right."""

    def own_tail(self) -> Iterator[EventBatch]:
        """What another process of this machine gave since `take`."""

    def everything(self) -> Iterator[EventBatch]:
        """All that is there and can be read."""

    def give(self, events: Iterable[Event]) -> int:
        """Add events as this machine's, and how many they were; they are safe when this returns."""

    def rename(self, device: str) -> None:
        """Give as this machine from now on."""
