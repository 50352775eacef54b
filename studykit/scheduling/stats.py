"""Compute one learner's statistics from the tallies that were kept as the log grew."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from operator import attrgetter

from studykit.cards.card import OBJECTIVES
from studykit.scheduling.activity import Activity, activity
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.replay import TALLY_COUNTS, Tally

FORECAST_DAYS = 30
_COUNTS = attrgetter(*TALLY_COUNTS)
WINDOWS = {"week": 7, "month": 30, "year": 365, "all": None}

StandingRow = tuple[str, str, int, int, int, int, int]
"""Deck, objectives one a line, known cards, reviews, passed, lapses, mature cards."""
GoneRow = tuple[str, str, int, int]
"""Deck, objectives one a line, known cards whose text is no longer in a deck, mature ones among them."""
OutcomeRow = tuple[str, str, str, int]
"""Template, verdict, slips one a line, how often."""
HardRow = tuple[str, str, int, int, int, int]
"""Card, deck, lapses, ease in hundredths, reviews, passed."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Count the reviews of known cards, and how many passed: true retention."""

    passed: int = 0
    reviews: int = 0

    @property
    def share(self) -> float | None:
        """Return passed reviews as a share, or None before the first review."""
        return self.passed / self.reviews if self.reviews else None

    def __add__(self, other: "Retention") -> "Retention":
        return Retention(self.passed + other.passed, self.reviews + other.reviews)


@dataclass(frozen=True, slots=True)
class Window:
    """Hold true retention over some days, for intervals below three weeks and for longer ones."""

    young: Retention
    mature: Retention

    @property
    def total(self) -> Retention:
        """Return young and mature together."""
        return self.young + self.mature


@dataclass(frozen=True, slots=True)
class Part:
    """Hold known cards, lapses and retention of a deck or an objective. Reviews of removed cards still count."""

    known: int = 0  # cards in the decks that were answered at least once
    mature: int = 0  # of those
    lapses: int = 0
    retention: Retention = Retention()

    def __add__(self, other: "Part") -> "Part":
        return Part(
            self.known + other.known,
            self.mature + other.mature,
            self.lapses + other.lapses,
            self.retention + other.retention,
        )


@dataclass(frozen=True, slots=True)
class Streak:
    """Hold the streak in study days up to today, or up to yesterday before the first answer, and the longest."""

    current: int
    longest: int


@dataclass(frozen=True, slots=True)
class SlipCount:
    """Hold a slip, how often and by how many students it was made, and the exercise with most of them."""

    slip: str
    count: int
    template: str
    students: int = 1


@dataclass(frozen=True, slots=True)
class HardCard:
    """Hold a card with many lapses."""

    card: str
    deck: str
    lapses: int
    ease: int  # hundredths
    retention: Retention


@dataclass(frozen=True, slots=True)
class Stats:
    """Hold everything that `study stats` shows of the log's caches."""

    day: date
    today: Tally
    total: Tally
    windows: Mapping[str, Window]
    streak: Streak
    overdue: int
    forecast: tuple[tuple[date, int], ...]  # today, with what is overdue, and the days after it
    activity: Activity
    decks: Mapping[str, Part]
    objectives: Mapping[str, Part]
    hardest: tuple[HardCard, ...]
    slips: tuple[SlipCount, ...]  # most frequent first
    slip_families: Mapping[str, int]  # all slips by the family of the exercise, most first
    exercises: Mapping[str, Mapping[str, int]]  # family: verdict: how often


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """Count the cards of a deck: all, known, new, due, and those suspended before their first answer."""

    deck: str
    cards: int
    known: int  # answered at least once
    set_aside: int  # never answered, and suspended
    due: int  # to be asked again today, what is overdue counted in and siblings once

    @property
    def new(self) -> int:
        """Count the cards never answered. Suspended ones do not count."""
        return self.cards - self.known - self.set_aside

    @property
    def share(self) -> float:
        """Return known cards as a share of all."""
        return self.known / self.cards if self.cards else 0.0


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Hold the figures of a day that bare `study` shows, the same as those of `study stats` and `study due`."""

    agenda: Agenda
    decks: tuple[DeckCounts, ...]  # in the order of the course
    activity: Activity
    streak: Streak
    forecast: tuple[tuple[date, int], ...]
    slips: tuple[SlipCount, ...]
    begun: bool  # something was answered before


def stats(
    day: date,
    *,
    tallies: Mapping[int, Tally],
    standings: Iterable[StandingRow],
    gone: Iterable[GoneRow] = (),
    due: Iterable[tuple[int, int]],
    outcomes: Iterable[OutcomeRow],
    hard: Iterable[HardRow] = (),
) -> Stats:
    """Return the statistics as of a study day. `due` pairs ordinal due days with numbers of live cards."""
    today = day.toordinal()
    parts = _parts(standings, gone)
    objectives = _sum_by_name((name, part) for _, names, part in parts for name in names.split("\n"))
    counts = dict(due)
    outcome_rows = list(outcomes)
    return Stats(
        day=day,
        today=tallies.get(today, Tally()),
        total=sum_tallies(tallies.values()),
        windows={name: _recent_window(tallies, today, days) for name, days in WINDOWS.items()},
        streak=streak(tallies.keys(), today),
        overdue=sum(count for on, count in counts.items() if on < today),
        forecast=forecast(day, counts.items()),
        activity=activity(tallies, day),
        decks=dict(sorted(_sum_by_name((deck, part) for deck, _, part in parts).items())),
        objectives={name: objectives[name] for name in OBJECTIVES if name in objectives},
        hardest=tuple(HardCard(*row[:4], Retention(row[5], row[4])) for row in hard),
        slips=slip_counts(outcome_rows),
        slip_families=_slip_families(outcome_rows),
        exercises=_verdicts_by_family(outcome_rows),
    )


def forecast(day: date, due: Iterable[tuple[int, int]]) -> tuple[tuple[date, int], ...]:
    """Count the cards due on a day, overdue ones included, and on each of the days after it.

    `due` counts cards by ordinal due day. Every sibling counts, though only one a day is asked.
    """
    today = day.toordinal()
    counts = [0] * FORECAST_DAYS
    for on, count in due:
        if on < today + FORECAST_DAYS:
            counts[max(0, on - today)] += count
    return tuple((day + timedelta(days=ahead), count) for ahead, count in enumerate(counts))


def known_cards(standings: Iterable[StandingRow], gone: Iterable[GoneRow]) -> dict[str, int]:
    """Count each deck's cards that were answered at least once and are still in it."""
    known = _sum_by_name((deck, part) for deck, _, part in _parts(standings, gone))
    return {deck: part.known for deck, part in known.items()}


def _parts(standings: Iterable[StandingRow], gone: Iterable[GoneRow]) -> list[tuple[str, str, Part]]:
    """Return the deck, objectives and figures of each row, without removed cards but with their reviews."""
    gone_counts = {(deck, objectives): (known, mature) for deck, objectives, known, mature in gone}
    parts = []
    for deck, objectives, known, reviews, passed, lapses, mature in standings:
        lost, lost_mature = gone_counts.get((deck, objectives), (0, 0))
        part = Part(known - lost, mature - lost_mature, lapses, Retention(passed, reviews))
        parts.append((deck, objectives, part))
    return parts


def streak(days: Iterable[int], today: int) -> Streak:
    """Return the current and the longest run of consecutive study days."""
    ordered = sorted(day for day in days if day <= today)
    run = longest = 0
    previous = None
    for day in ordered:
        run = run + 1 if previous is not None and day == previous + 1 else 1
        longest, previous = max(longest, run), day
    return Streak(run if previous is not None and previous >= today - 1 else 0, longest)


def _recent_window(tallies: Mapping[int, Tally], today: int, days: int | None) -> Window:
    window_days = [on for on in tallies if on <= today] if days is None else range(today - days + 1, today + 1)
    return window_of(tallies[on] for on in window_days if on in tallies)


def window_of(tallies: Iterable[Tally]) -> Window:
    """Return the true retention of these tallies."""
    total = sum_tallies(tallies)
    return Window(Retention(total.young_passed, total.young), Retention(total.mature_passed, total.mature))


def sum_tallies(tallies: Iterable[Tally]) -> Tally:
    """Return one tally with the sums of all counts."""
    return Tally(*map(sum, zip(*map(_COUNTS, tallies), strict=True)))


def _sum_by_name(named_parts: Iterable[tuple[str, Part]]) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for name, part in named_parts:
        parts[name] = parts.get(name, Part()) + part
    return parts


def slip_counts(outcomes: Iterable[OutcomeRow]) -> tuple[SlipCount, ...]:
    """Count each slip, most frequent first. A slip of which every occurrence was undone is left out."""
    slips_by_name: dict[str, Counter[str]] = {}
    for template, _, slips, count in outcomes:
        for slip in filter(None, slips.split("\n")):
            slips_by_name.setdefault(slip, Counter())[template] += count
    counts = []
    for slip, templates in slips_by_name.items():
        if (total := templates.total()) > 0:
            commonest, _ = min(templates.items(), key=lambda item: (-item[1], item[0]))
            counts.append(SlipCount(slip, total, commonest))
    return tuple(sorted(counts, key=lambda each: (-each.count, each.slip)))


def _slip_families(outcomes: Iterable[OutcomeRow]) -> dict[str, int]:
    families: Counter[str] = Counter()
    for template, _, slips, count in outcomes:
        families[template.partition(".")[0]] += count * len(list(filter(None, slips.split("\n"))))
    return {
        name: count for name, count in sorted(families.items(), key=lambda one: (-one[1], one[0])) if count > 0
    }


def _verdicts_by_family(outcomes: Iterable[OutcomeRow]) -> dict[str, dict[str, int]]:
    families: dict[str, Counter[str]] = {}
    for template, verdict, _, count in outcomes:
        if verdict:  # else a bet that was only promised
            families.setdefault(template.partition(".")[0], Counter())[verdict] += count
    return {
        name: {verdict: count for verdict, count in sorted(verdicts.items()) if count > 0}
        for name, verdicts in sorted(families.items())
    }
