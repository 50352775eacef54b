"""Test decks on disk, their cards in the store, and progress that survives authors' edits."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import opened

from studykit.cards.card import Card, CardId
from studykit.collection.collection import Collection, read_file
from studykit.collection.files import Origin, Source
from studykit.collection.refresh_report import DeckChanges
from studykit.errors import BusyError, StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade
from studykit.store.schedule import Schedule
from studykit.store.store import Store

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


class Learner:
    """Set up a learner with a store, a folder of own decks, and shipped decks."""

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
def learner(tmp_path: Path) -> Iterator[Learner]:
    with opened(tmp_path / "study.db", NOON) as store:
        yield Learner(tmp_path, store)


_ROOFLINE = "Q: What does the slope of a roofline show?\nA: The bandwidth of the memory that feeds the kernel.\n"
_RIDGE = "Q: Where does a roofline bend?\nA: At the ridge point, peak over bandwidth, in FLOPs per byte.\n"


def test_the_first_refresh_brings_every_card(learner: Learner) -> None:
    learner.write("a.md", "Q: a {#a}\nA: b\n\nC: [c] and [d] {#c}\n")
    learner.write("deep/b.md", "Q: e {#e}\nA: f\n")

    changes = learner.refresh()

    assert str(changes) == "4 new"
    assert learner.ids() == ["a", "c.1", "c.2", "e"]


def test_nothing_is_read_that_did_not_change(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    learner.write("a.md", _RIDGE)
    learner.refresh()
    monkeypatch.setattr("studykit.collection.reread.read_text", lambda path: pytest.fail(f"{path} was read"))

    changes = learner.refresh()

    assert changes == DeckChanges()


def test_only_notes_that_changed_are_written(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [f"Q: question {number}? {{#q-{number} .tag}}\nA: answer\n" for number in range(9)]
    learner.write("a.md", "\n".join(notes))
    learner.refresh()
    written: list[str] = []

    def searchable(card: Card) -> str:
        written.append(card.id)
        return "words"

    monkeypatch.setattr("studykit.cards.query.searchable", searchable)

    learner.write("a.md", "\n".join([*notes[:4], notes[4].replace("answer", "other"), *notes[5:8]]))
    assert str(learner.refresh()) == "1 reworded (progress kept), 1 removed (progress kept)"

    assert written == ["q-4"]
    assert (learner.ids(), learner.card("q-4").answer) == ([f"q-{number}" for number in range(8)], "other")


def test_touched_deck_file_changes_only_its_time(learner: Learner) -> None:
    path = learner.write("a.md", _RIDGE)
    learner.refresh()
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")

    assert learner.refresh() == DeckChanges()
    assert learner.store.cards.deck_files()[str(path)].mtime_ns == path.stat().st_mtime_ns


@pytest.mark.parametrize(("before", "after", "changes", "remembered"), cases("collection/edits"))
def test_progress_follows_an_edit(
    learner: Learner, before: dict[str, str], after: dict[str, str], changes: str, remembered: str
) -> None:
    for name, text in before.items():
        learner.write(name, text)
    learner.refresh()
    learner.answer(learner.ids()[0])
    for name in before.keys() - after.keys():
        (learner.own / name).unlink()

    for name, text in after.items():
        learner.write(name, text)

    assert str(learner.refresh()) == changes
    prompts = [card.prompt for card in learner.store.cards.all() if learner.remembers(card.id)]
    assert (len(prompts), remembered in "".join(prompts)) == (bool(remembered), True)


def test_returned_deck_with_typo_fix_keeps_progress(learner: Learner) -> None:
    path = learner.write("a.md", _ROOFLINE.replace("slope", "slpoe"))
    learner.refresh()
    learner.answer(learner.ids()[0])
    path.unlink()
    learner.refresh()

    learner.write("b.md", _ROOFLINE)
    learner.refresh()

    assert learner.remembers(learner.ids()[0])


def test_a_crash_in_the_middle_changes_nothing(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    learner.write("a.md", "C: bf16 has [8] and [7] bits {#bf}")
    learner.refresh()
    learner.answer("bf.1")
    learner.write("a.md", "C: [bf16] has [8] and [7] bits {#bf}")
    with monkeypatch.context() as crash:
        crash.setattr("studykit.store.card_table._put_cards", lambda *_: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception):
            learner.refresh()

    memory = learner.remembers("bf.1")
    learner.refresh()

    assert memory
    assert [learner.remembers(card) for card in ("bf.1", "bf.2", "bf.3")] == [False, True, False]
    assert learner.store.schedule.disagreements() == ()


def test_concurrent_refreshes_apply_an_edit_once(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    learner.write("a.md", "C: bf16 has [8] and [7] bits {#bf}")
    learner.refresh()
    learner.answer("bf.1")
    learner.write("a.md", "C: [bf16] has [8] and [7] bits {#bf}")
    memories = Schedule.memories

    def the_other_is_quicker(schedule: Schedule, cards: Iterable[CardId] | None = None) -> dict[CardId, Memory]:
        monkeypatch.setattr(Schedule, "memories", memories)
        learner.refresh()
        return memories(schedule, cards)

    monkeypatch.setattr(Schedule, "memories", the_other_is_quicker)

    changes = learner.refresh()

    assert changes == DeckChanges()
    assert [learner.remembers(card) for card in ("bf.1", "bf.2", "bf.3")] == [False, True, False]


def test_decks_that_never_come_to_rest_are_told(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    learner.write("a.md", _RIDGE)
    monkeypatch.setattr(Store, "update_decks", lambda *_: False)

    with pytest.raises(BusyError, match="Try again when they are done"):
        learner.refresh()


def test_broken_deck_keeps_its_cards_and_spares_others(learner: Learner) -> None:
    learner.write("a.md", "Q: a {#a}\nA: b")
    learner.refresh()
    learner.write("a.md", "Q: a {#a}")
    learner.write("b.md", "Q: c {#c}\nA: d")

    changes = learner.refresh()

    assert [str(problem) for problem in changes.problems] == [
        f'{learner.own / "a.md"}:1: question without an answer. Give it one on a line that starts with "A:".'
    ]
    assert sorted(learner.ids()) == ["a", "c"]
    assert len(learner.refresh().problems) == 1


def test_missing_source_keeps_its_cards_and_is_named(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / "usb").mkdir()
    (tmp_path / "usb" / "a.md").write_text("Q: a {#a}\nA: b", encoding="utf-8")
    learner.sources.insert(0, Source(tmp_path / "usb", Origin.OWN))
    learner.refresh()
    (tmp_path / "usb").rename(tmp_path / "unplugged")

    changes = learner.refresh()

    assert "this deck does not exist. Put it back, or take it out of STUDYKIT_DECKS" in str(changes.problems[0])
    assert learner.ids() == ["a"]


def test_duplicate_id_names_both_places(learner: Learner) -> None:
    learner.write("a.md", "Q: a {#x}\nA: b")
    learner.refresh()
    learner.write("b.md", "\nQ: c {#x}\nA: d\n\nQ: e {#e}\nA: f")

    changes = learner.refresh()

    message = f"{learner.own / 'b.md'}:2: #x is already the id of the note at {learner.own / 'a.md'}:1."
    assert [str(problem) for problem in changes.problems] == [message + " Choose another in one of them."]
    assert sorted(learner.ids()) == ["e", "x"]
    assert len(learner.refresh().problems) == 1


def test_resolved_id_clash_is_not_reported(learner: Learner) -> None:
    learner.write("a.md", "Q: a {#x}\nA: b")
    learner.write("b.md", "Q: c {#x}\nA: d")
    learner.refresh()

    learner.write("a.md", "Q: a {#y}\nA: b")
    changes = learner.refresh()

    assert changes.problems == ()
    assert sorted(learner.ids()) == ["x", "y"]


def test_same_words_in_two_files_are_one_card(learner: Learner) -> None:
    first = learner.write("a.md", _RIDGE)
    learner.write("b.md", _RIDGE)
    learner.refresh()
    card = learner.ids()
    learner.answer(card[0])

    first.unlink()
    learner.refresh()

    assert learner.ids() == card
    assert len(card) == 1
    assert learner.remembers(card[0])


def test_files_of_one_name_are_one_deck(learner: Learner) -> None:
    learner.write("a.md", "---\nname = 'Cost'\nid = 'cost'\n---\nQ: a {#a}\nA: b")
    learner.write("b.md", "---\nname = 'Cost'\n---\nQ: c {#c}\nA: d")
    learner.refresh()

    (deck,) = learner.collection.summaries()

    assert (deck.id, deck.cards, len(deck.paths)) == ("cost", 2, 2)
    assert [card.id for card in learner.store.cards.all(deck="cost")] == ["a", "c"]


def test_own_card_replaces_a_shipped_one(learner: Learner) -> None:
    learner.write("s.md", "Q: shipped {#x}\nA: b\n\nQ: other {#y}\nA: b", shipped=True)
    learner.refresh()
    learner.answer("x")
    own = learner.write("o.md", "Q: mine {#x}\nA: b")

    changes = learner.refresh()
    first = learner.card("x").prompt
    own.unlink()
    learner.refresh()

    assert changes.problems == ()
    assert (first, learner.card("x").prompt) == ("mine", "shipped")
    assert learner.remembers("x")


def test_edited_shipped_card_replaces_deck_by_its_copy(learner: Learner) -> None:
    learner.write("s.md", "Q: shipped {#x}\nA: ![a](a.svg)\n\nQ: other {#y}\nA: b", shipped=True)
    learner.write("a.svg", "<svg/>", shipped=True)
    learner.refresh()
    learner.answer("x")

    path = learner.collection.editable(learner.card("x"))
    path.write_text("Q: mine {#x}\nA: ![a](a.svg)\n", encoding="utf-8")
    changes = learner.refresh()

    assert path == learner.copies / "s.md"
    assert (learner.copies / "a.svg").read_text(encoding="utf-8") == "<svg/>"
    assert str(changes) == "1 reworded (progress kept), 1 removed (progress kept)"
    assert (learner.ids(), learner.card("x").prompt) == (["x"], "mine")
    assert learner.remembers("x")


def pipe(copy: Path) -> None:
    copy.unlink()
    os.mkfifo(copy)


def folder(copy: Path) -> None:
    copy.unlink()
    copy.mkdir()


def link(path: Path, target: Path) -> None:
    target.write_text("Q: shipped {#x}\nA: ![a](a.svg)\n", encoding="utf-8")
    path.symlink_to(target)


@pytest.mark.parametrize(
    ("before", "edit", "remaining"),
    [
        (None, None, []),  # its picture goes as well
        (lambda at, _: (at / "a.svg").write_text("<svg/>"), None, ["a.svg"]),
        (lambda at, _: (at / "a.svg").write_text("mine"), None, ["a.svg"]),
        (lambda at, _: (at / "s.md").write_text("Q: shipped {#x}\nA: ![a](a.svg)\n"), None, ["s.md"]),
        (lambda at, _: (at / "s.md").write_text("Q: mine"), None, ["s.md"]),
        (lambda at, away: link(at / "s.md", away / "kept"), None, ["s.md"]),
        (lambda at, away: (at / "s.md").symlink_to(away / "lost"), None, None),
        (None, lambda copy: copy.write_text("Q: mine {#x}"), ["a.svg", "s.md"]),
        (None, lambda copy: copy.unlink(), []),
        (None, pipe, ["a.svg", "s.md"]),
        (None, folder, ["a.svg", "s.md"]),
        (None, lambda copy: copy.with_name("a.svg").write_text("mine"), ["a.svg", "s.md"]),
        (None, lambda copy: link(copy.with_name("t"), copy.parents[1] / "kept"), ["t"]),
    ],
)
def test_only_what_an_edit_copied_is_taken_back(
    learner: Learner,
    before: Callable[[Path, Path], object] | None,
    edit: Callable[[Path], object] | None,
    remaining: list[str] | None,
) -> None:
    shipped = learner.write("s.md", "Q: shipped {#x}\nA: ![a](a.svg)\n", shipped=True)
    learner.write("a.svg", "<svg/>", shipped=True)
    learner.refresh()
    card, stood = learner.card("x"), shipped.read_bytes()
    learner.copies.mkdir(exist_ok=True)
    if before:
        before(learner.copies, learner.copies.parent)

    collection = learner.collection
    with contextlib.suppress(StudyError):
        copy = collection.editable(card)
        if edit:
            edit(copy)
    collection.remove_unedited()
    collection.remove_unedited()

    if remaining is not None:
        assert sorted(path.name for path in learner.copies.iterdir()) == remaining
    assert shipped.read_bytes() == stood
    assert not (learner.copies.parent / "lost").exists()


def test_own_deck_edit_keeps_its_twin_copy(learner: Learner) -> None:
    learner.write("s.md", "Q: shipped {#x}\nA: b", shipped=True)
    learner.write("a.svg", "<svg/>", shipped=True)
    own_file = learner.write("t.md", "Q: own {#y}\nA: b")
    learner.copies.mkdir(exist_ok=True)
    twin = learner.copies / "t.md"
    twin.write_bytes(own_file.read_bytes())
    learner.refresh()
    collection = learner.collection
    copy = collection.editable(learner.card("x"))
    copy.write_text("Q: shipped {#x}\nA: c", encoding="utf-8")

    assert collection.editable(learner.card("y")) == own_file
    collection.remove_unedited()

    assert twin.exists()
    assert (copy.exists(), (learner.copies / "a.svg").exists()) == (True, True)


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["as it ships", "saved with a byte order mark"])
@pytest.mark.parametrize("is_copied", [False, True], ids=["shipped", "copied"])
def test_hidden_deck_brings_no_cards(learner: Learner, mark: str, *, is_copied: bool) -> None:
    learner.write("s.md", f"{mark}---\nname = 'Shipped'\n---\nQ: a {{#a}}\nA: b", shipped=True)
    learner.write("o.md", "Q: c {#c}\nA: d")
    learner.refresh()
    if is_copied:
        learner.collection.editable(learner.card("a"))

    Collection(learner.store, learner.sources, copies=learner.copies, hidden=["shipped"]).refresh()

    assert learner.ids() == ["c"]


def test_own_decks_come_before_those_that_ship(learner: Learner) -> None:
    learner.write("a.md", "Q: shipped {#s}\nA: b", shipped=True)
    learner.write("z.md", "Q: own {#o}\nA: b")
    learner.refresh()

    assert learner.ids() == ["o", "s"]


def test_nearer_macros_override_those_of_the_root(learner: Learner) -> None:
    learner.write("macros.tex", "\\R \\mathbb{R}\n\\N root")
    learner.write("deep/macros.tex", "\\N near")
    learner.write("deep/a.md", "---\n[macros]\nF = 'own'\n---\nQ: a {#a}\nA: b")
    learner.refresh()

    macros = dict(learner.collection.macros(learner.card("a")))

    assert macros == {"\\R": "\\mathbb{R}", "\\N": "near", "\\F": "own"}
    (file,) = learner.collection.files().files
    assert dict(read_file(file)[0].macros) == macros


_CARDS = tuple("abcde")
_PLACES = st.lists(st.tuples(*(st.sampled_from(["", "one.md", "two.md", "three.md"]) for _ in _CARDS)), max_size=4)


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(rounds=_PLACES, has_id=st.booleans())
def test_wandering_cards_are_found_and_kept(*, rounds: list[tuple[str, ...]], has_id: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        with opened(folder / "study.db", NOON) as store:
            learner = Learner(folder, store)
            for places in (("one.md",) * len(_CARDS), *rounds):
                for file in ("one.md", "two.md", "three.md"):
                    file_cards = [card for card, place in zip(_CARDS, places, strict=True) if place == file]
                    learner.write(file, "\n".join(_wanderer(card, has_id=has_id) for card in file_cards))
                learner.refresh()
                if not store.schedule.memories():
                    for card in learner.ids():
                        learner.answer(card)
                present = [card for card, place in zip(_CARDS, places, strict=True) if place]

                assert sorted(card.answer for card in store.cards.all()) == sorted(
                    f"answer {card}" for card in present
                )
                assert len(store.schedule.memories()) == len(_CARDS)
            assert store.schedule.disagreements() == ()


def _wanderer(card: str, *, has_id: bool) -> str:
    attribute = f" {{#{card}}}" if has_id else ""
    return f"Q: a question called {card * 9}{attribute}\nA: answer {card}\n"


def relinks(learner: Learner) -> int:
    return sum(event.kind is EventKind.RELINK for event in learner.store.log.events())


def only(learner: Learner, name: str, text: str) -> None:
    """Write a deck with this text, and remove all other decks of the learner."""
    for path in learner.own.iterdir():
        path.unlink()
    learner.write(name, text)
    learner.refresh()


ONE = '---\nname = "One"\n---\nQ: What is the peak of an H100 in bf16?\nA: 989 TFLOP/s, dense.\n'
OTHER = ONE.replace("One", "Other").replace("peak", "peek")


def test_alternating_twin_files_write_one_relink_event(learner: Learner) -> None:
    only(learner, "one.md", ONE)
    learner.answer(learner.ids()[0])

    for name, text in [("other.md", OTHER), ("one.md", ONE)] * 6:
        only(learner, name, text)
        assert len(learner.ids()) == 1
        assert learner.remembers(learner.ids()[0])

    assert relinks(learner) == 1


def test_edit_after_a_reverted_one_keeps_progress(learner: Learner) -> None:
    for word in ("peek", "peak", "peek", "pique"):
        only(learner, "a.md", f"Q: What is the {word} of an H100 in bf16, dense?\nA: 989.\n")
        if word == "peek":
            learner.answer(learner.ids()[0])

    assert [learner.remembers(card) for card in learner.ids()] == [True]
    assert relinks(learner) == 2


def test_twins_that_are_there_together_are_two_cards(learner: Learner) -> None:
    only(learner, "one.md", ONE)
    first = learner.ids()[0]
    learner.answer(first)
    only(learner, "other.md", OTHER)

    learner.write("one.md", ONE)
    learner.refresh()

    assert sum(learner.remembers(card) for card in learner.ids()) == 1
    before = relinks(learner)
    for _ in range(3):
        learner.refresh()
    assert relinks(learner) == before


def test_card_with_changed_id_stays_a_likely_pair(learner: Learner) -> None:
    one, other = "Q: What is one? {#one}\nA: The first number.\n", "Q: What is one? {#uno}\nA: The first number.\n"
    only(learner, "a.md", one)
    learner.answer("one")
    for number in range(12):
        only(learner, "a.md", (other, one)[number % 2])

    changes = learner.refresh()
    assert learner.ids() == ["one"]
    assert relinks(learner) == 1
    assert [(move.old.id, move.new.id) for move in learner.collection.likely()] == [("uno", "one")]
    assert not learner.remembers("one")
    assert not changes.new
