"""`study due`: how much is due, for a learner, a script or a shell prompt."""

from collections.abc import Mapping
from typing import Annotated

import typer

from studykit.cards.card import DeckId
from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.cli.prompt import brief
from studykit.collection.lookup import deck_ids
from studykit.scheduling.agenda import Agenda

Decks = Annotated[
    list[str] | None, typer.Argument(metavar="[DECK]...", help="Only these decks.", autocompletion=suggest.decks)
]
Short = Annotated[
    bool, typer.Option("--short", help="A word or two for a shell prompt; nothing when nothing is due.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("due")(due)


def due(ctx: typer.Context, decks: Decks = None, short: Short = False, json: Json = False) -> None:
    """Count what is due today, with what is left of today's new cards and drill."""
    context = context_of(ctx)
    store = context.refreshed_store()
    agenda = store.schedule.agenda(context.today(), new=context.new_a_day, decks=deck_ids(store, decks))
    if json:
        context.write_json(_document(agenda))
    elif short:
        if said := brief(agenda):
            context.write(said)
    else:
        _tell(context, agenda, store.cards.deck_names())


def _document(agenda: Agenda) -> dict[str, object]:
    return {
        "date": str(agenda.day),
        "due": len(agenda.due),
        "new": len(agenda.new),
        "drill": len(agenda.drill),
        "decks": dict(agenda.decks),
    }


def _tell(context: Context, agenda: Agenda, names: Mapping[DeckId, str]) -> None:
    if not agenda.left:
        context.write("Nothing is due today.")
        return
    if agenda.decks and not context.on_terminal:
        for deck, count in agenda.decks.items():
            context.write(f"{deck}\t{count}\t{agenda.day}")
        return
    context.write(f"{len(agenda.due)} due, {len(agenda.new)} new, {len(agenda.drill)} to repeat")
    for deck, count in agenda.decks.items():
        context.write(f"  {count:>5}  {names.get(DeckId(deck), deck)}")
    context.write("\nstudy review")
