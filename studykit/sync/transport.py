"""Define what a shared place supplies: batches of one machine's events, and how far they were read."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from studykit.scheduling.events import Event

Positions = Mapping[str, Any]
"""How far the place was read, in a JSON form that each transport chooses."""


class EventBatch(NamedTuple):
    """Hold events that one machine wrote to the shared place."""

    name: str  # what its owner calls the machine
    events: Sequence[Event]
