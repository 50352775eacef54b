"""`study deck`: which decks there are, adding own ones, and doing without some."""

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, verb_group
from studykit.collection.collection import DeckSummary
from studykit.collection.deck_settings import DeckSettings
from studykit.collection.lookup import listed_deck, replaced_card
from studykit.config import SettingValue, change_config
from studykit.scheduling.events import EventKind

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
    context.refreshed_store()
    decks = context.collection.summaries()
    if json:
        context.write_json(
            {"decks": [_document(deck) for deck in decks], "hidden": list(_texts(context, "hidden_decks"))}
        )
        return
    width = max((len(deck.id) for deck in decks), default=0)
    for deck in decks:
        where = "shipped" if deck.shipped else ", ".join(deck.paths)
        context.write(f"{deck.id:<{width}}  {deck.cards:>5}  {deck.name}  ({where})")
    if hidden := _texts(context, "hidden_decks"):
        context.write(f"removed: {', '.join(hidden)} (study deck add NAME brings one back)")


def add(ctx: typer.Context, path: Where) -> None:
    """Add a deck file or a folder of decks to your reviews."""
    context = context_of(ctx)
    told = ""

    def change(settings: DeckSettings) -> DeckSettings:
        nonlocal told
        after, told = settings.added(path)
        return after

    if _changed(context, change):
        _refreshed(ctx, told)
    else:
        context.write(told)


def remove(ctx: typer.Context, name: Which) -> None:
    """Take a deck out of your reviews; its file and your progress stay."""
    context = context_of(ctx)

    def change(settings: DeckSettings) -> DeckSettings:
        if (after := settings.without_path(name)) is not None:
            return after
        context.refreshed_store()
        return settings.without_deck(listed_deck(context.collection, name))

    _changed(context, change)
    _refreshed(ctx, f"Removed {name}; what you know of it is kept.")


def relink(ctx: typer.Context, old: Former, new: Present) -> None:
    """Let a card go on with the progress of one that it replaced."""
    context = context_of(ctx)
    store = context.refreshed_store()
    left, card = replaced_card(store, old, new)
    store.log.record(EventKind.RELINK, card.id, target=left.id)
    context.write(f"{card.id} goes on where {left.id} was.")


def _document(deck: DeckSummary) -> dict[str, object]:
    return {
        "id": deck.id,
        "name": deck.name,
        "cards": deck.cards,
        "shipped": deck.shipped,
        "paths": list(deck.paths),
        "description": deck.header.description,
        "objectives": list(deck.header.objectives),
        "license": deck.header.license or None,
        "url": deck.header.url or None,
    }


def _refreshed(ctx: typer.Context, sentence: str) -> None:
    """Say what was done, and what the decks bring since."""
    context = context_of(ctx)  # which reads the configuration again
    context.refreshed_store()
    context.write(sentence)


def _texts(context: Context, key: str) -> tuple[str, ...]:
    return _listed(context.config, key)


def _listed(config: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = config.get(key, [])
    return tuple(value) if isinstance(value, list) else ()


def _changed(context: Context, change: Callable[[DeckSettings], DeckSettings]) -> bool:
    """Whether the settings came out otherwise; what other processes add meanwhile stays."""
    differs = False

    def values(config: Mapping[str, object]) -> Mapping[str, SettingValue]:
        nonlocal differs
        before = DeckSettings(_listed(config, "decks"), _listed(config, "hidden_decks"))
        after = change(before)
        differs = after != before
        pairs = {"decks": (before.decks, after.decks), "hidden_decks": (before.hidden_decks, after.hidden_decks)}
        return {name: list(new) for name, (old, new) in pairs.items() if new != old}

    change_config(context.config_file, values)
    return differs
