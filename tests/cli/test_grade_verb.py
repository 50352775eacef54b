"""Test `study grade` for learners and course staff, and cards that ask for a rewrite."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from subprocess import DEVNULL
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast
from unittest.mock import Mock, patch

import pytest
from asking import ask_card
from live import STUDY, Live, environ_of
from scripted_ui import ScriptedUi
from submissions_of_a_class import RIGHT, WRONG, make

from decks import basic_card
from studykit.cards.card import Kind, Task
from studykit.cli.app import run
from studykit.cli.context import Context
from studykit.cli.exit import run_program
from studykit.errors import MissingError
from studykit.exercise import catalog
from studykit.exercise.rewrite.answer_file import grade_saves, start_file, starting_text
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial
from studykit.exercise.verdict import Correct
from studykit.graders.host import place as place_module
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place, place_for
from studykit.sandbox.channel import Child
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, has_torch, open_worker
from studykit.scheduling.recall_grade import Grade
from studykit.text import shown_name
from studykit.ui import Command, Reply

if TYPE_CHECKING:
    from studykit.exercise.services import Services

PROGRAM = (sys.executable, "-c", "from studykit.__main__ import main; main()")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with open_worker(backend="numpy", shared=False) as worker:
        yield Place(worker)


@pytest.fixture
def task() -> Rewrite:
    return catalog.rewrite_named("split_heads")


def given(tmp_path: Path) -> dict[str, str]:
    """Return environment variables that put everything in one folder, except the warm worker of this run."""
    worker = {"XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"]}
    return environ_of(tmp_path) | worker | {"STUDYKIT_SEED": "7"}


def study(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program in this process, because a process of its own takes a second to start."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with (
        patch.dict(os.environ, given(tmp_path), clear=True),
        contextlib.chdir(tmp_path),
        Path(os.devnull).open() as nothing,
        patch.object(sys, "stdin", nothing),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run_program(run, arguments)
    out.seek(0)
    return subprocess.CompletedProcess(arguments, code, out.read(), err.getvalue())


def written(tmp_path: Path, text: str, name: str = "mine.py") -> str:
    (tmp_path / name).write_text(text)
    return name


def test_right_answer_exits_0_and_is_logged(tmp_path: Path) -> None:
    command = [*PROGRAM, "grade", "rewrite.split_heads", written(tmp_path, RIGHT), "--json"]
    result = subprocess.run(
        command, capture_output=True, timeout=100, env=given(tmp_path), cwd=tmp_path, stdin=DEVNULL, check=False
    )

    document = json.loads(result.stdout)
    assert result.returncode == 0, result.stderr
    assert document["verdict"] == "correct"
    assert document["device"] == "cpu"
    assert all(check["passed"] for check in document["checks"])
    names = {check["name"] for check in document["checks"]}
    assert names >= {"runs", "shape", "dtype", "values", "inputs", "method"}
    assert (tmp_path / "study.db").exists()


def test_wrong_answer_exits_1_with_reason(tmp_path: Path) -> None:
    result = study(tmp_path, "grade", "rewrite.split_heads", written(tmp_path, WRONG), "--hint")

    assert result.returncode == 1
    assert "yours acts as (e h)." in result.stdout
    assert "Hint: Write the axes of x on the left, name by name." in result.stdout
    assert "the sandbox limits time, memory, processes, files and network" in result.stdout


def test_solutions_are_shown_after_a_pass_only(tmp_path: Path) -> None:
    failed = study(tmp_path, "grade", "rewrite.split_heads", written(tmp_path, WRONG), "--show-solution")
    passed = study(tmp_path, "grade", "rewrite.split_heads", written(tmp_path, RIGHT), "--show-solution")

    assert "The solution is shown after a pass." in failed.stdout
    assert "b s (h e) -> b h s e" not in failed.stdout
    assert "return rearrange(x, 'b s (h e) -> b h s e', h=h)" in passed.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["grade", "rewrite.split_head", "mine.py"], 3, "Did you mean rewrite.split_heads?"),
        (["grade", "rewrite.split_heads", "no.py"], 2, "no.py does not exist"),
        (["grade", "rewrite.split_heads", "."], 2, "is a folder"),
        (["grade"], 2, "Name a rewrite and a file"),
        (
            ["grade", "mine.py"],
            2,
            "Which rewrite does mine.py answer? Name it:\n  study grade rewrite.NAME mine.py",
        ),
        (["grade", "none.py"], 2, "none.py does not exist"),
        (["grade", "rewrite.split_heads", "mine.py", "--device", "tpu"], 2, "'tpu' is not one of"),
        (["grade", "rewrite.split_heads", "binary.py"], 5, "is not text"),
        (
            ["grade", "rewrite.split_heads", "pipe.py"],
            5,
            "pipe.py is a pipe, which is not read. Name a Python file.",
        ),
        (["grade", "pipe.py"], 5, "pipe.py is a pipe, which is not read. Name a Python file."),
        (["grade", "rewrite.split_heads", "answers"], 2, "answers is a folder. Name a Python file"),
        (["grade", "--batch", "nowhere"], 2, "is not a folder"),
        (["grade", "--batch", ".", "--results", "r.json"], 2, "would lie among the submissions"),
        (
            ["grade", "--batch", "answers", "--results", "no/r.json"],
            1,
            "no/r.json cannot be written: No such file",
        ),
        (["grade", "--batch", "answers", "--results", "answers"], 2, "would lie among"),
        (["grade", "--batch", "answers", "--results", "answers/link.json"], 2, "would lie among"),
        (["grade", "--batch", "answers", "--results", "answers/out/r.json"], 2, "would lie among"),
        (["grade", "--batch", "answers", "--results", "/dev/full"], 1, "cannot be written: it is a device"),
        (["grade", "--batch", "answers", "--device", "tpu"], 2, "'tpu' is not one of"),
        (["grade", "--batch", "answers", "--schema", "x"], 2, "'x' is not one of"),
        (["grade", "--batch", "answers", "--budget", "0"], 2, "--budget"),
        (["grade", "--batch", "answers", "--budget", "nan"], 2, "is not a number of seconds"),
        (["grade", "--batch", "answers", "--budget", "inf"], 2, "is not a number of seconds"),
        (["grade", "--batch", "answers", "--results", ""], 2, "is not a file"),
        (["exercise", "check", "rewrite.split_heads", "--seed", "1"], 2, "study grade rewrite.split_heads"),
    ],
)
def test_a_wrong_call_is_one_sentence(tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    written(tmp_path, RIGHT)
    (tmp_path / "answers").mkdir()
    written(tmp_path, RIGHT, "answers/split_heads.py")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "answers" / "link.json").symlink_to("../mine.py")
    (tmp_path / "answers" / "out").symlink_to("..")
    os.mkfifo(tmp_path / "pipe.py")

    result = study(tmp_path, *arguments)

    assert result.returncode == code, result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("missing", "message"),
    [("has_torch", "Device cuda needs torch, which is not installed"), ("has_cuda", "No GPU can be used here")],
)
def test_a_device_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, missing: str, message: str) -> None:
    for name in ("has_torch", "has_cuda"):
        monkeypatch.setattr(f"studykit.graders.host.place.{name}", lambda name=name: name != missing)

    with pytest.raises(MissingError, match=message), place_for(Context.from_environment().open_worker, "cuda"):
        raise AssertionError


@pytest.mark.parametrize(
    ("name", "before", "arguments"),
    [
        ("mine.py", "# rewrite.split_heads\n", ["mine.py"]),
        ("split_heads.py", "", ["split_heads.py"]),
        ("rewrite.split_heads.py", "", ["./rewrite.split_heads.py"]),
        ("mine.py", "", ["mine.py", "split_heads"]),
        ("mine.py", "# rewrite.nothing, then rewrite.split_heads\n", ["mine.py"]),
    ],
)
def test_file_may_name_its_rewrite(tmp_path: Path, name: str, before: str, arguments: list[str]) -> None:
    written(tmp_path, before + RIGHT, name)

    result = study(tmp_path, "grade", *arguments)

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("rewrite.split_heads  ")


def test_rewrite_is_practised_by_set_and_name(tmp_path: Path) -> None:
    result = study(tmp_path, "exercise", "einops", "split_heads", "--plain")

    assert "return x.view(b, s, h, w // h).transpose(1, 2)" in result.stdout, result.stderr


def test_invalid_python_exits_5(tmp_path: Path) -> None:
    result = study(tmp_path, "grade", "split_heads", written(tmp_path, "def f(x, h) return x"), "--json")

    assert result.returncode == 5
    assert json.loads(result.stdout)["verdict"] == "malformed"


def test_without_a_file_the_question_is_shown(tmp_path: Path) -> None:
    result = study(tmp_path, "grade", "split_heads")

    assert result.returncode == 0
    assert "return x.view(b, s, h, w // h).transpose(1, 2)" in result.stdout


def test_batch_grades_every_kind_of_submission(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    expected = make(tmp_path / "answers", 12, torch=has_torch())
    words = ("grade", "split_heads", "--batch", "answers", "--results", "r.json")

    first, second = study(tmp_path, *words), study(tmp_path, *words, "--schema", "gradescope")

    document = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    log = [json.loads(line) for line in (tmp_path / "r.json.graded").read_bytes().splitlines()]
    fingerprints = sum(bool(one["fingerprint"]) for one in log)
    assert [one for one in log if one["told"].get("verdict", "") not in expected[os.fsencode(one["name"])]] == []
    assert (first.returncode, first.stdout) == (1, "3 of 12 passed; results are in r.json.\n"), first.stderr
    assert fingerprints >= 6
    assert second.stdout.startswith(f"3 of 12 passed; {fingerprints} of them graded before and unchanged; ")
    assert document["score"] == 3.0
    assert [test["name"] for test in document["tests"]] == sorted(
        shown_name(os.fsdecode(name)) for name in expected
    )


def test_watching_grades_again_at_each_save(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    environ = dict(os.environ, STUDYKIT_DB=str(tmp_path / "s.db"), HOME=str(tmp_path))
    command = [*PROGRAM, "grade", "split_heads", str(file), "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ, cwd=tmp_path) as process:
        try:
            output = _until(process, "Ctrl-C ends")
            file.write_text(RIGHT)
            output += _until(process, "Ctrl-C ends")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        finally:
            process.kill()

    assert "Wrote" in output
    assert "Passed in" in output
    assert process.returncode == 0


def test_unfilled_or_unreadable_save_is_not_graded(
    tmp_path: Path, place: Place, task: Rewrite, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    messages: list[str] = []
    store = Mock()

    def saves() -> Iterator[None]:
        file.write_text("def f(x, h):\n")
        yield
        file.unlink()  # as between the two halves of an editor's save
        yield
        file.write_text(RIGHT)
        yield
        yield
        file.write_bytes(b"\xff\xfe")
        yield
        yield
        raise KeyboardInterrupt

    saved = saves()
    monkeypatch.setattr("time.sleep", lambda _: next(saved))
    services = SimpleNamespace(
        write=messages.append, tell=messages.append, seed=lambda: 7, store=store, ascii_only=lambda: True
    )

    code = grade_saves(cast("Services", services), place, task, file)

    started, first, how, grading, second, _, unread, _, parting = messages
    assert started == f"Wrote {file}, with the question in it."
    assert starting_text(task).startswith("# rewrite.split_heads\n#\n# Attention splits")
    assert (first, how) == ("Nothing is filled in yet.", "Save the file to grade it again; Ctrl-C ends.")
    assert grading == "grading ..."
    assert "Passed in" in second
    assert unread == f"{file} is not text in UTF-8. Name a Python file."
    assert (code, store.log.record.call_count, parting) == (0, 1, "")


def test_dangling_link_makes_no_file(tmp_path: Path, task: Rewrite) -> None:
    (tmp_path / "mine.py").symlink_to("new.py")
    messages: list[str] = []

    start_file(task, tmp_path / "mine.py", messages.append)

    assert messages == []
    assert not (tmp_path / "new.py").exists()


def _until(process: subprocess.Popen[str], words: str) -> str:
    """Return a process's output up to the line with these words, up to its end, or up to 60 seconds."""
    assert process.stdout is not None
    output = ""
    deadline = time.monotonic() + 60
    while words not in output and time.monotonic() < deadline:
        line = process.stdout.readline()
        if not line:
            break
        output += line
    return output


def test_a_broken_worker_is_missing_not_wrong(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="does not answer"):
        Worker(tmp_path / "no.sock", "numpy").start("run_rewrite", Limits())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child outlives its worker")
@pytest.mark.parametrize("killed", [1, 2])
def test_killed_worker_repeats_same_trials(task: Rewrite, monkeypatch: pytest.MonkeyPatch, killed: int) -> None:
    opened: list[Worker] = []
    rows: list[list[bytes]] = []

    def open_next(backend: str) -> Worker:
        opened.append(open_worker(backend=backend, shared=False, wrapped=False))
        rows.append([])
        return opened[-1]

    def sent(child: Child, one: Trial) -> None:
        rows[-1].extend(tensor.data for tensor in one.tensors)
        if len(opened) <= killed and (process := opened[-1].process) is not None:
            process.kill()
            process.wait()
        send(child, one)

    send = place_module._send
    monkeypatch.setattr(place_module, "_send", sent)
    monkeypatch.setattr(place_module, "has_torch", lambda: False)

    with place_for(open_next) as place:
        if killed == 1:
            assert grade(place, task, RIGHT, Random(1)).judgment.verdict == Correct()
        else:
            with pytest.raises(MissingError, match=r"^The sandbox's worker ended\. Try again\.$"):
                grade(place, task, RIGHT, Random(1))

    first, second = rows
    assert first
    assert second[: len(first)] == first


PATTERN, SWAPPED, OTHER = "b s (h d) -> b h s d", "b s (d h) -> b h s d", "b s (h d) -> b s h d"
CARD = basic_card("split", kind=Kind.EXERCISE, task=Task("rewrite.split_heads"))


@pytest.mark.parametrize("last", [PATTERN, Command("editor")], ids=["pattern", "editor"])
def test_card_is_judged_in_the_sandbox(context: Context, last: Reply | str) -> None:
    ui = ScriptedUi(SWAPPED, OTHER, last, editor=lambda text: RIGHT if "def f(x, h):" in text else None)

    outcome = ask_card(context, CARD, ui)

    assert outcome is not None
    assert (outcome.verdict, outcome.grade) == ("late", Grade.AGAIN)  # at the third try
    assert "yours acts as (e h)." in ui.text
    before, _, after = ui.text.partition("1 try left")
    assert "wanted b h s e." not in before
    assert "your axes are b s h e, wanted b h s e." in after


def on_a_terminal(folder: Path, *words: str) -> str:
    """Return what a verb leaves on a terminal's screen."""
    running = Live([*STUDY, *words], environ_of(folder))
    try:
        running.ends()
        return running.text
    finally:
        running.close()


def test_rewrite_question_is_painted_on_terminal(tmp_path: Path) -> None:
    result = on_a_terminal(tmp_path, "grade", "rewrite.split_heads")

    assert "def f(x, h):" in result
    assert "[0m" not in result


def test_the_last_quiz_is_painted_on_a_terminal(tmp_path: Path) -> None:
    one = {"prompt": "How **many**?", "answer": "2*3*4", "right": "24", "score": 1, "verdict": "correct"}
    (tmp_path / "study.db.quiz").write_text(json.dumps({"questions": [one], "score": 1, "of": 1}))

    result = on_a_terminal(tmp_path, "quiz", "--last")

    assert "1. ✓ right" in result
    assert "How many?" in result
    assert "yours: 2*3*4" in result
    assert "[0m" not in result
