"""Test study add, study edit and study card move, which write cards into the learner's own files."""

from pathlib import Path

import pytest
from shell import Shell

from studykit.cli.context import Context


@pytest.fixture
def study(study: Shell) -> Shell:
    study.write("config.toml", 'course = "off"\n')
    return study


def decks(study: Shell) -> Path:
    return study.home / "data/studykit/decks"


def test_the_first_card_makes_the_first_deck(study: Shell) -> None:
    result = study("add", "Haus", "house", "--tag", "noun")

    path = decks(study) / "my-cards.md"
    assert result.out == f"haus  ({path}:5)\n"
    assert f"Made your first deck, My cards: {path}" in result.err
    assert path.read_text() == '---\nname = "My cards"\n---\n\nQ: Haus {#haus .noun}\nA: house\n'
    assert study("show", "haus", "--json").json["tags"] == ["noun"]


def test_a_text_with_gaps_needs_no_answer(study: Shell) -> None:
    study("add", "The [sky] is [blue].")

    found = study("find", "sky").out
    assert found == "sky-blue.1\tmy-cards\tThe […] is blue.\nsky-blue.2\tmy-cards\tThe sky is […].\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["Haus"], "Give an answer too, or put what is to be recalled in [brackets]"),
        (["Haus", " "], "A card needs a question and an answer"),
        ([" ", "x"], "A card needs a question and an answer"),
        (["a {#x y=z}", "b"], "unknown attribute y"),
        (["--tag", "noun"], "--tag needs a question and an answer"),
        (["a\nC: b", "c"], "question without an answer"),
    ],
)
def test_invalid_card_is_refused_and_makes_no_deck(study: Shell, words: list[str], sentence: str) -> None:
    result = study("add", *words)

    assert result.code in {2, 5}
    assert sentence in result.err
    assert not decks(study).exists()


def test_ids_are_made_of_words_and_never_twice(study: Shell) -> None:
    study("add", "What is a Haus?", "house")

    assert study("add", "Haus, in short?", "h", "--json").json["cards"] == ["haus-short"]
    assert study("add", "Who has a Haus? {#mine .q}", "I").out.startswith("mine ")
    assert study("add", "Haus!!", "again").out.startswith("haus-2 ")
    assert "#mine is the id of another card" in study("add", "x {#mine}", "y").err


def test_duplicate_question_is_refused_and_near_one_named(study: Shell) -> None:
    study("add", "What is the capital of France?", "Paris")

    same = study("add", "what is the capital of france", "Lyon")
    assert (same.code, same.out) == (1, "")
    assert "Duplicate of capital-france" in same.err

    near = study("add", "What is the old capital of France?", "Lyon")
    assert near.code == 0
    assert "capital-france asks nearly the same: What is the capital of France?" in near.err
    again = study("add", "What is the capital of France?", "Lyon", "--again", "--json").json
    assert again["near"][0] == "capital-france"


def test_notes_come_from_standard_input(study: Shell) -> None:
    study("deck", "new", "French")

    result = study("add", "-d", "french", typed="Q: chien\nA: dog\n\nC: Le [chat] dort {.verb}\n")

    assert [line.split()[0] for line in result.out.splitlines()] == ["chien", "le-chat-dort"]
    assert (decks(study) / "french.md").read_text() == (
        '---\nname = "French"\n---\n\nQ: chien {#chien}\nA: dog\n\nC: Le [chat] dort {#le-chat-dort .verb}\n'
    )


def test_invalid_input_writes_nothing(study: Shell) -> None:
    study("deck", "new", "French")
    before = (decks(study) / "french.md").read_text()

    result = study("add", typed="hello\n")

    assert (result.code, result.out) == (5, "")
    assert "text outside a note" in result.err
    assert (decks(study) / "french.md").read_text() == before
    assert "nothing was added" in study("add", typed="\n").err


def test_without_words_the_editor_opens(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study("due")
    study.edit_by('sed -i "s/^Q:/Q: Haus/; s/^A:/A: house/" "$2"')
    monkeypatch.setattr(Context, "typed_in", True)

    assert study("add").out.startswith("haus ")
    assert (decks(study) / "my-cards.md").read_text().endswith("\nQ: Haus {#haus}\nA: house\n")


@pytest.mark.parametrize(
    ("script", "code", "message"),
    [
        ("true", 0, "nothing was added"),
        (
            "printf 'Q: a\nA: b\n' > $2; exit 3",
            6,
            "failed (exit code 3). Try again, or set STUDYKIT_EDITOR to another.",
        ),
    ],
    ids=["draft left alone", "editor that fails"],
)
def test_unfinished_draft_adds_nothing(
    study: Shell, monkeypatch: pytest.MonkeyPatch, script: str, code: int, message: str
) -> None:
    monkeypatch.setattr(Context, "typed_in", True)
    study.edit_by(script)

    result = study("add")

    assert (result.code, result.out, message in result.err) == (code, "", True)
    assert not decks(study).exists()


def test_of_several_decks_one_is_named(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study("deck", "new", "French")
    study("deck", "new", "German")

    result = study("add", "a", "b")
    assert result.code == 2
    assert "Name a deck with --deck. Yours are french, german" in result.err

    monkeypatch.setattr(Context, "interactive", property(lambda _: True))
    assert "german.md" in study("add", "a", "b", typed="2\n").out
    study("config", "set", "add_deck", "french")
    assert "french.md" in study("add", "c", "d").out
    assert "study deck new Spanish" in study("add", "e", "f", "-d", "Spanish").err.replace("'", "")


def test_course_deck_takes_no_own_cards(study: Shell) -> None:
    study("config", "set", "course", "on")
    deck = next(deck for deck in study("deck", "list", "--json").json["decks"] if deck["shipped"])

    assert "is a deck of the course" in study("add", "a", "b", "-d", deck["id"]).err


def test_edited_card_keeps_its_progress(study: Shell) -> None:
    study("add", "Haus", "hose")
    study("answer", "haus", "good")
    study.edit_by('echo "$1" > line; sed -i s/hose/house/ "$2"')

    result = study("edit", "Haus")

    assert result.out == "haus: edited, progress kept.\n"
    assert (study.home / "line").read_text() == "+5\n"
    document = study("show", "haus", "--json").json
    assert (document["answer"], document["memory"]["repetition"]) == ("house", 1)
    assert study("edit", "zebra").code == 3


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ('rm "$2"; mkfifo "$2"', "is a pipe, which is not read. Put a readable file there"),
        ('rm "$2"; mkdir "$2"', "is a folder, which is not read. Put a readable file there"),
        ('rm "$2"', "cannot be read (No such file or directory). Put a readable file there"),
    ],
)
def test_pipe_or_folder_left_by_editor_is_refused(study: Shell, script: str, message: str) -> None:
    study("add", "Haus", "house")
    study.edit_by(script)

    assert message in study("edit", "haus").out


def test_moved_note_keeps_its_progress(study: Shell) -> None:
    study("add", "Haus", "house")
    study("add", "The [sky] is [blue].")
    study("answer", "sky-blue.1", "good")
    study("deck", "new", "French")

    dry = study("card", "move", "sky-blue.1", "French", "--dry-run")
    assert dry.out == "sky-blue.1: would move to French\n"

    result = study("card", "move", "sky-blue.1", "sky-blue.2", "French")

    assert result.out == "sky-blue.1: moved to French\nsky-blue.2: moved to French\n"
    assert (decks(study) / "french.md").read_text().endswith("\nC: The [sky] is [blue]. {#sky-blue}\n")
    assert "sky" not in (decks(study) / "my-cards.md").read_text()
    document = study("show", "sky-blue.1", "--json").json
    assert (document["deck"], document["memory"]["repetition"]) == ("french", 1)


def test_what_cannot_move_is_told(study: Shell) -> None:
    study.write("own/a.md", "Q: ![x](x.png) {#x}\nA: b\n")
    study.write("own/x.png", "")
    study("deck", "add", "own")
    study("deck", "new", "French")

    assert "shows x.png, which is not in the folder of" in study("card", "move", "x", "French").err
    assert study("card", "move", "x", "Spanish").err == (
        "study: No deck is named 'Spanish'. Name the deck last, or make it:\n  study deck new 'Spanish'\n"
    )
    assert study("card", "move", "French").code == 2
    assert "are in a already" in study("card", "move", "x", "a").err


def test_all_that_a_query_finds_moves(study: Shell) -> None:
    for word in ("Haus", "Maus", "Laus"):
        study("add", word, word.lower(), "-t", "noun")
    study("deck", "new", "German")

    study("card", "move", "--query", "tag:noun", "german")

    assert study("find", "deck:german", "--json").json["count"] == 3
    assert (decks(study) / "my-cards.md").read_text() == '---\nname = "My cards"\n---\n'


@pytest.mark.parametrize("tag", ["two words", "c#", "a{b", ""])
def test_tag_that_decks_cannot_write_is_named(study: Shell, tag: str) -> None:
    study("deck", "new", "Mine")

    result = study("add", "question", "answer", "-t", tag, "-d", "Mine")

    assert result.code == 2
    assert f"{tag!r} is not a tag. Use letters, digits, - and _" in result.err
