"""A card, what is known of it and what happened to it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId, Kind
from studykit.cards.wording import excerpt, question
from studykit.cli.card_choice import chosen_card
from studykit.cli.context import Context
from studykit.collection.lookup import deck_ids
from studykit.errors import NotFoundError
from studykit.review.typed_answer import shown
from studykit.review.why import facts, why
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.memory import Memory, document
from studykit.scheduling.replay import HistoryStep, steps
from studykit.store.store import Store
from studykit.text import printable

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EXCERPT = 72  # characters of a question in a list


def show(context: Context, card: str, *, json: bool = False) -> None:
    """A card by its id or by words; the cards of a deck by its name."""
    store = context.refreshed_store()
    if store.cards.card(CardId(card)) is None and (deck := _deck(store, card)) is not None:
        _list(context, list(store.cards.all(deck=deck)), json=json)
        return
    found = chosen_card(context, store, card, ask=not json)
    memory = store.schedule.memory(found.id)
    history = store.log.history(found.id)
    if json:
        context.write_json(_document(found, memory, history, store.schedule.fsrs))
    else:
        _tell(context, found, memory, history)


def _deck(store: Store, name: str) -> str | None:
    try:
        return deck_ids(store, [name])[0]
    except NotFoundError:
        return None


def _list(context: Context, cards: Sequence[Card], *, json: bool) -> None:
    if json:
        context.write_json({"cards": [{**_identity(card), "prompt": question(card)} for card in cards]})
        return
    width = max((len(card.id) for card in cards), default=0)
    for card in cards:
        context.write(f"{card.id:<{width}}  {excerpt(question(card), _EXCERPT)}")


def _identity(card: Card) -> dict[str, object]:
    return {"card": card.id, "deck": card.deck, "kind": str(card.kind)}


def _document(
    card: Card, memory: Memory | None, history: Sequence[Event], fsrs: "Fsrs | None"
) -> dict[str, object]:
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
        "memory": None if memory is None else document(memory),
        "history": [_happened(step, card) for step in steps(history, fsrs)],
    }


def _options(card: Card) -> dict[str, object]:
    """The options of a choice in its author's order; nothing for other cards."""
    if card.kind is not Kind.CHOICE:
        return {}
    from studykit.cards.choice import options_of

    listed = options_of(card)
    return {
        "options": [{"text": each.text, "right": each.right, "why": each.why or None} for each in listed.options],
        "explanation": listed.explanation or None,
    }


def _happened(step: HistoryStep, card: Card) -> dict[str, object]:
    event = step.event
    told: dict[str, object] = {
        "event": str(event.id),
        "kind": str(event.kind),
        "moment": (_EPOCH + timedelta(microseconds=event.moment)).isoformat(),
        "day": str(event.day),
        "zone": event.zone,
        "grade": None if event.grade is None else int(event.grade),
        "took_ms": event.took_ms,
        "became": None if step.answer_kind is None else str(step.answer_kind),
        "undone": step.undone,
    }
    if event.target:
        told["target"] = event.target
    if event.typed:
        told["typed"] = event.typed
    if event.showing is not None:
        told["exercise"] = _asked(event.showing, card)
    return told


def _asked(showing: Showing, card: Card) -> dict[str, object]:
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
    """The question as it stood then; None where the exercise has changed since, or is no longer there."""
    if card.kind is Kind.CHOICE:
        from studykit.exercise.quiz import choices

        return choices.asked_again(card, showing)
    from studykit.exercise.registry import asked_again

    return asked_again(showing)


def _tell(context: Context, card: Card, memory: Memory | None, history: Sequence[Event]) -> None:
    today, fsrs = context.today(), context.store.schedule.fsrs
    where = f"{card.path}:{card.line}"
    context.write(f"{card.id}  {card.kind}, deck {card.deck}  ({where})\n")
    for line in _ui(context, card):
        context.copy(line) if card.kind is not Kind.EXERCISE else context.write(line)
    reasons = (
        ("", *why(memory, today, history, fsrs)) if memory is not None or history else ()
    )  # else `facts` says it
    for line in ("", *facts(memory, today, fsrs), *reasons):
        context.write(line)
    if memory is not None and memory.lapses >= context.leech_from:
        from studykit.cli.leech_run import leech_report

        report = leech_report(context, context.store, card, memory.lapses)
        context.write("\n".join(["", "A leech: it is forgotten again and again.", *report.lines()[1:]]))
    for line in _questions(context, history, card):
        context.copy(line)
    if card.source:
        context.copy(printable(f"\nSource: {card.source}"))
    if card.url:
        context.write(f"\n{card.url}")


def _ui(context: Context, card: Card) -> Iterator[str]:
    """The card as a review shows it, its answer below."""
    if card.kind is Kind.EXERCISE:
        yield question(card)
        return
    yield from _drawn(context, card.prompt, card)
    yield ""
    yield from _drawn(context, card.full or shown(card), card)


def _questions(context: Context, history: Sequence[Event], card: Card) -> Iterator[str]:
    """Each question of an exercise as it was asked, with the learner's answer."""
    for event in history:
        showing = event.showing
        if showing is None:
            continue
        yield printable(f"\n{event.day}: {showing.template}, seed {showing.seed}")
        asked = _reprinted(showing, card)
        if asked is None:
            yield f"The {card.kind} has changed since; its question cannot be shown again."
        else:
            yield from _drawn(context, asked, card)
        yield printable(f"You answered {showing.answer!r}: {showing.verdict}")


def _drawn(context: Context, markdown: str, card: Card | None = None) -> list[str]:
    from studykit.cli.display import markdown_lines

    return markdown_lines(context, markdown, dict(context.collection.macros(card)) if card else {})
