"""`study deck`: which decks there are, adding own ones, and doing without some."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context
from studykit.cli.lookup import card_named, refreshed_store
from studykit.cli.options import Db, Json
from studykit.collection.collection import DeckSummary, nearest, read_file
from studykit.collection.files import Origin, Source, discover
from studykit.config import write_config
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
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
    group = typer.Typer(help="List, add and remove decks.", rich_markup_mode=None, no_args_is_help=True)
    group.command("list")(listed)
    group.command("add")(add)
    group.command("remove")(remove)
    group.command("relink")(relink)
    app.add_typer(group, name="deck")


def listed(json: Json = False, db: Db = None) -> None:
    """Show every deck, own ones first."""
    context = Context.from_environment(db)
    refreshed_store(context)
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


def add(path: Where, db: Db = None) -> None:
    """Add a deck file or a folder of decks to your reviews."""
    context = Context.from_environment(db)
    hidden = _texts(context, "hidden_decks")
    if path in hidden:
        _write(context, "hidden_decks", [name for name in hidden if name != path])
        _refreshed(context.db, f"{path} is back.")
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
    cards = _readable(place)
    _write(context, "decks", [*configured, str(place)])
    _refreshed(context.db, f"Added {place}: {counted(cards, 'card')}. To look for mistakes: study check {path}")


def remove(name: Which, db: Db = None) -> None:
    """Take a deck out of your reviews; its file and your progress stay."""
    context = Context.from_environment(db)
    configured = _texts(context, "decks")
    place = str(Path(name).expanduser().absolute())
    if place in configured:
        _write(context, "decks", [path for path in configured if path != place])
    else:
        refreshed_store(context)
        _remove_deck(context, _named(context, name), configured)
    _refreshed(context.db, f"Removed {name}; what you know of it is kept.")


def relink(old: Former, new: Present, db: Db = None) -> None:
    """Let a card go on with the progress of one that it replaced."""
    context = Context.from_environment(db)
    store = refreshed_store(context)
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


def _readable(place: Path) -> int:
    """How many cards a path brings; refused with every problem that its decks have."""
    found = discover([Source(place, Origin.OWN)])
    read = [read_file(file) for file in found.files]
    problems = [*found.problems, *(problem for _, wrong in read for problem in wrong)]
    if problems:
        raise BadDataError("\n".join(map(str, problems)))
    if not read:
        raise StudyError(f"there are no decks in {place}. A deck's file ends in .md.")
    return sum(len(deck.cards) for deck, _ in read)


def _named(context: Context, name: str) -> DeckSummary:
    decks = context.collection.summaries()
    for deck in decks:
        if name.casefold() in {deck.id.casefold(), deck.name.casefold()} or name in deck.paths:
            return deck
    known = [text for deck in decks for text in (deck.id, deck.name)]
    raise NotFoundError(f"there is no deck {name!r}.{nearest(name, known)} See: study deck list")


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


def _refreshed(db: str | None, sentence: str) -> None:
    """Say what was done, and what the decks bring since."""
    context = Context.from_environment(db)
    refreshed_store(context)
    context.write(sentence)


def _texts(context: Context, key: str) -> tuple[str, ...]:
    value = context.config.get(key, [])
    return tuple(value) if isinstance(value, list) else ()


def _write(context: Context, key: str, values: Sequence[str]) -> None:
    write_config(context.config_file, key, list(dict.fromkeys(values)))
