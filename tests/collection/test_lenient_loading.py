"""Test that a note that cannot be read costs only its own cards, not the rest of its file or other files."""

from pathlib import Path

import pytest
from shell import Shell

GOOD = "Q: What is asked? {#asked}\nA: This.\n\n"
BAD = "Q: Has this no answer? {#bad}\n\n"


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    (tmp_path / "decks").mkdir()
    return study.with_environ(STUDYKIT_DECKS=str(tmp_path / "decks"))


def test_bad_note_is_named_once_and_skipped(study: Shell) -> None:
    path = study.write("decks/a.md", BAD + GOOD)

    first, second = study("show", "asked"), study("show", "asked")

    assert (first.code, second.code, second.err) == (0, 0, "")
    assert (
        first.err == f'study: {path}:1: question without an answer. Give it one on a line that starts with "A:".\n'
    )
    assert "bad" not in [card["card"] for card in study("find", "deck:a", "--json").json["cards"]]


def test_many_bad_notes_are_one_line(study: Shell) -> None:
    for name in ("a", "b", "c"):
        study.write(
            f"decks/{name}.md", BAD.replace("bad", f"bad-{name}") * 4 + GOOD.replace("asked", f"asked-{name}")
        )

    result = study("show", "asked-b")

    assert result.code == 0
    assert result.err == f"study: 12 notes in 3 files could not be read: study check {study.home / 'decks'}\n"
    assert len(study("check", "decks").out.splitlines()) == 13


def test_deck_list_and_doctor_count_unread_notes(study: Shell) -> None:
    path = study.write("decks/a.md", BAD + GOOD)
    study("show", "asked")

    row = study("deck", "list", "--json").json["decks"][0]
    doctor = {check["name"]: check for check in study("doctor", "--json").json["checks"]}

    assert (row["cards"], row["unread"]) == (1, 1)
    assert f"{path} (1 note could not be read)" in study("deck", "list").out
    assert doctor["decks"] == {
        **doctor["decks"],
        "ok": False,
        "detail": f"1 note could not be read: study check {path}",
    }


def test_broken_note_keeps_progress_until_mended(study: Shell) -> None:
    study.write("decks/a.md", BAD.replace("\n\n", "\nA: One.\n\n") + GOOD)
    study("answer", "bad", "good")
    study.write("decks/a.md", BAD + GOOD)
    broken = study("show", "asked").code

    study.write("decks/a.md", BAD.replace("\n\n", "\nA: One, indeed.\n\n") + GOOD)

    assert broken == 0
    assert study("show", "bad", "--json").json["memory"]["repetition"] == 1


def test_invalid_utf8_refuses_its_file_by_line(study: Shell) -> None:
    (study.home / "decks/a.md").write_bytes(GOOD.encode() + "Q: café {#cafe}\nA: one\n".encode("latin-1"))
    study.write("decks/b.md", GOOD.replace("asked", "fine"))

    result, check_result = study("show", "fine"), study("check", "decks")

    assert "This." in result.out
    assert "decks/a.md:4: byte 0xE9 is not UTF-8. Save the file as UTF-8." in result.err
    assert "decks/a.md:4: byte 0xE9 is not UTF-8. Save the file as UTF-8.\n" in check_result.out


def test_deck_add_counts_unreadable_notes(study: Shell) -> None:
    path = study.write("own/a.md", BAD + GOOD)

    added = study("deck", "add", "own/a.md")

    assert (added.code, added.out) == (
        0,
        f"Added {path}: 1 card; 1 note could not be read. To look for mistakes: study check own/a.md\n",
    )


def test_check_says_nothing_of_prose_but_strict_does(study: Shell) -> None:
    study.write("decks/a.md", "Some words.\n\n" + GOOD.replace("{#asked}", "{#asked .flops}"))

    assert study("check", "decks").out == "1 file, 1 card: all is well.\n"
    strict = study("check", "decks", "--strict")
    assert (strict.code, "a.md:1: text outside a note." in strict.out) == (1, True)


def test_an_empty_answer_is_asked_and_named(study: Shell) -> None:
    study.write("decks/a.md", "Q: What is asked? {#asked}\nA:\n")

    result = study("review", "a", "--plain", typed="\n3\n")
    check_result = study("check", "decks")

    assert (result.code, result.err) == (0, "")
    assert "> Answer: \n" in result.out
    assert (check_result.code, "a.md:1: warning: the answer is empty" in check_result.out) == (0, True)


def test_broken_edit_reopens_the_editor(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study.write("decks/a.md", "Q: a {#a}\nA: b\n\n" + GOOD)
    editor = study.write("break.sh", "#!/bin/sh\nsed -i '/^A: b/d' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("STUDYKIT_EDITOR", str(editor))

    result = study("review", "a", "--plain", typed="e\nq\n")

    assert "question without an answer" in result.out
    assert "(e edits again)" in result.out
