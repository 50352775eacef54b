"""Check that an unfinished line is saved, and offered again at the same question."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from live import PATIENCE_SECONDS, STUDY, Live, environ_of
from stores import opened

from studykit.scheduling.event_kinds import EventKind

CHOICE = "Q: which? {#which}\nA:\n- [x] this\n- [ ] that\n"
DECK = f'---\nname = "Mine"\n---\n\nE: mem.max_model G=8 conv=12 hw="H100 SXM" {{#fit}}\n\n{CHOICE}'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with a deck of an exercise and a choice."""
    (tmp_path / "mine.md").write_text(DECK)
    return tmp_path


def killed(live: Live) -> None:
    """Kill the program after a pause in typing."""
    live.linger(1.0)
    os.kill(live.child.pid, signal.SIGKILL)


def interrupted(live: Live) -> None:
    live.send("\x03")


def question(live: Live) -> list[str]:
    """Return the question on the screen with its title, without anything below it."""
    title, *rows = live.text.splitlines()
    return [title, *(row for row in rows if row.startswith("  "))]


def begin(home: Path, verb: str, end: Callable[[Live], None]) -> list[str]:
    """Type half a line at the first question, end the process, and return the question."""
    with Live([*STUDY, *verb.split()], environ_of(home)) as live:
        live.see("typing")
        live.press("12 hälf", "> 12 hälf")
        question_text = question(live)
        end(live)
        live.child.wait(timeout=PATIENCE_SECONDS)
    return question_text


@pytest.mark.parametrize(
    ("verb", "end"),
    [
        ("review mine -n 1", interrupted),
        ("exercise mem.max_model", Live.hang_up),
        ("exercise scenario.scope_run", killed),
        ("exercise einops -n 2", killed),
        ("quiz mine --seed 1", interrupted),
        ("quiz mine --seed 1 --exam", killed),
    ],
)
def test_typed_line_is_offered_again(home: Path, verb: str, end: Callable[[Live], None]) -> None:
    question_text = begin(home, verb, end)

    with Live([*STUDY, *verb.split()], environ_of(home)) as again:
        again.see("> 12 hälf")
        again.see("as you left it; ctrl-u clears the line")
        assert question(again) == question_text
        again.press("\x15:quit", "> :quit")
        again.send("\r")
        again.ends()
    assert not (home / "study.db.typed").exists()


@pytest.mark.parametrize("verb", ["exercise bet.chain", "time bet.chain --plain", "review mine -n 1 --plain"])
def test_killed_bet_goes_on_at_its_field(home: Path, verb: str) -> None:
    (home / "mine.md").write_text('---\nname = "Mine"\n---\n\nE: bet.chain {#chain}\n')
    with Live([*STUDY, *verb.split()], environ_of(home), rows=40) as live:
        live.see("compute, memory or overhead>")
        live.press("m\r", "time>")
        live.press("3 ms\r", "80% interval")
        n_line = next(row for row in live.text.splitlines() if "n = " in row)
        os.kill(live.child.pid, signal.SIGKILL)

    with Live([*STUDY, *verb.split()], environ_of(home), rows=40) as again:
        again.see("You gave this before: m, 3 ms. :undo goes back one field.")
        again.see("80% interval")
        assert n_line in again.text
        again.press("\r", "you         3 ms")
        again.see_removed(home / "study.db.typed")


def test_bet_killed_while_it_is_measured_is_measured_later(home: Path) -> None:
    verb = [*STUDY, "time", "bet.chain", "--device", "cpu"]
    with Live(verb, environ_of(home), rows=40) as live:
        live.see("compute, memory or overhead>")
        live.press("m\r", "time>")
        live.press("3 ms\r", "80% interval")
        live.press("\r", "measuring")
        os.kill(live.child.pid, signal.SIGKILL)

    with Live(verb, environ_of(home), rows=40) as again:
        again.see("You gave this before: m, 3 ms.")
        again.see("you         3 ms")
        again.see_removed(home / "study.db.typed")
    with opened(home / "study.db") as store:
        assert [event.kind for event in store.log.events()] == [EventKind.BET, EventKind.PRACTICE]


UNREAD = "def f(x):\n    return rearrange(x,"
EDITOR = f"""#!/bin/sh
grep -q 'rearrange(x,$' "$1" && echo opened-as-left >>"$HOME/seen"
cat >"$1" <<'END'
{UNREAD}
END
"""


@pytest.mark.parametrize(
    ("verb", "end"), [("exercise rewrite.split_heads", interrupted), ("review mine -n 1", killed)]
)
def test_editor_text_is_offered_again(home: Path, verb: str, end: Callable[[Live], None]) -> None:
    (home / "mine.md").write_text('---\nname = "Mine"\n---\n\nE: rewrite.split_heads {#heads}\n')
    (home / "editor").write_text(EDITOR)
    (home / "editor").chmod(0o755)
    environ = {**environ_of(home), "STUDYKIT_EDITOR": str(home / "editor")}
    with Live([*STUDY, *verb.split()], environ) as live:
        live.see("typing")
        live.press(":editor", "> :editor")
        live.press("\r", "was never closed")
        end(live)
        live.child.wait(timeout=PATIENCE_SECONDS)
        if end is interrupted:
            live.see("What you typed last is kept")

    with Live([*STUDY, *verb.split()], environ) as again:
        again.see("What you wrote in the editor is kept: :editor opens it.")
        again.press(":editor", "> :editor")
        again.press("\r", "Nothing was changed")
        assert (home / "seen").read_text() == "opened-as-left\n"
        again.press(":steps", "> :steps")
        again.send("\r")
        again.see(":steps again shows")
        again.press(":steps", "> :steps")
        again.press("\r", "A solution")
        again.send("q")
        again.see_removed(home / "study.db.typed")


def test_the_end_of_a_quiz_offers_no_undo(home: Path) -> None:
    (home / "mine.md").write_text('---\nname = "Mine"\n---\n\nQ: One?\nA: Two.\n')
    with Live([*STUDY, "quiz", "mine", "--exam"], environ_of(home)) as live:
        live.see("typing")
        live.press("x\r", "Was yours right?")
        live.send("n")
        live.see("m: retry missed questions   any other key: end")
        live.send("u")
        assert live.ends() == 0
