"""Compute a class's figures: where its students stand, and which cards, exercises and slips are hard for them."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from statistics import median

from studykit.scheduling.review_rule import MemoryRow
from studykit.scheduling.stats import Retention, SlipCount, slip_counts
from studykit.scheduling.student_figures import Attempts, CardTries, CourseCard, StudentFigures, cards_by_objective

MIN_STUDENTS = 5
"""Fewest students that a line in a report for everybody, or a leech of the class, is based on."""
SILENT_DAYS = 7
READY = 0.8
"""The share of the course that is recalled by a student who is called ready."""
_OTHER = "other"


@dataclass(slots=True)
class TryCounts:
    """Count how a class answered a card or an exercise. Students are added one at a time."""

    name: str
    students: int = 0
    first_right: int = 0  # students whose first try was right
    took: "array[int]" = field(default_factory=lambda: array("q"))  # milliseconds of each try

    def add(self, tries: CardTries) -> None:
        """Add a student's tries."""
        self.students += 1
        self.first_right += tries.first_right
        self.took.extend(tries.took)

    @property
    def tries(self) -> int:
        """Count the tries of all students."""
        return len(self.took)

    @property
    def median_ms(self) -> float:
        """Return the median time of a try."""
        return median(self.took) if self.took else 0.0

    @property
    def first_rate(self) -> float:
        """Return the share of students whose first try was right."""
        return self.first_right / self.students if self.students else 0.0


@dataclass(slots=True, kw_only=True)
class CardStanding(TryCounts):
    """Count how the class answered a card. Retention, lapses and `forgot` count only reviews of a known card."""

    card: CourseCard
    retention: Retention = field(default_factory=Retention)
    lapses: int = 0
    asked_again: int = 0  # students with a review after their first answer
    forgot: int = 0  # of those, who failed one at least

    def add_reviews(self, memory: MemoryRow | None) -> None:
        """Add a student's reviews after the first answer, from the memory of the card."""
        if memory is None:
            return
        reviews, passed = memory[6:8]
        self.retention += Retention(passed, reviews)
        self.lapses += memory[3]
        self.asked_again += reviews > 0
        self.forgot += passed < reviews


@dataclass(slots=True)
class Cluster:
    """Count wrong answers of one sort."""

    name: str
    count: int = 0
    students: int = 0


@dataclass(slots=True)
class ExerciseStanding(TryCounts):
    """Count how the class answered an exercise."""

    wrong: int = 0
    by_cluster: dict[str, Cluster] = field(default_factory=dict)

    def add_wrong(self, attempts: Attempts) -> None:
        """Add a student's wrong answers."""
        self.wrong += attempts.wrong
        for label, count in attempts.clusters.items():
            cluster = self.by_cluster.setdefault(label, Cluster(label))
            cluster.count += count
            cluster.students += 1

    @property
    def clusters(self) -> list[Cluster]:
        """Return the sorts of wrong answers, most frequent first, and merged rare sorts last."""
        return sorted(self.by_cluster.values(), key=lambda each: (not each.students, -each.count, each.name))


@dataclass(frozen=True, slots=True)
class ClassReport:
    """Hold the figures of a class on a study day."""

    day: date
    students: tuple[StudentFigures, ...]  # by name; none in a report for everybody
    size: int  # of the class
    active: int  # students who answered anything in the last days
    silent_days: int
    answers: int
    cards_of: Mapping[str, int]  # objective: cards of the course
    shares: Mapping[str, tuple[float, float, float]]  # objective: quartiles of what is recalled today
    recalled: tuple[float, float, float]  # quartiles over the whole course
    slips: tuple[SlipCount, ...]  # most frequent first
    cards: tuple[CardStanding, ...]  # the lowest first-try rate first, what few have tried last
    exercises: tuple[ExerciseStanding, ...]  # the same
    leeches: tuple[CardStanding, ...]  # forgotten by half of the class or more; the worst first
    course: int  # cards
    elsewhere: int  # known cards that the course does not have, over all students
    exam: date | None = None
    forecasts: tuple[float, ...] = ()  # share recalled on that day, of each student, the lowest first
    hidden: int = 0  # lines that too few students stand behind, left out

    @property
    def behind(self) -> list[StudentFigures]:
        """Return the students, lowest first: by recall at the exam, else by recall today."""
        return sorted(self.students, key=lambda each: ((each.forecast or each).recalled, each.name))

    @property
    def ready(self) -> int:
        """Count the students who are expected to recall at least `READY` of the course at the exam."""
        return sum(share >= READY for share in self.forecasts)


def class_report(
    students: Iterable[StudentFigures],
    course: Mapping[str, CourseCard],
    day: date,
    *,
    silent_days: int = SILENT_DAYS,
    exam: date | None = None,
) -> ClassReport:
    """Compute the report on a class from its students' figures, taking one student at a time."""
    standings: list[StudentFigures] = []
    cards: dict[str, CardStanding] = {}
    exercises: dict[str, ExerciseStanding] = {}
    outcomes: Counter[tuple[str, str, str]] = Counter()
    slip_students: Counter[str] = Counter()  # how many students made a slip
    for student in students:
        silent = student.last is None or student.last <= day - timedelta(days=silent_days)
        # What only adds to the class's own figures is not kept: hundreds of logs would fill the memory.
        standings.append(replace(student, silent=silent, memories={}, tries={}, attempts={}, outcomes=()))
        for name, tries in student.tries.items():
            card = cards.setdefault(name, CardStanding(name=name, card=course[name]))
            card.add(tries)
            card.add_reviews(student.memories.get(name))
        for name, attempts in student.attempts.items():
            exercise = exercises.setdefault(name, ExerciseStanding(name))
            exercise.add(attempts)
            exercise.add_wrong(attempts)
        slips: set[str] = set()
        for template, verdict, slip_lines, count in student.outcomes:
            outcomes[template, verdict, slip_lines] += count
            slips.update(filter(None, slip_lines.split("\n")))
        slip_students.update(slips)
    standings.sort(key=lambda student: student.name.casefold())
    size, cards_of = len(standings), {name: len(ids) for name, ids in cards_by_objective(course).items()}
    hardest_cards = tuple(sorted(cards.values(), key=lambda each: _hardness_key(each, size)))
    return ClassReport(
        day=day,
        students=tuple(standings),
        size=size,
        active=sum(not student.silent for student in standings),
        silent_days=silent_days,
        answers=sum(student.answers for student in standings),
        cards_of=cards_of,
        shares={name: quartiles(each.objectives[name].share for each in standings) for name in cards_of},
        recalled=quartiles(each.recalled for each in standings),
        slips=tuple(
            replace(each, students=slip_students[each.slip])
            for each in slip_counts((*outcome, count) for outcome, count in outcomes.items())
        ),
        cards=hardest_cards,
        exercises=tuple(sorted(exercises.values(), key=lambda each: _hardness_key(each, size))),
        leeches=leeches(hardest_cards, size),
        course=len(course),
        elsewhere=sum(student.elsewhere for student in standings),
        exam=exam,
        forecasts=tuple(sorted(each.forecast.recalled for each in standings if each.forecast is not None)),
    )


def _hardness_key(counts: TryCounts, size: int) -> tuple[bool, float, int, str]:
    """Return a sort key, hardest first. What only a few students have tried comes last."""
    return counts.students < min(MIN_STUDENTS, size), counts.first_rate, -counts.students, counts.name


def quartiles(values: Iterable[float]) -> tuple[float, float, float]:
    """Return the lower quartile, median and upper quartile, each one of the values, or zeros without values."""
    ordered = sorted(values)
    if not ordered:
        return 0.0, 0.0, 0.0
    last = len(ordered) - 1
    return ordered[last // 4], ordered[last // 2], ordered[last - last // 4]


def leeches(cards: Iterable[CardStanding], size: int) -> tuple[CardStanding, ...]:
    """Return cards forgotten by at least half of the students who reviewed them, if enough students did."""
    # A class smaller than MIN_STUDENTS can still have leeches, but a card without reviews is never one.
    enough = min(MIN_STUDENTS, max(1, size))
    bad = [card for card in cards if card.asked_again >= enough and 2 * card.forgot >= card.asked_again]
    return tuple(sorted(bad, key=lambda each: (-each.forgot / each.asked_again, -each.lapses, each.card.id)))


def for_everybody(report: ClassReport) -> ClassReport:
    """Return a report without students, and without lines based on fewer than `MIN_STUDENTS` of them."""
    cards = [card for card in report.cards if card.students >= MIN_STUDENTS]
    exercises = [_merge_rare_clusters(each) for each in report.exercises if each.students >= MIN_STUDENTS]
    slips = [slip for slip in report.slips if slip.students >= MIN_STUDENTS]
    worst = [card for card in report.leeches if card.forgot >= MIN_STUDENTS]
    line_count = len(report.cards) + len(report.exercises) + len(report.slips) + len(report.leeches)
    return replace(
        report,
        students=(),
        cards=tuple(cards),
        exercises=tuple(exercises),
        slips=tuple(slips),
        leeches=tuple(worst),
        hidden=line_count - len(cards) - len(exercises) - len(slips) - len(worst),
    )


def _merge_rare_clusters(exercise: ExerciseStanding) -> ExerciseStanding:
    """Merge wrong answers of fewer than `MIN_STUDENTS` students into one cluster, so that none identifies them."""
    clusters = {name: each for name, each in exercise.by_cluster.items() if each.students >= MIN_STUDENTS}
    rest = sum(each.count for each in exercise.clusters) - sum(each.count for each in clusters.values())
    if rest:
        clusters[_OTHER] = Cluster(_OTHER, rest)
    return replace(exercise, by_cluster=clusters)
