"""Compute one student's figures for a class report, each as `study stats` counts it.

A log is replayed once, under FSRS, since its curve gives the recall on a day. A student under SM-2 has the same
reviews in that replay, and SM-2's intervals are kept beside FSRS's own.
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from studykit.cards.card import OBJECTIVES
from studykit.scheduling import log_figures, review_rule
from studykit.scheduling.event_kinds import FSRS, EventKind, undone_id
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.outcomes import INCORRECT, WRONG, right_at_once
from studykit.scheduling.plan import PlanStart, at_pace, fitted
from studykit.scheduling.replay import row_of
from studykit.scheduling.review_rule import MATURE, EventRow, MemoryRow
from studykit.scheduling.sm2 import PASSING_GRADE
from studykit.scheduling.stats import OutcomeRow, Part, Retention

PACE_DAYS = 14
"""How many of the last days a student's pace is taken from, or fewer if the first answer is more recent."""
_SIMULATIONS = 2  # of a forecast; a class has many students

StudentRow = tuple[*EventRow, str | None, int | None, int | None, str | None, str | None, str | None, str | None]
"""An event as the review rule takes it, then its template, version, seed, parameters, answer, verdict and slips
(one a line), all None without an exercise."""


@dataclass(frozen=True, slots=True)
class CourseCard:
    """Hold the parts of a course card that a report shows."""

    id: str
    deck: str
    objectives: tuple[str, ...]
    asks: str  # in a line
    place: str  # path:line


@dataclass(slots=True)
class CardTries:
    """Hold one student's answers to a card or an exercise."""

    first_right: bool
    took: "array[int]" = field(default_factory=lambda: array("q"))  # milliseconds of each


@dataclass(slots=True)
class Attempts(CardTries):
    """Hold one student's answers to an exercise, with what was wrong about them."""

    wrong: int = 0
    clusters: Counter[str] = field(default_factory=Counter)
    """How often a wrong answer had each label. An answer with several slips counts for each."""


@dataclass(frozen=True, slots=True)
class StudentForecast:
    """Hold what a student is expected to recall on exam day at the current pace."""

    minutes: float  # a day
    new_a_day: int
    learnt: float  # cards known by then
    recalled: float  # of all cards of the course, as a share


@dataclass(frozen=True, slots=True)
class ObjectiveStanding:
    """Hold what one student knows of an objective."""

    part: Part
    cards: int  # of the objective, in the course
    recalled: float  # of those, each by its probability

    @property
    def share(self) -> float:
        """Return what is recalled today, as a share of all its cards."""
        return self.recalled / self.cards if self.cards else 0.0


@dataclass(frozen=True, slots=True)
class StudentFigures:
    """Hold the figures of one student, and what the student's log adds to those of the class."""

    name: str
    answers: int
    days: int  # on which something was answered
    last: date | None  # None: nothing was ever answered
    took_ms: int
    total: Part  # of the cards of the course
    recalled: float  # share of the course that is recalled today
    objectives: Mapping[str, ObjectiveStanding]
    memories: Mapping[str, MemoryRow]  # of the cards of the course, as the student's scheduler has them
    tries: Mapping[str, CardTries]  # by card
    attempts: Mapping[str, Attempts]  # by exercise
    outcomes: tuple[OutcomeRow, ...]
    elsewhere: int  # known cards that the course does not have
    forecast: StudentForecast | None = None
    silent: bool = False  # for the days that the report names


def student_row(event: Event) -> StudentRow:
    """Convert an event to the row that a report takes."""
    showing = event.showing
    if showing is None:
        return (*row_of(event), None, None, None, None, None, None, None)
    variant = showing.template, showing.version, showing.seed, showing.parameters
    return (*row_of(event), *variant, showing.answer, showing.verdict, "\n".join(showing.slips))


@dataclass(slots=True)
class _Log:
    """Count a student's answers, tries and outcomes, event by event."""

    cluster: Callable[[Showing], str]
    tries: dict[str, CardTries] = field(default_factory=dict)
    attempts: dict[str, Attempts] = field(default_factory=dict)
    outcomes: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)  # by day, as the next two
    new: Counter[int] = field(default_factory=Counter)
    took_ms: Counter[int] = field(default_factory=Counter)
    profile: str = ""

    @property
    def by_fsrs(self) -> bool:
        """Return whether FSRS scheduled the last answer."""
        return self.profile.startswith(FSRS)

    def take(self, row: StudentRow) -> None:
        """Count one event."""
        _, kind, card, day, grade, took_ms, target, profile, template, *_, verdict, _ = row
        if kind == EventKind.RELINK:
            review_rule.relink(self.tries, target, card)
        if template is not None:
            self._add_attempt(row)
        if kind == EventKind.ANSWER and grade is not None:
            self.profile = profile
            if card not in self.tries:  # an exercise's verdict outranks the grade
                first_right = right_at_once(verdict, grade) if verdict else grade >= PASSING_GRADE
                self.tries[card] = CardTries(first_right)
                self.new[day] += 1
            self.tries[card].took.append(took_ms)
            self.answers[day] += 1
        elif kind in review_rule.EXERCISES_COUNTED_IN:
            self.answers[day] += len(review_rule.EXERCISES_COUNTED_IN[kind])
        else:
            return
        self.took_ms[day] += took_ms

    def _add_attempt(self, row: StudentRow) -> None:
        """Add the outcome of an exercise. A choice, which has no template of its own, is counted by its card."""
        _, _, card, _, grade, took_ms, _, _, template_name, version, seed, *texts = row
        parameters, answer, verdict, slips = (part or "" for part in texts)
        template = template_name or ""
        self.outcomes[template, verdict, slips] += 1
        if not verdict:
            return  # a bet that was only promised
        name = template if "." in template else card
        if (attempts := self.attempts.get(name)) is None:
            attempts = self.attempts[name] = Attempts(right_at_once(verdict, grade))
        attempts.took.append(took_ms)
        if verdict not in WRONG:
            return
        attempts.wrong += 1
        showing = Showing(template, version or 0, seed or 0, parameters, answer)
        label = (verdict == INCORRECT and self.cluster(showing)) or verdict
        attempts.clusters.update(slips.split("\n") if slips else [label])


def student_figures(
    name: str,
    rows: Sequence[StudentRow],
    course: Mapping[str, CourseCard],
    day: int,
    *,
    exam: int | None = None,
    cluster: Callable[[Showing], str] = lambda _: "",
) -> StudentFigures:
    """Compute the figures of an ordered log as of a study day. `cluster` labels a wrong answer without a slip."""
    fsrs = Fsrs()
    log, undone_ids = _Log(cluster), {undone_id(row[6]) for row in rows if row[1] == EventKind.UNDO}
    events = [row for row in rows if bytes(row[0]) not in undone_ids]
    for row in events:
        log.take(row)
    figures = log_figures.read((row[:8] for row in events), (), fsrs, day)
    memories_by_card = {card: memory for card, memory in figures.memories.items() if card in course}
    other_memories = [memory for card, memory in figures.memories.items() if card not in course]
    curve = fitted(fsrs, figures.seen)
    start = PlanStart(
        list(memories_by_card.values()),
        len(course) - len(memories_by_card),
        other_memories,
        log.by_fsrs,
        curve,
        figures.pace,
    )
    memories = (
        memories_by_card
        if log.by_fsrs
        else {card: log_figures.by_sm2(memory) for card, memory in memories_by_card.items()}
    )
    parts = {
        card: Part(1, int(memory[1] >= MATURE), memory[3], Retention(memory[7], memory[6]))
        for card, memory in memories.items()
    }
    recall = {card: curve.recall(memory, day) for card, memory in memories_by_card.items()}
    active = [on for on, count in log.answers.items() if count]
    objectives = {}
    for objective, cards in cards_by_objective(course).items():
        known = [card for card in cards if card in parts]
        part, recalled = sum((parts[card] for card in known), Part()), math.fsum(recall[card] for card in known)
        objectives[objective] = ObjectiveStanding(part, len(cards), recalled)
    return StudentFigures(
        name=name,
        answers=log.answers.total(),
        days=len(active),
        last=date.fromordinal(max(active)) if active else None,
        took_ms=log.took_ms.total(),
        total=sum(parts.values(), Part()),
        recalled=math.fsum(recall.values()) / len(course) if course else 0.0,
        objectives=objectives,
        memories=memories,
        tries={card: tries for card, tries in log.tries.items() if card in course},
        attempts=log.attempts,
        outcomes=tuple((*outcome, count) for outcome, count in log.outcomes.items()),
        elsewhere=len(other_memories),
        forecast=None if exam is None else _forecast(start, log, range(day + 1, exam)),
    )


def cards_by_objective(course: Mapping[str, CourseCard]) -> dict[str, list[str]]:
    """Return the ids of each objective's cards, in lesson order, with unknown objectives last."""
    cards: dict[str, list[str]] = {}
    for id_, card in course.items():
        for objective in card.objectives:
            cards.setdefault(objective, []).append(id_)
    return {name: cards[name] for name in dict.fromkeys((*OBJECTIVES, *sorted(cards))) if name in cards}


def _forecast(start: PlanStart, log: _Log, days: range) -> StudentForecast:
    """Simulate the days up to the exam at the pace of the last weeks."""
    recent = range(max(days.start - PACE_DAYS, min(log.took_ms, default=0)), days.start)
    span = max(1, len(recent))
    minutes = sum(log.took_ms[day] for day in recent) / 60_000 / span
    new_a_day = math.ceil(sum(log.new[day] for day in recent) / span)
    plan = at_pace(start, days, minutes, new_a_day, seed=days.stop, number=_SIMULATIONS)
    cards = len(start.known) + start.unseen
    return StudentForecast(minutes, new_a_day, plan.learnt, plan.learnt * plan.recall / cards if cards else 0.0)
