"""Check that one entry defines a kind: a toy kind is listed, completed, judged, asked and exported."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from live import OWN_TERMINAL, PATIENCE_SECONDS, Live, environ_of
from shell import Shell

from studykit.cli.context import Context
from studykit.errors import BadDataError
from studykit.exercise import catalog, registry

TOYS = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Toy:
    id: str
    prompt: str
    solution: str
    kind: str = "toy"
    set_name: str = "toys"
    objective: str = "memory"
    version: int = 1

EXERCISES = (Toy("toy.back", "Say bit backwards.", "tib"), Toy("toy.twice", "Say bit twice.", "bitbit"))
"""
DECK = """---
name = "Mine"
---

E: toy.back {#back}

Q: a plain card? {#plain}
A: yes
"""


@pytest.fixture
def study(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell with a trusted folder of toys and a deck that names one."""
    monkeypatch.setitem(registry.KINDS, "toy", "toy_kind:FULL")
    monkeypatch.setattr(catalog, "_AUTHORED", [])  # forgotten again after the test
    (tmp_path / "toys").mkdir()
    (tmp_path / "toys" / "toys.py").write_text(TOYS)
    (tmp_path / "mine.md").write_text(DECK)
    study.with_environ(STUDYKIT_DECKS=str(tmp_path / "mine.md"), STUDYKIT_SEED="4")
    assert study("exercise", "trust", "toys").code == 0
    assert study("config", "set", "exercises", str(tmp_path / "toys")).code == 0
    return study


def logged() -> list[tuple[str, str, str]]:
    """Return kind, exercise and verdict of the log's events, newest first."""
    context = Context.from_environment()
    events = context.store.log.showings(last=9)
    return [(str(event.kind), event.showing.template, event.showing.verdict) for event in events if event.showing]


def test_a_kind_is_listed_with_its_set(study: Shell) -> None:
    _, out, _ = study("exercise", "list", "toys")

    assert out.split()[::3] == ["toy.back", "toy.twice"]
    assert "toys" in study("exercise", "list")[1].rpartition("Sets: ")[2]


def test_its_names_are_completed(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_STUDY_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "study exercise toy")
    monkeypatch.setenv("COMP_CWORD", "2")

    assert set(study()[1].split()) >= {"toys", "toy"}


@pytest.mark.parametrize(("verb", "kind"), [("grade", "rewrite"), ("time", "bet")])
def test_verb_completes_its_exercises(verb: str, kind: str, monkeypatch: pytest.MonkeyPatch, study: Shell) -> None:
    monkeypatch.setenv("_STUDY_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"study {verb} ")
    monkeypatch.setenv("COMP_CWORD", "2")

    assert study()[1].split() == [exercise.id for exercise in catalog.every() if exercise.kind == kind]


def test_it_is_shown_and_judged_for_scripts(study: Shell) -> None:
    document = json.loads(study("exercise", "show", "toy.back", "--json")[1])

    assert (document["prompt"], document["solution"]) == ("Say bit backwards.", ["tib"])
    assert study("exercise", "check", "toy.back", "--seed", "1", "--answer", "tib")[:2] == (0, "correct\n")
    assert study("exercise", "check", "toy.back", "--seed", "1", "--answer", "tab")[:2] == (1, "incorrect\n")


WORDS = {
    "right": ("tib", "✓ right", "correct"),
    "unreadable": ("t1b\ntib", "Not read: write a word. This costs no try.", "correct"),
    "hint": (":hint\ntib", "Hint: Think of a bit.", "late"),
    "steps": (":steps\n:steps", "1. It is tib.", "skipped"),
    "skip": (":skip", "skipped: tib", "skipped"),
    "wrong": ("tab\ntub\ntob", "✗ not yet, 1 try left.", "incorrect"),
    "undo": ("tab\n:undo\ntib", "✗ not yet, 2 tries left.", "correct"),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_toy_question_is_asked(study: Shell, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str, str]) -> None:
    monkeypatch.setitem(registry.KINDS, "toy", "toy_kind:TOY")
    typed, output, verdict = words

    single = study("exercise", "toy.back", "--plain", typed=f"{typed}\n\n")
    review = study("review", "mine", "--plain", typed=f"{typed}\n\n:quit\n")

    assert output in single.out
    assert output in review.out
    assert logged() == [("answer", "toy.back", verdict), ("practice", "toy.back", verdict)]


_TOY_STUDY = (
    f"{OWN_TERMINAL}from studykit.exercise import registry; registry.KINDS['toy'] = 'toy_kind:TOY'; "
    "from studykit.__main__ import main; main()"
)


def on_screen(study: Shell, use: Callable[[Live], None], *verb: str) -> None:
    """Run `use` on a screen that asks for a word, then kill its process."""
    environ = environ_of(study.home) | {"PYTHONPATH": str(Path(__file__).parents[1] / "support")}
    with Live([sys.executable, "-c", _TOY_STUDY, *verb], environ) as live:
        live.see("word>")
        use(live)
        os.kill(live.child.pid, signal.SIGKILL)
        live.child.wait(timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize("verb", [("exercise", "toy.back"), ("review", "mine", "-n", "1")], ids=" ".join)
def test_what_was_typed_survives_a_kill(study: Shell, verb: tuple[str, ...]) -> None:
    def tries(live: Live) -> None:
        live.see(":hint 1 of 1   :steps   :skip   :undo   :why   :quit")
        live.press("tab\r", "✗ not yet, 2 tries left.")
        live.press("half a w", "> half a w")
        live.linger(1.0)

    def finds(live: Live) -> None:
        live.see("> half a w")
        live.see("as you left it; ctrl-u clears the line")

    on_screen(study, tries, *verb)
    on_screen(study, finds, *verb)

    assert logged() == [("practice", "toy.back", "incorrect")]


def test_new_kind_is_asked_in_a_quiz(study: Shell) -> None:
    by_deck = json.loads(study("quiz", "mine", "--json", typed="tib\nyes\n\n" * 2)[1])
    by_set = json.loads(study("quiz", "toys", "--json", typed="tib\ntib\n\n")[1])

    assert {question["id"] for question in by_deck["questions"]} == {"back", "plain"}
    assert (by_set["score"], by_set["of"]) == (1, 2)
    assert ("quiz", "toy.back", "correct") in logged()
    assert study("show", "back", "--json").json["history"][0]["exercise"]["prompt"] == "Say bit backwards."


def test_it_is_exported_to_a_page(study: Shell, tmp_path: Path) -> None:
    code, _, err = study("export", "html", "mine", "--out", str(tmp_path / "out"))

    page = (tmp_path / "out" / "mine.html").read_text()
    assert (code, err) == (0, "")
    assert "Say bit backwards." in page
    assert "study exercise toy.back" in page


def test_its_own_test_is_run_by_check(study: Shell, tmp_path: Path) -> None:
    (tmp_path / "toys" / "toys.py").write_text(TOYS.replace("twice.", "twice"))

    code, out, _ = study("exercise", "trust", str(tmp_path / "toys"))

    assert code == 1
    assert "toy.twice: the prompt is not a sentence" in out


def test_unknown_kind_is_refused(monkeypatch: pytest.MonkeyPatch, study: Shell) -> None:
    monkeypatch.delitem(registry.KINDS, "toy")

    code, _, err = study("exercise", "show", "toy.back")

    assert code == BadDataError.exit_code
    assert "toy.back has the unknown kind 'toy'. Use one of number, scenario, rewrite, bet" in err


def test_mixed_set_uses_a_mixed_kind(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toys" / "toys.py").write_text(TOYS + '\nEXERCISES += (Toy("toy.bet", "Bet.", "", kind="bet"),)\n')
    study("exercise", "trust", str(tmp_path / "toys"))
    monkeypatch.setitem(registry.KINDS, "number", "toy_kind:MIXED")

    _, out, err = study("exercise", "toy", "--plain", typed="tib\n")

    assert "Question: Say bit backwards." in out, err
