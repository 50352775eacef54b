"""What the log keeps of estimates, and tells the next one: variants met, answers typed, slips that recur."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate import number, pins, selection
from studykit.exercise.estimate.feedback import slip_names
from studykit.exercise.estimate.interval import split_interval
from studykit.exercise.estimate.template import Template, Variant, draw
from studykit.exercise.estimate.values import Value, plain
from studykit.exercise.services import Services
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing

if TYPE_CHECKING:
    from studykit.exercise.bet.record import ScoredBet
    from studykit.store.store import Store

LAST = 5  # answers that are looked back on for a slip, the newest one included
TWICE = 2
LOOKED_BACK = 20  # entries of the log that may hold them
FOLLOW_UP_SEEDS = 60
FOLLOW_UPS = 60  # entries of the log that may hold today's follow-ups
RECALLED = 50
REMEMBERED = 500  # entries that are looked back on for variants already met


def showing_of(variant: Variant, answer: str, verdict: str, slips: tuple[str, ...]) -> Showing:
    """Return what the log keeps of a variant and an answer."""
    parameters = json.dumps({name: plain(value) for name, value in variant.pinned.items()})
    template = variant.template
    return Showing(template.id, template.version, variant.seed, parameters, answer, verdict, slips)


def variant_of(template: Template, entry: Showing) -> Variant:
    """Return the variant of an entry in the log, or refuse one that pins what no longer exists."""
    texts = {str(name): str(value) for name, value in dict(json.loads(entry.parameters or "{}")).items()}
    return draw(template, entry.seed, pins.pins(template, texts, entry.version))


def counted_bet(entry: Showing) -> "ScoredBet | None":
    """Return the counted bet of an entry in the log, or None if it cannot be judged any more."""
    from studykit.exercise.bet.record import COUNTED, ScoredBet

    template = catalog.known(entry.template)
    if not isinstance(template, Template) or template.version != entry.version:
        return None
    try:
        variant = variant_of(template, entry)
        text, interval = split_interval(entry.answer, variant)
        value = number.judge(variant, text).value
    except (StudyError, ValueError, TypeError, RecursionError):
        return None
    if not value or not variant.answer:
        return None
    covered = None if interval is None else interval.holds(variant.answer)
    return ScoredBet(template.id, value, variant.answer, frozenset(), None, covered, COUNTED)


def shown_variants(store: "Store", template: Template) -> list[str]:
    """List the variants of a template that the learner has been shown, newest first."""
    identities = []
    for event in store.log.showings(template.id, last=REMEMBERED):
        if event.showing is None or event.showing.version != template.version:
            continue
        try:
            identities.append(selection.identity(variant_of(template, event.showing)))
        except StudyError:
            continue  # pinned to what the hardware table no longer has
    return identities


def first_questions(store: "Store", exercises: Sequence[Exercise]) -> Mapping[str, Mapping[str, str]]:
    """Return the pins of these exercises' first questions that the learner has not met, by id in order."""
    ids = {exercise.id for exercise in exercises}
    questions = {name: pins for name, pins in catalog.first_questions().items() if name in ids}
    return {name: pins for name, pins in questions.items() if not store.log.showings(name, last=1)}


def unmet(store: "Store", template: Template, seed: int, pinned: Mapping[str, Value]) -> Variant:
    """Return a variant that the learner met least often."""
    return selection.least_met(template, seed, shown_variants(store, template), pinned)


def answers(store: "Store") -> list[str]:
    """List the learner's last answers of one line, oldest first."""
    entries = [event.showing for event in store.log.showings(last=RECALLED) if event.showing is not None]
    return [one.answer for one in reversed(entries) if one.answer and "\n" not in one.answer]


def recurring(now: Sequence[str], before: Sequence[Sequence[str]]) -> str:
    """Return the slip just made that earlier answers also made, or ""."""
    counts = Counter(slip for slips in (now, *before[: LAST - 1]) for slip in set(slips))
    return next((slip for slip in now if counts[slip] >= TWICE), "")


def follow_up(
    services: Services, template: Template, slips: Sequence[str], *, recorded: bool
) -> tuple[str, Variant] | None:
    """Return why a variant is asked once more, and that one, or None if nothing recurs or today had its follow-up.

    `recorded` says that the answer with these slips is in the log already.
    """
    if not slips:
        return None
    before = _slips_before(services.store)
    slip = recurring(slips, before[1:] if recorded else before)
    family = template.id.partition(".")[0]
    if not slip or _had_today(services, family):
        return None
    related = [other for other in catalog.of_set(family) if isinstance(other, Template)]
    templates = [other for other in related if any(rule.id == slip for rule in other.slips)]
    templates.sort(key=lambda other: (other.id == template.id, other.id))
    first = services.seed()
    for other in templates:
        variant = _with_slip(other, slip, first)
        if variant is not None:
            return f"once more, because you {slip_names([slip])[slip]}", variant
    return None


def _with_slip(template: Template, slip: str, first: int) -> Variant | None:
    """Return the first variant from a seed on that has the slip, or None."""
    for seed in range(first, first + FOLLOW_UP_SEEDS):
        try:
            variant = draw(template, seed)
        except StudyError:
            return None
        if any(live.id == slip for live in variant.slips):
            return variant
    return None


def _slips_before(store: "Store") -> list[tuple[str, ...]]:
    """List the slips of the last estimates, newest first."""
    entries = [event.showing for event in store.log.showings(last=LOOKED_BACK) if event.showing is not None]
    return [one.slips for one in entries if isinstance(catalog.known(one.template), Template | None)]


def _had_today(services: Services, family: str) -> bool:
    """Return whether a follow-up of this family was asked today, as a practice that belongs to a card."""
    today = services.today()
    return any(
        event.kind is EventKind.PRACTICE
        and event.card != ""
        and event.day == today
        and event.showing is not None
        and event.showing.template.partition(".")[0] == family
        for event in services.store.log.showings(last=FOLLOW_UPS)
    )
