"""Show how much is due, for a learner, a script or a shell prompt: `study due`."""

from collections import Counter
from io import StringIO
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.card import DeckId
from studykit.cli import study_plan
from studykit.cli.card_choice import chosen_ids
from studykit.cli.context import Context, context_of
from studykit.cli.options import Chosen, Json
from studykit.cli.prompt import agenda_words, in_a_word
from studykit.errors import BadDataError, BusyError
from studykit.scheduling.agenda import Agenda

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studykit.store.store import Store

Short = Annotated[
    bool, typer.Option("--short", help="A word or two for a shell prompt; nothing when nothing is due.")
]


def due(ctx: typer.Context, words: Chosen = None, short: Short = False, json: Json = False) -> None:
    """Count what is due today, with what is left of today's new cards and drill.

    In a pipe, each deck is a line of its id, due cards, the day, new cards and cards to repeat, between tabs.
    """
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
    """Write a word or two for a shell prompt, which has no room for remarks and whole errors."""
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
    counts = _deck_counts(agenda, store)
    if not context.on_terminal:
        for deck, (due, new, repeat) in counts.items():
            context.write(f"{deck}\t{due}\t{agenda.day}\t{new}\t{repeat}")
        return
    from studykit.cli.drawing import Cell, Drawing, ShareBar
    from studykit.scheduling.figure import ListingColumn, right

    drawing, names = Drawing(context), store.cards.deck_names()
    highest = max(map(sum, counts.values()))
    rows: list[Sequence[Cell]] = [
        [names.get(deck, deck), *(f"{count:,}" for count in row), ShareBar(sum(row) / highest)]
        for deck, row in counts.items()
    ]
    columns = *right("due", "new", "to repeat"), ListingColumn()
    drawing.write(drawing.title(study_plan.agenda_counts(agenda)), "", drawing.listing("Decks", columns, rows))
    drawing.write("", drawing.text("Next: ").append(context.command("study review"), style="key"))


def _deck_counts(agenda: Agenda, store: "Store") -> dict[DeckId, tuple[int, int, int]]:
    """Map each deck that today's agenda asks to its counts of due cards, new ones and those to repeat."""
    new, repeat = (
        Counter(card.deck for id_ in ids if (card := store.cards.card(id_)) is not None)
        for ids in (agenda.new, agenda.drill)
    )
    rows = {deck: (agenda.decks.get(deck, 0), new[deck], repeat[deck]) for deck in store.cards.deck_sizes()}
    return {deck: row for deck, row in rows.items() if any(row)}
