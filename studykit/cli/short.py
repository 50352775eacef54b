"""`study due --short` on the way that a shell prompt can afford: no Typer, no SQLAlchemy."""

from collections.abc import Sequence

from studykit.agenda import Agenda
from studykit.cli.world import World
from studykit.glance import glance


def brief(agenda: Agenda) -> str:
    """A word or two on an agenda, empty when it is."""
    if count := len(agenda.due) + len(agenda.drill):
        return _due(count)
    return f"{len(agenda.new)} new" if agenda.new else ""


def _due(count: int) -> str:
    return f"{count} due"


def short(arguments: Sequence[str]) -> int | None:
    """The exit code, the prompt's words written; None when this is another command or needs the whole program."""
    match arguments:
        case ["due", "--short"]:
            db = None
        case ["due", "--short", "--db", db]:
            pass
        case _:
            return None
    world = World.from_environment(db)
    with glance(world.database) as seen:
        if seen is None:
            return None
        today = world.today()
        count = seen.due(today)
        said = _due(count) if count else brief(seen.agenda(today, new=world.new_a_day))
    if said:
        world.write(said)
    return 0
