"""Test names that the system refuses, for each argument and option that takes a path."""

from collections.abc import Iterator

import pytest
from shell import Shell
from typer.core import TyperGroup

from studykit.cli.app import VERBS, _load_commands
from studykit.cli.context import Context

NAME = "NAME"
CALLS = {
    "stats html": "stats --html NAME",
    "count file": "count NAME",
    "grade file": "grade rewrite.split_heads NAME",
    "grade batch": "grade rewrite.split_heads --batch NAME",
    "grade results": "grade rewrite.split_heads --batch answers --results NAME",
    "deck add path": "deck add NAME",
    "check paths": "check mine.md NAME",
    "import file": "import NAME",
    "import out": "import cards.csv --out NAME",
    "export html out": "export html mine -o NAME",
    "export html former": "export html mine -o pages --former NAME",
    "export html strings": "export html mine -o pages --strings NAME",
    "export anki out": "export anki mine -o NAME",
    "export csv out": "export csv mine -o NAME",
    "export md out": "export md mine -o NAME",
    "export progress out": "export progress -o NAME",
    "sync folder": "sync NAME",
    "class report source": "class report NAME",
    "class report html": "class report logs --html NAME",
    "class report csv": "class report logs --csv NAME",
    "backup create to": "backup create --to NAME",
    # Arguments whose help does not say that they may be a path.
    "time": "time NAME",
    "exercise trust": "exercise trust NAME",
    "exercise untrust": "exercise untrust NAME",
    "deck new": "deck new NAME",
    "deck remove": "deck remove NAME",
    "backup restore": "backup restore NAME",
    "backup check": "backup check NAME",
    "edit": "edit NAME",
    "db": "due --db NAME",
    "config": "due --config NAME",
    "config decks": "config set decks NAME",
    "config exercises": "config set exercises NAME",
    "config backup_folder": "config set backup_folder NAME",
    "config sync_folder": "config set sync_folder NAME",
}
ELSEWHERE = {"device cards"}  # in test_time_verbs.py, where nothing is measured
ON_A_SERVER = {"class add roster", "class add out", "class export folder"}
PLACES = ("FILE", "FOLDER", "DIR", "PATH")


def path_parameters() -> Iterator[str]:
    """Return each argument and option that takes a path, after its verb's words."""
    for verb in VERBS:
        for name, command in _load_commands(verb).items():
            below = command.commands if isinstance(command, TyperGroup) else {"": command}
            for inner, leaf in below.items():
                for parameter in leaf.params:
                    is_place = any(word in (parameter.metavar or "") for word in PLACES)
                    is_global = parameter.name in {"db", "config"}
                    if not is_global and (is_place or type(parameter.type).__name__ == "TyperPath"):
                        yield " ".join(filter(None, (name, inner, parameter.name)))


def test_every_path_is_tried() -> None:
    assert set(path_parameters()) - ON_A_SERVER - ELSEWHERE <= set(CALLS)


@pytest.fixture
def study(study: Shell) -> Shell:
    """Return a shell with a deck, an answer to grade, a log to report on and a table to import."""
    study.with_deck("mine.md", "---\nname = 'mine'\n---\nQ: One? {#c1}\nA: Two.\n")
    study.write("answers/ann.py", "def f(x, h):\n    return x\n")
    study.write("cards.csv", "front,back\nWhat?,That.\n")
    (study.home / "logs").mkdir(exist_ok=True)
    assert study("export", "progress", "-o", "logs/ann.json").code == 0
    return study


@pytest.mark.parametrize("call", CALLS.values())
def test_too_long_name_is_refused_without_a_crash(study: Shell, call: str) -> None:
    before = (study.home / "config.toml").read_text()
    for length in (300, 5000):
        result = study(*("n" * length if word == NAME else word for word in call.split()))

        assert result.code in range(1, 7), result.err
        assert result.err.startswith("study: ")
        assert "bug" not in result.err
    assert (study.home / "config.toml").read_text() == before


OUTPUTS = ("anki", "csv", "progress", "class report html", "class report csv")


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("name", [".", "", "/", "mine.md", "config.toml", "study.db"])
def test_output_replaces_no_folder_and_no_file_of_the_learner(study: Shell, output: str, name: str) -> None:
    study("answer", "c1", "good")
    path = study.home / name
    before = path.read_bytes() if path.is_file() else b""
    call = CALLS[output] if output in CALLS else CALLS[f"export {output} out"]
    result = study(*(name if word == NAME else word for word in call.split()))

    assert result.code in {1, 2}, result.err
    assert "Choose another file." in result.err
    assert not before or path.read_bytes() == before


ODD = "a\udcffb"  # a byte that is not UTF-8, as the command line hands it over


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("sync NAME", 2),
        ("config set sync_folder NAME", 2),
        ("config set decks NAME", 2),
        ("import cards.csv --yes --out NAME", 2),
        ("import NAME.csv --yes", 0),
        ("exercise untrust loop", 1),
    ],
)
def test_name_that_is_not_utf8_or_leads_to_itself_is_no_bug(study: Shell, call: str, code: int) -> None:
    (study.home / "loop").symlink_to("loop")
    (study.home / f"{ODD}.csv").write_text("front,back\nWhat?,That.\n")

    result = study(*call.replace(NAME, ODD).split())

    assert result.code == code, result.err
    assert "bug" not in result.err


@pytest.mark.parametrize(
    ("line", "words"), [("sync_folder = {}", "sync_folder is text"), ("decks = [{}]", "decks is a list")]
)
def test_null_character_in_setting_is_refused(study: Shell, line: str, words: str) -> None:
    study.write("config.toml", line.format('"a\\u0000b"') + "\n")
    result = study("review", "--plain")

    assert result.code == 5
    assert f"config.toml: {words} in UTF-8 without NUL" in result.err


def test_table_on_a_terminal_has_no_signs_that_drive_it(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study.with_deck("mine.md", "---\nname = 'mine'\n---\nQ: On\u202e\u061ce? {#c1}\nA: Two.\n")
    assert "On\u202e\u061ce?" in study("export", "csv", "mine").out  # for another program

    monkeypatch.setattr(Context, "on_terminal", True)

    assert "One?" in study("export", "csv", "mine").out
