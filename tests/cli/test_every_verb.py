"""Test every verb: its help, its global options in any place, and that the terminal can show its output."""

import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.core import TyperGroup
from verb_calls import CALLS, CARD

from studykit.__main__ import _application
from studykit.cli.app import VERBS, _load_commands, run
from studykit.cli.context import Context
from studykit.cli.exit import run_program
from studykit.cli.options import command_again

ROOT = Path(__file__).parents[2]
WITHOUT_JSON = {
    *("review", "deck add", "deck remove", "deck relink", "export progress", "export csv", "export md"),
    *("deck new", "deck limit", "edit"),
    *("config set", "help", "completion"),
}
NO_DOCUMENT = {
    *("count", "time", "device", "import", "grade", "card move", "backup restore"),
    *("class create", "class add", "class remove", "class export", "class report"),
    *("exercise trust", "exercise untrust"),
}
"""Verbs that give none for the words above."""
OF_EACH_KIND = (
    *("review", "answer", "due --short", "exercise", "exercise show", "deck list", "check", "sync", "grade"),
)
"""A verb of a session, of the log, before Typer, of an exercise, of a group, of files, and of a worker."""


@dataclass
class Home:
    """Hold a learner's folder, and run commands in it."""

    path: Path
    database: Path
    config: Path
    run: Callable[..., tuple[int, str, str]]
    used: set[tuple[str, Path]] = field(default_factory=set)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Home]:
    """Make a home, and check after the test that no default database or configuration was made in it."""
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
    (tmp_path / "own.toml").write_text('course = "tensors"\n[review]\nnew_per_day = 3\n')

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run_program(_application, words)
        output = capsys.readouterr()
        return code, output.out, output.err

    result = Home(tmp_path, tmp_path / "own.db", tmp_path / "own.toml", call)
    real = Context.from_environment

    def spied(*said: str | None) -> Context:
        context = real(*said)
        result.used.add((context.address.name, context.config_file))
        return context

    monkeypatch.setattr(Context, "from_environment", spied)
    yield result
    assert not (tmp_path / "data").exists()
    assert not (tmp_path / "settings").exists()


def leaves() -> set[str]:
    """Return the name of each verb, after its group's name if it has one."""
    output = set()
    for verb in VERBS:
        for name, command in _load_commands(verb).items():
            below = command.commands if isinstance(command, TyperGroup) else {"": command}
            output |= {f"{name} {inner}".strip() for inner in below}
    return output


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_explains_itself_in_a_sentence(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run([verb, "--help"])

    text = capsys.readouterr().out
    sentence = text.split("\n\n")[1]
    assert code == 0
    assert "..." not in text.partition("Commands:")[2]
    assert len(sentence.split()) >= 4
    assert "." in sentence


def test_help_names_every_verb_on_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["--help"])

    rows = capsys.readouterr().out.splitlines()
    groups = rows[rows.index("Commands (study help commands has a line on each):") + 1 :]
    assert code == 0
    assert len(rows) < 24
    assert [name for row in groups for name in re.split(" {2,}", row)[2].split()] == [*VERBS]


def test_commands_page_explains_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["help", "commands"])

    explained = re.findall(r"^  (\w+) {2,}([A-Z].*)$", capsys.readouterr().out, re.MULTILINE)
    assert code == 0
    assert explained == [*VERBS.items()]


def test_misspelt_verb_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["revew"])

    assert code == 2
    assert "'review'" in capsys.readouterr().err


def test_every_verb_is_tried() -> None:
    assert leaves() <= set(CALLS)


@pytest.mark.parametrize(
    ("verb", "place"),
    [
        *((verb, "after") for verb in sorted({*WITHOUT_JSON, *NO_DOCUMENT, *OF_EACH_KIND})),
        *((verb, place) for verb in OF_EACH_KIND for place in ("before", "environment", "url")),
    ],
)
def test_verb_uses_named_files(home: Home, monkeypatch: pytest.MonkeyPatch, verb: str, place: str) -> None:
    words, output = [*verb.split(), *CALLS[verb]], ["--db", str(home.database), f"--config={home.config}"]
    if place in {"environment", "url"}:
        monkeypatch.setenv("STUDYKIT_DB", f"sqlite:///{home.database}" if place == "url" else str(home.database))
        monkeypatch.setenv("STUDYKIT_CONFIG", str(home.config))

    code, _, err = home.run(*{"before": [*output, *words], "after": [*words, *output]}.get(place, words))

    assert code != 2, err
    assert "bug in studykit" not in err
    assert home.used == {(str(home.database), home.config)}


@pytest.mark.parametrize("verb", sorted(CALLS))
def test_json_means_the_same_before_and_after(home: Home, verb: str) -> None:
    words, files = [*verb.split(), *CALLS[verb]], ["--db", str(home.database), f"--config={home.config}"]

    before, after = home.run("--json", *files, *words), home.run(*words, *files, "--json")

    assert home.used <= {(str(home.database), home.config)}
    assert before[0] == after[0]
    assert before[2] == after[2]
    for code, out, err in (before, after):
        if verb in WITHOUT_JSON:
            assert (code, out) == (2, "")
            assert "No such option: --json" in err
        elif verb not in NO_DOCUMENT:
            assert json.loads(out)["schema"] == 1
            assert home.used == {(str(home.database), home.config)}


@pytest.mark.parametrize("group", ["card list", "deck list", "config list"])
def test_options_between_group_and_verb_work(home: Home, group: str) -> None:
    first, second = group.split()

    code, out, err = home.run(first, "--db", str(home.database), "--json", second)

    assert (code, err) == (0, "")
    assert json.loads(out)["schema"] == 1
    assert {database for database, _ in home.used} == {str(home.database)}


def test_what_is_said_behind_the_verb_wins(home: Home) -> None:
    home.run("--db", str(home.path / "other.db"), "answer", CARD, "good", "--db", str(home.database))

    assert home.database.exists()
    assert not (home.path / "other.db").exists()


def test_no_verb_at_all_takes_them_too(home: Home) -> None:
    code, out, err = home.run("--db", str(home.database), "--config", str(home.config), "--json")

    assert (code, err) == (0, "")
    assert json.loads(out)["new"] == 3


@pytest.mark.parametrize("name", ["review", "stats"])
def test_database_may_have_name_of_a_verb(home: Home, name: str) -> None:
    code, out, err = home.run("--db", name, "due")

    assert (code, err) == (0, "")
    assert out.startswith("mine\t0\t")
    assert (home.path / name).exists()


def test_place_without_value_is_refused(home: Home) -> None:
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


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("", "review"),
        ("'my deck' --plain --more 5", "review 'my deck' --plain"),
        ("--cram --minutes 2.5 --tag 'a b'", "review --minutes 2.5 --cram --tag 'a b'"),
        ("a b --limit 3 --new 0 --seed 7", "review a b -n 3 --new 0 --seed 7"),
    ],
)
def test_session_resumes_with_its_own_command(words: str, command: str) -> None:
    with _load_commands("review")["review"].make_context("review", shlex.split(words)) as ctx:
        assert command_again(ctx, more=None) == command


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
"""List messages in the middle of a session, by words and typed lines."""


@pytest.mark.parametrize(
    ("verb", "where"),
    [
        *((verb, "environment") for verb in (*CALLS, *SESSIONS)),
        ("a practice", "setting"),
        ("statistics", "setting"),
    ],
)
def test_verb_writes_ascii_on_request(home: Home, monkeypatch: pytest.MonkeyPatch, verb: str, where: str) -> None:
    words, typed = SESSIONS.get(verb) or ([*verb.split(), *CALLS[verb]], "")
    (home.path / "f.py").write_text("def f(x, h):\n    return x\n")
    if where == "environment":
        monkeypatch.setenv("STUDYKIT_GLYPHS", "ascii")
    else:
        home.config.write_text('[ui]\nglyphs = "ascii"\n')
    messages = ["--db", str(home.database), "--config", str(home.config)]
    home.run(*messages, "answer", CARD, "again")

    _, out, err = home.run(*messages, *words, typed=typed)

    assert out + err == (out + err).encode("ascii", "replace").decode()
    assert out + err or verb == "config set"


@pytest.mark.parametrize("session", ["statistics", "a practice", "a deck", "a rewrite"])
def test_its_signs_are_beyond_ascii_elsewhere(home: Home, monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    (home.path / "f.py").write_text("def f(x, h):\n    return x\n")
    monkeypatch.setenv("STUDYKIT_GLYPHS", "unicode")
    words, typed = SESSIONS[session]
    home.run("--db", str(home.database), "answer", CARD, "again")

    assert not home.run("--db", str(home.database), *words, typed=typed)[1].isascii()


@pytest.mark.parametrize(("name", "message"), [("f\u00fcr mich", "f\u00fcr mich"), ("2\u00d73 \u2192", "2x3 ->")])
def test_ascii_mode_keeps_letters(home: Home, monkeypatch: pytest.MonkeyPatch, name: str, message: str) -> None:
    monkeypatch.setenv("STUDYKIT_GLYPHS", "ascii")
    (home.path / "mine.md").write_text(f'---\nname = "{name}"\n---\nQ: One?\nA: Two.\n')

    assert message in home.run("deck", "list", "--db", str(home.database))[1]


def test_only_the_console_looks_at_the_terminal() -> None:
    rooms = [path for path in (ROOT / "studykit").rglob("*.py") if "input" not in path.parts]

    asking = {path.name for path in rooms if re.search(r"isatty|get_terminal_size|\.encoding\b", path.read_text())}

    assert asking == {"console.py", "text.py"}
