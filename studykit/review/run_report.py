"""Count the answers of a finished run of exercises or a quiz."""

from dataclasses import dataclass

from studykit.review.question import UNMARKED, Asked
from studykit.scheduling.outcomes import NOT_SCORED, RIGHT, is_missed


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
