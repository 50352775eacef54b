"""What a recovery found and what is missing, in words."""

from collections.abc import Iterator
from datetime import timedelta

from studykit.scheduling.study_day import moment_of
from studykit.store.recovery import MissingEvent, Recovery
from studykit.text import counted

_DAY = timedelta(days=1)


def sentence(done: Recovery) -> str:
    """What is left, where, and how to go on."""
    left = f"{counted(done.events, 'event')} saved into {done.file}"
    missing = max(len(done.missing), sum(done.short.values()))
    lost = f"{missing:,} missing" if missing else "none known to be missing"
    return f"{left}, {lost}. Your file was not touched; go on with: study backup restore {done.file}"


def lines(done: Recovery) -> tuple[str, ...]:
    """Every event that is missing, and study days of which more is, as far as anything in the file tells."""
    return (*_missing(done.missing), *_short(done))


def _missing(events: tuple[MissingEvent, ...]) -> Iterator[str]:
    for event in events:
        when = f"{moment_of(event.moment):%Y-%m-%d %H:%M} UTC"
        card = "an unknown card" if event.card is None else event.card or "no card"
        yield f"missing: {when}, {card}"


def _short(done: Recovery) -> Iterator[str]:
    """Days on which more was answered than is left and than is named as missing."""
    short = dict(done.short)
    for event in done.missing:
        date = moment_of(event.moment).date()
        near = (date, date - _DAY, date + _DAY)  # where it was, the study day may have been another
        if (day := next((day for day in near if short.get(day)), None)) is not None:
            short[day] -= 1
    for day, more in short.items():
        if more:
            yield f"missing: {counted(more, 'answer')} of {day}, by the daily counts"
