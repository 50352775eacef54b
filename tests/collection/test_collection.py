"""Decks on disk, their cards in the store, and progress that survives what authors do."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studykit.cards.card import Card, CardId
from studykit.collection.changes import DeckChanges
from studykit.collection.collection import Collection, read_file
from studykit.collection.files import Origin, Source
from studykit.errors import BusyError
from studykit.scheduling.events import EventKind
from studykit.scheduling.sm2 import Grade, Memory
from studykit.store.opening import open_store
from studykit.store.schedule import Schedule
from studykit.store.store import Store

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


class Shelf:
    """A learner with a store, a folder of decks of their own, and decks that shipped."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.own, self.shipped, self.copies = folder / "own", folder / "shipped", folder / "copies"
        self.own.mkdir()
        self.shipped.mkdir()
        self.store = store
        self.sources = [Source(self.own, Origin.OWN), Source(self.shipped, Origin.SHIPPED)]

    def write(self, name: str, text: str, *, shipped: bool = False) -> Path:
        path = (self.shipped if shipped else self.own) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    @property
    def collection(self) -> Collection:
        return Collection(self.store, self.sources, copies=self.copies)

    def refresh(self) -> DeckChanges:
        return self.collection.refresh()

    def answer(self, card: str) -> None:
        self.store.log.record(EventKind.ANSWER, CardId(card), grade=Grade.GOOD)

    def card(self, name: str) -> Card:
        card = self.store.cards.present(CardId(name))
        assert card is not None
        return card

    def ids(self) -> list[str]:
        return [card.id for card in self.store.cards.all()]

    def remembers(self, card: str) -> bool:
        return self.store.schedule.memory(CardId(card)) is not None


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with open_store(tmp_path / "study.db", clock=lambda: NOON, zone_name="UTC", zone=UTC) as store:
        yield Shelf(tmp_path, store)


_ROOFLINE = "Q: What does the slope of a roofline show?\nA: The bandwidth of the memory that feeds the kernel.\n"
_RIDGE = "Q: Where does a roofline bend?\nA: At the ridge point, peak over bandwidth, in FLOPs per byte.\n"


def test_the_first_refresh_brings_every_card(shelf: Shelf) -> None:
    shelf.write("a.md", "Q: a {#a}\nA: b\n\nC: [c] and [d] {#c}\n")
    shelf.write("deep/b.md", "Q: e {#e}\nA: f\n")

    changes = shelf.refresh()

    assert str(changes) == "4 new"
    assert shelf.ids() == ["a", "c.1", "c.2", "e"]


def test_nothing_is_read_that_did_not_change(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write("a.md", _RIDGE)
    shelf.refresh()
    monkeypatch.setattr("studykit.collection.reread.read_text", lambda path: pytest.fail(f"{path} was read"))

    changes = shelf.refresh()

    assert changes == DeckChanges()


def test_a_touched_file_with_the_same_text_changes_nothing(shelf: Shelf) -> None:
    path = shelf.write("a.md", _RIDGE)
    shelf.refresh()
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")

    assert shelf.refresh() == DeckChanges()
    assert shelf.store.cards.deck_files()[str(path)].mtime_ns == path.stat().st_mtime_ns


def test_fixing_a_typo_keeps_progress(shelf: Shelf) -> None:
    shelf.write("a.md", _ROOFLINE.replace("slope", "slpoe") + "\n" + _RIDGE)
    shelf.refresh()
    old = shelf.ids()[0]
    shelf.answer(old)

    shelf.write("a.md", _ROOFLINE + "\n" + _RIDGE)
    changes = shelf.refresh()

    assert str(changes) == "1 reworded (progress kept)"
    assert shelf.remembers(shelf.ids()[0])
    assert not shelf.remembers(old)
    assert [event.kind for event in shelf.store.log.history(CardId(shelf.ids()[0]))] == [
        EventKind.ANSWER,
        EventKind.RELINK,
    ]


def test_rewording_a_card_with_an_id_keeps_progress(shelf: Shelf) -> None:
    shelf.write("a.md", "Q: one {#x}\nA: two")
    shelf.refresh()
    shelf.answer("x")

    shelf.write("a.md", "Q: something else entirely {#x}\nA: three")
    changes = shelf.refresh()

    assert str(changes) == "1 reworded (progress kept)"
    assert shelf.remembers("x")


def test_a_replaced_card_never_inherits(shelf: Shelf) -> None:
    shelf.write("a.md", "C: A training step costs about [6] FLOPs per parameter and token.")
    shelf.refresh()
    shelf.answer(shelf.ids()[0])

    shelf.write("a.md", "C: A training step costs about [2] FLOPs per parameter and token.")
    changes = shelf.refresh()

    assert str(changes) == "1 new, 1 removed"
    assert not shelf.remembers(shelf.ids()[0])


def test_giving_a_card_an_id_keeps_progress(shelf: Shelf) -> None:
    shelf.write("a.md", _RIDGE)
    shelf.refresh()
    shelf.answer(shelf.ids()[0])

    shelf.write("a.md", _RIDGE.replace("bend?", "bend? {#ridge}"))
    shelf.refresh()

    assert shelf.remembers("ridge")


@pytest.mark.parametrize("attributes", ["", " {#roofline}"], ids=["unnamed", "named"])
def test_moving_a_card_to_another_file_keeps_progress(shelf: Shelf, attributes: str) -> None:
    moving = _ROOFLINE.replace("show?", "show?" + attributes)
    shelf.write("a.md", moving + "\n" + _RIDGE)
    shelf.write("b.md", "Q: b {#b}\nA: c")
    shelf.refresh()
    card = shelf.ids()[0]
    shelf.answer(card)

    shelf.write("a.md", _RIDGE)
    shelf.write("b.md", "Q: b {#b}\nA: c\n\n" + moving)
    changes = shelf.refresh()

    assert str(changes) == ""
    assert shelf.remembers(card)
    assert shelf.card(card).path == str(shelf.own / "b.md")


def test_moving_and_rewording_in_one_go_keeps_progress(shelf: Shelf) -> None:
    shelf.write("a.md", _ROOFLINE + "\n" + _RIDGE)
    shelf.refresh()
    shelf.answer(shelf.ids()[0])

    shelf.write("a.md", _RIDGE)
    shelf.write("b.md", _ROOFLINE.replace("slope", "slant"))
    shelf.refresh()

    moved = next(card for card in shelf.store.cards.all() if "slant" in card.prompt)
    assert shelf.remembers(moved.id)


def test_renaming_a_file_keeps_progress(shelf: Shelf) -> None:
    path = shelf.write("a.md", "---\nname='n'\n---\n" + _RIDGE)
    shelf.refresh()
    shelf.answer(shelf.ids()[0])

    path.rename(path.with_name("z.md"))
    changes = shelf.refresh()

    assert str(changes) == ""
    assert shelf.remembers(shelf.ids()[0])


def test_removing_and_adding_a_deck_again_keeps_progress(shelf: Shelf) -> None:
    path = shelf.write("a.md", _RIDGE)
    shelf.refresh()
    card = shelf.ids()[0]
    shelf.answer(card)

    path.unlink()
    assert str(shelf.refresh()) == "1 removed"
    assert shelf.ids() == []
    shelf.write("a.md", _RIDGE)
    shelf.refresh()

    assert shelf.ids() == [card]
    assert shelf.remembers(card)


def test_a_deck_that_comes_back_with_a_typo_fixed_keeps_progress(shelf: Shelf) -> None:
    path = shelf.write("a.md", _ROOFLINE.replace("slope", "slpoe"))
    shelf.refresh()
    shelf.answer(shelf.ids()[0])
    path.unlink()
    shelf.refresh()

    shelf.write("b.md", _ROOFLINE)
    shelf.refresh()

    assert shelf.remembers(shelf.ids()[0])


def test_a_gap_put_before_another_keeps_each_one_s_progress(shelf: Shelf) -> None:
    shelf.write("a.md", "C: bf16 has [8] exponent bits {#bf}")
    shelf.refresh()
    shelf.answer("bf")

    shelf.write("a.md", "C: [bf16] has [8] exponent bits {#bf}")
    shelf.refresh()

    assert (shelf.remembers("bf.1"), shelf.remembers("bf.2")) == (False, True)


def test_a_crash_in_the_middle_changes_nothing(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write("a.md", "C: bf16 has [8] and [7] bits {#bf}")
    shelf.refresh()
    shelf.answer("bf.1")
    shelf.write("a.md", "C: [bf16] has [8] and [7] bits {#bf}")
    with monkeypatch.context() as crash:
        crash.setattr("studykit.store.card_table._put_cards", lambda *_: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception):
            shelf.refresh()

    held = shelf.remembers("bf.1")
    shelf.refresh()

    assert held
    assert [shelf.remembers(card) for card in ("bf.1", "bf.2", "bf.3")] == [False, True, False]
    assert shelf.store.schedule.disagreements() == ()


def test_two_processes_that_see_one_edit_follow_it_once(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write("a.md", "C: bf16 has [8] and [7] bits {#bf}")
    shelf.refresh()
    shelf.answer("bf.1")
    shelf.write("a.md", "C: [bf16] has [8] and [7] bits {#bf}")
    memories = Schedule.memories

    def the_other_is_quicker(schedule: Schedule, cards: Iterable[CardId] | None = None) -> dict[CardId, Memory]:
        monkeypatch.setattr(Schedule, "memories", memories)
        shelf.refresh()
        return memories(schedule, cards)

    monkeypatch.setattr(Schedule, "memories", the_other_is_quicker)

    changes = shelf.refresh()

    assert changes == DeckChanges()
    assert [shelf.remembers(card) for card in ("bf.1", "bf.2", "bf.3")] == [False, True, False]


def test_decks_that_never_come_to_rest_are_told(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write("a.md", _RIDGE)
    monkeypatch.setattr(Store, "update_decks", lambda *_: False)

    with pytest.raises(BusyError, match="Try again when they are done"):
        shelf.refresh()


def test_a_broken_deck_keeps_its_cards_and_does_not_stop_the_others(shelf: Shelf) -> None:
    shelf.write("a.md", "Q: a {#a}\nA: b")
    shelf.refresh()
    shelf.write("a.md", "Q: a {#a}")
    shelf.write("b.md", "Q: c {#c}\nA: d")

    changes = shelf.refresh()

    assert [str(problem) for problem in changes.problems] == [
        f'{shelf.own / "a.md"}:1: question without an answer. Give it one on a line that starts with "A:".'
    ]
    assert sorted(shelf.ids()) == ["a", "c"]
    assert len(shelf.refresh().problems) == 1


def test_a_deck_that_is_out_of_reach_keeps_its_cards_and_is_told(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "usb").mkdir()
    (tmp_path / "usb" / "a.md").write_text("Q: a {#a}\nA: b", encoding="utf-8")
    shelf.sources.insert(0, Source(tmp_path / "usb", Origin.OWN))
    shelf.refresh()
    (tmp_path / "usb").rename(tmp_path / "unplugged")

    changes = shelf.refresh()

    assert "there is no such deck. Put it back, or take it out of STUDYKIT_DECKS" in str(changes.problems[0])
    assert shelf.ids() == ["a"]


def test_bytes_that_are_no_text_are_told_with_their_line(shelf: Shelf) -> None:
    (shelf.own / "a.md").write_bytes(b"Q: a\nA: \xff\n")

    (problem,) = shelf.refresh().problems

    assert str(problem) == f"{shelf.own / 'a.md'}:2: byte 0xFF is not UTF-8. Save the file as UTF-8."


def test_two_notes_with_one_id_are_told_with_both_places(shelf: Shelf) -> None:
    shelf.write("a.md", "Q: a {#x}\nA: b")
    shelf.refresh()
    shelf.write("b.md", "\nQ: c {#x}\nA: d\n\nQ: e {#e}\nA: f")

    changes = shelf.refresh()

    told = f"{shelf.own / 'b.md'}:2: #x is already the id of the note at {shelf.own / 'a.md'}:1."
    assert [str(problem) for problem in changes.problems] == [told + " Choose another in one of them."]
    assert sorted(shelf.ids()) == ["e", "x"]
    assert len(shelf.refresh().problems) == 1


def test_a_clash_that_is_resolved_is_told_no_more(shelf: Shelf) -> None:
    shelf.write("a.md", "Q: a {#x}\nA: b")
    shelf.write("b.md", "Q: c {#x}\nA: d")
    shelf.refresh()

    shelf.write("a.md", "Q: a {#y}\nA: b")
    changes = shelf.refresh()

    assert changes.problems == ()
    assert sorted(shelf.ids()) == ["x", "y"]


def test_the_same_words_in_two_files_are_one_card_wherever_one_of_them_stays(shelf: Shelf) -> None:
    first = shelf.write("a.md", _RIDGE)
    shelf.write("b.md", _RIDGE)
    shelf.refresh()
    card = shelf.ids()
    shelf.answer(card[0])

    first.unlink()
    shelf.refresh()

    assert shelf.ids() == card
    assert len(card) == 1
    assert shelf.remembers(card[0])


def test_files_of_one_name_are_one_deck(shelf: Shelf) -> None:
    shelf.write("a.md", "---\nname = 'Cost'\nid = 'cost'\n---\nQ: a {#a}\nA: b")
    shelf.write("b.md", "---\nname = 'Cost'\n---\nQ: c {#c}\nA: d")
    shelf.refresh()

    (deck,) = shelf.collection.summaries()

    assert (deck.id, deck.cards, len(deck.paths)) == ("cost", 2, 2)
    assert [card.id for card in shelf.store.cards.all(deck="cost")] == ["a", "c"]


def test_an_own_card_takes_the_place_of_a_shipped_one(shelf: Shelf) -> None:
    shelf.write("s.md", "Q: shipped {#x}\nA: b\n\nQ: other {#y}\nA: b", shipped=True)
    shelf.refresh()
    shelf.answer("x")
    own = shelf.write("o.md", "Q: mine {#x}\nA: b")

    changes = shelf.refresh()
    first = shelf.card("x").prompt
    own.unlink()
    shelf.refresh()

    assert changes.problems == ()
    assert (first, shelf.card("x").prompt) == ("mine", "shipped")
    assert shelf.remembers("x")


def test_editing_a_shipped_card_copies_its_deck_which_takes_its_place(shelf: Shelf) -> None:
    shelf.write("s.md", "Q: shipped {#x}\nA: ![a](a.svg)\n\nQ: other {#y}\nA: b", shipped=True)
    shelf.write("a.svg", "<svg/>", shipped=True)
    shelf.refresh()
    shelf.answer("x")

    path = shelf.collection.editable(shelf.card("x"))
    path.write_text("Q: mine {#x}\nA: ![a](a.svg)\n", encoding="utf-8")
    changes = shelf.refresh()

    assert path == shelf.copies / "s.md"
    assert (shelf.copies / "a.svg").read_text(encoding="utf-8") == "<svg/>"
    assert str(changes) == "1 reworded (progress kept), 1 removed"
    assert (shelf.ids(), shelf.card("x").prompt) == (["x"], "mine")
    assert shelf.remembers("x")


def test_a_copy_that_nobody_changed_is_taken_back(shelf: Shelf) -> None:
    shelf.write("s.md", "Q: shipped {#x}\nA: b", shipped=True)
    shelf.refresh()
    card = shelf.card("x")
    path = shelf.collection.editable(card)

    shelf.collection.unedited(card)

    assert not path.exists()
    assert (shelf.shipped / "s.md").exists()


def test_a_copy_that_was_broken_leaves_the_shipped_cards_as_they_were(shelf: Shelf) -> None:
    shelf.write("s.md", "Q: shipped {#x}\nA: b", shipped=True)
    shelf.refresh()
    path = shelf.collection.editable(shelf.card("x"))
    path.write_text("A: oops", encoding="utf-8")

    broken = shelf.refresh()
    then = shelf.ids()
    path.write_text("Q: mended {#x}\nA: b", encoding="utf-8")
    shelf.refresh()

    assert [problem.path for problem in broken.problems] == [str(path)]
    assert (str(broken), then, shelf.card("x").prompt) == ("", ["x"], "mended")


def test_an_own_card_is_edited_where_it_is(shelf: Shelf) -> None:
    path = shelf.write("a.md", "Q: a {#a}\nA: b")
    shelf.refresh()

    assert shelf.collection.editable(shelf.card("a")) == path


def test_a_shipped_deck_that_is_hidden_brings_no_cards(shelf: Shelf) -> None:
    shelf.write("s.md", "---\nname = 'Shipped'\n---\nQ: a {#a}\nA: b", shipped=True)
    shelf.write("o.md", "Q: c {#c}\nA: d")
    shelf.refresh()

    Collection(shelf.store, shelf.sources, copies=shelf.copies, hidden=["shipped"]).refresh()

    assert shelf.ids() == ["c"]


def test_a_copy_of_a_hidden_deck_is_hidden_as_well(shelf: Shelf) -> None:
    shelf.write("s.md", "Q: a {#a}\nA: b", shipped=True)
    shelf.refresh()
    shelf.collection.editable(shelf.card("a"))

    Collection(shelf.store, shelf.sources, copies=shelf.copies, hidden=["s"]).refresh()

    assert shelf.ids() == []


def test_own_decks_come_before_those_that_ship(shelf: Shelf) -> None:
    shelf.write("a.md", "Q: shipped {#s}\nA: b", shipped=True)
    shelf.write("z.md", "Q: own {#o}\nA: b")
    shelf.refresh()

    assert shelf.ids() == ["o", "s"]


def test_macros_come_from_the_collection_s_root_down_to_the_deck(shelf: Shelf) -> None:
    shelf.write("macros.tex", "\\R \\mathbb{R}\n\\N root")
    shelf.write("deep/macros.tex", "\\N near")
    shelf.write("deep/a.md", "---\n[macros]\nF = 'own'\n---\nQ: a {#a}\nA: b")
    shelf.refresh()

    macros = dict(shelf.collection.macros(shelf.card("a")))

    assert macros == {"\\R": "\\mathbb{R}", "\\N": "near", "\\F": "own"}
    (file,) = shelf.collection.files().files
    assert dict(read_file(file)[0].macros) == macros


def test_a_readme_and_hidden_folders_are_no_decks(shelf: Shelf) -> None:
    shelf.write("README.md", "prose")
    shelf.write(".git/x.md", "prose")
    shelf.write("a.md", "Q: a {#a}\nA: b")

    changes = shelf.refresh()

    assert (str(changes), changes.problems) == ("1 new", ())


_CARDS = tuple("abcde")
_PLACES = st.lists(st.tuples(*(st.sampled_from(["", "one.md", "two.md", "three.md"]) for _ in _CARDS)), max_size=4)


@settings(max_examples=25, deadline=None)
@given(rounds=_PLACES, named=st.booleans())
def test_however_cards_wander_they_are_where_their_files_say_and_nothing_is_forgotten(
    *, rounds: list[tuple[str, ...]], named: bool
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        with open_store(folder / "study.db", clock=lambda: NOON, zone_name="UTC", zone=UTC) as store:
            shelf = Shelf(folder, store)
            for places in (("one.md",) * len(_CARDS), *rounds):
                for file in ("one.md", "two.md", "three.md"):
                    held = [card for card, place in zip(_CARDS, places, strict=True) if place == file]
                    shelf.write(file, "\n".join(_wanderer(card, named=named) for card in held))
                shelf.refresh()
                if not store.schedule.memories():
                    for card in shelf.ids():
                        shelf.answer(card)
                present = [card for card, place in zip(_CARDS, places, strict=True) if place]

                assert sorted(card.answer for card in store.cards.all()) == sorted(
                    f"answer {card}" for card in present
                )
                assert len(store.schedule.memories()) == len(_CARDS)
            assert store.schedule.disagreements() == ()


def _wanderer(card: str, *, named: bool) -> str:
    attribute = f" {{#{card}}}" if named else ""
    return f"Q: a question called {card * 9}{attribute}\nA: answer {card}\n"
