"""Compute the cards that a day may bring, from the plan that reviews follow and from extra new cards.

Both are in side files. A shell prompt imports this module, so it has no slow imports.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date
    from pathlib import Path

    from studykit.cli.context import Context
    from studykit.cli.plan_file import StudyPlan
    from studykit.scheduling.agenda import Agenda
    from studykit.store.store import Store

ALL_NEW = 10**6  # more new cards than a collection has
_EXTRA_NEW_CARDS = 10  # new cards that are offered
_MAX_MORE = 40  # characters of the file


def current_plan(context: "Context") -> "StudyPlan | None":
    """Return the plan that reviews follow today, or None without one, from its exam on, or after its backlog."""
    if not (path := context.side_file("plan")).exists():
        return None
    from studykit.cli.plan_file import read_plan

    plan = read_plan(path)
    has_ended = _reviews_today(context) <= plan.reviews if plan.exam is None else context.today() >= plan.exam
    return None if has_ended else plan


def _reviews_today(context: "Context") -> int:
    """Count this day's reviews, done ones included, or return 0 when none is left."""
    today, schedule = context.today(), context.store.schedule
    if not (remaining := len(schedule.agenda(today, new=0).due)):
        return 0
    tally = schedule.tally(today)
    return remaining + tally.young + tally.mature


def new_a_day(context: "Context") -> int:
    """Return how many new cards this day may bring: the setting's or the plan's, plus extra ones."""
    plan = current_plan(context)
    usual = context.section("review")["new_per_day"] if plan is None else plan.new
    return usual + more_new(context.side_file("more"), context.today())


def new_of_decks(context: "Context") -> dict[str, int]:
    """Map deck ids or names to their new cards a day. On a day with extra cards the map is empty."""
    limits = context.config["new_per_deck"]
    if not limits or more_new(context.side_file("more"), context.today()):
        return {}
    pairs = (text.rpartition("=") for text in limits)
    return {name.strip().casefold(): int(count) for name, _, count in pairs if count.strip().isdecimal()}


def todays_agenda(
    context: "Context", cards: "Collection[str] | None" = None, *, new: int | None = None
) -> "Agenda":
    """Return today's agenda from `cards` or all, with at most `new` new ones, or as many as the day may bring."""
    new = new_a_day(context) if new is None else new
    return context.store.schedule.agenda(context.today(), new=new, cards=cards, of_decks=new_of_decks(context))


def agenda_counts(agenda: "Agenda") -> str:
    """Format how many cards of each kind an agenda has, such as `4 due, 2 to repeat`."""
    parts = (len(agenda.due), "due"), (len(agenda.new), "new"), (len(agenda.drill), "to repeat")
    return ", ".join(f"{count:,} {word}" for count, word in parts if count)


def agenda_document(agenda: "Agenda") -> dict[str, object]:
    """Return an agenda as JSON: how many cards it has of each kind."""
    return {
        "date": str(agenda.day),
        "due": len(agenda.due),
        "new": len(agenda.new),
        "drill": len(agenda.drill),
        "decks": dict(agenda.decks),
    }


def more_new(path: "Path", day: "date") -> int:
    """Read how many extra new cards were asked for on this day from a side file."""
    try:
        with path.open(encoding="ascii") as file:
            on, _, count = file.read(_MAX_MORE).strip().partition(" ")
    except (OSError, UnicodeDecodeError):
        return 0
    return int(count) if on == str(day) and count.isdecimal() else 0


def allow_more(path: "Path", store: "Store", day: "date", *, limit: int, more: int) -> None:
    """Allow `more` new cards on a day beyond its limit, or beyond those already introduced if they are more."""
    from studykit.store.address import write_side_file

    introduced = store.schedule.tally(day).introduced
    extra = more_new(path, day) + max(0, introduced - limit) + more
    write_side_file(path, f"{day} {extra}\n".encode())


def waiting_new(store: "Store", agenda: "Agenda", cards: "Collection[str] | None" = None) -> int:
    """Count the new cards that wait because today's are used up, or return 0 if some of today's remain."""
    if agenda.new or not store.schedule.agenda(agenda.day, new=ALL_NEW, cards=cards).new:
        return 0
    return store.schedule.unseen(cards)  # siblings too, as decks count their new cards


def waiting_sentence(limit: int, count: int, words: "Iterable[str]" = ()) -> str:
    """Say how many new cards wait, and how to get them. `words` are the arguments that chose the cards."""
    from studykit.text import counted

    text = f"You've used today's {counted(limit, 'new card')}" if limit else "No new cards are planned for today"
    return f"{text}; {count:,} {'remains' if count == 1 else 'remain'}: {more_command(count, words)}"


def more_command(count: int, words: "Iterable[str]" = ()) -> str:
    """Return the command that reviews the first of the waiting new cards."""
    from shlex import join

    return join(["study", "review", *words, "--more", str(min(count, _EXTRA_NEW_CARDS))])
