"""Report a finished run of exercises or a quiz: each answer, and the right ones."""

from dataclasses import dataclass

from studykit.review.question import Asked
from studykit.scheduling.outcomes import NOT_SCORED, RIGHT, is_missed


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """Hold a question of a run and its outcome. Texts are Markdown."""

    question: str
    right: str  # the right answer, in short
    verdict: str
    slips: tuple[str, ...] = ()
    slip_text: str = ""  # the last slip, in words
    command: str = ""  # asks it again


@dataclass(frozen=True, slots=True)
class RunReport:
    """Hold a finished run."""

    answers: tuple[RunAnswer, ...]
    seconds: float
    has_open_tries: bool = False  # at the question that was left
    progress: str = ""  # of a set that is done over several runs
    message: str = ""  # of the last answer, which no next question stands beside

    @property
    def scored(self) -> int:
        """Count the questions that could be scored."""
        return sum(answer.verdict != NOT_SCORED for answer in self.answers)

    @property
    def at_once(self) -> int:
        """Count the questions answered right at the first try without a hint."""
        return sum(answer.verdict == RIGHT for answer in self.answers)

    @property
    def missed(self) -> tuple[RunAnswer, ...]:
        """Return the answers that were never right."""
        return tuple(answer for answer in self.answers if is_missed(answer.verdict))


def answer_of(state: Asked) -> RunAnswer:
    """Convert a closed question to an answer of the report."""
    question, slips = state.question, [reply.slip_text for reply in state.tries if reply.slip_text]
    text = question.text or question.markdown
    return RunAnswer(
        text, state.right, state.verdict or NOT_SCORED, state.slips, "".join(slips[-1:]), question.command
    )
