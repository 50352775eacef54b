"""Show a card with its state and history, or the cards of a deck: `study show`."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated

import typer

from studykit.cards.card import Card, CardId, Kind
from studykit.cards.wording import excerpt, question
from studykit.cli import suggest
from studykit.cli.card_choice import chosen_card, leech_report
from studykit.cli.context import Context, context_of
from studykit.cli.display import markdown_lines
from studykit.cli.options import Json, write_result
from studykit.collection.lookup import deck_ids
from studykit.errors import NotFoundError
from studykit.review.typed_answer import shown
from studykit.review.why import facts, why
from studykit.scheduling.events import Event, RecordedEvent, Showing
from studykit.scheduling.memory import Memory
from studykit.scheduling.memory import document as memory_document
from studykit.scheduling.replay import steps
from studykit.scheduling.study_day import moment_of
from studykit.text import printable

_EXCERPT = 72  # characters of a question in a list

Named = Annotated[
    str,
    typer.Argument(
        metavar="CARD", help="A card by id or words, or a deck to list its cards.", autocompletion=suggest.cards
    ),
]


def show(ctx: typer.Context, card: Named, json: Json = False) -> None:
    """Show a card with its schedule and history, or the cards of a deck."""
    context = context_of(ctx)
    store = context.refreshed_store()
    if store.cards.card(CardId(card)) is None:
        with suppress(NotFoundError):
            decks = deck_ids(store.cards.deck_names(), [card])
            _list(context, [each for deck in decks for each in store.cards.all(deck=deck)], json=json)
            return
    target = chosen_card(context, store, card, ask=not json)
    memory = store.schedule.memory(target.id)
    history = store.log.history(target.id)
    if json:
        past = [_step(step, target) for step in steps(history, store.schedule.fsrs)]
        context.write_json({**card_document(target, memory), "history": past})
    else:
        _write(context, target, memory, history)


def _list(context: Context, cards: Sequence[Card], *, json: bool) -> None:
    width = max((len(card.id) for card in cards), default=0)
    lines = [f"{card.id:<{width}}  {excerpt(question(card), _EXCERPT)}" for card in cards]
    document = {"cards": [{**_identity(card), "prompt": question(card)} for card in cards]}
    write_result(context, document, lines, json=json)


def _identity(card: Card) -> dict[str, object]:
    return {"card": card.id, "deck": card.deck, "kind": str(card.kind)}


def card_document(card: Card, memory: Memory | None) -> dict[str, object]:
    """Return a card and its schedule as JSON."""
    return {
        **_identity(card),
        "prompt": question(card),
        "answer": card.answer,
        **_options(card),
        "note": card.note,
        "path": card.path,
        "line": card.line,
        "tags": list(card.tags),
        "objectives": list(card.objectives),
        "url": card.url,
        "source": card.source or None,
        "memory": None if memory is None else memory_document(memory),
    }


def _options(card: Card) -> dict[str, object]:
    """Return the options of a choice in its author's order, nothing for other cards."""
    if card.kind is not Kind.CHOICE:
        return {}
    from studykit.cards.choice import options_of

    choice = options_of(card)
    return {
        "options": [{"text": each.text, "right": each.right, "why": each.why or None} for each in choice.options],
        "explanation": choice.explanation or None,
    }


def _step(step: RecordedEvent, card: Card) -> dict[str, object]:
    event = step.event
    document: dict[str, object] = {
        "event": str(event.id),
        "kind": str(event.kind),
        "moment": moment_of(event.moment).isoformat(),
        "day": str(event.day),
        "zone": event.zone,
        "grade": None if event.grade is None else int(event.grade),
        "took_ms": event.took_ms,
        "became": None if step.answer_kind is None else str(step.answer_kind),
        "undone": step.undone,
    }
    if event.target:
        document["target"] = event.target
    if event.typed:
        document["typed"] = event.typed
    if event.showing is not None:
        document["exercise"] = _question(event.showing, card)
    return document


def _question(showing: Showing, card: Card) -> dict[str, object]:
    return {
        "exercise": showing.template,
        "version": showing.version,
        "seed": showing.seed,
        "prompt": _reprinted(showing, card),
        "answer": showing.answer,
        "verdict": showing.verdict,
        "slips": list(showing.slips),
    }


def _reprinted(showing: Showing, card: Card) -> str | None:
    """Return the question as it was shown, or None if the exercise has changed or is gone."""
    if card.kind is Kind.CHOICE:
        from studykit.exercise.quiz import card_questions

        return card_questions.asked_again(card, showing)
    from studykit.exercise.registry import asked_again

    return asked_again(showing)


def _write(context: Context, card: Card, memory: Memory | None, history: Sequence[Event]) -> None:
    today, fsrs = context.today(), context.store.schedule.fsrs
    where = f"{card.path}:{card.line}"
    context.write(f"{card.id}  {card.kind}, deck {card.deck}  ({where})\n")
    for line in _face(context, card):
        context.copy(line) if card.kind is not Kind.EXERCISE else context.write(line)
    reasons = (
        ("", *why(memory, today, history, fsrs)) if memory is not None or history else ()
    )  # else `facts` says it
    for line in ("", *facts(memory, today, fsrs), *reasons):
        context.write(line)
    if memory is not None and memory.lapses >= context.leech_from:
        report = leech_report(context, context.store, card, memory.lapses)
        context.write("\n".join(["", "A leech: it is forgotten again and again.", *report.lines()[1:]]))
    for line in _questions(context, history, card):
        context.copy(line)
    if card.source:
        context.copy(printable(f"\nSource: {card.source}"))
    if card.url:
        context.write(f"\n{card.url}")


def _face(context: Context, card: Card) -> Iterator[str]:
    """Yield the lines of a card as a review shows it, with its answer below. An exercise has only its name."""
    if card.kind is Kind.EXERCISE:
        yield question(card)
        return
    yield from _text_lines(context, card.prompt, card)
    yield ""
    yield from _text_lines(context, card.full or shown(card), card)


def _questions(context: Context, history: Sequence[Event], card: Card) -> Iterator[str]:
    """Yield each question of an exercise as it was asked, with the learner's answer."""
    for event in history:
        showing = event.showing
        if showing is None:
            continue
        yield printable(f"\n{event.day}: {showing.template}, seed {showing.seed}")
        text = _reprinted(showing, card)
        if text is None:
            yield f"The {card.kind} has changed since; its question cannot be shown again."
        else:
            yield from _text_lines(context, text, card)
        yield printable(f"You answered {showing.answer!r}: {showing.verdict}")


def _text_lines(context: Context, markdown: str, card: Card) -> list[str]:
    return markdown_lines(context, markdown, dict(context.collection.macros(card)))
