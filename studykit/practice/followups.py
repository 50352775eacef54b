"""A follow-up for a slip that keeps coming back: one more exercise of the same family, once a day."""

from collections import Counter
from collections.abc import Sequence

from studykit.cli.context import Context
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.numeric.template import Template, Variant, draw
from studykit.scheduling.events import EventKind

LAST = 5
"""Answers that are looked back on, the newest one included."""

TWICE = 2
LOOKS = 20
FAR = 60


def recurring(now: Sequence[str], before: Sequence[Sequence[str]]) -> str:
    """The slip just made that was also made in the answers before; empty where none was."""
    counts = Counter(slip for slips in (now, *before[: LAST - 1]) for slip in set(slips))
    return next((slip for slip in now if counts[slip] >= TWICE), "")


def earlier(context: Context, *, recorded: bool) -> list[tuple[str, ...]]:
    """The slips of the numeric answers before the one just given, newest first."""
    shown = [event.showing for event in context.store.log.showings(last=LOOKS) if event.showing is not None]
    numeric = [one.slips for one in shown if one.template.partition(".")[0] not in {"rewrite", "bet"}]
    return numeric[1:] if recorded else numeric


def due_again(
    context: Context, template: Template, slips: Sequence[str], *, recorded: bool
) -> tuple[str, Variant] | None:
    """The slip and the variant to follow up with; None where nothing recurs or today had its follow-up."""
    slip = recurring(slips, earlier(context, recorded=recorded))
    family = template.id.partition(".")[0]
    if not slip or _had_today(context, family):
        return None
    found = [other for other in catalog.of_set(family) if isinstance(other, Template) and _knows(other, slip)]
    found.sort(key=lambda other: (other.id == template.id, other.id))
    first = context.seed()
    for other in found:
        for seed in range(first, first + FAR):
            try:
                variant = draw(other, seed)
            except StudyError:
                break
            if any(live.id == slip for live in variant.slips):
                return slip, variant
    return None


def _knows(template: Template, slip: str) -> bool:
    return any(rule.id == slip for rule in template.slips)


def _had_today(context: Context, family: str) -> bool:
    """Whether a follow-up of this family was asked today: a practice that belongs to a card is one."""
    today = context.today()
    return any(
        event.kind is EventKind.PRACTICE
        and event.card != ""
        and event.day == today
        and event.showing is not None
        and event.showing.template.partition(".")[0] == family
        for event in context.store.log.showings(last=FAR)
    )
