"""Find cards by words, fields and numbers, as lines, as JSON or in a list that narrows: `study find`."""

from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.query import parse_query
from studykit.cards.wording import excerpt, question
from studykit.cli import display
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, Plain
from studykit.errors import StudyError, UsageError
from studykit.store.card_search import FoundCards
from studykit.store.store import Store

if TYPE_CHECKING:
    from studykit.terminal.search_list import SearchServices

_NARROW = 60  # columns; below, a card takes two lines
_MAX_ID_CHARACTERS = 24  # characters that line up; a longer id pushes its question to the right
_LIVE = 200  # cards of the list
_EXCERPT = 300

Terms = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORDS]...", help="Words, deck:, tag:, is:due, lapses>3, ease<2: see study help find."
    ),
]
Live = Annotated[bool, typer.Option("-i", "--interactive", help="A list that narrows as you type.")]
Limit = Annotated[int, typer.Option("-n", "--limit", min=1, max=1_000_000, help="Show at most this many cards.")]


def find(
    ctx: typer.Context,
    words: Terms = None,
    live: Live = False,
    limit: Limit = 50,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Find cards by words, fields and numbers. With -i, narrow a list as you type."""
    context = context_of(ctx)
    query = " ".join(words or ())
    store = context.refreshed_store()
    parse_query(query)  # refuse a mistake before a list is drawn
    if live:
        _narrow(context, store, query, plain=plain, json=json)
        return
    if not query.strip():
        raise UsageError("Narrow a list with -i, or say what to find, such as", "study find roofline deck:gpus")
    result = _find(context, store, query, limit)
    if json:
        from studykit.cli.commands.show import card_document

        today, leech = context.today(), context.leech_from
        cards = [
            {**card_document(each.card, each.memory), "marks": each.words(today, leech)} for each in result.cards
        ]
        context.write_json({"query": query, "count": result.count, "more": result.more, "cards": cards})
    elif not result.cards:
        raise StudyError(f"No card matches {query[:80]!r}. Use fewer or other words.", "study help find")
    elif context.on_terminal or plain:
        _write(context, result)
    else:
        for each in result.cards:
            context.write("\t".join((each.card.id, each.card.deck, excerpt(question(each.card), _EXCERPT))))
    if not result.cards:
        raise typer.Exit(1)


def _find(context: Context, store: Store, query: str, limit: int) -> FoundCards:
    return store.search.find(parse_query(query), context.today(), leech=context.leech_from, limit=limit)


def _write(context: Context, results: FoundCards) -> None:
    columns = context.columns or 80
    width = min(_MAX_ID_CHARACTERS, max(len(each.card.id) for each in results.cards))
    for each in results.cards:
        marks = ", ".join(each.words(context.today(), context.leech_from))
        prompt = display.in_a_line(context, question(each.card)[:_EXCERPT])
        if columns < _NARROW:
            context.write(f"{each.card.id}" + (f"  ({marks})" if marks else ""))
            context.write(f"  {excerpt(prompt, columns - 2)}")
            continue
        start = f"{each.card.id:<{width}}  "
        room = max(20, columns - len(start) - (len(marks) + 2 if marks else 0))
        context.write(f"{start}{excerpt(prompt, room):<{room}}" + (f"  {marks}" if marks else ""))
    if results.count > len(results.cards):
        context.write(f"{len(results.cards)} of {results.total}; -n shows more, -i narrows them as you type")


def _narrow(context: Context, store: Store, query: str, *, plain: bool, json: bool) -> None:
    """Show a list of cards that is searched again at each key, or in plain mode at each line."""
    if json:
        raise UsageError("-i is for a terminal. Leave it out for --json.")
    services = _services(context, store)
    if reason := display.plain_reason(context, plain=plain):
        from studykit.terminal.search_plain import PlainSearch

        PlainSearch(display.plain_ui(context, reason), services).run(query)
        return
    from studykit.terminal.search_list import SearchList

    with display.open_screen(context) as screen:
        SearchList(screen, services, query).run()


def _services(context: Context, store: Store) -> "SearchServices":
    from studykit.cli.editor import edit_card
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.search_list import SearchServices

    return SearchServices(
        find=lambda query: _find(context, store, query, _LIVE),
        edit=lambda card: edit_card(context, card)[1],
        record=lambda kind, card: store.log.record(kind, card).event.id,
        undo=lambda event: store.log.undo(event) is not None,
        notation=lambda card: Notation(
            ascii=context.style.ascii, macros=dict(context.collection.macros(card)) if "$" in card.prompt else {}
        ),
        today=context.today,
        leech=context.leech_from,
    )
