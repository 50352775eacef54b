"""A wheel in a clean environment: an editable install's finder slows every start, bare Python's too."""

import compileall
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


def clean_python(folder: Path) -> str:
    """An interpreter that has this checkout as a wheel, and the running one's libraries without its `.pth`s."""
    source, place = folder / "source", folder / "clean"
    for old in (source, place):
        shutil.rmtree(old, ignore_errors=True)
    _copied(source)
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=source, check=True, capture_output=True, timeout=120
    )
    wheel = max(folder.glob("studykit*.whl"), key=lambda file: file.stat().st_mtime_ns)
    venv.create(place, symlinks=True, with_pip=False)
    site = next(place.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    libraries = [each for each in sys.path if Path(each).name in {"site-packages", "dist-packages"}]
    (site / "libraries.pth").write_text("\n".join(libraries) + "\n")
    compileall.compile_dir(site, quiet=2)
    shutil.rmtree(source)
    return str(place / "bin" / "python")


def _copied(target: Path) -> None:
    """The files of the checkout that git knows, as they are now."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=60,
    )
    for name in filter(None, os.fsdecode(listing.stdout).split("\0")):
        origin, copy = ROOT / name, target / name
        if not origin.exists() and not origin.is_symlink():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(origin, copy, follow_symlinks=False)
