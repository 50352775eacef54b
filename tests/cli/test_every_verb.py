"""What holds for every verb: its help, its global options at any place, and signs that its terminal can show."""

import importlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from verb_calls import CALLS, CARD

from studykit.__main__ import _application
from studykit.cli.app import VERBS, Verb, _loaded, run
from studykit.cli.context import Context
from studykit.cli.exit import run_program

ROOT = Path(__file__).parents[2]
LISTED = [verb for verb in VERBS if not verb.hidden]
WITHOUT_JSON = {
    *("review", "r", "deck add", "deck remove", "deck relink", "export progress", "export csv", "export md"),
    *("deck new", "deck order", "deck limit", "edit"),
    *("config path", "config set", "help", "completion"),
}
NO_DOCUMENT = {
    "class create",
    "class add",
    "class remove",
    "class export",
    "class report",
    "card move",
    "time",
    "device",
    "import",
    "grade",
    "exercise trust",
    "exercise untrust",
    "backup restore",
}
"""Verbs that give none for the words above."""


@dataclass
class Home:
    """One learner's folder, and what a run in it did."""

    path: Path
    database: Path
    config: Path
    run: Callable[..., tuple[int, str, str]]
    used: set[tuple[str, Path]] = field(default_factory=set)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Home]:
    """A home whose default database and configuration must stay unmade."""
    for name in ("STUDYKIT_DB", "STUDYKIT_CONFIG", "STUDYKIT_PLAIN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("STUDYKIT_DECKS", str(tmp_path / "mine.md"))
    monkeypatch.setenv("STUDYKIT_NOW", "2026-11-20T12:00:00Z")
    monkeypatch.setenv("STUDYKIT_SEED", "1")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.md").write_text(f'---\nname = "mine"\n---\nQ: One? {{#{CARD}}}\nA: Two.\n')
    (tmp_path / "own.toml").write_text("[review]\nnew_per_day = 3\n")

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run_program(_application, words)
        told = capsys.readouterr()
        return code, told.out, told.err

    made = Home(tmp_path, tmp_path / "own.db", tmp_path / "own.toml", call)
    real = Context.from_environment

    def spied(*said: str | None) -> Context:
        context = real(*said)
        made.used.add((context.address.name, context.config_file))
        return context

    monkeypatch.setattr(Context, "from_environment", spied)
    yield made
    assert not (tmp_path / "data").exists()
    assert not (tmp_path / "settings").exists()


def leaves() -> set[str]:
    """Every verb and every verb of a group, by the words that call it."""
    named = set()
    for verb in VERBS:
        for name, command in _loaded(verb.name).items():
            below = command.commands if isinstance(command, TyperGroup) else {"": command}
            named |= {f"{name} {inner}".strip() for inner in below}
    return named


@pytest.mark.parametrize("verb", LISTED, ids=lambda verb: verb.name)
def test_a_verb_explains_itself_in_a_sentence(verb: Verb, capsys: pytest.CaptureFixture[str]) -> None:
    code = run([verb.name, "--help"])

    sentence = capsys.readouterr().out.split("\n\n")[1]
    assert code == 0
    assert len(sentence.split()) >= 4
    assert "." in sentence


def test_every_module_of_a_verb_can_register() -> None:
    modules = {verb.module for verb in VERBS}

    assert [
        name
        for name in modules
        if not hasattr(importlib.import_module(f"studykit.cli.commands.{name}"), "register")
    ] == []


def test_the_list_of_verbs_names_each_of_them_on_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["--help"])

    rows = capsys.readouterr().out.splitlines()
    groups = rows[rows.index("Commands (study help commands has a line on each):") + 1 :]
    assert code == 0
    assert len(rows) < 24
    assert [name for row in groups for name in re.split(" {2,}", row)[2].split()] == [verb.name for verb in LISTED]


def test_the_page_on_commands_has_a_line_on_each(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["help", "commands"])

    explained = re.findall(r"^  (\w+) {2,}([A-Z].*)$", capsys.readouterr().out, re.MULTILINE)
    assert code == 0
    assert explained == [(verb.name, verb.help) for verb in LISTED]


def test_a_misspelt_verb_is_a_usage_error_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["revew"])

    assert code == 2
    assert "'review'" in capsys.readouterr().err


def test_every_verb_is_tried() -> None:
    assert leaves() <= set(CALLS)


@pytest.mark.parametrize("place", ["before", "after", "environment", "url"])
@pytest.mark.parametrize("verb", CALLS)
def test_a_verb_uses_the_named_files_wherever_they_are_named(
    home: Home, monkeypatch: pytest.MonkeyPatch, verb: str, place: str
) -> None:
    words, said = [*verb.split(), *CALLS[verb]], ["--db", str(home.database), f"--config={home.config}"]
    if place in {"environment", "url"}:
        monkeypatch.setenv("STUDYKIT_DB", f"sqlite:///{home.database}" if place == "url" else str(home.database))
        monkeypatch.setenv("STUDYKIT_CONFIG", str(home.config))

    code, _, err = home.run(*{"before": [*said, *words], "after": [*words, *said]}.get(place, words))

    assert code != 2 or verb == "device", err
    assert "bug in studykit" not in err
    assert home.used == {(str(home.database), home.config)}


@pytest.mark.parametrize("verb", sorted(leaves() - {"r"}))
def test_json_is_taken_or_refused_before_a_verb_as_behind_it(home: Home, verb: str) -> None:
    words, db = [*verb.split(), *CALLS[verb]], ["--db", str(home.database)]

    before, after = home.run("--json", *db, *words), home.run(*words, *db, "--json")

    assert before[0] == after[0]
    assert before[2] == after[2]
    for code, out, err in (before, after):
        if verb in WITHOUT_JSON:
            assert (code, out) == (2, "")
            assert "No such option: --json" in err
        elif verb not in NO_DOCUMENT:
            assert json.loads(out)["schema"] == 1


@pytest.mark.parametrize("group", ["card list", "deck list", "config list"])
def test_options_between_a_group_and_its_verb_mean_the_same_too(home: Home, group: str) -> None:
    first, second = group.split()

    code, out, err = home.run(first, "--db", str(home.database), "--json", second)

    assert (code, err) == (0, "")
    assert json.loads(out)["schema"] == 1
    assert {database for database, _ in home.used} == {str(home.database)}


def test_what_is_said_behind_the_verb_wins(home: Home) -> None:
    home.run("--db", str(home.path / "other.db"), "answer", CARD, "good", "--db", str(home.database))

    assert home.database.exists()
    assert not (home.path / "other.db").exists()


def test_an_answer_goes_to_the_database_named_before_the_verb(home: Home) -> None:
    home.run("--db", str(home.database), "answer", CARD, "good")

    _, out, _ = home.run("show", CARD, "--json", "--db", str(home.database))

    assert len(json.loads(out)["history"]) == 1


def test_no_verb_at_all_takes_them_too(home: Home) -> None:
    code, out, err = home.run("--db", str(home.database), "--config", str(home.config), "--json")

    assert (code, err) == (0, "")
    assert json.loads(out)["new"] == 3


@pytest.mark.parametrize("name", ["review", "stats"])
def test_a_database_with_the_name_of_a_verb_is_a_database(home: Home, name: str) -> None:
    code, out, err = home.run("--db", name, "due")

    assert (code, err) == (0, "")
    assert "new" in out
    assert (home.path / name).exists()


def test_the_prompt_takes_them_on_its_fast_way(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.run("answer", CARD, "again", "--db", str(home.database))
    monkeypatch.setattr(typer, "Typer", lambda **_: pytest.fail("the whole program was built"))
    said = ["--db", str(home.database)]

    ways = [[*said, "due", "--short"], ["due", *said, "--short"], ["due", "--short", *said]]

    assert [home.run(*words)[1] for words in ways] == ["1 due\n"] * 3


def test_a_place_without_its_value_is_a_usage_error(home: Home) -> None:
    code, _, err = home.run("due", "--short", "--db")

    assert code == 2
    assert "--db" in err
    assert home.used == set()


def test_completion_knows_the_database_that_was_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.run("due", "--db", str(home.database))
    monkeypatch.setenv("COMP_WORDS", f"study --db {home.database} show {CARD[:3]}")
    monkeypatch.setenv("COMP_CWORD", "4")
    monkeypatch.setenv("_STUDY_COMPLETE", "complete_bash")

    _, out, _ = home.run()

    assert out.split() == [CARD]
    assert home.used == {(str(home.database), home.path / "settings" / "studykit" / "config.toml")}


SESSIONS = {
    "a review": (["review", "--plain"], "\n1\n\n3\nq\n"),
    "statistics": (["stats"], ""),
    "a practice": (["exercise", "mem.gib", "-n", "1", "--seed", "1", "--plain"], "1 GB\nh\n1\ns\n"),
    "a scenario": (["exercise", "scenario.scope_run", "--seed", "1", "--plain"], "1\n\n1\n"),
    "a quiz": (["quiz", "mem.gib", "mine", "-n", "2", "--plain"], "1\n\n1\n"),
    "a deck": (["show", "tensors"], ""),
    "a card": (["show", "gb-gib"], ""),
    "a rewrite": (["grade", "rewrite.split_heads", "f.py"], ""),
    "a refusal": (["show", "no-such-card"], ""),
}
"""What is said in the middle of things, by words and typed lines."""


@pytest.mark.parametrize(
    ("verb", "where"),
    [*((verb, "environment") for verb in (*CALLS, *SESSIONS)), *((verb, "setting") for verb in SESSIONS)],
)
def test_a_verb_writes_ascii_where_signs_are_to_be_ascii(
    home: Home, monkeypatch: pytest.MonkeyPatch, verb: str, where: str
) -> None:
    words, typed = SESSIONS.get(verb) or ([*verb.split(), *CALLS[verb]], "")
    (home.path / "f.py").write_text("def f(x, h):\n    return x\n")
    if where == "environment":
        monkeypatch.setenv("STUDYKIT_GLYPHS", "ascii")
    else:
        home.config.write_text('[ui]\nglyphs = "ascii"\n')
    said = ["--db", str(home.database), "--config", str(home.config)]
    home.run(*said, "answer", CARD, "again")

    _, out, err = home.run(*said, *words, typed=typed)

    assert out + err == (out + err).encode("ascii", "replace").decode()
    assert out + err or verb == "config set"


@pytest.mark.parametrize("session", ["statistics", "a practice", "a deck", "a rewrite"])
def test_its_signs_are_beyond_ascii_elsewhere(home: Home, monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    (home.path / "f.py").write_text("def f(x, h):\n    return x\n")
    monkeypatch.setenv("STUDYKIT_GLYPHS", "unicode")
    words, typed = SESSIONS[session]
    home.run("--db", str(home.database), "answer", CARD, "again")

    assert not home.run("--db", str(home.database), *words, typed=typed)[1].isascii()


@pytest.mark.parametrize(("name", "told"), [("f\u00fcr mich", "f\u00fcr mich"), ("2\u00d73 \u2192", "2x3 ->")])
def test_letters_of_a_learner_stay_and_signs_are_spelled(
    home: Home, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    monkeypatch.setenv("STUDYKIT_GLYPHS", "ascii")
    (home.path / "mine.md").write_text(f'---\nname = "{name}"\n---\nQ: One?\nA: Two.\n')

    assert told in home.run("deck", "list", "--db", str(home.database))[1]


def test_only_the_context_asks_what_a_terminal_is_and_can_show() -> None:
    rooms = [path for path in (ROOT / "studykit").rglob("*.py") if "input" not in path.parts]

    asking = {path.name for path in rooms if re.search(r"isatty|get_terminal_size|\.encoding\b", path.read_text())}

    assert asking == {"context.py", "text.py"}
