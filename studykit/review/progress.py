"""How a session goes: what is left, how long it may take, and what to say at its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from studykit.cards.card import Card, CardId
from studykit.scheduling.events import Became
from studykit.scheduling.sm2 import Grade, Memory

_LONGEST_ANSWER_MS = 60_000  # a longer one was a pause; Anki's cap
_ENOUGH, _LAST = 5, 20


@dataclass(frozen=True, slots=True)
class Given:
    """One answer of this session."""

    card: Card
    grade: Grade
    took_ms: int
    before: Memory | None
    became: Became | None


@dataclass(frozen=True, slots=True)
class Progress:
    """Answers given and cards left; a failed card is left again."""

    done: int
    left: int
    minutes: int | None  # None: too early to tell

    @property
    def share(self) -> float:
        """Part of the way that is behind, from 0 to 1."""
        return self.done / (self.done + self.left) if self.done + self.left else 1.0


def progress(answers: Sequence[Given], left: int) -> Progress:
    """Where a session stands; the time left is told after five answers."""
    if len(answers) < _ENOUGH or not left:
        return Progress(len(answers), left, None)
    from statistics import median

    typical = median(min(given.took_ms, _LONGEST_ANSWER_MS) for given in answers[-_LAST:])
    return Progress(len(answers), left, max(1, round(typical * left / 60_000)))


@dataclass(frozen=True, slots=True)
class Missed:
    """A card that was failed, and how often."""

    card: Card
    times: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session came to."""

    cards: int
    answers: int
    seconds: int
    recalled: int  # of the due cards, at the first try
    asked: int  # due cards; new ones cannot be recalled
    grades: tuple[tuple[Grade, int], ...]
    missed: tuple[Missed, ...]
    left: int


def summary(answers: Sequence[Given], seconds: int, left: int) -> Summary:
    """The numbers at the end."""
    reviews = [given for given in answers if given.became is Became.REVIEW and given.before is not None]
    failures: dict[CardId, Missed] = {}
    for given in answers:
        if not given.grade.passed:
            times = failures[given.card.id].times + 1 if given.card.id in failures else 1
            failures[given.card.id] = Missed(given.card, times)
    counts = tuple((grade, sum(given.grade is grade for given in answers)) for grade in Grade)
    return Summary(
        cards=len({given.card.id for given in answers}),
        answers=len(answers),
        seconds=seconds,
        recalled=sum(given.grade.passed for given in reviews),
        asked=len(reviews),
        grades=tuple((grade, count) for grade, count in counts if count),
        missed=tuple(failures.values()),
        left=left,
    )
