"""What is due as one JSON object, without Typer, whose import a script need not wait for."""

from collections.abc import Iterable

from studykit.cli import more_today
from studykit.cli.context import Context
from studykit.collection.lookup import deck_ids
from studykit.scheduling.agenda import Agenda
from studykit.store.store import Store


def agenda_of(context: Context, named: Iterable[str] | None) -> tuple[Store, Agenda, int]:
    """The refreshed store, today's agenda of these decks, and the new cards that wait."""
    store = context.refreshed_store()
    ids = deck_ids(store, named)
    agenda = store.schedule.agenda(
        context.today(), new=context.new_a_day, decks=ids, of_decks=context.new_of_decks
    )
    return store, agenda, more_today.waiting(store, agenda, ids)


def write_document(context: Context, agenda: Agenda, waits: int) -> None:
    """The agenda as `study due --json` gives it."""
    context.write_json(
        {
            "date": str(agenda.day),
            "due": len(agenda.due),
            "new": len(agenda.new),
            "drill": len(agenda.drill),
            "decks": dict(agenda.decks),
            "waiting": waits,
        }
    )
