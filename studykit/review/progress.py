"""Estimate a session's remaining minutes, and sum up the answers of a session, a run of exercises or a quiz."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from studykit.cards.card import Card
from studykit.review.question import UNMARKED, Asked
from studykit.scheduling.memory import AnswerKind, Memory
from studykit.scheduling.outcomes import NOT_SCORED, RIGHT, is_missed, is_recalled, sign_of
from studykit.scheduling.recall_grade import Grade

_MAX_ANSWER_MS = 60_000  # a longer one was a pause; Anki's cap
_MIN_ANSWERS, _RECENT_ANSWERS = 5, 20


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """Hold one answer of a session."""

    card: Card
    grade: Grade
    took_ms: int
    before: Memory | None
    answer_kind: AnswerKind | None
    leech: int = 0  # lapses, where this one made the card a leech
    asked: Asked | None = None  # the question, where the program judged it

    @property
    def verdict(self) -> str:
        """Return the program's verdict, or "" if the learner grades the card."""
        return self.asked.verdict if self.asked is not None else ""

    @property
    def typed(self) -> str:
        """Return the answer if it is wrong and the log records nothing else about the question, or ""."""
        return self.asked.typed if self.asked is not None else ""

    @property
    def is_recalled(self) -> bool:
        """Return whether the first answer was right, by the verdict or else by the learner's grade."""
        return is_recalled(self.verdict) if self.verdict else self.grade.passed

    @property
    def is_missed(self) -> bool:
        """Return whether the question ended without a right answer."""
        return is_missed(self.verdict) if self.verdict else not self.grade.passed

    @property
    def sign(self) -> str:
        """Return the answer's sign in the progress bar."""
        return sign_of(self.verdict) if self.verdict else "✓" if self.grade.passed else "✗"


def minutes_left(answers: Sequence[SessionAnswer], remaining: int) -> int | None:
    """Estimate the minutes that the remaining cards take, or return None if none remain or before five answers."""
    if len(answers) < _MIN_ANSWERS or not remaining:
        return None
    from statistics import median

    typical = median(min(answer.took_ms, _MAX_ANSWER_MS) for answer in answers[-_RECENT_ANSWERS:])
    return max(1, round(typical * remaining / 60_000))


@dataclass(frozen=True, slots=True)
class Summary:
    """Hold the numbers at the end of a session."""

    cards: int
    answers: int
    seconds: int
    recalled: int  # of the due cards, at the first try
    asked: int  # due cards; new ones cannot be recalled
    grades: tuple[tuple[Grade, int], ...]
    missed: tuple[tuple[SessionAnswer, int], ...]  # the newest one of each card, with how often it was missed
    remaining: int
    signs: str = ""  # one for each answer, in order
    slips: tuple[tuple[str, int], ...] = ()  # the most frequent first
    leeches: tuple[SessionAnswer, ...] = ()  # answers that made a card a leech


def summary(answers: Sequence[SessionAnswer], seconds: int, remaining: int) -> Summary:
    """Sum up the answers of a session."""
    reviews = [
        answer for answer in answers if answer.answer_kind is AnswerKind.REVIEW and answer.before is not None
    ]
    failed = {answer.card.id: answer for answer in answers if answer.is_missed}
    times = Counter(answer.card.id for answer in answers if answer.is_missed)
    counts = tuple((grade, sum(answer.grade is grade for answer in answers)) for grade in Grade)
    return Summary(
        cards=len({answer.card.id for answer in answers}),
        answers=len(answers),
        seconds=seconds,
        recalled=sum(answer.is_recalled for answer in reviews),
        asked=len(reviews),
        grades=tuple((grade, count) for grade, count in counts if count),
        missed=tuple((answer, times[card]) for card, answer in failed.items()),
        remaining=remaining,
        signs="".join(answer.sign for answer in answers),
        slips=tuple(
            Counter(slip for answer in answers if answer.asked for slip in answer.asked.slips).most_common()
        ),
        leeches=tuple(answer for answer in answers if answer.leech),
    )


@dataclass(frozen=True, slots=True)
class RunReport:
    """Hold the closed questions of a finished run, and how long it took."""

    answers: tuple[Asked, ...]
    seconds: float
    has_open_tries: bool = False  # at the question that was left
    progress: str = ""  # of a set that is done over several runs
    message: str = ""  # of the last answer, which no next question stands beside
    remaining: int = 0  # questions of a set that was left before its end

    @property
    def scored(self) -> int:
        """Count the questions that could be scored."""
        return sum(answer.verdict not in {NOT_SCORED, UNMARKED} for answer in self.answers)

    @property
    def at_once(self) -> int:
        """Count the questions answered right at the first try without a hint."""
        return sum(answer.verdict == RIGHT for answer in self.answers)

    @property
    def missed(self) -> tuple[Asked, ...]:
        """Return the questions that ended without a right or close answer."""
        return tuple(answer for answer in self.answers if is_missed(answer.verdict))
