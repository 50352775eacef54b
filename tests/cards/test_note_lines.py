"""Test appending a note to the text of a deck, and removing a note without a trace."""

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from decks import read_deck
from studykit.cards.note_lines import DeckText, NewNote, fresh_id

BLANK = "Q: a {#a}\nA: b\n\nQ: c {#c}\nA: d\n"
NEW = NewNote("e", "f", "e", ("verb",))


@pytest.mark.parametrize(("before", "after"), cases("cards/added_notes"))
def test_added_note_follows_a_blank_line(before: str, after: str) -> None:
    assert DeckText(before).with_note(NEW.lines()) == after


def test_a_cloze_and_several_lines_are_written() -> None:
    assert NewNote("The [sky]\nis blue.", id="sky").lines() == ["C: The [sky] {#sky}", "is blue."]
    assert NewNote("a\nb", "c\nd").lines() == ["Q: a", "b", "A: c", "d"]


@pytest.mark.parametrize(("text", "line", "note", "rest"), cases("cards/removed_notes"))
def test_a_note_is_taken_out_whole(text: str, line: int, note: list[str], rest: str) -> None:
    assert DeckText(text).note_at(line) == note
    assert DeckText(text).without_note(line) == rest


def test_ids_go_where_a_note_has_none() -> None:
    text = DeckText("Q: What is a cat?\nA: b\nC: The [dog] {.x}\nQ: d {#d}\nA: e\n")

    assert text.with_ids({1, 3}, lambda words: fresh_id(words, set().__contains__)) == (
        "Q: What is a cat? {#cat}\nA: b\nC: The [dog] {#dog .x}\nQ: d {#d}\nA: e\n"
    )


@pytest.mark.parametrize(("text", "id_"), cases("cards/fresh_ids"))
def test_fresh_id_uses_the_telling_words(text: str, id_: str) -> None:
    assert fresh_id(text, {"taken"}.__contains__) == id_


def test_an_open_fence_is_noticed() -> None:
    assert DeckText("Q: a\nA: ```\nb\n").open_line == 2
    assert DeckText(BLANK).open_line is None


WRITTEN = st.text(st.sampled_from("QAC: \n\r-[]{#}`<!x"), max_size=60)


@given(WRITTEN)
def test_added_note_keeps_existing_lines_to_the_byte(text: str) -> None:
    new_text = DeckText(text).with_note(["Q: new {#new}", "A: note"])

    start = text.rstrip("\r\n -\ufeff")
    assert new_text.startswith(start)


@given(st.lists(st.sampled_from(["Q: {n} {{#n{n}}}\nA: x", "C: [{n}] {{#n{n}}}", "Q: {n} {{#n{n}}}\n\nA: x\ny"])))
def test_what_is_taken_out_can_be_put_back(notes: list[str]) -> None:
    text = "\n\n".join(note.format(n=number) for number, note in enumerate(notes)) + "\n"
    deck = read_deck(text, "a.md")
    for card in deck.cards:
        deck_text = DeckText(text)
        back = DeckText(deck_text.without_note(card.line)).with_note(deck_text.note_at(card.line))
        assert {each.id for each in read_deck(back, "a.md").cards} == {each.id for each in deck.cards}
