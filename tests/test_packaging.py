"""Test that study runs from a wheel, an sdist and an editable install, and that each holds the right files."""

import fcntl
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from checkout import LIMIT_S, build, copy_checkout, environment

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LANG": "C.UTF-8", "TZ": "UTC", **extra}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environ,
        input=" \n3\nq\n",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def install(python: Path, *what: str | Path, cwd: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-build-isolation", "-q")
    done = run(*pip, *what, cwd=cwd)
    assert done.returncode == 0, done.stderr


def reviews(python: Path, home: Path) -> str:
    """Run `study review` from another folder with an empty home, and return its output."""
    home.mkdir()
    done = run(python.parent / "study", "review", "--plain", cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built() -> Path:
    """Build the sdist and from it the wheel, once for all processes of a run, and return their folder."""
    folder = Path(os.environ["XDG_RUNTIME_DIR"], "built")
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "dist").exists():
            dist, source = folder / "made", copy_checkout(folder / "source")
            build("build_sdist", dist, source)
            with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
                # An argument `filter` would need Python 3.11.4, and Debian 12 has 3.11.2.
                sdist.extraction_filter = getattr(tarfile, "data_filter", None)
                sdist.extractall(folder)  # noqa: S202 - made by the line above
            build("build_wheel", dist, next(folder.glob("studykit_srs-*")))
            dist.rename(folder / "dist")
    return folder


def test_a_wheel_reviews_shipped_cards_from_another_folder(built: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")

    install(python, next((built / "dist").glob("*.whl")), cwd=tmp_path)

    assert "Question" in reviews(python, tmp_path / "home")
    assert run(python.parent / "study", "help", "sm2", cwd=tmp_path).stdout.startswith("SM-2: ")


@pytest.mark.thorough  # the wheel that is always tried was built from it
def test_an_sdist_reviews_shipped_cards_from_another_folder(built: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")

    install(python, next((built / "dist").glob("*.tar.gz")), cwd=tmp_path)

    assert "Question" in reviews(python, tmp_path / "home")


@pytest.mark.thorough
@pytest.mark.parametrize("linked", [False, True], ids=["without the link", "with the link studykit/graders"])
def test_editable_install_reviews_cards_from_anywhere(tmp_path: Path, *, linked: bool) -> None:
    python = environment(tmp_path / "venv")
    source = copy_checkout(tmp_path / "source")
    if linked:
        (source / "studykit" / "graders").symlink_to("../graders")

    install(python, "-e", source, cwd=tmp_path)

    assert "Question" in reviews(python, tmp_path / "home")
    assert (
        run(python, "-c", "import studykit.exercise.estimate.number, studykit.exercises", cwd=tmp_path).stderr
        == ""
    )


def test_wheel_has_one_package_and_no_tests(built: Path) -> None:
    with zipfile.ZipFile(next((built / "dist").glob("*.whl"))) as wheel:
        tops = {name.split("/")[0] for name in wheel.namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"studykit"}


def test_the_sdist_holds_the_tests_and_the_constraints(built: Path) -> None:
    with tarfile.open(next((built / "dist").glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}

    assert {
        "tests/scheduling/test_sm2.py",
        "constraints.txt",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
    } <= names


def test_package_list_names_every_code_folder() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = settings["package-dir"]
    listed = {_folder(name, folders) for name in settings["packages"]}

    tops = ("studykit", "decks", "exercises", "graders", "alembic")
    code_folders = {str(path.parent.relative_to(ROOT)) for top in tops for path in (ROOT / top).rglob("*.py")}

    assert code_folders | {"decks"} == listed


def _folder(package: str, folders: dict[str, str]) -> str:
    """Return where a package's code is: below the nearest mapped package above it, or under its own name."""
    parent, _, name = package.rpartition(".")
    if package in folders or not parent:
        return folders.get(package, package)
    return f"{_folder(parent, folders)}/{name}"
