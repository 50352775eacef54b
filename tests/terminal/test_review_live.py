"""Test `study review` in a real terminal. Every test has a deadline, and kills its children at its end."""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from live import PATIENCE_SECONDS, SHELL, STUDY, Live, environ_of

from studykit.cli.app import run
from studykit.cli.exit import run_program

KILLS = int(os.environ.get("STUDYKIT_TEST_KILLS", "10"))
CARDS = 4 * KILLS + 20
DECK = "".join(
    f"Q: question {number} about a matmul of some size, which is a rather long line of text to be wrapped?"
    f" {{#card-{number}}}\nA: answer {number}\n\n"
    for number in range(1, CARDS + 1)
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database with the decks once, to be copied, because making it takes longer than a test."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "mine.md").write_text(DECK)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environ_of(folder).items():
            patch.setenv(name, value)
        assert run_program(run, ["due", "--json"]) == 0
    return folder


Start = Callable[..., Live]


@pytest.fixture
def home(prepared: Path, tmp_path: Path) -> Path:
    """Make a folder with a database and a deck."""
    shutil.copy2(prepared / "mine.md", tmp_path / "mine.md")
    with (
        contextlib.closing(sqlite3.connect(prepared / "study.db")) as database,
        contextlib.closing(sqlite3.connect(tmp_path / "study.db")) as copy,
    ):
        database.backup(copy)
    return tmp_path


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    """Yield a function that starts commands in terminals, and end them all afterwards."""
    running: list[Live] = []

    def begin(
        *arguments: str, command: list[str] | None = None, columns: int = 80, rows: int = 24, **environ: str
    ) -> Live:
        words = command or [*STUDY, "review", "mine", *arguments]
        running.append(Live(words, {**environ_of(home), **environ}, columns, rows))
        return running[-1]

    try:
        yield begin
    finally:
        for live in running:
            live.close()


def answers(home: Path) -> list[tuple[str, int]]:
    """Return the cards and grades in the log, in order."""
    with contextlib.closing(sqlite3.connect(home / "study.db")) as connection:
        return connection.execute(
            "SELECT card_id, grade FROM event WHERE kind = 'answer' ORDER BY moment, id"
        ).fetchall()


def undone(home: Path) -> list[tuple[str, int]]:
    """Return the cards and grades of the answers that were not undone."""
    with contextlib.closing(sqlite3.connect(home / "study.db")) as connection:
        events = connection.execute(
            "SELECT id, kind, card_id, grade, target FROM event ORDER BY moment, id"
        ).fetchall()
    targets = {target for *_, target in events}
    return [
        (card, grade)
        for id_, kind, card, grade, _ in events
        if kind == "answer" and str(UUID(bytes=id_)) not in targets
    ]


def test_a_review_by_single_keys(start: Start, home: Path) -> None:
    live = start("-n", "2")
    live.see("question 1 about")
    live.press(" ", "answer 1")
    live.press("3", "question 2 about")
    live.see("good, next 21 Nov (1 d)")
    live.press(" ", "answer 2")
    live.send("4")

    assert live.ends() == 0
    assert answers(home) == [("card-1", 4), ("card-2", 5)]
    assert "Done. 2 cards" in live.text
    assert live.seen.count(b"\x1b[?1049h") == live.seen.count(b"\x1b[?1049l") == 1
    assert b"\x1b[3J" not in live.seen  # the lines above the screen stay


def test_command_word_works_where_keys_are_read(start: Start, home: Path) -> None:
    live = start("-n", "2")
    live.press(" ", "answer 1")
    live.press(":easy\r", "question 2 about")  # not the editor, not accept
    live.press(":hint\r", ":hint is not a command here.")
    live.press(":help\r", "reveal the answer")
    live.press("q", "question 2 about")
    live.press(":bury\r", "Done. 1 card")

    assert live.ends() == 0
    assert answers(home) == [("card-1", 5)]


ENDING = "m: retry missed questions   u: undo the last answer   any other key: end"


def after_a_miss(start: Start, columns: int = 80, ending: str = ENDING) -> Live:
    """Review one card, miss it once, and wait for the end of the review."""
    live = start("-n", "1", columns=columns)
    live.press(" ", "answer 1")
    live.press("1", "again, back today")
    live.press(" ", "answer 1")
    live.press("3", ending)
    return live


def test_key_repeats_the_misses(start: Start, home: Path) -> None:
    live = after_a_miss(start)
    assert "Missed" in live.text

    live.press("m", "space reveal")
    live.press(" ", "answer 1")
    live.send("3")

    assert live.ends() == 0
    assert [grade for _, grade in answers(home)] == [1, 4, 4]
    assert live.canonical


def test_undo_at_the_end_restores_the_last_card(start: Start, home: Path) -> None:
    live = after_a_miss(start, 50, ENDING.replace("   ", "\n"))  # keys in rows, as the screen is narrow
    live.press("u", "enter = good")
    live.see("undone")
    live.press("1", "again, back today")
    live.press("u", "enter = good")
    live.press("u", "enter = good")
    live.send("4")

    assert live.ends() == 0
    assert live.canonical
    assert undone(home) == [("card-1", 5)]


def test_undo_among_misses_reaches_the_earlier_run(start: Start, home: Path) -> None:
    live = after_a_miss(start)
    live.press("m", "space reveal")
    live.press("u", "undone, from before")
    live.press("u", "undone, from before")
    live.send("4")

    assert live.ends() == 0
    assert undone(home) == [("card-1", 5)]


def test_run_ending_is_aligned_and_can_be_undone(start: Start, home: Path) -> None:
    live = start(command=[*STUDY, "exercise", "time.hfu_from_mfu", "-n", "1", "--seed", "3"], columns=44)
    live.press("2\r", "not yet")
    live.press(":skip\r", "enter done")
    live.press("\r", "u: undo")

    rows = live.text.partition("Missed\n")[2].splitlines()
    indents = [len(row) - len(row.lstrip()) for row in rows[: rows.index("")]]
    assert indents[-1] == 6
    assert set(indents[:-1]) <= {4, 6}
    live.press("u", "undone: your answer to time.hfu_from_mfu")
    live.press(":skip\r", "enter done")
    live.press("\r", "u: undo")
    live.press("m", ":hint")
    live.send("\x03")
    assert live.ends() == 130
    assert "1 answer saved, 1 left." in live.text


def test_keys_typed_before_the_first_question_count(start: Start, home: Path) -> None:
    live = start("-n", "3")
    live.send(" 3 3 3")

    assert live.ends() == 0
    assert [card for card, _ in answers(home)] == ["card-1", "card-2", "card-3"]


def test_a_resize_lays_the_card_out_anew(start: Start) -> None:
    live = start("-n", "1")
    live.see("question 1 about")
    live.resize(40, 20)
    live.see("q quit")
    live.see("size, which is a rather long line of")

    assert all(len(row.rstrip()) <= 40 for row in live.screen.display)


def test_editor_change_shows_on_the_card(start: Start, home: Path) -> None:
    script = home / "editor.sh"
    script.write_text('#!/bin/sh\nsed -i.bak "s/answer 1$/a better answer/" "$1"\n')
    script.chmod(0o755)
    live = start("-n", "1", EDITOR=str(script))
    live.see("question 1 about")
    live.press("e", "edited, progress kept")
    live.press(" ", "a better answer")


@pytest.mark.parametrize(
    ("end", "code", "is_on_screen"),
    [
        (lambda live: live.send("\x03"), 130, True),
        (lambda live: os.kill(live.child.pid, signal.SIGTERM), 143, True),
        (Live.hang_up, 129, False),
    ],
    ids=["control-c", "a signal", "a closed window"],
)
def test_early_end_saves_and_restores_the_terminal(
    start: Start, home: Path, end: Callable[[Live], None], code: int, *, is_on_screen: bool
) -> None:
    live = start("-n", "5", columns=120)
    live.press(" ", "answer 1")
    live.press("3", "question 2 about")
    end(live)

    assert (live.ends() if is_on_screen else live.child.wait(timeout=PATIENCE_SECONDS)) == code
    assert answers(home) == [("card-1", 4)]
    if is_on_screen:
        assert live.canonical
        assert b"\x1b[?1049l" in live.seen
    if code == 130:
        assert "1 answer saved, 4 cards left.\nNext: study review mine -n 5" in live.text


TYPED = "Q: who wrote it? {#typed-card .typed}\nA: Ada Lovelace\n\nQ: question 2? {#card-2}\nA: answer 2\n"


def _interrupted(live: Live, _home: Path) -> None:
    live.send("\x03")
    live.see("0 answers saved, 2 cards left. What you typed is kept.\nNext: study review mine")


def _closed(live: Live, _home: Path) -> None:
    live.hang_up()


def _killed(live: Live, home: Path) -> None:
    before = (home / "study.db").read_bytes(), sorted(each.name for each in home.glob("study.db-wal"))
    live.linger(1.5)  # a pause of typing, in which the draft is written, but not into the database
    assert "Lov" in (home / "study.db.typed").read_text()
    assert ((home / "study.db").read_bytes(), sorted(each.name for each in home.glob("study.db-wal"))) == before
    kill(live)


def kill(live: Live) -> None:
    os.kill(live.child.pid, signal.SIGKILL)
    live.child.wait(timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize("end", [_interrupted, _closed, _killed])
def test_a_half_typed_answer_is_offered_again(start: Start, home: Path, end: Callable[[Live, Path], None]) -> None:
    (home / "mine.md").write_text(TYPED)
    live = start()
    live.press("Adâ Lov", "your answer> Adâ Lov")
    end(live, home)
    live.child.wait(timeout=PATIENCE_SECONDS)

    second = start()
    second.see("your answer> Adâ Lov")
    second.see("as you left it; ctrl-u clears the line, and so does a colon")
    second.press("\x15Ada Lovelace\r", "question 2?")
    second.send("\x03")
    second.ends()

    assert answers(home) == [("typed-card", 4)]
    assert not (home / "study.db.typed").exists()


def test_ungraded_typed_answer_survives_a_kill(start: Start, home: Path) -> None:
    (home / "mine.md").write_text(TYPED)
    live = start()
    live.see("your answer>")
    live.press("Ada Lovelady\r", "want  Ada Lovel")
    kill(live)

    second = start()
    second.see("your answer> Ada Lovelady")
    second.press("\r", "want  Ada Lovel")
    second.press("1", "question 2?")
    assert not (home / "study.db.typed").exists()


def test_half_typed_answer_is_restored_until_cleared(start: Start) -> None:
    live = start()
    live.see("question 1 about")
    live.press("t", "your answer>")
    live.press("an half", "your answer> an half")
    live.send("\x03")
    live.ends()

    second = start()
    second.see("your answer> an half")
    second.press("\x15", "your answer>")
    second.press("\x1b", "space reveal")
    second.send("\x03")
    second.ends()
    third = start()
    third.see("space reveal")
    assert "your answer>" not in third.text


def test_control_c_ends_review_despite_ignored_signal(start: Start) -> None:
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    live = start(command=[STUDY[0], "-c", ignoring, *STUDY, "review", "mine"])
    live.see("question 1 about")
    live.send("\x03")

    assert live.ends() == 130


def stopped_in_a_shell(start: Start, *options: str) -> Live:
    """Start a review in a shell, and stop it at its first card."""
    live = start(command=SHELL, PS1="ready> ")
    live.see("ready>")
    program = [STUDY[0], "-c", "'from studykit.__main__ import main; main()'"]
    live.press(" ".join([*program, "review", "mine", *options]) + "\r", "question 1 about")
    live.press("\x1a", "Stopped")
    return live


def test_control_z_stops_and_fg_goes_on(start: Start, home: Path) -> None:
    live = stopped_in_a_shell(start, "-n", "2")
    live.press("fg\r", "question 1 about")
    live.press(" ", "answer 1")
    live.press("3", "question 2 about")
    live.press("\x1a", "Stopped")
    live.press("fg\r", "question 2 about")
    live.press(" ", "answer 2")
    live.press("3", "Done. 2 cards")
    live.press("echo code $?\r", "code 0")

    assert [card for card, _ in answers(home)] == ["card-1", "card-2"]


def test_stopped_session_ends_when_killed(start: Start) -> None:
    live = stopped_in_a_shell(start)
    live.send("P=$(jobs -p %1); kill %1; while kill -0 $P 2>/dev/null; do sleep 0.1; done\r")
    live.see("Exit 143")


def test_a_dumb_terminal_gets_plain_lines(start: Start) -> None:
    live = start("-n", "1", TERM="dumb")
    live.see("[plain mode: on because TERM is dumb]")
    live.press("\r", "Answer: answer 1")
    live.send("3\r")

    assert live.ends() == 0
    assert b"\x1b" not in live.seen


@pytest.mark.thorough
def test_no_acknowledged_grade_is_lost_by_a_kill(
    start: Start, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environ_of(home).items():
        monkeypatch.setenv(name, value)
    chance = random.Random(20261120)
    acknowledged = 0
    for _ in range(KILLS):
        live = start("--new", str(CARDS))
        live.see(f"{CARDS - len(answers(home))} left")
        before = len(answers(home))
        for done in range(chance.randrange(1, 4)):
            live.send(" 3")
            live.see(f"{CARDS - before - done - 1} left")
            acknowledged = before + done + 1
        if chance.random() < 0.7:
            live.send(" 3")  # the kill comes somewhere in the middle of this one
            live.linger(chance.random() * 0.02)
        kill(live)
        assert len(answers(home)) >= acknowledged
        assert run_program(run, ["doctor", "--json"]) == 0
        capsys.readouterr()  # a hundred reports would hide what failed
