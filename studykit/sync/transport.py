"""What a place where machines meet gives: events of one machine, and how far it was read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studykit.scheduling.events import Event

Positions = Mapping[str, Any]
"""How far the place was read, in words of its own that JSON can hold."""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events that one machine gave to the place."""

    device: str
    name: str  # what its owner calls the machine
    events: tuple[Event, ...]
