"""`study deck`: which decks there are, adding own ones, and doing without some."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, verb_group
from studykit.collection.collection import DeckSummary, nearest
from studykit.collection.files import Origin
from studykit.collection.lookup import card_count, card_named, listed_deck
from studykit.config import write_config
from studykit.errors import NotFoundError, UsageError
from studykit.scheduling.events import EventKind
from studykit.text import counted

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
    hidden = _texts(context, "hidden_decks")
    if path in hidden:
        _write(context, "hidden_decks", [name for name in hidden if name != path])
        _refreshed(ctx, f"{path} is back.")
        return
    place = Path(path).expanduser().absolute()
    if not place.exists():
        raise NotFoundError(
            f"there is no deck {path}.{nearest(path, hidden)} Name a deck file or a folder of them."
        )
    configured = _texts(context, "decks")
    if str(place) in configured:
        context.write(f"{place} was added before.")
        return
    cards = card_count(place)
    _write(context, "decks", [*configured, str(place)])
    _refreshed(ctx, f"Added {place}: {counted(cards, 'card')}. To look for mistakes: study check {path}")


def remove(ctx: typer.Context, name: Which) -> None:
    """Take a deck out of your reviews; its file and your progress stay."""
    context = context_of(ctx)
    configured = _texts(context, "decks")
    place = str(Path(name).expanduser().absolute())
    if place in configured:
        _write(context, "decks", [path for path in configured if path != place])
    else:
        context.refreshed_store()
        _remove_deck(context, listed_deck(context.collection, name), configured)
    _refreshed(ctx, f"Removed {name}; what you know of it is kept.")


def relink(ctx: typer.Context, old: Former, new: Present) -> None:
    """Let a card go on with the progress of one that it replaced."""
    context = context_of(ctx)
    store = context.refreshed_store()
    left, card = card_named(store, old), card_named(store, new)
    if left.id == card.id:
        raise UsageError(f"{old} and {new} are one card.")
    if store.schedule.memory(left.id) is None:
        raise NotFoundError(f"{left.id} has no progress to go on with.")
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


def _remove_deck(context: Context, deck: DeckSummary, configured: Sequence[str]) -> None:
    """Leave a deck out: from the configuration where its file stands there, else by its id if it shipped."""
    paths = [path for path in deck.paths if path in configured]
    if len(paths) == len(deck.paths):
        _write(context, "decks", [path for path in configured if path not in paths])
    elif deck.header.origin in {Origin.SHIPPED, Origin.COPIED}:
        _write(context, "hidden_decks", [*_texts(context, "hidden_decks"), deck.id])
    else:
        inside = [path for path in configured if any(Path(file).is_relative_to(path) for file in deck.paths)]
        where = f"run: study deck remove {inside[0]}" if inside else "take it out of STUDYKIT_DECKS"
        raise UsageError(f"{deck.name} is one of several decks in a folder. Move its file elsewhere, or {where}")


def _refreshed(ctx: typer.Context, sentence: str) -> None:
    """Say what was done, and what the decks bring since."""
    context = context_of(ctx)  # which reads the configuration again
    context.refreshed_store()
    context.write(sentence)


def _texts(context: Context, key: str) -> tuple[str, ...]:
    value = context.config.get(key, [])
    return tuple(value) if isinstance(value, list) else ()


def _write(context: Context, key: str, values: Sequence[str]) -> None:
    write_config(context.config_file, key, list(dict.fromkeys(values)))
