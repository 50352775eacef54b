"""Check what the README promises: short, two commands to paste, a current picture."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from studykit.help_pages import PAGES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
MAX_BYTES = 8192
MAX_PICTURE_BYTES = 400_000
FILM = "tests/pictures/estimate.svg"


def block(name: str) -> str:
    match = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```", README, re.DOTALL)
    assert match is not None
    return match[1].strip()


def test_readme_is_short() -> None:
    assert len(README.encode()) <= MAX_BYTES


@pytest.mark.parametrize("name", ["run", "test"])
def test_each_of_the_two_commands_is_one_line(name: str) -> None:
    assert "\n" not in block(name)


@pytest.mark.parametrize("name", ["run", "test"])
def test_no_installation_is_silent(name: str) -> None:
    before, _, options = block(name).partition("pip install")

    assert "echo" in before or " -q " not in options.partition("&&")[0]


def test_ci_runs_the_readmes_own_test_command() -> None:
    assert "<!-- test -->" in (ROOT / ".ci" / "run").read_text()


def test_nobody_is_told_to_copy_the_database() -> None:
    assert "Never copy `study.db` alone" in (PAGES / "data.md").read_text("utf-8")
    for text in (README, *(page.read_text("utf-8") for page in PAGES.glob("*.md"))):
        assert not re.search(r"copy the file|\.backup copy", text)


def test_moving_picture_shows_the_program_of_today(tmp_path: Path) -> None:
    film = tmp_path / "film.svg"
    subprocess.run([sys.executable, "tests/pictures/film.py", "--to", film], cwd=ROOT, check=True, timeout=100)

    assert film.read_bytes() == (ROOT / FILM).read_bytes(), "run: python tests/pictures/film.py"


def test_moving_picture_is_small_and_described() -> None:
    assert (ROOT / FILM).stat().st_size < MAX_PICTURE_BYTES
    assert re.search(rf'<img src="{FILM}" width="\d+" alt="[^"]{{60,}}">', README)
