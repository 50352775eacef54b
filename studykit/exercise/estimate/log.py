"""Convert estimates to and from log entries, and find earlier variants, answers and recurring slips."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate import number, pins, selection
from studykit.exercise.estimate.feedback import slip_names
from studykit.exercise.estimate.interval import split_interval
from studykit.exercise.estimate.template import NumericJudgment, Template, Variant, draw
from studykit.exercise.estimate.values import plain
from studykit.exercise.services import Services
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing

if TYPE_CHECKING:
    from studykit.exercise.bet.record import ScoredBet
    from studykit.store.store import Store

MAX_RECENT_ANSWERS = 5  # answers that are looked back on for a slip, the newest one included
MIN_REPEATS = 2
MAX_RECENT_ENTRIES = 60  # entries of the log that may hold them, today's follow-ups, and answers to recall
MAX_ENTRIES_OF_EXERCISE = 500  # entries that are looked back on for variants already met, or answered right
MAX_FOLLOW_UP_SEEDS = 60


def showing_of(variant: Variant, answer: str, verdict: str, slips: tuple[str, ...]) -> Showing:
    """Return the log entry of a variant and its answer."""
    parameters = json.dumps({name: plain(value) for name, value in variant.pinned.items()})
    template = variant.template
    return Showing(template.id, template.version, variant.seed, parameters, answer, verdict, slips)


def variant_of(template: Template, entry: Showing) -> Variant:
    """Return the variant of a log entry, or raise StudyError if it pins something that no longer exists."""
    texts = {str(name): str(value) for name, value in dict(json.loads(entry.parameters or "{}")).items()}
    return draw(template, entry.seed, pins.pins(template, texts, entry.version))


def judged_again(entry: Showing) -> tuple[Variant, NumericJudgment] | None:
    """Return the variant of a log entry and its answer's judgment, or None if it cannot be drawn as it was."""
    template = catalog.known(entry.template)
    if not isinstance(template, Template) or template.version != entry.version:
        return None
    with suppress(StudyError, ValueError, TypeError, RecursionError):  # pinned to what is no longer there
        variant = variant_of(template, entry)
        return variant, number.judge(variant, entry.answer)
    return None


def counted_bet(entry: Showing) -> "ScoredBet | None":
    """Return a log entry's answer as a bet on a count, or None if its number can no longer be compared."""
    from studykit.exercise.bet.record import COUNTED, ScoredBet

    variant, judgment = judged_again(entry) or (None, None)
    if variant is None or judgment is None or not judgment.value or not variant.answer:
        return None
    _, interval = split_interval(entry.answer, variant)
    covered = None if interval is None else interval.holds(variant.answer)
    return ScoredBet(entry.template, judgment.value, variant.answer, frozenset(), None, covered, COUNTED)


def entries(store: "Store", name: str | None = None, last: int = MAX_RECENT_ENTRIES) -> list[Showing]:
    """Return the last log entries of an exercise or of all, newest first."""
    return [event.showing for event in store.log.showings(name, last) if event.showing is not None]


def shown_variants(store: "Store", template: Template) -> list[str]:
    """Return the identities of a template's variants that the learner was shown, newest first."""
    identities = []
    for entry in entries(store, template.id, MAX_ENTRIES_OF_EXERCISE):
        if entry.version == template.version:
            with suppress(StudyError):  # pinned to what the hardware table no longer has
                identities.append(selection.identity(variant_of(template, entry)))
    return identities


def first_questions(store: "Store", exercises: Sequence[Exercise]) -> Mapping[str, Mapping[str, str]]:
    """Return the pins of the first question of each exercise that the learner has not met, by id."""
    ids = {exercise.id for exercise in exercises}
    first = catalog.first_questions().items()
    return {name: pins for name, pins in first if name in ids and not store.log.showings(name, last=1)}


def answers(store: "Store") -> list[str]:
    """Return the learner's last one-line answers, oldest first."""
    recent = [entry.answer for entry in entries(store) if entry.answer and "\n" not in entry.answer]
    return recent[::-1]


def recurring(new_slips: Sequence[str], earlier_slips: Sequence[Sequence[str]]) -> str:
    """Return the first new slip that one of the last few answers also made, or ""."""
    counts = Counter(
        slip for slips in (new_slips, *earlier_slips[: MAX_RECENT_ANSWERS - 1]) for slip in set(slips)
    )
    return next((slip for slip in new_slips if counts[slip] >= MIN_REPEATS), "")


def follow_up(
    services: Services, name: str, slips: Sequence[str], *, recorded: bool
) -> tuple[str, Variant] | None:
    """Return a reason and a variant to ask after an exercise, or None if there is no need.

    None is returned if no slip recurs, no variant has the recurring slip, or the family had a follow-up today.
    `recorded` says whether the answer with these slips is already in the log.
    """
    template = catalog.known(name)
    if not slips or not isinstance(template, Template):
        return None
    estimates = (
        each for each in entries(services.store) if isinstance(catalog.known(each.template), Template | None)
    )
    earlier_slips = [each.slips for each in islice(estimates, MAX_RECENT_ANSWERS)]
    slip = recurring(slips, earlier_slips[1:] if recorded else earlier_slips)
    family = template.id.partition(".")[0]
    if not slip or _had_today(services, family):
        return None
    related = [candidate for candidate in catalog.of_set(family) if isinstance(candidate, Template)]
    templates = [candidate for candidate in related if any(rule.id == slip for rule in candidate.slips)]
    templates.sort(key=lambda candidate: (candidate.id == template.id, candidate.id))
    first = services.seed()
    for candidate in templates:
        with suppress(StudyError):
            for seed in range(first, first + MAX_FOLLOW_UP_SEEDS):
                variant = draw(candidate, seed)
                if any(live.id == slip for live in variant.slips):
                    return f"once more, because you {slip_names([slip])[slip]}", variant
    return None


def _had_today(services: Services, family: str) -> bool:
    """Return whether practice with a card was logged for this family today, as a follow-up is."""
    today = services.today()
    return any(
        event.kind is EventKind.PRACTICE
        and event.card != ""
        and event.day == today
        and event.showing is not None
        and event.showing.template.partition(".")[0] == family
        for event in services.store.log.showings(last=MAX_RECENT_ENTRIES)
    )
