"""Suspend, bury, flag, reset or move cards: `study card`. Each action is an event, so undo can revert it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from studykit.cards.card import Card
from studykit.cli import suggest
from studykit.cli.card_choice import chosen_cards, own_deck, present_card
from studykit.cli.context import Context, context_of
from studykit.cli.options import DryRun, Json, write_result
from studykit.collection.deck_writer import OpenedDeck, move_note
from studykit.errors import StudyError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.replay import CardMarks, marked
from studykit.text import counted

_IMAGE = re.compile(r"!\[[^\]]*\]\(<?([^)>\s]+)")

Cards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CARD]...", help="Cards by id, its first letters, or words.", autocompletion=suggest.cards
    ),
]
Moved = Annotated[
    list[str], typer.Argument(metavar="[CARD]... DECK", help="Cards, then the deck.", autocompletion=suggest.cards)
]
Queried = Annotated[
    str | None, typer.Option("--query", metavar="WORDS", help="All cards that `study find` finds.")
]
Action = Callable[[typer.Context, Cards, Queried, DryRun, Json], None]

_ACTIONS = (
    (EventKind.SUSPEND, "Take cards out until they are unsuspended.", "suspended", "suspended already"),
    (EventKind.UNSUSPEND, "Bring suspended cards back as they were.", "back in the queue", "not suspended"),
    (EventKind.BURY, "Take cards out of today's queue.", "out until tomorrow", "buried already"),
    (EventKind.UNBURY, "Bring cards back that were buried today.", "back in today's queue", "not buried today"),
    (EventKind.FLAG, "Flag cards, to find them again.", "flagged", "flagged already"),
    (EventKind.UNFLAG, "Take the flag off cards.", "no longer flagged", "not flagged"),
    (EventKind.RESET, "Make cards new again. Their log stays.", "new again", ""),
)
"""Kinds of events, the help of their commands, and words for a card that changes and for one that does not."""


def _action(kind: EventKind, help_line: str, outcome: str, unchanged: str) -> Action:
    def act(
        ctx: typer.Context, cards: Cards = None, query: Queried = None, dry_run: DryRun = False, json: Json = False
    ) -> None:
        context = context_of(ctx)
        store = context.refreshed_store()
        targets = chosen_cards(context, store, cards or (), query, ask=not json)  # before anything is written
        marks = store.schedule.marks()
        changed = [card for card in targets if _changes(kind, marks.get(card.id, CardMarks()), context)]
        for card in () if dry_run else changed:
            store.log.record(kind, card.id)
        document = {"kind": kind.value, "dry_run": dry_run, "cards": [card.id for card in changed]}
        would = "would be " if dry_run else ""
        lines = [
            f"{card.id}: {would}{outcome}" if card in changed else f"{card.id}: is {unchanged}" for card in targets
        ]
        write_result(context, document, lines, json=json)
        if not json and not dry_run and len(changed) > 1:
            context.tell(f"{counted(len(changed), 'card')}; take it back with: study undo --last {len(changed)}")

    act.__doc__ = help_line
    return act


def move(
    ctx: typer.Context, cards: Moved, query: Queried = None, dry_run: DryRun = False, json: Json = False
) -> None:
    """Move cards with their notes to another deck of yours. Name that deck last. Progress is kept."""
    context = context_of(ctx)
    store = context.refreshed_store()
    deck = own_deck(context, cards[-1], "Name the deck last, or make it")
    target = Path(deck.paths[-1])
    targets = chosen_cards(context, store, cards[:-1], query, ask=not json)
    elsewhere = [card for card in targets if card.path != str(target)]
    for card in elsewhere:
        _refuse(context, card, target)
    if not elsewhere:
        raise UsageError(f"All of these are in {deck.name} already. Name another deck.")
    ids: list[str] = []  # with siblings, which move along
    for card in elsewhere:
        if card.id not in ids:
            ids += [card.id] if dry_run else _move_note(context, card, target)
    if not dry_run:
        context.refreshed_store(quiet=True)
    outcome = "would move" if dry_run else "moved"
    document = {"deck": deck.id, "dry_run": dry_run, "cards": ids}
    write_result(context, document, [f"{id_}: {outcome} to {deck.name}" for id_ in ids], json=json)


def listed(ctx: typer.Context, json: Json = False) -> None:
    """List the cards that are suspended, buried today or flagged."""
    context = context_of(ctx)
    store = context.refreshed_store()
    marks = ((store.cards.card(card), mark) for card, mark in sorted(store.schedule.marks().items()))
    rows = [(card, words) for card, mark in marks if card is not None and (words := _words(mark, context))]
    document = {"cards": [{"card": card.id, "deck": card.deck, "marks": words} for card, words in rows]}
    lines = [f"{card.path}:{card.line}: {card.id} ({', '.join(words)})" for card, words in rows]
    write_result(context, document, lines or ["No card is suspended, buried or flagged."], json=json)


def _changes(kind: EventKind, mark: CardMarks, context: Context) -> bool:
    """Return whether an event changes a card with this mark. A reset always does."""
    after = marked(mark, kind, context.today().toordinal())
    return kind is EventKind.RESET or _words(after, context) != _words(mark, context)


def _words(mark: CardMarks, context: Context) -> list[str]:
    is_buried = mark.buried == context.today().toordinal()
    marks = {"suspended": mark.suspended, "buried": is_buried, "flagged": mark.flagged}
    return [word for word, is_set in marks.items() if is_set]


def _refuse(context: Context, card: Card, target: Path) -> None:
    present_card(context.store, card)
    for name in _IMAGE.findall(f"{card.prompt}\n{card.answer}\n{card.full}"):
        relative = "://" not in name and not name.startswith(("@/", "/", "data:"))
        if relative and not (target.parent / name).exists():
            raise StudyError(
                f"{card.id} shows {name}, which is not in the folder of {target}. Copy it there first."
            )


def _move_note(context: Context, card: Card, target: Path) -> tuple[str, ...]:
    """Move a card's note, and return the ids of its cards. If that fails, remove a copy made of a shipped deck."""
    present = present_card(context.store, card)
    source = context.collection.editable(present)
    try:
        ids = move_note(present, OpenedDeck.read(source), OpenedDeck.read(target))
    except StudyError:
        context.collection.remove_unedited()
        raise
    context.refreshed_store(quiet=True)  # the cards below it have new lines
    return ids


COMMANDS = {"move": move, "list": listed, **{action[0].value: _action(*action) for action in _ACTIONS}}
