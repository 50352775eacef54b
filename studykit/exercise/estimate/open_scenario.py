"""A scenario that was left before its end: its seed and the answers to its steps, from the log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise.estimate import scenario
from studykit.exercise.estimate.dialogue import NumericOutcome
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.scenario_chain import ScenarioChain
from studykit.exercise.estimate.values import plain
from studykit.exercise.verdict import Close, Correct, NotScored

if TYPE_CHECKING:
    from studykit.scheduling.events import Event, Showing
    from studykit.store.store import Store

_CLOSED = {Correct.name, Close.name}


@dataclass(frozen=True, slots=True)
class OpenScenario:
    """Where a scenario goes on."""

    left: int  # when, in microseconds UTC
    seed: int
    answers: Sequence[str]  # to the steps that are behind; empty for one that was passed over

    def replay(self, chain: ScenarioChain, story: Scenario) -> None:
        """Put what was answered into a chain that has just begun."""
        for template, answer in zip(story.templates(), self.answers, strict=False):
            outcome = NumericOutcome(chain.judge(chain.posed(template), answer))
            if answer and outcome.judged.value is not None:
                outcome = NumericOutcome(outcome.judged, 1, answers=(answer,), values=(outcome.judged.value,))
            chain.keep(template, outcome)


def open_scenario(store: "Store", story: Scenario) -> OpenScenario | None:
    """The scenario as it was left; None where it was never begun, came to its end, or its numbers were given."""
    newest = [next(iter(store.log.showings(name, last=1)), None) for name in story.step_ids]
    begun = [event for event in newest if event is not None]
    if not begun:
        return None
    last = max(begun, key=lambda event: event.moment)
    same = [_of_variant(event, last) for event in newest]
    shown = same[newest.index(last)]
    if shown is None or same[-1] is not None or not _is_drawn(story, shown):
        return None
    gave_up = shown.verdict == NotScored.name and not shown.answer
    behind = newest.index(last) + (gave_up or shown.verdict in _CLOSED)
    return OpenScenario(last.moment, shown.seed, [one.answer if one is not None else "" for one in same[:behind]])


def _of_variant(event: "Event | None", last: "Event") -> "Showing | None":
    """The showing of an event if it is one of the same variant as the last."""
    one, other = (None if event is None else event.showing), last.showing
    if one is None or other is None:
        return None
    same = (one.version, one.seed, one.parameters) == (other.version, other.seed, other.parameters)
    return one if same else None


def _is_drawn(story: Scenario, shown: "Showing") -> bool:
    """Whether the numbers of a showing are those that its seed draws today."""
    if shown.version != story.version:
        return False
    try:
        drawn: Mapping[str, object] = scenario.draw_parameters(story, shown.seed)
        told = json.loads(shown.parameters or "{}")
    except (StudyError, ValueError):
        return False
    return bool(told == {name: plain(value) for name, value in drawn.items() if not name.startswith("_")})
