"""What a run of exercises or a quiz came to, for its end: each answer, what was right, how it went before."""

from dataclasses import dataclass

from studykit.review.question import Asked
from studykit.scheduling.outcomes import NOT_SCORED, RIGHT, is_missed


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """One question of a run and how it ended; texts are Markdown."""

    question: str
    right: str  # the right answer, in short
    verdict: str
    slips: tuple[str, ...] = ()
    slip_text: str = ""  # the last slip, in words
    command: str = ""  # asks it again


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run that has ended."""

    answers: tuple[RunAnswer, ...]
    seconds: float
    before: float | None = None  # share that was right at once in such runs before this one
    has_open_tries: bool = False  # at the question that was left
    progress: str = ""  # of a set that is done over several runs
    message: str = ""  # of the last answer, which no next question stands beside

    @property
    def scored(self) -> int:
        """Count the questions that could be scored."""
        return sum(answer.verdict != NOT_SCORED for answer in self.answers)

    @property
    def at_once(self) -> int:
        """Count the questions that were right at the first try, without a hint."""
        return sum(answer.verdict == RIGHT for answer in self.answers)

    @property
    def missed(self) -> tuple[RunAnswer, ...]:
        """Return what was not right in the end."""
        return tuple(answer for answer in self.answers if is_missed(answer.verdict))


def answer_of(asked: Asked) -> RunAnswer:
    """Return a closed question as the end of a run tells it."""
    question, slips = asked.question, [reply.slip_text for reply in asked.tries if reply.slip_text]
    text = question.text or question.markdown
    return RunAnswer(
        text, asked.right, asked.verdict or NOT_SCORED, asked.slips, "".join(slips[-1:]), question.command
    )
