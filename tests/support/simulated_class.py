"""Simulate a class of students: write their logs directly, and count a report's figures in simple loops."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from uuid import UUID

from plain_replay import plain_replay

from studykit.cards.card import Card, CardId
from studykit.cards.parser import parse_deck
from studykit.exercise import catalog
from studykit.exercise.estimate.template import Template
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.progress_file import progress_json
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds

if TYPE_CHECKING:
    from studykit.scheduling.memory import Memory

LAST_DAY = date(2026, 11, 22)
NEW_A_DAY = 6
DECK = "---\nname = 'mine'\n---\n\n" + "".join(
    f"Q: Question {number}? {{#card-{number} .flops}}\nA: {number}\n\n" for number in range(12)
)
DECK += "E: flops.matmul {#ex-matmul .flops}\n\nE: mem.gib {#ex-gib .memory}\n"


def cards() -> tuple[Card, ...]:
    """Return the cards of the class's deck."""
    return parse_deck(DECK, "mine.md")[0].cards


@dataclass
class Student:
    """Hold one student's skill, steadiness and log."""

    name: str
    skill: float
    steadiness: float
    leaves: int  # the day after which nothing comes
    events: list[Event] = field(default_factory=list)


def simulated_class(cards: Sequence[Card], students: int, days: int, seed: int = 18) -> list[Student]:
    """Return this many students, who study for up to `days` days until LAST_DAY. The first one never answers."""
    chance = random.Random(seed)
    slips = _slips(cards)
    class_ = []
    for number in range(students):
        leaves = chance.randrange(days) if chance.random() < 0.1 else days
        student = Student(f"student-{number:03}", chance.uniform(0.7, 0.98), chance.uniform(0.5, 1), leaves)
        if number:
            _Life(student, cards, slips, random.Random(f"{seed} {number}")).live(days)
        class_.append(student)
    return class_


def _slips(cards: Sequence[Card]) -> dict[str, list[str]]:
    exercises = {exercise.id: exercise for exercise in catalog.every()}
    names = {card.task.name for card in cards if card.task is not None}
    templates = {name: exercises.get(name) for name in names}
    return {
        name: [rule.id for rule in template.slips] if isinstance(template, Template) else []
        for name, template in templates.items()
    }


class _Life:
    """Simulate one student's days, with due dates from the plain replay of SM-2."""

    def __init__(
        self, student: Student, cards: Sequence[Card], slips: dict[str, list[str]], chance: random.Random
    ) -> None:
        self.student, self.cards, self.slips, self.chance = student, cards, slips, chance
        self.due: dict[CardId, date] = {}
        self.memories: dict[CardId, Memory] = {}
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def live(self, days: int) -> None:
        by_id = {card.id: card for card in self.cards}
        new = iter(self.cards)
        for back in range(days - 1, -1, -1):
            if days - 1 - back >= self.student.leaves or self.chance.random() > self.student.steadiness:
                continue
            day = LAST_DAY - timedelta(days=back)
            self.moment = datetime(day.year, day.month, day.day, 8, tzinfo=UTC)
            due = [by_id[card] for card, on in self.due.items() if on <= day]
            due += [card for card, _ in zip(new, range(NEW_A_DAY), strict=False)]
            for card in due:
                self._ask(card, day)
            if self.chance.random() < 0.2 and self.student.events:
                self._undo(day)
            if self.chance.random() < 0.5:
                self._practise(day)

    def _ask(self, card: Card, day: date) -> None:
        hardness = sum(map(ord, card.id)) % 7 / 30
        grade = Grade.GOOD
        for _ in range(6):
            right = self.chance.random() < self.student.skill - hardness
            grade = self.chance.choice([Grade.HARD, Grade.GOOD, Grade.EASY]) if right else Grade.AGAIN
            self._record(
                EventKind.ANSWER, card.id, day, grade, self._showing(card.task.name if card.task else None, right)
            )
            if grade >= Grade.GOOD:
                break
        memory = plain_replay([event for event in self.student.events if event.card == card.id])[card.id]
        self.due[card.id] = memory.due

    def _undo(self, day: date) -> None:
        last = self.student.events[-1]
        if last.kind is EventKind.ANSWER:
            self._record(EventKind.UNDO, last.card, day, target=str(last.id))

    def _practise(self, day: date) -> None:
        names = sorted(self.slips)
        if names:
            right = self.chance.random() < self.student.skill
            self._record(
                EventKind.PRACTICE, CardId(""), day, showing=self._showing(self.chance.choice(names), right)
            )

    def _showing(self, name: str | None, right: bool) -> Showing | None:  # noqa: FBT001 - an outcome
        if name is None:
            return None
        slips = self.slips[name]
        chosen = (slips[self.chance.randrange(min(3, len(slips)))],) if slips and not right else ()
        seed = self.chance.randrange(1000)
        return Showing(name, 1, seed, "{}", "1", "correct" if right else "incorrect", chosen)

    def _record(  # noqa: PLR0917 - an event
        self,
        kind: EventKind,
        card: CardId,
        day: date,
        grade: Grade | None = None,
        showing: Showing | None = None,
        target: str = "",
    ) -> None:
        self.moment += timedelta(seconds=self.chance.randrange(5, 50))
        moment = microseconds(self.moment)
        bits = self.chance.getrandbits(74)
        id_ = UUID(int=moment // 1000 << 80 | 7 << 76 | bits >> 62 << 64 | 0b10 << 62 | bits & (1 << 62) - 1)
        took = self.chance.randrange(2_000, 60_000) if kind is not EventKind.UNDO else 0
        self.student.events.append(
            Event(id_, "", "sim", kind, card, moment, day, "UTC", grade, took, target=target, showing=showing)
        )


def write_class(students: Iterable[Student], folder: Path) -> None:
    """Write a progress file of each student."""
    folder.mkdir(parents=True, exist_ok=True)
    for student in students:
        (folder / f"{student.name}.json").write_text(progress_json(student.events))


@dataclass
class PlainCounts:
    """Hold a class report's figures, counted without the report's own code."""

    answers: dict[str, int] = field(default_factory=dict)
    last: dict[str, date] = field(default_factory=dict)
    known: dict[tuple[str, str], int] = field(default_factory=Counter)  # student, objective
    mature: dict[str, int] = field(default_factory=Counter)  # student
    lapses: dict[str, int] = field(default_factory=Counter)
    tried: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))  # card: first tries
    median_ms: dict[str, float] = field(default_factory=dict)
    slips: Counter[str] = field(default_factory=Counter)
    slip_students: Counter[str] = field(default_factory=Counter)
    exercises: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    clusters: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    forgot: Counter[str] = field(default_factory=Counter)  # card: students
    asked_again: Counter[str] = field(default_factory=Counter)


def plain_counts(students: Iterable[Student], cards: Sequence[Card]) -> PlainCounts:
    """Count all figures of a class report in simple loops."""
    counts = PlainCounts()
    times = defaultdict(list)
    for student in students:
        undone = {event.target for event in student.events if event.kind is EventKind.UNDO}
        events = [event for event in student.events if str(event.id) not in undone]
        answered = [event for event in events if event.kind in {EventKind.ANSWER, EventKind.PRACTICE}]
        counts.answers[student.name] = len(answered)
        if answered:
            counts.last[student.name] = max(event.day for event in answered)
        _count_cards(counts, student.name, events, cards)
        made: set[str] = set()
        first: set[str] = set()
        for event in answered:
            if event.kind is EventKind.ANSWER:
                times[event.card].append(event.took_ms)
            if (showing := event.showing) is None:
                continue
            if showing.template not in first:
                at_once = showing.verdict == "correct" and event.grade in {None, Grade.GOOD, Grade.EASY}
                counts.exercises[showing.template].append(at_once)
                first.add(showing.template)
            if showing.verdict == "incorrect":
                counts.clusters[showing.template].update(showing.slips)
            counts.slips.update(showing.slips)
            made.update(showing.slips)
        counts.slip_students.update(made)
    counts.median_ms = {card: median(took) for card, took in times.items()}
    return counts


def _count_cards(counts: PlainCounts, name: str, events: Sequence[Event], cards: Sequence[Card]) -> None:
    memories = plain_replay(events)
    for card in cards:
        history = [event for event in events if event.card == card.id and event.kind is EventKind.ANSWER]
        if not history:
            continue
        memory = memories[card.id]
        for objective in card.objectives:
            counts.known[name, objective] += 1
        counts.mature[name] += memory.interval >= 21
        counts.lapses[name] += memory.lapses
        first, showing = history[0].grade or 0, history[0].showing
        counts.tried[card.id].append(
            first >= Grade.HARD if showing is None else showing.verdict == "correct" and first >= Grade.GOOD
        )
        reviews = _reviews(history)[1:]
        counts.asked_again[card.id] += bool(reviews)
        counts.forgot[card.id] += any((event.grade or 0) < Grade.HARD for event in reviews)


def _reviews(history: Sequence[Event]) -> list[Event]:
    """Return the answers to one card that count as reviews: the first, and those given when it was due."""
    found: list[Event] = []
    for event in history:
        memory = plain_replay(found)[event.card] if found else None
        if memory is None or memory.due <= event.day:
            found.append(event)
    return found
