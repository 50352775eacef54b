"""Define what a shared place supplies: batches of one machine's events, and how far they were read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studykit.scheduling.events import Event

Positions = Mapping[str, Any]
"""How far the place was read, in a JSON form that each transport chooses."""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Hold events that one machine wrote to the shared place."""

    device: str
    name: str  # what its owner calls the machine
    events: tuple[Event, ...]
