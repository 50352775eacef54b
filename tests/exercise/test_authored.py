"""Exercises of other authors: run only while their folder is what was trusted, and proved by `study check`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from studykit.cli import app
from studykit.cli.exit import ended
from studykit.exercise import catalog

Study = Callable[..., "Done"]

GOOD = """from studykit.exercise.numeric.template import SlipRule, Template

LORA = Template(
    id="mine.lora_params",
    objective="memory",
    grid={"d": (1024, 4096), "r": (4, 8, 16)},
    prompt="How many parameters does LoRA of rank {r} add to a {d} x {d} matrix?",
    answer=lambda v: 2 * v.d * v.r,
    unit="param",
    tolerance=0.01,
    slips=(SlipRule("one_factor", lambda v: v.d * v.r, "How many factors are there?", "There are two factors."),),
    hints=("It is a product of two thin matrices.", "One is {r} x {d}.", "The other is {d} x {r}."),
    solution=("2 x {d} x {r} = {answer:n}",),
)

EXERCISES = (LORA,)
"""


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Study:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lora.py").write_text(GOOD)
    (tmp_path / "config.toml").write_text('exercises = ["mine"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "_AUTHORED", [])  # forgotten again after the test
    for name, value in {
        "STUDYKIT_DB": str(tmp_path / "study.db"),
        "STUDYKIT_CONFIG": str(tmp_path / "config.toml"),
        "HOME": str(tmp_path),
        "TZ": "UTC",
    }.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> Done:
        code = ended(app.run, arguments)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run


def test_a_folder_that_is_not_trusted_is_not_run(study: Study) -> None:
    done = study("exercise", "show", "mine.lora_params")

    assert done.returncode == 3
    assert "is not trusted; read it, then: study exercise trust" in done.stderr


def test_a_trusted_folder_joins_the_catalogue(study: Study) -> None:
    trusted = study("exercise", "trust", "mine")
    shown = study("exercise", "show", "mine.lora_params", "d=1024", "r=8", "--seed", "1")

    assert "Trusted as it is now: lora.py" in trusted.stdout
    assert "2 x 1024 x 8 = 16,384" in shown.stdout


def test_a_change_takes_the_trust_away(study: Study, tmp_path: Path) -> None:
    study("exercise", "trust", "mine")
    (tmp_path / "mine" / "lora.py").write_text(GOOD.replace("LoRA of rank", "LoRA of a rank"))

    done = study("exercise", "show", "mine.lora_params")

    assert done.returncode == 3
    assert "has changed since" in done.stderr


def test_untrust_forgets_a_folder(study: Study) -> None:
    study("exercise", "trust", "mine")

    forgotten = study("exercise", "untrust", "mine")

    assert forgotten.returncode == 0
    assert study("exercise", "show", "mine.lora_params").returncode == 3


def test_check_proves_a_template_and_says_where_it_fails(study: Study, tmp_path: Path) -> None:
    wrong = GOOD.replace("lambda v: v.d * v.r,", "lambda v: 2.01 * v.d * v.r,").replace("0.01", "0.02")
    (tmp_path / "mine" / "lora.py").write_text(wrong)
    study("exercise", "trust", "mine")

    done = study("check", "mine")

    assert done.returncode == 1
    assert "mine/lora.py:4: mine.lora_params: mine.lora_params has no variant" in done.stdout


def test_a_file_that_does_not_run_is_told_with_its_line(study: Study, tmp_path: Path) -> None:
    (tmp_path / "mine" / "broken.py").write_text("EXERCISES = ()\n\nnonsense(1)\n")
    study("exercise", "trust", "mine")

    done = study("check", "mine")

    assert done.returncode == 1
    assert "mine/broken.py:3: NameError" in done.stdout
    assert "Traceback" not in done.stderr


def test_check_finds_nothing_wrong_with_a_good_folder(study: Study) -> None:
    study("exercise", "trust", "mine")

    done = study("check", "mine")

    assert (done.returncode, done.stdout) == (0, "1 exercise: all is well.\n")


DECK = "Q: What does LoRA add? {#lora}\nA: Two thin matrices.\n"


def test_check_tries_decks_and_exercises_of_one_folder(study: Study, tmp_path: Path) -> None:
    (tmp_path / "mine" / "lora.md").write_text(DECK)
    study("exercise", "trust", "mine")

    assert study("check", "mine").stdout == "1 file, 1 card, 1 exercise: all is well.\n"


def test_check_says_how_to_try_the_python_files_beside_a_deck(study: Study, tmp_path: Path) -> None:
    (tmp_path / "mine" / "lora.md").write_text(DECK)

    done = study("check", "mine")

    assert done.returncode == 0
    assert "mine:1: warning: its Python files were not tried; if they are exercises, read them" in done.stdout
    assert "1 file, 1 card: 1 warning." in done.stdout


def test_one_exercise_file_is_tried_by_itself(study: Study, tmp_path: Path) -> None:
    (tmp_path / "mine" / "broken.py").write_text("nonsense(1)\n")
    study("exercise", "trust", "mine")

    assert study("check", "mine/lora.py").stdout == "1 exercise: all is well.\n"


def test_an_exercise_file_that_is_not_trusted_is_not_called_well(study: Study) -> None:
    done = study("check", "mine/lora.py")

    assert done.returncode == 1
    assert "not trusted as it is; read it, then: study exercise trust mine" in done.stdout


def test_the_template_of_the_guide_is_short() -> None:
    assert len(GOOD.splitlines()) < 30
