"""New cards beyond a day's limit: how many were asked for today, and how many wait."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date
    from pathlib import Path

    from studykit.scheduling.agenda import Agenda
    from studykit.store.store import Store

_ALL = 10**6  # more than a collection has
_OFFERED = 10  # new cards that are offered at once
_LONGEST = 40  # characters of the file


def asked_for(path: "Path", day: "date") -> int:
    """The count of cards beyond the limit for this day, from a side file; 0 on every other day."""
    try:
        with path.open(encoding="ascii") as file:
            on, _, count = file.read(_LONGEST).strip().partition(" ")
    except (OSError, UnicodeDecodeError):
        return 0
    return int(count) if on == str(day) and count.isdecimal() else 0


def ask_for(path: "Path", store: "Store", day: "date", *, limit: int, more: int) -> None:
    """Allow so many new cards more on a day beyond its limit, whatever was used so far; the day remembers it."""
    from studykit.store.address import write_side_file

    introduced = store.schedule.tally(day).introduced
    extra = asked_for(path, day) + max(0, introduced - limit) + more
    write_side_file(path, f"{day} {extra}\n".encode())


def waiting(store: "Store", agenda: "Agenda", decks: "Collection[str]" = ()) -> int:
    """New cards that wait because the day's are used; 0 while some of the day's are left."""
    if agenda.new:
        return 0
    return len(store.schedule.agenda(agenda.day, new=_ALL, decks=decks).new)


def sentence(limit: int, waits: int, names: "Collection[str]" = ()) -> str:
    """How many wait and how to have them now."""
    from studykit.text import counted

    words = command(waits, names)
    used = f"today's {limit} are used" if limit else "none are planned for today"
    return f"{counted(waits, 'new card')} {'waits' if waits == 1 else 'wait'}, {used}: {words}"


def command(waits: int, names: "Collection[str]" = ()) -> str:
    """The command that asks for the first of them."""
    return " ".join(["study review", *(_quoted(name) for name in names), f"--more {min(waits, _OFFERED)}"])


def _quoted(name: str) -> str:
    from shlex import quote

    return quote(name)
