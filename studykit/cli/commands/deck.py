"""List decks, add your own, limit them, and turn some off: `study deck`."""

from collections.abc import Callable, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.cards.relink import Relink
from studykit.cli import suggest
from studykit.cli.card_choice import chosen_card
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.collection import deck_settings
from studykit.collection.deck_settings import SettingsChange
from studykit.collection.deck_writer import new_deck
from studykit.collection.lookup import listed_deck, relink_card
from studykit.config import SettingValue, change_config
from studykit.errors import NotFoundError, StudyError, UsageError
from studykit.text import counted, texts

if TYPE_CHECKING:
    from studykit.collection.deck_header import DeckSummary
    from studykit.scheduling.stats import DeckCounts

Where = Annotated[
    str, typer.Argument(metavar="PATH", help="A deck file, a folder of them, or a deck you removed.")
]
Which = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A deck's id or name, or the path that you added.", autocompletion=suggest.decks
    ),
]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="What the deck is called.")]
Number = Annotated[str, typer.Argument(metavar="N|none", help="New cards a day.")]
_DIGITS = 6

Former = Annotated[str, typer.Argument(metavar="[OLD]", help="The card that is gone.")]
Present = Annotated[str, typer.Argument(metavar="[NEW]", help="The card that it became.")]


def listed(ctx: typer.Context, json: Json = False) -> None:
    """Show each deck's due, new and known cards, yours first."""
    context = context_of(ctx)
    decks = context.refreshed_collection().summaries()
    counts = {each.deck: each for each in context.store.schedule.deck_counts(context.today())}
    hidden = texts(context.config, "hidden_decks")
    if json:
        figures = {id_: {"due": each.due, "new": each.new, "known": each.known} for id_, each in counts.items()}
        documents = [{**deck.document(), **figures.get(deck.id, {})} for deck in decks]
        context.write_json({"decks": documents, "hidden": hidden})
        return
    _draw(context, decks, counts)
    if hidden:
        context.write(f"removed: {', '.join(hidden)} (study deck add NAME brings one back)")


def _draw(context: Context, decks: "Sequence[DeckSummary]", counts: Mapping[str, "DeckCounts"]) -> None:
    from studykit.cli.commands.status import deck_listing
    from studykit.cli.drawing import Drawing

    drawing = Drawing(context)
    names = {str(deck.id): f"{deck.name} ({deck.id})" for deck in decks}
    drawing.write(deck_listing(drawing, [counts[deck.id] for deck in decks if deck.id in counts], names))
    if own := [(deck.id, _files(deck)) for deck in decks if not deck.shipped]:
        drawing.write("", drawing.title("Your own"), drawing.pairs(own))


def _files(deck: "DeckSummary") -> str:
    unread = f" ({counted(deck.unread, 'note')} could not be read)" if deck.unread else ""
    return ", ".join(deck.paths) + unread


def new(ctx: typer.Context, name: NewName) -> None:
    """Make an empty deck of yours. Then `study add -d NAME` writes cards into it."""
    context = context_of(ctx)
    collection = context.refreshed_collection()
    if any(name.casefold() in {deck.id.casefold(), deck.name.casefold()} for deck in collection.summaries()):
        raise StudyError(f"A deck named {name!r} already exists. Give another name.")
    path = new_deck(paths.copies(), name, collection.course_files())
    context.refreshed_store(quiet=True)
    context.write(f"Made {path}\nWrite cards into it: study add -d {quote(name)}")


def limit(ctx: typer.Context, name: Which, number: Number) -> None:
    """Limit a deck's new cards a day, or remove the limit with none."""
    context = context_of(ctx)
    collection = context.refreshed_collection()
    names = [deck.name.casefold() for deck in collection.summaries()]
    try:
        deck = listed_deck(collection, name)
        id_, name = str(deck.id), deck.name
    except NotFoundError:
        if not _is_above(name, names):
            raise
        id_ = name  # Geo may exist only as the first part of `Geo::Europe`
    if number != "none" and not (number.isdecimal() and len(number) <= _DIGITS):
        raise UsageError(
            f"{number!r} is not a number of cards a day. Give 0 to {10**_DIGITS - 1}, or the word none."
        )
    own_limit, message = [], "no limit of its own"
    if number != "none":
        own_limit, of_all = [f"{id_}={number}"], context.section("review")["new_per_day"]
        below = ", with the decks below it" if _is_above(name, names) else ""
        message = f"{counted(int(number), 'new card')} a day{below}, within the {of_all} of all decks"

    def settings(config: Mapping[str, object]) -> Mapping[str, SettingValue]:
        other_limits = [text for text in texts(config, "new_per_deck") if text.rpartition("=")[0] != id_]
        return {"new_per_deck": other_limits + own_limit}

    change_config(context.config_file, settings)
    context.write(f"{name}: {message}")


def _is_above(name: str, names: Sequence[str]) -> bool:
    return any(each.startswith(f"{name.casefold()}::") for each in names)


def add(ctx: typer.Context, path: Where) -> None:
    """Add a deck file or a folder of decks to your reviews."""
    _carry_out(ctx, lambda config: deck_settings.add(config, path))


def remove(ctx: typer.Context, name: Which) -> None:
    """Take a deck out of your reviews. Its file and your progress stay."""
    context = context_of(ctx)
    _carry_out(ctx, lambda config: deck_settings.remove(config, name, context.refreshed_collection))


def relink(ctx: typer.Context, old: Former = "", new: Present = "") -> None:
    """Give a card the progress of one that it replaced. Without names it asks about each likely pair."""
    context = context_of(ctx)
    if not old:
        _ask_likely_pairs(context)
        return
    if not new:
        raise UsageError(f"Name the card that {old!r} became", f"study deck relink {quote(old)} NEW")
    store = context.refreshed_store()
    former, card = relink_card(store, old, chosen_card(context, store, new).id)
    context.write(f"{card.id} now has the progress of {former.id}.")


def _carry_out(ctx: typer.Context, change: Callable[[Mapping[str, object]], SettingsChange]) -> None:
    """Change the settings, read the decks again, and report what was done."""
    changes: list[SettingsChange] = []

    def settings(config: Mapping[str, object]) -> Mapping[str, SettingValue]:
        changes.append(change(config))  # under the lock, so that other processes' changes stay
        return changes[-1][0]

    change_config(context_of(ctx).config_file, settings)
    context = context_of(ctx)  # which reads the configuration again
    has_changed, message = changes[-1]
    if has_changed:
        context.refreshed_store()
    context.write(message)


def _ask_likely_pairs(context: Context) -> None:
    """Ask about each new card that likely replaced an old one, or list these pairs without a terminal."""
    collection = context.refreshed_collection()
    pairs = collection.likely()
    if not pairs:
        context.write("No card waits for an answer: every new one is new, every old one is known.")
        return
    if not context.interactive:
        for pair in pairs:
            context.write(f"{_question(pair)} study deck relink {pair.old.id} {pair.new.id}")
        return
    confirmed_pairs = [pair for pair in pairs if context.confirm(_question(pair))]
    for pair in confirmed_pairs:
        collection.settle(pair)
    context.write(f"Kept the progress of {counted(len(confirmed_pairs), 'card')} of {len(pairs)}.")


def _question(pair: Relink) -> str:
    new, old = pair.words
    return f"{new} was {old}: the same card?"


COMMANDS = {"list": listed, "new": new, "add": add, "remove": remove, "limit": limit, "relink": relink}
