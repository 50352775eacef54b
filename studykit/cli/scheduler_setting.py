"""The scheduler that the settings ask for, and what a change of it would move."""

from collections.abc import Iterator, Mapping
from datetime import date

from studykit.cards.card import CardId
from studykit.errors import UsageError
from studykit.scheduling.fsrs import PUBLISHED, Fsrs
from studykit.scheduling.sm2 import PROFILE
from studykit.store.schedule import Schedule
from studykit.text import counted

_WINDOWS = (7, 30)  # days


def scheduler_name(settings: Mapping[str, object]) -> str:
    """The name of the scheduler, empty for SM-2; UsageError where a setting is none that FSRS can have."""
    fsrs = fsrs_of(settings)
    return "" if settings["scheduler"] == PROFILE else fsrs.name


def fsrs_of(settings: Mapping[str, object]) -> Fsrs:
    """FSRS with the learner's retention and parameters, whether or not it plans."""
    own = settings.get("fsrs")
    own = own if isinstance(own, Mapping) else {}
    try:
        weights = [float(text) for text in own.get("parameters", ())]
    except ValueError:
        raise UsageError("fsrs.parameters are 21 numbers, between commas.") from None
    return Fsrs(int(own.get("retention", 90)) / 100, weights or PUBLISHED)


def changed(settings: Mapping[str, object], name: str, value: object) -> str:
    """The scheduler's name once one of its settings is changed."""
    section, _, last = name.rpartition(".")
    if not section:
        return scheduler_name({**settings, name: value})
    own = settings.get(section)
    return scheduler_name({**settings, section: {**(own if isinstance(own, Mapping) else {}), last: value}})


def moves(schedule: Schedule, scheduler: str, today: date) -> Iterator[str]:
    """What another scheduler would move, in lines."""
    now = {card: memory.due.toordinal() for card, memory in schedule.memories().items()}
    then = schedule.due_days_by(scheduler)
    if not now:
        return
    earlier = sum(then[card] < day for card, day in now.items() if card in then)
    later = sum(then[card] > day for card, day in now.items() if card in then)
    same = len(now) - earlier - later
    cards = counted(len(now), "card")
    yield f"{scheduler or PROFILE} for {cards}: {earlier} earlier, {later} later, {same} on the same day."
    loads = (
        f"in {days} days {_load(then, today, days)} instead of {_load(now, today, days)}" for days in _WINDOWS
    )
    yield f"Due {', '.join(loads)}. The log stays as it is, so a change back brings these days back."


def _load(due: Mapping[CardId, int], today: date, days: int) -> int:
    """Cards that come due up to some days from now, what is overdue included."""
    return sum(day < today.toordinal() + days for day in due.values())
