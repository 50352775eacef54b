"""Search cards in a list that narrows as the learner types. Enter shows a card, where letters are commands."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from studykit.cards.card import Card, CardId
from studykit.cards.wording import excerpt, question
from studykit.errors import StudyError, UsageError
from studykit.review.typed_answer import shown
from studykit.review.why import facts
from studykit.scheduling.event_kinds import EventKind
from studykit.store.card_search import FoundCard, FoundCards
from studykit.terminal.input.keys import Key
from studykit.terminal.input.line_editor import LineBuffer, after_key
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import one_line_text, render
from studykit.terminal.screen import SCROLL_ROWS, Screen, ScreenContent, key_spans
from studykit.terminal.spans import Span, StyledLine, TextStyle, clean, clip, indented, line, width, wrap

_PROMPT = "find> "
_MARGIN = "  "
_MIN_PREVIEW_ROWS = 5  # rows; a lower screen has the list alone
_LOW_ROWS = 10  # rows; a lower screen does not name its keys
_SIGNS = 400  # of a question that a row may need
_LIST_KEYS = (("enter", "show"), ("up down", "choose"), ("esc", "clear, then quit"))
_CARD_KEYS = (("e", "edit"), ("@", "suspend"), ("-", "bury"), ("*", "flag"), ("u", "undo"), ("q", "back"))
_MARKS = {
    "@": (EventKind.SUSPEND, EventKind.UNSUSPEND, "suspended", "suspended", "back in the queue"),
    "-": (EventKind.BURY, EventKind.UNBURY, "buried", "buried until tomorrow", "back in today's queue"),
    "*": (EventKind.FLAG, EventKind.UNFLAG, "flagged", "flagged", "flag taken off"),
}
"""For each key: the event, its opposite, the word that a card has after the event, and the message of each."""
_NO_CARDS = FoundCards((), 0)
_UNFINISHED_FIELD = re.compile(r"(?:^|(?<=\s))-?(?:deck|tag|is):$", re.IGNORECASE)  # asks for nothing yet


@dataclass(frozen=True, slots=True)
class SearchServices:
    """Hold the functions that a search list calls."""

    find: Callable[[str], FoundCards]
    edit: Callable[[Card], str]
    record: Callable[[EventKind, CardId], UUID]
    undo: Callable[[UUID], bool]
    notation: Callable[[Card], Notation]
    today: Callable[[], date]
    leech: int
    undoable: list[UUID] = field(default_factory=list)  # events that `u` takes back, from the last one

    def words_of(self, card: FoundCard) -> list[str]:
        """Return words for the state of a card, such as suspended."""
        return card.words(self.today(), self.leech)

    def press(self, key: str, card: FoundCard) -> str:
        """Set or take off a card's mark that a key of `_MARKS` stands for, and return a message."""
        does, takes_back, word, message, undo_message = _MARKS[key]
        is_set = word in self.words_of(card)
        self.undoable.append(self.record(takes_back if is_set else does, card.card.id))
        return undo_message if is_set else message

    def take_back(self) -> str:
        """Undo the last event of this list, and return a message."""
        if not self.undoable:
            return "nothing to undo here"
        try:
            return "undone" if self.undo(self.undoable.pop()) else "nothing to undo here"
        except StudyError as error:
            return error.message


@dataclass(frozen=True, slots=True)
class SearchState:
    """Hold what the list shows."""

    query: LineBuffer
    results: FoundCards = _NO_CARDS
    selection: int = 0
    is_open: bool = False
    scroll: int = 0
    note: str = ""

    @property
    def card(self) -> FoundCard | None:
        """Return the selected card, or None."""
        return self.results.cards[self.selection] if self.selection < len(self.results.cards) else None


class SearchList:
    """Show the list on a full screen."""

    def __init__(self, screen: Screen, services: SearchServices, query: str) -> None:
        self._screen = screen
        self._services = services
        self.state = SearchState(LineBuffer.of(f"{query} " if query else ""))

    def run(self) -> None:
        """Search until the learner leaves."""
        self._search()
        while True:
            self._draw()
            key = self._screen.terminal.keys.read() or Key("unknown")
            if not (self._card_key(key) if self.state.is_open else self._list_key(key)):
                return

    def _search(self) -> None:
        state = self.state
        try:
            result, note = self._services.find(_UNFINISHED_FIELD.sub("", state.query.text)), state.note
        except UsageError as error:  # half a word such as `is:n`: what was there stays until it is whole
            result, note = state.results, error.message
        except StudyError as error:
            result, note = _NO_CARDS, error.message
        place = min(state.selection, max(0, len(result.cards) - 1))
        self.state = replace(state, results=result, selection=place, note=note)

    def _list_key(self, key: Key) -> bool:
        """Handle a key while the list is shown. Return False if it leaves."""
        state = self.state
        if key.name in {"esc", "ctrl-d"} and not state.query.text:
            return False
        step = {"up": -1, "ctrl-p": -1, "down": 1, "ctrl-n": 1, "pgup": -10, "pgdn": 10}.get(key.name, 0)
        if step:
            place = min(max(0, state.selection + step), max(0, len(state.results.cards) - 1))
            self.state = replace(state, selection=place, note="")
        elif key.name == "enter":
            self.state = replace(state, is_open=state.card is not None, scroll=0, note="")
        else:
            query = LineBuffer() if key.name == "esc" else after_key(state.query, key)
            if query != state.query:
                is_same = query.text == state.query.text
                self.state = replace(state, query=query, selection=state.selection if is_same else 0, note="")
                if not is_same:
                    self._search()
        return True

    def _card_key(self, key: Key) -> bool:
        """Handle a key while a card is shown. Return True, because no key leaves the search here."""
        state, card = self.state, self.state.card
        scroll = SCROLL_ROWS.get(key.name, 0)
        if key.name in {"q", "esc", "enter", "ctrl-d"} or card is None:
            self.state = replace(state, is_open=False, note="")
        elif scroll:
            self.state = replace(state, scroll=max(0, state.scroll + scroll))
        elif key.name == "e":
            with self._screen.terminal.away():
                note = self._services.edit(card.card)
            self._search_again(note)
        elif key.name in _MARKS:
            self._search_again(self._services.press(key.name, card))
        elif key.name == "u":
            self._search_again(self._services.take_back())
        return True

    def _search_again(self, note: str) -> None:
        """Search again after a change. If the selected card is no longer found, close it."""
        before = self.state.card
        self.state = replace(self.state, note=note)
        self._search()
        ids = [each.card.id for each in self.state.results.cards]
        if before is not None and before.card.id in ids:
            self.state = replace(self.state, selection=ids.index(before.card.id))
        else:
            self.state = replace(self.state, is_open=False)

    def _draw(self) -> None:
        state, columns = self.state, self._screen.columns
        if state.is_open and state.card is not None:
            self._draw_card(state.card, columns)
            return
        before, after = state.query.visible_parts(max(4, columns - len(_PROMPT) - 2))
        typing = (Span(_PROMPT, TextStyle.BOLD), Span(before + after))
        keys = wrap(key_spans(_LIST_KEYS), columns) if self._screen.terminal.size()[1] >= _LOW_ROWS else []
        foot = [typing, *keys, *_note(state.note, columns)]
        content = ScreenContent([self._head(columns)], (), foot)
        room = self._screen.viewport(content).room
        self._screen.draw(replace(content, body=self._list(columns, room)), cursor_after=line(_PROMPT + before))

    def _head(self, columns: int) -> StyledLine:
        total = self.state.results.total
        return line(f"Cards{total:>{columns - len('Cards')}}")

    def _list(self, columns: int, room: int) -> list[StyledLine]:
        """Return rows for the cards around the selected card, and its content below if there is room."""
        state = self.state
        if not state.results.cards:
            hint = "No card is found. Words, deck:, tag:, is:due and lapses>3 narrow the list."
            return [(), *wrap([Span("" if state.note else hint)], columns, indent=_MARGIN)]
        preview = self._card_lines(state.card, columns) if state.card and room >= 2 * _MIN_PREVIEW_ROWS else []
        rows = room - min(len(preview) + 1, room // 2) if preview else room
        rows = min(rows, len(state.results.cards))
        first = min(max(0, state.selection - rows // 2), len(state.results.cards) - rows)
        list_rows = [self._row(place, columns) for place in range(first, first + max(1, rows))]
        return [*list_rows, (), *preview][: max(1, room)] if preview else list_rows

    def _row(self, place: int, columns: int) -> StyledLine:
        card = self.state.results.cards[place]
        marks = " ".join(self._services.words_of(card))
        room = max(8, columns - len(_MARGIN) - (len(marks) + 2 if marks else 0))
        words = one_line_text(question(card.card)[:_SIGNS], self._services.notation(card.card))
        at = "> " if place == self.state.selection else _MARGIN
        look = TextStyle.BOLD if at != _MARGIN else TextStyle.PLAIN
        text = clip(line(clean(f"{at}{excerpt(words, room)}"), look), room + len(_MARGIN))
        return (*text, Span(" " * max(2, columns - width(text) - len(marks)) + marks)) if marks else text

    def _card_lines(self, result: FoundCard, columns: int) -> list[StyledLine]:
        """Return a card's question, answer, place and state."""
        card, notation = result.card, self._services.notation(result.card)
        question_rows = render(question(card), columns - 4, notation)
        answer_rows = render(card.full or shown(card), columns - 4, notation) if card.task is None else []
        parts = [*question_rows, (), *answer_rows, ()] if answer_rows else [*question_rows, ()]
        marks = ", ".join(self._services.words_of(result))
        about = f"{card.id}   {card.path}:{card.line}" + (f"   {marks}" if marks else "")
        return [*indented(parts), *wrap([Span(clean(about))], columns, indent=_MARGIN)]

    def _draw_card(self, card: FoundCard, columns: int) -> None:
        rows = [*self._card_lines(card, columns), ()]
        for words in facts(card.memory, self._services.today()):
            rows += wrap([Span(words)], columns, indent=_MARGIN) if words else [()]
        foot = [*wrap(key_spans(_CARD_KEYS), columns), *_note(self.state.note, columns)]
        content = ScreenContent([self._head(columns)], [(), *rows], foot, back="k")
        viewport = self._screen.draw(content, self.state.scroll)
        if self.state.scroll > viewport.furthest:
            self.state = replace(self.state, scroll=viewport.furthest)


def _note(note: str, columns: int) -> list[StyledLine]:
    return wrap([Span(clean(note))], columns)[:2] if note else [()]
