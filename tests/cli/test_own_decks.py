"""Test own decks: making them, hiding the course, the order of decks and their new cards a day."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Result, Shell


def names(study: Shell) -> list[str]:
    return [deck["id"] for deck in study("deck", "list", "--json").json["decks"]]


def new_cards(study: Shell) -> list[str]:
    """Return the decks of today's new cards, in the order of a review."""
    output = study("review", "--plain", typed="\n-\n" * 30).out
    return re.findall(r"^(?:> )?Card: (.*)\. \d+ left", output, re.MULTILINE)


def with_decks(study: Shell, *names: str, cards: int = 4) -> None:
    study.write("config.toml", 'course = "off"\n')
    for name in names:
        study("deck", "new", name)
        notes = "".join(f"Q: {name} {number}\nA: b\n" for number in range(cards))
        study("add", "-d", name, typed=notes)


def test_a_deck_is_made_empty_and_once(study: Shell) -> None:
    result = study("deck", "new", "Les mots")

    assert "Write cards into it: study add -d 'Les mots'" in result.out
    assert "les-mots" in names(study)
    assert study("deck", "new", "les mots").code == 1


def test_numbered_decks_come_in_numeric_order(study: Shell) -> None:
    study.write("config.toml", 'course = "off"\n')
    for number in (10, 9, 2, 1):
        study.write(f"mine/lecture {number}.md", f'---\nname = "Lecture {number}"\n---\nQ: {number}?\nA: b\n')
    study("deck", "add", str(study.home / "mine"))

    order = ["lecture-1", "lecture-2", "lecture-9", "lecture-10"]
    assert names(study) == order
    assert [name.lower().replace(" ", "-") for name in new_cards(study)] == order


def test_screen_and_pipe_count_the_same_cards(study: Shell, on_terminal: Callable[..., Result]) -> None:
    with_decks(study, "a", "b", cards=2)
    study("review", "--plain", "-n", "1", typed="\n3\n")
    study.at("2026-11-24T09:00:00+00:00")
    study("answer", study("find", "deck:b", "--json").json["cards"][0]["card"], "again")

    assert study("due").out == "a\t1\t2026-11-24\t1\t0\nb\t0\t2026-11-24\t1\t1\n"
    assert study("due", "--json").json["decks"] == {"a": 1}
    screen = re.sub("\x1b\\[[0-9;]*m", "", on_terminal("due", columns=80).out)
    assert screen.startswith("1 due, 2 new, 1 to repeat\n")
    assert re.findall(r"^(\w) +(\d) +(\d) +(\d)", screen, re.MULTILINE) == [(*"a110",), (*"b011",)]


def test_the_course_is_left_out_as_one(study: Shell) -> None:
    with_decks(study, "French")

    assert names(study) == ["french"]
    assert study().out.startswith("Welcome. 4 cards of your own.")
    assert study("find", "matmul").code == 1

    study("config", "set", "course", "on")
    assert len(names(study)) > 5


def test_check_names_card_that_replaces_course_card(study: Shell) -> None:
    id_ = next(card for card in study("find", "deck:flops", "--json").json["cards"])["card"].partition(".")[0]
    study.write("mine/a.md", f"Q: Mine? {{#{id_}}}\nA: Yes.\n\nQ: Other? {{#other}}\nA: No.\n")
    study("deck", "add", str(study.home / "mine"))

    output = [line for line in study("check").out.splitlines() if "takes the place" in line]

    assert len(output) == 1
    assert f"a.md:1: warning: #{id_} takes the place of a card of the course (09-transformer.md:" in output[0]
    study("config", "set", "course", "off")
    assert "takes the place" not in study("check").out


def test_copy_of_course_deck_follows_no_link(study: Shell) -> None:
    study.edit_by('echo "$2" > name; echo >> "$2"')
    study("edit", "six")
    copy = Path((study.home / "name").read_text().strip())
    copy.unlink()
    copy.symlink_to(study.home / "elsewhere")

    study("edit", "six")

    assert not (study.home / "elsewhere").exists()
    assert not copy.is_symlink()


def test_hidden_course_hides_its_copies(study: Shell) -> None:
    study.edit_by('echo >> "$2"')
    study("edit", "six")
    assert list((study.home / "data/studykit/decks").glob("*.md"))

    study("config", "set", "course", "off")

    assert names(study) == []
    assert study("deck", "list").out == "You have no decks. Make one with: study deck new NAME\n"


def test_hidden_course_causes_no_later_message(study: Shell) -> None:
    study("answer", "six", "good")

    gone, then, _ = study("config", "set", "course", "off"), study(), study("config", "set", "course", "on")

    assert (gone.err, then.err) == ("", "")
    assert study("show", "six", "--json").json["memory"]["repetition"] == 1


def test_decks_of_the_course_are_chosen_by_name(study: Shell) -> None:
    first, second, *_ = names(study)

    study("config", "set", "course", f"{first}, {second}")

    assert names(study) == [first, second]
    why = "study: 'floops' is not a value for course. Use on, off or names of decks. Did you mean flops?\n"
    assert study("config", "set", "course", "floops") == (2, "", why)


def test_without_course_home_suggests_add(study: Shell) -> None:
    with_decks(study, "French", cards=1)
    study("answer", "french-0", "good")

    assert study("--json").json["next"] == "study add"
    study("config", "set", "course", "on")
    study("config", "set", "review.new_per_day", "0")
    assert study("--json").json["next"] == "study exercise napkin-math"


def test_new_cards_follow_the_deck_order(study: Shell) -> None:
    with_decks(study, "Aaa", "Bbb", "Ccc", cards=1)
    assert new_cards(study) == ["Aaa", "Bbb", "Ccc"]
    study("undo", "--last", "3")

    study("config", "set", "deck_order", "ccc,bbb")
    assert new_cards(study) == ["Ccc", "Bbb", "Aaa"]
    study("undo", "--last", "3")

    study("add", "Another", "one", "-d", "aaa")  # a file that is read again keeps the order
    assert new_cards(study) == ["Ccc", "Bbb", "Aaa", "Aaa"]
    study("undo", "--last", "4")

    study("config", "set", "deck_order", "")
    assert new_cards(study)[0] == "Aaa"


def test_deck_limit_restricts_new_cards(study: Shell) -> None:
    with_decks(study, "Aaa", "Bbb")
    assert study("due", "--json").json["new"] == 8

    result = study("deck", "limit", "Aaa", "2")
    assert result.out == "Aaa: 2 new cards a day, within the 10 of all decks\n"
    assert study("due", "--json").json["new"] == 6
    study("answer", "aaa-0", "good")
    assert study("due", "--json").json["new"] == 5
    assert study("due", "aaa", "--json").json["new"] == 1

    study("review", "--plain", "--more", "3", typed="q\n")  # asked for: all that there are
    assert study("due", "aaa", "--json").json["new"] == 3
    study.at("2026-11-24T09:00:00+00:00")
    assert study("due", "aaa", "--json").json["new"] == 2

    study("deck", "limit", "aaa", "none")
    assert study("due", "aaa", "--json").json["new"] == 3


@pytest.mark.parametrize("number", ["-1", "x", "1.5", "9999999"])
def test_a_limit_is_a_number(study: Shell, number: str) -> None:
    with_decks(study, "Aaa", cards=1)

    assert study("deck", "limit", "--", "Aaa", number).code == 2


def test_a_few_answers_are_told_in_seconds(study: Shell) -> None:
    card = study("find", "matmul", "--json").json["cards"][0]["card"]
    study("answer", card, "good")

    assert "\n0 s; streak 1" in study("stats").out


def _set_and_read(study: Shell, name: str, text: str) -> object:
    assert study("config", "set", name, text).code == 0
    value = study("config", "get", name, "--json").json["value"]
    return "".join(value) if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["decks", "exercises", "sync_folder", "backup_folder"])
def test_relative_path_is_saved_in_full(study: Shell, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(study.write("here/own/a.md", "").parents[1])

    assert _set_and_read(study, name, "own") == str(study.home / "here/own")
    for text in ("~/own", "/own", ""):
        assert _set_and_read(study, name, text) == text


def test_path_in_settings_file_starts_at_the_file(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study.write("here/a.md", "").parent)
    deck, backups = study.write("own.md", "Q: a?\nA: b\n"), study.home / "backups"
    backups.mkdir()
    study.write("config.toml", 'decks = ["own.md"]\nbackup_folder = "backups"\n')

    assert study("deck", "list", "--json").json["decks"][0]["paths"] == [str(deck)]
    assert Path(study("backup", "create", "--json").json["copy"]).parent == backups


def test_server_to_sync_with_is_set_as_it_is(study: Shell) -> None:
    study("config", "set", "sync_folder", "postgresql://ann@host/course")

    assert study("config", "get", "sync_folder").out == "postgresql://ann@host/course\n"
