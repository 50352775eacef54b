"""Test the list that narrows as the learner types: its input, its rows, and its commands for a card."""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from uuid import UUID, uuid4

import pyte
import pytest
from fake_terminal import FakeTerminal

from decks import read_deck
from studykit.cards.card import Card, CardId
from studykit.cards.query import parse_query, searchable
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Memory
from studykit.scheduling.replay import CardMarks, marked
from studykit.store.card_search import FoundCard, FoundCards
from studykit.terminal.input.keys import HangupError
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.mode import Style
from studykit.terminal.screen import Screen
from studykit.terminal.search_list import SearchList, SearchServices

TODAY = datetime(2026, 11, 23, 9, tzinfo=UTC).date()
CARDS = read_deck(
    "".join(
        f"Q: What is the word for {word}? {{#{word}}}\nA: the answer {word}\n" for word in ("cat", "dog", "cow")
    )
    + "Q: How many bytes has $2^{30}$? {#gib .x}\nA: one GiB\n",
    "words.md",
).cards


@dataclass
class Shelf:
    """Stand in for a store and an editor with four cards, and remember what was recorded."""

    recorded: list[tuple[EventKind, str]] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    marks: dict[str, CardMarks] = field(default_factory=dict)
    undone: int = 0
    cards: tuple[Card, ...] = CARDS

    def find(self, query: str) -> FoundCards:
        words = [getattr(term, "text", "") for terms in parse_query(query).alternatives for term in terms]
        cards = [card for card in self.cards if all(word in searchable(card) for word in words)]
        memory = Memory(1, 1, 250, 0, date(2026, 11, 20))
        matches = [FoundCard(card, memory, self.marks.get(card.id, CardMarks())) for card in cards]
        return FoundCards(tuple(matches), len(matches))

    def edit(self, card: Card) -> str:
        self.edited.append(card.id)
        return "edited, progress kept"

    def record(self, kind: EventKind, card: CardId) -> UUID:
        self.recorded.append((kind, card))
        self.marks[card] = marked(self.marks.get(card, CardMarks()), kind, TODAY.toordinal())
        return uuid4()

    def undo(self, _: UUID) -> bool:
        self.undone += 1
        self.marks.clear()
        return True

    def services(self) -> SearchServices:
        return SearchServices(
            self.find, self.edit, self.record, self.undo, lambda _: Notation(), lambda: TODAY, leech=8
        )


def test_long_query_shows_its_end() -> None:
    _, screen = after(*"x" * 50, *"end", columns=40, rows=20)

    assert "xend" in screen
    assert "find> <x" in screen


def test_wide_sign_row_keeps_its_edge_marks() -> None:
    shelf = Shelf(cards=read_deck("Q: " + "日本の首都は" * 9 + " {#wide}\nA: 東京\n", "words.md").cards)
    _, screen = after("down", shelf=shelf, columns=40, rows=9)

    row = next(row for row in screen.splitlines() if "日" in row)
    assert row.endswith("due")


def after(
    *names: str, shelf: Shelf | None = None, columns: int = 80, rows: int = 24, query: str = ""
) -> tuple[SearchList, str]:
    """Return the list after these keys, and the screen."""
    terminal = FakeTerminal(*names, columns=columns, rows=rows)
    listed = SearchList(Screen(terminal, Style()), (shelf or Shelf()).services(), query)  # type: ignore[arg-type]
    with suppress(HangupError):
        listed.run()
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(terminal.written)
    return listed, "\n".join(line.rstrip() for line in screen.display)


def test_typed_letters_narrow_the_search_list() -> None:
    assert "2³⁰" in after("b", "y", "t")[1]
    _, everything = after()
    _, narrowed = after("c", "o", "w")

    assert "4 cards" in everything
    assert "1 card" in narrowed
    assert "> What is the word for cow?" in narrowed
    assert "the answer cow" in narrowed
    assert "the word for cat" not in narrowed
    assert "find> cow" in narrowed


def test_command_letters_are_typed_into_the_query() -> None:
    shelf = Shelf()

    listed, shown = after(*"e@q*-u", shelf=shelf)

    assert listed.state.query.text == "e@q*-u"
    assert "No card is found" in shown
    assert (shelf.recorded, shelf.edited) == ([], [])


def test_arrows_choose_and_enter_shows_the_card() -> None:
    listed, shown = after("down", "down", "down", "up", "enter")

    assert listed.state.card is not None
    assert listed.state.card.card.id == "cow"
    assert "lapses 0" in shown
    assert "e edit   @ suspend" in shown.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("names", "recorded", "note"),
    [
        (["@"], [EventKind.SUSPEND], "suspended"),
        (["@", "@"], [EventKind.SUSPEND, EventKind.UNSUSPEND], "back in the queue"),
        (["-"], [EventKind.BURY], "buried until tomorrow"),
        (["-", "-"], [EventKind.BURY, EventKind.UNBURY], "back in today's queue"),
        (["*"], [EventKind.FLAG], "flagged"),
    ],
)
def test_card_keys_work_as_in_a_review(names: list[str], recorded: list[EventKind], note: str) -> None:
    shelf = Shelf()

    listed, shown = after("down", "enter", *names, shelf=shelf)

    assert shelf.recorded == [(kind, "dog") for kind in recorded]
    assert listed.state.is_open
    assert shown.rstrip().endswith(note)


def test_undo_covers_only_actions_of_the_list() -> None:
    shelf = Shelf()

    _, shown = after("enter", "@", "u", "u", shelf=shelf)

    assert shelf.undone == 1
    assert shown.rstrip().endswith("nothing to undo here")


def test_return_from_the_editor_keeps_the_card() -> None:
    shelf = Shelf()

    listed, shown = after("down", "enter", "e", shelf=shelf)

    assert shelf.edited == ["dog"]
    assert listed.state.card is not None
    assert listed.state.card.card.id == "dog"
    assert "edited, progress kept" in shown


@pytest.mark.parametrize("back", ["q", "esc", "enter"])
def test_back_at_the_list_letters_are_letters_again(back: str) -> None:
    listed, _ = after("c", "enter", back, "o")

    assert (listed.state.is_open, listed.state.query.text) == (False, "co")


def test_esc_clears_the_words_and_then_leaves() -> None:
    listed, _ = after("c", "esc", "x")
    state_after, _ = after("esc", "x")

    assert listed.state.query.text == "x"
    assert state_after.state.query.text == ""


def test_invalid_query_is_named_and_can_be_corrected() -> None:
    _, wrong = after(*"is:do")
    listed, _ = after(*"is:do", "backspace", "backspace", "backspace", "backspace", "backspace")

    assert "'is:do' is not a state of a card" in wrong
    assert "> What is the word for cat?" in wrong  # half a word leaves what was there
    assert len(listed.state.results.cards) == len(CARDS)


def test_command_line_query_can_be_continued() -> None:
    assert after("o", query="c")[0].state.query.text == "c o"


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (40, 8), (24, 6)])
@pytest.mark.parametrize("names", [(), ("enter",), ("z",)], ids=["list", "card", "nothing"])
def test_it_fits_any_screen(columns: int, rows: int, names: tuple[str, ...]) -> None:
    terminal = FakeTerminal(*names, columns=columns, rows=rows)
    with suppress(HangupError):
        SearchList(Screen(terminal, Style()), Shelf().services(), "").run()  # type: ignore[arg-type]

    last = terminal.written.rpartition("\x1b[H")[2]
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(last)
    assert last.count("\r\n") <= rows - 1
    assert any(word in "".join(screen.display) for word in ("find>", "edit"))
