"""What a learner's days may bring: the plan that reviews follow, and new cards beyond a day's limit.

Both stand in side files. A shell prompt reads them, so nothing slow is imported here before there is one.
"""

from studykit.errors import BadDataError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date
    from pathlib import Path

    from studykit.scheduling.agenda import Agenda
    from studykit.store.store import Store

ALL_NEW = 10**6  # more new cards than a collection has
_NEW_AT_ONCE = 10  # new cards that are offered
_MAX_PLAN, _MAX_MORE = 100_000, 40  # characters of the files


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
            plan = "Backlog plan: no new cards for now."
        else:
            plan = f"Exam plan: {self.new} new a day until {self.exam}."
        return f"{plan} Stop it with: study plan --off"

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


def read_plan(path: "Path") -> StudyPlan | None:
    """The plan in a side file; None where there is none, BadDataError where it cannot be read."""
    if not path.exists():
        return None
    import json
    from datetime import date

    try:
        with path.open(encoding="utf-8") as file:
            document = json.loads(file.read(_MAX_PLAN))
        exam = None if document["exam"] is None else date.fromisoformat(document["exam"])
        plan = StudyPlan(
            exam=exam,
            minutes=int(document["minutes"]),
            decks=[str(deck) for deck in document["decks"]],
            objectives=[str(objective) for objective in document["objectives"]],
        )
        plan.day = None if document["day"] is None else date.fromisoformat(document["day"])
        plan.new, plan.reviews = int(document["new"]), int(document["reviews"])
        plan.order = tuple(str(objective) for objective in document["order"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadDataError(f"{path} holds no plan ({error}): remove it with `study plan --off`.") from None
    return plan


def write_plan(path: "Path", plan: StudyPlan) -> None:
    """Let reviews follow this plan from now on."""
    from studykit.store.address import write_side_file
    from studykit.text import json_text

    write_side_file(path, f"{json_text(plan.document())}\n".encode())


def remove_plan(path: "Path") -> bool:
    """Remove the plan; return whether there was one."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def more_new(path: "Path", day: "date") -> int:
    """How many new cards beyond the limit were asked for on this day, from a side file; 0 on every other day."""
    try:
        with path.open(encoding="ascii") as file:
            on, _, count = file.read(_MAX_MORE).strip().partition(" ")
    except (OSError, UnicodeDecodeError):
        return 0
    return int(count) if on == str(day) and count.isdecimal() else 0


def allow_more(path: "Path", store: "Store", day: "date", *, limit: int, more: int) -> None:
    """Allow `more` new cards on a day beyond its limit, whatever was used so far."""
    from studykit.store.address import write_side_file

    introduced = store.schedule.tally(day).introduced
    extra = more_new(path, day) + max(0, introduced - limit) + more
    write_side_file(path, f"{day} {extra}\n".encode())


def waiting_new(store: "Store", agenda: "Agenda", decks: "Collection[str]" = ()) -> int:
    """How many new cards wait because the day's are used; 0 while some of the day's are left."""
    if agenda.new:
        return 0
    return len(store.schedule.agenda(agenda.day, new=ALL_NEW, decks=decks).new)


def waiting_sentence(limit: int, count: int, decks: "Collection[str]" = ()) -> str:
    """How many wait and how to have them now."""
    from studykit.text import counted

    used = f"today's {limit} are used" if limit else "none are planned for today"
    waits = f"{counted(count, 'new card')} {'waits' if count == 1 else 'wait'}"
    return f"{waits}, {used}: {more_command(count, decks)}"


def more_command(count: int, decks: "Collection[str]" = ()) -> str:
    """The command that asks for the first of the cards that wait."""
    from shlex import join

    return join(["study", "review", *decks, "--more", str(min(count, _NEW_AT_ONCE))])
