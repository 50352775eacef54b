"""Open a card's note in the editor at its line: `study edit`. The card keeps its progress."""

import typer

from studykit.cli.card_choice import chosen_card, present_card
from studykit.cli.context import context_of
from studykit.cli.editor import edit_card
from studykit.cli.options import CardName
from studykit.text import sentence


def edit(ctx: typer.Context, card: CardName) -> None:
    """Open your editor at a card. A card of the course is copied to your own decks first."""
    context = context_of(ctx)
    store = context.refreshed_store()
    card_now = present_card(store, chosen_card(context, store, card))
    after, outcome = edit_card(context, card_now)
    context.write(f"{card_now.id if after is None else after.id}: {sentence(outcome.rstrip('.'))}")
