"""A note is written in the style of its file, and taken out without a trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks import read_deck
from studykit.cards.note_lines import DeckText, NewNote, fresh_id

BLANK = "Q: a {#a}\nA: b\n\nQ: c {#c}\nA: d\n"
RULED = "Q: a\nA: b\n---\nQ: c\nA: d\n"
NEW = NewNote("e", "f", "e", ("verb",))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "Q: e {#e .verb}\nA: f\n"),
        ('---\nname = "x"\n---\n', '---\nname = "x"\n---\n\nQ: e {#e .verb}\nA: f\n'),
        (BLANK, BLANK + "\nQ: e {#e .verb}\nA: f\n"),
        (BLANK.rstrip("\n"), BLANK + "\nQ: e {#e .verb}\nA: f\n"),
        (BLANK + "\n\n", BLANK + "\nQ: e {#e .verb}\nA: f\n"),
        (RULED, RULED + "---\nQ: e {#e .verb}\nA: f\n"),
        (RULED + "---\n", RULED + "---\nQ: e {#e .verb}\nA: f\n"),
        ("Q: a\nA: b\nQ: c\nA: d\n", "Q: a\nA: b\nQ: c\nA: d\nQ: e {#e .verb}\nA: f\n"),
        ("Q: a\r\nA: b\r\n", "Q: a\r\nA: b\r\n\r\nQ: e {#e .verb}\r\nA: f\r\n"),
        ("\ufeffQ: a\nA: b", "\ufeffQ: a\nA: b\n\nQ: e {#e .verb}\nA: f\n"),
    ],
    ids=[
        "empty",
        "front matter",
        "blank",
        "no end",
        "blanks",
        "ruled",
        "rule at the end",
        "tight",
        "crlf",
        "mark",
    ],
)
def test_a_note_stands_as_far_from_the_last_one_as_those_from_each_other(before: str, after: str) -> None:
    assert DeckText(before).with_note(NEW.lines()) == after


def test_a_cloze_and_several_lines_are_written() -> None:
    assert NewNote("The [sky]\nis blue.", id="sky").lines() == ["C: The [sky] {#sky}", "is blue."]
    assert NewNote("a\nb", "c\nd").lines(gap=True) == ["Q: a", "b", "", "A: c", "d"]


def test_answers_that_stand_apart_are_noticed() -> None:
    assert DeckText("Q: a\n\nA: b\n").answers_apart
    assert not DeckText(BLANK).answers_apart


@pytest.mark.parametrize(
    ("text", "line", "note", "rest"),
    [
        (BLANK, 1, ["Q: a {#a}", "A: b"], "Q: c {#c}\nA: d\n"),
        (BLANK, 4, ["Q: c {#c}", "A: d"], "Q: a {#a}\nA: b\n"),
        (RULED, 1, ["Q: a", "A: b"], "Q: c\nA: d\n"),
        (RULED, 4, ["Q: c", "A: d"], "Q: a\nA: b\n"),
        ("Q: a\nA: b\n<!-- of c -->\nQ: c\nA: d\n", 1, ["Q: a", "A: b"], "<!-- of c -->\nQ: c\nA: d\n"),
        ("Q: ```\nQ: x\n```\nA: b\nC: [c]\n", 1, ["Q: ```", "Q: x", "```", "A: b"], "C: [c]\n"),
        ('---\nname = "x"\n---\n\nQ: a\nA: b\n', 5, ["Q: a", "A: b"], '---\nname = "x"\n---\n'),
        (BLANK, 2, [], BLANK),
    ],
    ids=["first", "last", "ruled first", "ruled last", "comment stays", "fence", "only one", "no note"],
)
def test_a_note_is_taken_out_whole(text: str, line: int, note: list[str], rest: str) -> None:
    assert DeckText(text).note_at(line) == note
    assert DeckText(text).without_note(line) == rest


def test_ids_go_where_a_note_has_none() -> None:
    text = DeckText("Q: What is a cat?\nA: b\nC: The [dog] {.x}\nQ: d {#d}\nA: e\n")

    assert text.with_ids({1, 3}, lambda words: fresh_id(words, set().__contains__)) == (
        "Q: What is a cat? {#cat}\nA: b\nC: The [dog] {#dog .x}\nQ: d {#d}\nA: e\n"
    )


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("What does a matmul cost?", "matmul-cost"),
        ("Wie geht's?", "wie-geht-s"),
        ("is it", "is-it"),
        ("Wie heißt die Größe?", "wie-heisst-die-grosse"),
        ("Où est l’école naïve?", "ou-est-l-ecole-naive"),
        ("Smørrebrød på Łódź", "smorrebrod-pa-lodz"),
        ("STRASSE, GROẞE STRAẞE", "strasse-grosse-strasse"),
        ("d² of 日本 x", "d2-x"),
        ("日本語", "card"),
        ("a" * 90, "card"),
        ("taken", "taken-2"),
    ],
)
def test_an_id_is_made_of_the_words_that_say_something(text: str, id_: str) -> None:
    assert fresh_id(text, {"taken"}.__contains__) == id_


def test_an_open_fence_is_noticed() -> None:
    assert DeckText("Q: a\nA: ```\nb\n").open_line == 2
    assert DeckText(BLANK).open_line is None


WRITTEN = st.text(st.sampled_from("QAC: \n\r-[]{#}`<!x"), max_size=60)


@given(WRITTEN)
def test_lines_that_are_not_touched_stay_to_the_byte(text: str) -> None:
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
