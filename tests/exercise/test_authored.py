"""Check that other authors' exercises run only while trusted and unchanged, and pass `study check`."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from foreign_files import nested_folders
from shell import Shell

from studykit.errors import BadDataError
from studykit.exercise import catalog
from studykit.exercise.trust import files

GOOD = """from studykit.exercise.estimate.template import SlipRule, Template

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


@pytest.fixture
def study(study: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(catalog, "_AUTHORED", [])  # forgotten again after the test
    study.write("mine/lora.py", GOOD)
    study.write("config.toml", 'course = "off"\nexercises = ["mine"]\n')
    return study


def test_untrusted_folder_is_not_run(study: Shell) -> None:
    done = study("exercise", "show", "mine.lora_params")

    assert done.code == 3
    assert "is not trusted; read it, then: study exercise trust" in done.err


def test_a_trusted_folder_joins_the_catalogue(study: Shell) -> None:
    trusted = study("exercise", "trust", "mine")
    output = study("exercise", "show", "mine.lora_params", "d=1024", "r=8", "--seed", "1")

    assert "Trusted as it is now: lora.py" in trusted.out
    assert "2 x 1024 x 8 = 16,384" in output.out


def test_a_change_takes_the_trust_away(study: Shell, tmp_path: Path) -> None:
    study("exercise", "trust", "mine")
    (tmp_path / "mine" / "lora.py").write_text(GOOD.replace("LoRA of rank", "LoRA of a rank"))

    done = study("exercise", "show", "mine.lora_params")

    assert done.code == 3
    assert "has changed since" in done.err


def test_untrust_forgets_a_folder(study: Shell) -> None:
    study("exercise", "trust", "mine")

    forgotten = study("exercise", "untrust", "mine")

    assert forgotten.code == 0
    assert study("exercise", "show", "mine.lora_params").code == 3


def test_trust_that_cannot_be_kept_names_its_file(study: Shell) -> None:
    (study.home / "trusted.json").mkdir()

    result = study("exercise", "trust", "mine")

    assert result.code == 1
    assert "trusted.json cannot be written (it is a folder). Allow writing to it and its folder." in result.err


def test_check_proves_a_template(study: Shell, tmp_path: Path) -> None:
    wrong = GOOD.replace("lambda v: v.d * v.r,", "lambda v: 2.01 * v.d * v.r,").replace("0.01", "0.02")
    (tmp_path / "mine" / "lora.py").write_text(wrong)
    study("exercise", "trust", "mine")

    done = study("check", "mine")

    assert done.code == 1
    assert "mine/lora.py:4: mine.lora_params: mine.lora_params has no variant" in done.out


def test_broken_file_is_named_with_its_line(study: Shell, tmp_path: Path) -> None:
    (tmp_path / "mine" / "broken.py").write_text("EXERCISES = ()\n\nnonsense(1)\n")
    study("exercise", "trust", "mine")

    done = study("check", "mine")

    assert done.code == 1
    assert "mine/broken.py:3: NameError" in done.out
    assert "Traceback" not in done.err


DECK = "Q: What does LoRA add? {#lora}\nA: Two thin matrices.\n"


@pytest.mark.parametrize(
    ("beside", "text", "what", "counts"),
    [
        ("notes.txt", "", "mine", "1 exercise"),
        ("lora.md", DECK, "mine", "1 file, 1 card, 1 exercise"),
        ("broken.py", "nonsense(1)\n", "mine/lora.py", "1 exercise"),
    ],
    ids=["exercises", "a deck too", "one file"],
)
def test_check_counts_what_it_tried(study: Shell, beside: str, text: str, what: str, counts: str) -> None:
    study.write(f"mine/{beside}", text)
    study("exercise", "trust", "mine")

    assert study("check", what).out == f"{counts}: all is well.\n"


def test_check_says_how_to_try_python_files(study: Shell, tmp_path: Path) -> None:
    (tmp_path / "mine" / "lora.md").write_text(DECK)

    done = study("check", "mine")

    assert done.code == 0
    assert "mine:1: warning: its Python files were not tried; if they are exercises, read them" in done.out
    assert "1 file, 1 card: 1 warning." in done.out


def test_check_does_not_pass_untrusted_files(study: Shell) -> None:
    done = study("check", "mine/lora.py")

    assert done.code == 1
    assert "not trusted as it is; read it, then: study exercise trust mine" in done.out


@pytest.mark.parametrize("name", ["table.json", "parts/deep/data.csv", ".hidden"])
def test_any_change_ends_the_trust(study: Shell, name: str) -> None:
    study.write(f"mine/{name}", "1")
    trusted = study("exercise", "trust", "mine")
    before = study("exercise", "show", "mine.lora_params", "--seed", "1")

    study.write(f"mine/{name}", "2")
    changed = study("exercise", "show", "mine.lora_params")
    study.write(f"mine/{name}", "1")

    assert "Trusted as it is now: lora.py and 1 other file in mine. Any change asks again." in trusted.out
    assert before.code == 0
    assert (changed.code, "has changed since" in changed.err) == (3, True)
    assert study("exercise", "show", "mine.lora_params", "--seed", "1").code == 0


def test_new_file_ends_the_trust(study: Shell) -> None:
    study("exercise", "trust", "mine")
    study.write("mine/.git/index", "x")
    same = study("exercise", "show", "mine.lora_params", "--seed", "1")
    study.write("mine/__pycache__/helper.cpython-311.pyc", "x")

    assert same.code == 0
    assert study("exercise", "show", "mine.lora_params").code == 3


def test_importing_a_helper_changes_nothing(study: Shell) -> None:
    study.write("mine/parts/rank_helper.py", "RANKS = (4, 8, 16)\n")
    beside = "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).with_name('parts')))\n"
    helped = GOOD.replace('"r": (4, 8, 16)', '"r": RANKS')
    study.write("mine/lora.py", f"{beside}from rank_helper import RANKS\n{helped}")
    study("exercise", "trust", "mine")

    assert study("exercise", "show", "mine.lora_params", "--seed", "1").code == 0
    assert study("exercise", "show", "mine.lora_params", "--seed", "2").code == 0


def test_a_folder_of_folders_without_end_is_refused(study: Shell, tmp_path: Path) -> None:
    for number in range(2_001):
        (tmp_path / f"mine/parts/{number}").mkdir(parents=True)

    trusted = study("exercise", "trust", "mine")

    assert trusted.code == 5
    assert "holds more than 5 MB or 2,000 files" in trusted.err


def test_files_are_read_to_the_limit(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.py").write_bytes(b"#" * 2_000_000)

    with pytest.raises(BadDataError, match="holds more than 5 MB"):
        files(tmp_path)


def terabyte(path: Path) -> None:
    with path.open("wb") as opened:
        opened.truncate(1 << 40)


@pytest.mark.parametrize(
    ("put", "why"),
    [
        (lambda path: path.symlink_to("/dev/zero"), "odd.py is a link, which is not read"),
        (lambda path: path.symlink_to("nowhere"), "odd.py is a link, which is not read"),
        (os.mkfifo, "odd.py is a pipe, which is not read"),
        (terabyte, "holds more than 5 MB or 2,000 files"),
    ],
    ids=["device", "gone", "pipe", "terabyte"],
)
def test_what_is_no_small_file_is_never_read(
    study: Shell, tmp_path: Path, put: Callable[[Path], object], why: str
) -> None:
    (tmp_path / "mine" / "parts").mkdir()
    put(tmp_path / "mine" / "parts" / "odd.py")

    trusted, listed = study("exercise", "trust", "mine"), study("exercise", "list")

    assert trusted.code == 5
    assert why in trusted.err
    assert listed.code == 5
    assert f"Exercises: {tmp_path / 'mine'}" in listed.err
    assert "flops.train_total" in listed.out


def test_folders_within_folders_without_end_end_no_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()

    with nested_folders(tmp_path, 1100):
        assert files(tmp_path) == {"mine.py": b""}


ODD_LIST = "lora.py:4: EXERCISES raises ValueError: no"


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        (
            "EXERCISES = (1,)",
            "lora.py:2: EXERCISES holds an int, not an exercise. Replace it with one, such as a Template.",
        ),
        ("EXERCISES = 7", "lora.py:2: EXERCISES is an int. Make it a list of exercises"),
        ("EXERCISES = 'abc'", "lora.py:2: EXERCISES is a str. Make it a list of exercises"),
        ("raise SystemExit", "lora.py:2: SystemExit"),
        ("class Odd(list):\n def __iter__(s): raise ValueError('no')\nEXERCISES = Odd()", ODD_LIST),
    ],
)
def test_invalid_exercises_list_is_named_with_its_line(study: Shell, offered: str, why: str) -> None:
    study.write("mine/lora.py", f"# nothing\n{offered}\n")
    study("exercise", "trust", "mine")

    listed, checked = study("exercise", "list"), study("check", "mine")

    assert (listed.code, checked.code) == (5, 1)
    assert f"mine/{why}" in listed.err
    assert f"mine/{why}" in checked.out
    assert "flops.train_total" in listed.out


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
def test_package_is_listed(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool) -> None:
    metadata = {
        f"offered_{packed}.py": GOOD,
        "offered-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n",
        "offered-1.0.dist-info/entry_points.txt": f"[studykit.exercises]\nlora = offered_{packed}\n",
    }
    site = tmp_path / ("site.zip" if packed else "site")
    if packed:
        with zipfile.ZipFile(site, "w") as archive:
            for name, text in metadata.items():
                archive.writestr(name, text)
    else:
        for name, text in metadata.items():
            study.write(f"site/{name}", text)
    before = study("exercise", "list", "napkin-math").out
    monkeypatch.syspath_prepend(site)

    listed = study("exercise", "list", "napkin-math").out

    assert "mine.lora_params" in listed
    assert "mine.lora_params" not in before


@pytest.mark.parametrize("name", ["napkin-math", "einops", "timing"])
def test_set_loads_only_its_modules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_AUTHORED", [])

    assert name in catalog.set_names()
    assert catalog.of_set(name) == tuple(found for found in catalog.every() if found.set_name == name)


@pytest.fixture
def formula(study: Shell) -> Shell:
    formula_file = GOOD.replace("tolerance=0.01", 'tolerance=0, formula="2*d*r"').replace(
        "How many", "Give a formula: how many"
    )
    study.write("mine/lora.py", formula_file)
    study("exercise", "trust", "mine")
    return study


def test_question_for_a_formula_holds_true(formula: Shell) -> None:
    assert formula("check", "mine").code == 0


def test_authored_formula_question_is_asked(formula: Shell) -> None:
    done = formula("exercise", "mine.lora_params", "-n", "1", "--plain", typed="16384\ndr\nr d*2\n")

    assert done.code == 0
    assert "formula>" in done.out
    assert "give a formula in d, r" in done.out
    assert "factors are there?" in done.out
    assert "Read as r*d*2" in done.out
    assert "2*d*r" in done.out


def test_page_shows_an_authored_formula_card(formula: Shell) -> None:
    formula.write("decks/lora.md", "E: mine.lora_params {#lora}\n")

    done = formula("export", "html", "decks", "-o", "site")

    page = (formula.home / "site" / "lora.html").read_text("utf-8")
    assert done.code == 0
    assert "study exercise mine.lora_params" in page
    assert "2*d*r" in page
    assert "data-sk=" not in page
