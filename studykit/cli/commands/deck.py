"""`study deck`: which decks there are, adding own ones, and doing without some."""

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.card_choice import chosen_card
from studykit.cli.context import context_of
from studykit.cli.options import Json, verb_group
from studykit.collection import deck_settings
from studykit.collection.deck_settings import DeckSettings, SettingsChange
from studykit.collection.lookup import relink_card
from studykit.config import SettingValue, change_config

Where = Annotated[
    str, typer.Argument(metavar="PATH", help="A deck file, a folder of them, or a deck you removed.")
]
Which = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A deck's id or name, or the path that you added.", autocompletion=suggest.decks
    ),
]
Former = Annotated[str, typer.Argument(metavar="OLD", help="The card that is gone.")]
Present = Annotated[str, typer.Argument(metavar="NEW", help="The card that it became.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = verb_group("List, add and remove decks.")
    group.command("list")(listed)
    group.command("add")(add)
    group.command("remove")(remove)
    group.command("relink")(relink)
    app.add_typer(group, name="deck")


def listed(ctx: typer.Context, json: Json = False) -> None:
    """Show every deck, own ones first."""
    context = context_of(ctx)
    decks = context.refreshed_collection().summaries()
    hidden = DeckSettings.of(context.config).hidden_decks
    if json:
        context.write_json({"decks": [deck.document() for deck in decks], "hidden": list(hidden)})
        return
    width = max((len(deck.id) for deck in decks), default=0)
    for deck in decks:
        where = "shipped" if deck.shipped else ", ".join(deck.paths)
        context.write(f"{deck.id:<{width}}  {deck.cards:>5}  {deck.name}  ({where})")
    if hidden:
        context.write(f"removed: {', '.join(hidden)} (study deck add NAME brings one back)")


def add(ctx: typer.Context, path: Where) -> None:
    """Add a deck file or a folder of decks to your reviews."""
    _carry_out(ctx, lambda config: deck_settings.add(config, path))


def remove(ctx: typer.Context, name: Which) -> None:
    """Take a deck out of your reviews; its file and your progress stay."""
    context = context_of(ctx)
    _carry_out(ctx, lambda config: deck_settings.remove(config, name, context.refreshed_collection))


def relink(ctx: typer.Context, old: Former, new: Present) -> None:
    """Let a card go on with the progress of one that it replaced."""
    context = context_of(ctx)
    store = context.refreshed_store()
    left, card = relink_card(store, old, chosen_card(context, store, new).id)
    context.write(f"{card.id} goes on where {left.id} was.")


def _carry_out(ctx: typer.Context, change: Callable[[Mapping[str, object]], SettingsChange]) -> None:
    """Write the settings, and say what was done and what the decks bring since."""
    made: list[SettingsChange] = []

    def settings(config: Mapping[str, object]) -> Mapping[str, SettingValue]:
        made.append(change(config))  # what other processes add meanwhile stays
        return made[-1].settings

    change_config(context_of(ctx).config_file, settings)
    context = context_of(ctx)  # which reads the configuration again
    if made[-1].settings:
        context.refreshed_store()
    context.write(made[-1].told)
