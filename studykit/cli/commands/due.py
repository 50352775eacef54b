"""Show how much is due, for a learner, a script or a shell prompt: `study due`."""

from io import StringIO
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli import study_plan
from studykit.cli.card_choice import chosen_ids
from studykit.cli.context import Context, context_of
from studykit.cli.options import Chosen, Json
from studykit.cli.prompt import agenda_words, in_a_word
from studykit.errors import BadDataError, BusyError
from studykit.scheduling.agenda import Agenda

if TYPE_CHECKING:
    from studykit.store.store import Store

Short = Annotated[
    bool, typer.Option("--short", help="A word or two for a shell prompt; nothing when nothing is due.")
]


def due(ctx: typer.Context, words: Chosen = None, short: Short = False, json: Json = False) -> None:
    """Count what is due today, with what is left of today's new cards and drill."""
    context = context_of(ctx)
    if short and not json:
        _prompt(context, words)
        return
    store = context.refreshed_store()
    cards = chosen_ids(context, store, words)
    agenda = study_plan.todays_agenda(context, cards)
    waits = study_plan.waiting_new(store, agenda, cards)
    if json:
        context.write_json({**study_plan.agenda_document(agenda), "waiting": waits})
        return
    _write(context, agenda, store)
    if (plan := study_plan.current_plan(context)) is not None and (context.on_terminal or not agenda.left):
        context.write(plan.sentence())
    if waits and (context.on_terminal or not agenda.left):
        context.write(study_plan.waiting_sentence(study_plan.new_a_day(context), waits, words or ()))


def _prompt(context: Context, words: list[str] | None) -> None:
    """Write a word or two, without remarks and full errors, for which a prompt has no room."""
    quiet = context.writing_to(stderr=StringIO())
    try:
        store = quiet.refreshed_store(quiet=True)
        agenda = study_plan.todays_agenda(quiet, chosen_ids(quiet, store, words))
    except (BadDataError, BusyError) as error:
        raise typer.Exit(in_a_word(error)) from None
    if text := agenda_words(agenda):
        quiet.write(text)


def _write(context: Context, agenda: Agenda, store: "Store") -> None:
    if not agenda.left:
        context.write("Nothing is due today.")
        return
    if agenda.decks and not context.on_terminal:
        for deck, count in agenda.decks.items():
            context.write(f"{deck}\t{count}\t{agenda.day}")
        return
    total = study_plan.agenda_counts(agenda)
    if not agenda.decks:
        context.write(f"{total}\n\n{context.command('study review')}")
        return
    from studykit.cli.drawing import Drawing, ShareBar
    from studykit.scheduling.figure import ListingColumn

    drawing, names = Drawing(context), store.cards.deck_names()
    highest = max(agenda.decks.values())
    rows = [
        (names.get(deck, deck), f"{agenda.decks[deck]:,}", ShareBar(agenda.decks[deck] / highest))
        for deck in store.cards.deck_sizes()
        if deck in agenda.decks
    ]
    columns = ListingColumn("due", right=True), ListingColumn()
    drawing.write(drawing.title(total), "", drawing.listing("Decks", columns, rows))
    drawing.write("", drawing.text("Next: ").append(context.command("study review"), style="key"))
