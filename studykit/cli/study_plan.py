"""The plan that a learner's reviews follow, in a side file: up to which day, how many minutes, for what.

A shell prompt asks it for the day's new cards, so it imports next to nothing before there is a plan.
"""

from studykit.errors import BadDataError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

_LARGEST = 100_000  # characters of the file


class StudyPlan:
    """What was asked for, and what it means for the day that it was last worked out for."""

    __slots__ = ("day", "decks", "exam", "minutes", "new", "objectives", "order", "reviews")

    def __init__(
        self, *, exam: "date | None", minutes: int, decks: "Sequence[str]" = (), objectives: "Sequence[str]" = ()
    ) -> None:
        """Without an exam it works off a backlog, and has ended when what is due fits into a day again."""
        self.exam = exam
        self.minutes = minutes
        self.decks = tuple(decks)
        self.objectives = tuple(objectives)
        self.day: date | None = None
        self.new = 0  # new cards of that day
        self.reviews = 0  # due cards of that day, at most
        self.order: tuple[str, ...] = ()  # objectives, the weakest first

    @property
    def request(self) -> "tuple[date | None, int, tuple[str, ...], tuple[str, ...]]":
        """What the learner asked for: exam, minutes, decks and objectives."""
        return self.exam, self.minutes, self.decks, self.objectives

    def sentence(self) -> str:
        """What the plan means for new cards, and how to stop it."""
        if self.exam is None:
            held = "Backlog plan: no new cards for now."
        else:
            held = f"Exam plan: {self.new} new a day until {self.exam}."
        return f"{held} Stop it with: study plan --off"

    def document(self) -> dict[str, object]:
        """The plan as JSON."""
        return {
            "exam": None if self.exam is None else str(self.exam),
            "minutes": self.minutes,
            "decks": list(self.decks),
            "objectives": list(self.objectives),
            "day": None if self.day is None else str(self.day),
            "new": self.new,
            "reviews": self.reviews,
            "order": list(self.order),
        }


def read(path: "Path") -> StudyPlan | None:
    """The plan in a side file; None where there is none, BadDataError where it cannot be read."""
    if not path.exists():
        return None
    import json
    from datetime import date

    try:
        with path.open(encoding="utf-8") as file:
            told = json.loads(file.read(_LARGEST))
        exam = None if told["exam"] is None else date.fromisoformat(told["exam"])
        plan = StudyPlan(
            exam=exam,
            minutes=int(told["minutes"]),
            decks=[str(deck) for deck in told["decks"]],
            objectives=[str(objective) for objective in told["objectives"]],
        )
        plan.day = None if told["day"] is None else date.fromisoformat(told["day"])
        plan.new, plan.reviews = int(told["new"]), int(told["reviews"])
        plan.order = tuple(str(objective) for objective in told["order"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadDataError(f"{path} holds no plan ({error}): remove it with `study plan --off`.") from None
    return plan


def write(path: "Path", plan: StudyPlan) -> None:
    """Let reviews follow this plan from now on."""
    from studykit.store.address import write_side_file
    from studykit.text import json_text

    write_side_file(path, f"{json_text(plan.document())}\n".encode())


def drop(path: "Path") -> bool:
    """Remove the plan; return whether there was one."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True
