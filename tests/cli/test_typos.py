"""Test the messages for typos and odd input: unknown users, invalid ports, half a surrogate pair."""

import json

import pytest
from shell import Shell

from studykit.cli.exit import run_program

EVENT = {
    "id": "0196f0a0-0000-7000-8000-000000000001",
    "kind": "answer",
    "card": "one",
    "grade": 4,
    "moment": 1_763_800_000_000_000,
    "day": "2025-11-22",
    "zone": "Europe/London",
}


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--config", "~nosuchuser/config.toml", "names an unknown user"),
        ("--db", "~nosuchuser/study.db", "names an unknown user"),
        ("--db", "postgresql://[::1/x", "study sync postgresql://[::1/x"),
        ("--db", "mysql://host/x", "'mysql://host/x' is not a studykit database"),
    ],
)
def test_impossible_place_is_refused(study: Shell, option: str, value: str, message: str) -> None:
    result = study("due", option, value)

    assert result.code in {1, 2}
    assert message in result.err
    assert [each.name for each in study.home.iterdir()] == (["study.db"] if option == "--config" else [])


def test_decks_of_unknown_user_are_missing(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study.write("config.toml", 'decks = ["~nosuchuser/decks"]\n')
    monkeypatch.setenv("STUDYKIT_DECKS", "~nosuchuser/more")

    result = study("due")

    assert result.code == 5
    assert result.err.count("this deck does not exist") == 2


def test_half_a_character_becomes_question_mark(study: Shell) -> None:
    progress = {"schema": 1, "kind": "studykit-progress", "events": [{**EVENT, "card": "one\ud800"}]}
    study.write("p.json", json.dumps(progress))

    assert study("import", "p.json").out == "1 event added, 0 known before.\n"
    assert study("show", "one?", "--json").code in {0, 3}


def test_import_names_what_it_leaves_out(study: Shell) -> None:
    events = [EVENT, {**EVENT, "id": "0196f0a0-0000-7000-8000-000000000002", "moment": 2**60}]
    study.write("p.json", json.dumps({"schema": 1, "kind": "studykit-progress", "events": events}))

    document = study("import", "p.json")

    assert (document.code, document.out) == (5, "1 event added, 0 known before.\n")
    assert "p.json: event 2 was set aside" in document.err


def test_future_answers_are_reported_and_undone(study: Shell) -> None:
    study.write("mine.md", "Q: a {#mine}\nA: b\n")
    study("deck", "add", "mine.md")
    study("answer", "mine", "good", "--at", "2027-05-05T09:00")

    err, listed, doctor = study("review", "--plain"), study("undo", "--future", "--list"), study("doctor")
    undone = study("undo", "--future")

    assert "1 event of your log dated in the future, up to 2027-05-05" in err.err
    assert "2027-05-05" in listed.out
    assert "study undo --future" in doctor.out
    assert (undone.code, undone.out) == (0, "Undone: 2027-05-05 09:00  answer good  mine\n")
    assert "dated in the future" not in study("review", "--plain").err
    assert study("undo", "--future").code == 1


def test_repeated_bug_leaves_one_file(
    study: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(study.home))

    def bug(_arguments: object) -> int:
        raise ZeroDivisionError

    codes = [run_program(bug, []) for _ in range(3)]

    (output,) = study.home.glob("study-*.txt")
    assert codes == [70, 70, 70]
    assert "ZeroDivisionError" in output.read_text()
    assert output.name in capsys.readouterr().err
