"""`study card`: set a card aside, bring it back, flag it, start it anew; an event each, so undo takes it back."""

from collections.abc import Callable
from typing import Annotated

import typer

from studykit.cards.card import Card
from studykit.cli import suggest
from studykit.cli.card_choice import asked_for
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, verb_group
from studykit.scheduling.events import EventKind
from studykit.scheduling.replay import CardMarks
from studykit.store.store import Store
from studykit.text import counted

Cards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CARD]...", help="Cards by id, its first letters, or words.", autocompletion=suggest.cards
    ),
]
Moved = Annotated[
    list[str],
    typer.Argument(metavar="[CARD]... DECK", help="Cards, then the deck.", autocompletion=suggest.cards),
]
Queried = Annotated[
    str | None, typer.Option("--query", metavar="WORDS", help="All cards that `study find` finds.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show which cards it would be.")]
Action = Callable[[typer.Context, Cards, Queried, DryRun, Json], None]

ACTIONS = {
    "suspend": (EventKind.SUSPEND, "Take cards out of the queue until they are unsuspended.", "suspended"),
    "unsuspend": (
        EventKind.UNSUSPEND,
        "Bring suspended cards back; their schedule is as it was.",
        "back in the queue",
    ),
    "bury": (EventKind.BURY, "Take cards out of today's queue.", "out until tomorrow"),
    "flag": (EventKind.FLAG, "Flag cards, to find them again.", "flagged"),
    "unflag": (EventKind.UNFLAG, "Take the flag off cards.", "no longer flagged"),
    "reset": (EventKind.RESET, "Forget the schedule of cards: they are new again, their log stays.", "new again"),
}


def register(app: typer.Typer) -> None:
    """Add the verb and what it can do to a card."""
    group = verb_group("Suspend, bury, flag, reset or move cards, and list those that are.")
    for name, (kind, told, outcome) in ACTIONS.items():
        group.command(name, help=told)(_action(kind, outcome))
    group.command("move")(move)
    group.command("list")(listed)
    app.add_typer(group, name="card")


def _action(kind: EventKind, outcome: str) -> Action:
    def act(
        ctx: typer.Context, cards: Cards = None, query: Queried = None, dry_run: DryRun = False, json: Json = False
    ) -> None:
        context = context_of(ctx)
        store = context.refreshed_store()
        named = asked_for(context, store, cards or (), query, ask=not json)  # before anything is written
        for card in () if dry_run else named:
            store.log.record(kind, card.id)
        if json:
            context.write_json({"kind": kind.value, "dry_run": dry_run, "cards": [card.id for card in named]})
            return
        would = "would be " if dry_run else ""
        context.write("\n".join(f"{card.id}: {would}{outcome}" for card in named))
        if not dry_run and len(named) > 1:
            context.tell(f"{counted(len(named), 'card')}; take it back with: study undo --last {len(named)}")

    return act


def move(
    ctx: typer.Context, cards: Moved, query: Queried = None, dry_run: DryRun = False, json: Json = False
) -> None:
    """Move cards with their notes to another deck of yours, named last; their progress is kept."""
    from studykit.cli.card_move import moved_cards

    context = context_of(ctx)
    moved, deck = moved_cards(context, cards[:-1], cards[-1], query, dry_run=dry_run, ask=not json)
    if json:
        context.write_json({"deck": deck.id, "dry_run": dry_run, "cards": moved})
    else:
        done = "would move" if dry_run else "moved"
        context.write("\n".join(f"{card}: {done} to {deck.name}" for card in moved))


def listed(ctx: typer.Context, json: Json = False) -> None:
    """List the cards that are suspended, buried today or flagged."""
    context = context_of(ctx)
    store = context.refreshed_store()
    rows = [(card, words) for card, mark in _marked(store) if (words := _words(mark, context))]
    if json:
        context.write_json(
            {"cards": [{"card": card.id, "deck": card.deck, "marks": words} for card, words in rows]}
        )
    elif not rows:
        context.write("No card is suspended, buried or flagged.")
    else:
        context.write(
            "\n".join(f"{card.path}:{card.line}: {card.id} ({', '.join(words)})" for card, words in rows)
        )


def _marked(store: Store) -> list[tuple[Card, CardMarks]]:
    marks = store.schedule.marks()
    known = [(store.cards.card(card), mark) for card, mark in sorted(marks.items())]
    return [(card, mark) for card, mark in known if card is not None]


def _words(mark: CardMarks, context: Context) -> list[str]:
    buried = mark.buried == context.today().toordinal()
    named = {"suspended": mark.suspended, "buried": buried, "flagged": mark.flagged}
    return [word for word, is_set in named.items() if is_set]
