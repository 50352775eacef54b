"""What is known of a leech: what was typed at it, and which card of the collection it may be taken for."""

from studykit.cards.card import Card
from studykit.cards.near_cards import confused_with, query_of
from studykit.cards.wording import question
from studykit.cli.context import Context
from studykit.review.leech import LeechReport
from studykit.scheduling.events import Event, EventKind
from studykit.store.store import Store

_LOOKED_AT = 200  # cards with a word of its question, or of what was typed
_WRONG = {"incorrect", "timed_out", "crashed", "refused"}


def leech_report(context: Context, store: Store, card: Card, lapses: int, typed: str = "") -> LeechReport:
    """The report of a card; what was typed before is in its log."""
    typed = typed or _last_typed(store, card)
    day = context.today()
    others = {each.id: each for each in store.cards.all(path=card.path) if each.note == card.note}
    for text in filter(None, (typed, question(card))):
        if (query := query_of(text)).alternatives:
            found = store.search.find(query, day, leech=lapses, limit=_LOOKED_AT).cards
            others |= {each.card.id: each.card for each in found}
    taken = confused_with(card, typed, others.values())
    return LeechReport(card, lapses, typed, *(taken or (None, "")))


def _last_typed(store: Store, card: Card) -> str:
    """The last wrong answer that was typed."""
    history = store.log.history(card.id)
    undone = {event.target for event in history if event.kind is EventKind.UNDO}
    return next(filter(None, (_wrong(each) for each in reversed(history) if str(each.id) not in undone)), "")


def _wrong(event: Event) -> str:
    """What was typed, where it was not right."""
    if event.showing is None:
        return event.typed
    return event.showing.answer if event.showing.verdict in _WRONG else ""
