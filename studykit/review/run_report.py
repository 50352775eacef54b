"""What a run of exercises or a quiz came to, for its end: each answer, what was right, how it went before."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """One question of a run and how it ended; texts are Markdown."""

    question: str
    right: str  # the right answer, in short
    passed: bool
    at_once: bool  # right at the first try, without a hint
    slips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run that has ended."""

    answers: tuple[RunAnswer, ...]
    seconds: float
    before: float | None = None  # share that was right at once in such runs before this one
    again: bool = True  # whether what was missed can be gone through again

    @property
    def missed(self) -> tuple[RunAnswer, ...]:
        """What was not right in the end."""
        return tuple(answer for answer in self.answers if not answer.passed)
